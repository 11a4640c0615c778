//! The boards that a command is about, and the probes that they are behind.

use std::path::Path;
use std::sync::Arc;

use lodger_board::{
    Attaching, BoardError, BoardSelection, Program, ResolvedBoard, Selector, only_probe,
};
use lodger_terminal::{Diagnostic, Severity, plain};

use super::args::{BoardArgs, OutputArgs, ProgramArgs};

/// A board that a command is about.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    /// Its probe, as on the command line.
    pub(crate) probe: String,
    /// What stands before its lines; nothing where there is one board.
    pub(crate) prefix: String,
    /// The board to open.
    pub(crate) board: ResolvedBoard,
}

impl Target {
    /// What went wrong with it. An error names its probe where it has one; with several boards, all
    /// must be told apart.
    pub(crate) fn failed(&self, error: &BoardError) -> Diagnostic {
        let mut diagnostic = refused(error);
        if !self.prefix.is_empty() && !diagnostic.message.contains(&self.probe) {
            diagnostic.message = format!("{}: {}", self.probe, diagnostic.message);
        }
        diagnostic
    }
}

/// Reads the program, and finds its boards.
pub(crate) fn open(on: &ProgramArgs) -> Result<(Arc<Program>, Vec<Target>), Diagnostic> {
    let program = program(&on.program)?;
    let targets = targets(&on.board, Some(&program))?;
    note_emulation(&targets, &on.output);
    Ok((program, targets))
}

/// Reads a program.
pub(crate) fn program(path: &Path) -> Result<Arc<Program>, Diagnostic> {
    Program::read(path).map(Arc::new).map_err(|error| refused(&error))
}

/// Says what is odd about the log of a program, where its log is wanted; for others only that nobody
/// will ever hear it.
pub(crate) fn note_log(program: &Program, log_is_wanted: bool) {
    if let Some(warning) = program.log_warning().filter(|it| log_is_wanted || it.is_unreadable()) {
        let severity = if warning.is_unreadable() { Severity::Warning } else { Severity::Note };
        Diagnostic::new(severity, warning.to_string()).help(warning.help()).print();
    }
}

/// The boards that are meant, one for each probe.
pub(crate) fn targets(
    args: &BoardArgs,
    program: Option<&Program>,
) -> Result<Vec<Target>, Diagnostic> {
    let selection = BoardSelection {
        board: args.board.clone(),
        chip: args.chip.clone(),
        chip_description: args.chip_description.clone(),
        probe: None,
        attaching: Attaching {
            speed_khz: args.speed,
            under_reset: args.connect_under_reset,
            allow_erase_all: args.allow_erase_all,
        },
    };
    let board = selection.choose(program).map_err(|error| refused(&error))?;
    let probes = if args.probes.is_empty() {
        vec![only_probe().map_err(|error| refused(&error))?]
    } else {
        args.probes.clone()
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
        Target { probe, prefix, board: ResolvedBoard { probe: Some(selector), ..board.clone() } }
    };
    Ok(probes.into_iter().map(target).collect())
}

/// Says where eyes see it that what follows comes from no hardware.
pub(crate) fn note_emulation(targets: &[Target], output: &OutputArgs) {
    let mut probes = targets.iter().filter_map(|target| target.board.probe.as_ref());
    if !output.as_json() && probes.any(Selector::is_remote) {
        let message = "through an emulated probe: no hardware was tested, and times say nothing";
        Diagnostic::new(Severity::Note, message).print();
    }
}

/// An error of a board as a message to the user.
pub(crate) fn refused(error: &BoardError) -> Diagnostic {
    Diagnostic::error(error.to_string()).help(error.help())
}
