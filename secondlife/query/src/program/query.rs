//! `lodger grid sql`, `top`, `waste` and `whatif`.

mod args;
mod report;
mod result_stream;
mod runner;
mod table;

use std::process::ExitCode;

use lodger_grid::report as reports;
use lodger_terminal::Diagnostic;

pub(crate) use args::{SqlArgs, TopArgs, WasteArgs, WhatifArgs};
use runner::QueryRunner;

pub(crate) fn sql(args: &SqlArgs) -> Result<ExitCode, Diagnostic> {
    let runner = QueryRunner::open(&args.query, args.rules.name, None)?;
    result_stream::write(&runner, &args.sql, &args.query.output)?;
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn top(args: &TopArgs) -> Result<ExitCode, Diagnostic> {
    let (plot, rules) = (args.plot.as_deref(), args.rules.name);
    let runner = QueryRunner::open(&args.query, rules, plot)?;
    let report = runner.run(reports::top(&runner.session, rules, args.by, args.limit))?;
    if let Some(plot) = plot {
        report::plot_land_impacts(&report, plot)?;
    }
    report::write(&report, &args.query.output)?;
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn waste(args: &WasteArgs) -> Result<ExitCode, Diagnostic> {
    let plot = args.plot.as_deref();
    let runner = QueryRunner::open(&args.query, "viewer", plot)?;
    let report = runner.run(reports::waste(&runner.session, args.limit))?;
    if let Some(plot) = plot {
        report::plot_bytes(&report, plot)?;
    }
    report::write(&report, &args.query.output)?;
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn whatif(args: &WhatifArgs) -> Result<ExitCode, Diagnostic> {
    let (rules, against) = (args.rules.name, args.against.name);
    let runner = QueryRunner::open(&args.query, against, None)?;
    let report = runner.run(reports::whatif(&runner.session, rules, against, args.limit))?;
    report::write(&report, &args.query.output)?;
    Ok(ExitCode::SUCCESS)
}
