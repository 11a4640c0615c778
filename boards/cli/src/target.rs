//! The boards that a command is about, and the probes that they are behind.

use std::path::Path;
use std::sync::Arc;

use lodger_probe::{Attaching, Choice, Error, Program, Selection, Selector, only_probe};
use lodger_terminal::{Diagnostic, Severity, plain};

use crate::args::{OnBoard, Shown, Which};

/// A board that a command is about.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    /// Its probe, as on the command line.
    pub(crate) probe: String,
    /// What stands before its lines; nothing where there is one board.
    pub(crate) prefix: String,
    /// What to open.
    pub(crate) choice: Choice,
}

impl Target {
    /// What went wrong with it. An error names its probe where it has one; with several boards, all
    /// must be told apart.
    pub(crate) fn failed(&self, error: &Error) -> Diagnostic {
        let mut diagnostic = refused(error);
        if !self.prefix.is_empty() && !diagnostic.message.contains(&self.probe) {
            diagnostic.message = format!("{}: {}", self.probe, diagnostic.message);
        }
        diagnostic
    }
}

/// Reads the program, and finds its boards.
pub(crate) fn open(on: &OnBoard) -> Result<(Arc<Program>, Vec<Target>), Diagnostic> {
    let program = program(&on.program)?;
    let targets = targets(&on.which, Some(&program))?;
    note_emulation(&targets, &on.shown);
    Ok((program, targets))
}

/// Reads a program.
pub(crate) fn program(path: &Path) -> Result<Arc<Program>, Diagnostic> {
    Program::read(path).map(Arc::new).map_err(|error| refused(&error))
}

/// Says what is odd about the log of a program, where its log is wanted; for others only that nobody
/// will ever hear it.
pub(crate) fn note_log(program: &Program, log_is_wanted: bool) {
    if let Some(remark) = program.remark().filter(|remark| log_is_wanted || remark.is_deaf()) {
        let severity = if remark.is_deaf() { Severity::Warning } else { Severity::Note };
        Diagnostic::new(severity, remark.to_string()).help(remark.help()).print();
    }
}

/// The boards that are meant, one for each probe.
pub(crate) fn targets(which: &Which, program: Option<&Program>) -> Result<Vec<Target>, Diagnostic> {
    let selection = Selection {
        board: which.board.clone(),
        chip: which.chip.clone(),
        chip_description: which.chip_description.clone(),
        probe: None,
        attaching: Attaching {
            speed_khz: which.speed,
            under_reset: which.connect_under_reset,
            allow_erase_all: which.allow_erase_all,
        },
    };
    let choice = selection.choose(program).map_err(|error| refused(&error))?;
    let probes = if which.probes.is_empty() {
        vec![only_probe().map_err(|error| refused(&error))?]
    } else {
        which.probes.clone()
    };
    let again = probes.iter().enumerate().find(|(place, probe)| probes[..*place].contains(probe));
    if let Some((_, probe)) = again {
        let message = format!("the probe {probe} is named twice");
        return Err(Diagnostic::error(message).help("name every probe once"));
    }
    let several = probes.len() > 1;
    let target = |selector: Selector| {
        let probe = selector.to_string();
        let prefix = if several { format!("{}  ", plain(&probe)) } else { String::new() };
        Target { probe, prefix, choice: Choice { probe: Some(selector), ..choice.clone() } }
    };
    Ok(probes.into_iter().map(target).collect())
}

/// Says where eyes see it that what follows comes from no hardware.
pub(crate) fn note_emulation(targets: &[Target], shown: &Shown) {
    let mut probes = targets.iter().filter_map(|target| target.choice.probe.as_ref());
    if !shown.as_json() && probes.any(Selector::is_remote) {
        let message = "through an emulated probe: no hardware was tested, and times say nothing";
        Diagnostic::new(Severity::Note, message).print();
    }
}

/// What went wrong with a board, and what to do.
pub(crate) fn refused(error: &Error) -> Diagnostic {
    let diagnostic = Diagnostic::error(error.to_string());
    match error.help() {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
}
