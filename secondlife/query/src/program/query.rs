//! `lodger grid sql`, `top`, `waste` and `whatif`.

mod answer;
mod args;
mod asking;
mod cell;
mod formats;
mod picture;
mod report;
mod table;

use std::process::ExitCode;

use lodger_grid::report::{TopBy, top as rank, waste as look_for, whatif as compare};
use lodger_terminal::Diagnostic;

pub(crate) use args::{SqlArgs, TopArgs, WasteArgs, WhatifArgs};
use asking::{Asking, told};

/// Answers a question.
pub(crate) fn sql(args: &SqlArgs) -> Result<ExitCode, Diagnostic> {
    let asking = Asking::open(&args.query, args.rules.word(), None)?;
    answer::write(&asking, &args.sql, &args.query.places)?;
    Ok(ExitCode::SUCCESS)
}

/// Ranks.
pub(crate) fn top(args: &TopArgs) -> Result<ExitCode, Diagnostic> {
    let plot = args.plot.as_deref();
    let (rules, limit) = (args.rules.word(), args.limit);
    let asking = Asking::open(&args.query, rules, plot)?;
    let by = TopBy::from(args.by);
    let report = asking.wait(rank(&asking.session, rules, by, limit)).map_err(|e| told(&e))?;
    if let Some(plot) = plot {
        picture::land_impacts(&report, plot)?;
    }
    report::write(&report, &args.query.places)?;
    Ok(ExitCode::SUCCESS)
}

/// Looks for waste.
pub(crate) fn waste(args: &WasteArgs) -> Result<ExitCode, Diagnostic> {
    let plot = args.plot.as_deref();
    let asking = Asking::open(&args.query, "viewer", plot)?;
    let report = asking.wait(look_for(&asking.session, args.limit)).map_err(|e| told(&e))?;
    if let Some(plot) = plot {
        picture::bytes(&report, plot)?;
    }
    report::write(&report, &args.query.places)?;
    Ok(ExitCode::SUCCESS)
}

/// Compares.
pub(crate) fn whatif(args: &WhatifArgs) -> Result<ExitCode, Diagnostic> {
    let (rules, against, limit) = (args.rules.word(), args.against.word(), args.limit);
    let asking = Asking::open(&args.query, against, None)?;
    let report = asking.wait(compare(&asking.session, rules, against, limit));
    report::write(&report.map_err(|e| told(&e))?, &args.query.places)?;
    Ok(ExitCode::SUCCESS)
}
