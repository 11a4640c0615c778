//! The command line, and the boards that it selects.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use lodger_board::{
    Attaching, BoardError, BoardSelection, Program, ResolvedBoard, Selector, only_probe,
};
use lodger_terminal::{Diagnostic, Severity, sanitize};

use super::log_format::LogFormat;

/// The exit codes of commands that do not run a program.
const EXIT_CODES: &str = "Exit codes: 0 fine, 1 findings or some rows failed, 2 usage or \
    input, or nothing could be read. Use --help for more.";

/// Flash, run, watch and test boards through debug probes.
#[derive(Debug, Parser)]
#[command(
    name = "lodger board",
    bin_name = "lodger board",
    version,
    after_long_help = include_str!("help.txt"),
    after_help = EXIT_CODES,
    arg_required_else_help = true,
)]
pub(crate) struct Cli {
    /// The command.
    #[command(subcommand)]
    pub(crate) command: BoardCommand,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub(crate) enum BoardCommand {
    /// List plugged-in debug probes and known boards
    #[command(after_help = EXIT_CODES)]
    List(ListArgs),
    /// Write a program to a board, read it back to compare, and start it
    #[command(after_help = EXIT_CODES)]
    Flash(ProgramArgs),
    /// Run a program and show its log until it exits; its exit code is passed on
    #[command(
        after_help = "Exit codes: the program's own, 1 when it crashed, 2 usage, probe or board, 130 Ctrl-C.\n\
        `lodger board --help` has examples and the keys of --json."
    )]
    Run(RunArgs),
    /// Watch the program that runs on a board: budget, LODs, planned and measured times, its log
    #[command(after_help = "q or Ctrl-C leaves; the program runs on.\n\
        `lodger board --help` has examples and the keys of --json.")]
    Monitor(MonitorArgs),
    /// Test a board that runs `conform` of lodger-programs: its results must be bit-identical to this computer's
    #[command(
        after_help = "Exit codes: 0 no difference, 1 some results differ, 2 usage, probe or board, 130 Ctrl-C.\n\
        `lodger board --help` has examples and the keys of --json."
    )]
    Conform(ConformArgs),
}

/// Options that select boards and probes.
#[derive(Args, Debug)]
pub(crate) struct BoardArgs {
    /// A board of `lodger board list`; by default the board of the program
    #[arg(long, value_name = "NAME")]
    pub(crate) board: Option<String>,

    /// probe-rs's name of a chip, instead of the chip of the board
    #[arg(long, value_name = "CHIP")]
    pub(crate) chip: Option<String>,

    /// A target description of probe-rs with the chip
    #[arg(long, value_name = "FILE", requires = "chip")]
    pub(crate) chip_description: Option<PathBuf>,

    /// A probe, as `lodger board list` shows it; may be repeated for several boards
    #[arg(long = "probe", value_name = "SELECTOR", value_parser = selector)]
    pub(crate) probes: Vec<Selector>,

    /// The speed of SWD in kHz; by default the probe chooses it
    #[arg(long, value_name = "KHZ", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) speed: Option<u32>,

    /// Hold the board in reset while connecting, for a program that sleeps or uses the pins of SWD
    ///
    /// The program restarts, so that `monitor` sees it from its beginning. The probe must be wired to the reset pin.
    #[arg(long)]
    pub(crate) connect_under_reset: bool,

    /// Erase everything on a locked chip, if nothing else opens it
    ///
    /// An nRF52840 of revision 3 locks its debug port (APPROTECT) at each reset. A debugger can then connect only after
    /// erasing everything: the flash and the settings in UICR. The programs of lodger-programs open the port at their
    /// start, so that this is needed once. A chip that is not locked is not erased.
    #[arg(long)]
    pub(crate) allow_erase_all: bool,
}

/// Options of the output.
#[derive(Args, Debug)]
pub(crate) struct BoardOutputArgs {
    /// The format of the output
    #[arg(long, default_value = "table")]
    format: MonitorForm,

    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

impl BoardOutputArgs {
    /// Whether the output is JSON.
    pub(crate) fn as_json(&self) -> bool {
        self.json || self.format == MonitorForm::Json
    }
}

/// Options of the log.
#[derive(Args, Debug)]
pub(crate) struct BoardLogArgs {
    /// The format of log lines, as in defmt's tools: '{t} {L} {s}'
    ///
    /// s is the message, L the level, t the time, f the file (ff with its folder), F the path, l the line, m the module, c
    /// the crate. Parameters follow a colon: a colour or severity, bold, italic, underline, strike or dimmed, or a width,
    /// as in {f:>12}. Parameters of nested braces follow a %, as in {[{L}]%bold}. A line without a level, such as plain
    /// text, is shown unchanged; the live screen has its own format.
    #[arg(long, value_name = "FORMAT")]
    pub(crate) log_format: Option<LogFormat>,
}

impl BoardLogArgs {
    /// The format; an error with JSON, in which each part of a line has a key.
    pub(crate) fn format(&self, output: &BoardOutputArgs) -> Result<Option<LogFormat>, Diagnostic> {
        if self.log_format.is_some() && output.as_json() {
            let error =
                Diagnostic::error("--log-format formats text, and --format json has no text");
            return Err(error.help("leave one out: in JSON each part of a line has a key"));
        }
        Ok(self.log_format.clone())
    }
}

/// The format of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum MonitorForm {
    /// Text and tables
    Table,
    /// JSON; `lodger board --help` lists the keys
    Json,
}

/// Arguments of `list`.
#[derive(Args, Debug)]
pub(crate) struct ListArgs {
    #[command(flatten)]
    pub(crate) output: BoardOutputArgs,
}

/// A program and its boards.
#[derive(Args, Debug)]
pub(crate) struct ProgramArgs {
    /// The program: the ELF that cargo built
    #[arg(value_name = "ELF")]
    pub(crate) program: PathBuf,
    #[command(flatten)]
    pub(crate) board: BoardArgs,
    #[command(flatten)]
    pub(crate) output: BoardOutputArgs,
}

/// Arguments of `run`.
#[derive(Args, Debug)]
pub(crate) struct RunArgs {
    /// Start the program on the board without writing it; it must be this program
    #[arg(long)]
    pub(crate) no_flash: bool,
    #[command(flatten)]
    pub(crate) log: BoardLogArgs,
    #[command(flatten)]
    pub(crate) on: ProgramArgs,
}

/// Arguments of `monitor`.
#[derive(Args, Debug)]
pub(crate) struct MonitorArgs {
    /// The program that runs on the board; without it there is telemetry, but no log
    #[arg(value_name = "ELF")]
    pub(crate) program: Option<PathBuf>,
    /// Restart the program
    #[arg(long)]
    pub(crate) reset: bool,
    /// Print lines even on a terminal
    #[arg(long, conflicts_with = "json")]
    pub(crate) plain: bool,
    /// Stop after N frames of each board
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) frames: Option<u64>,
    /// Stop after a time in seconds
    #[arg(long = "for", value_name = "SECONDS", value_parser = seconds)]
    pub(crate) duration: Option<Duration>,
    #[command(flatten)]
    pub(crate) log: BoardLogArgs,
    #[command(flatten)]
    pub(crate) board: BoardArgs,
    #[command(flatten)]
    pub(crate) output: BoardOutputArgs,
}

/// Arguments of `conform`.
#[derive(Args, Debug)]
pub(crate) struct ConformArgs {
    /// The number of test vectors in each number type
    #[arg(long, value_name = "N", default_value_t = lodger_wire::conform::VECTORS,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) vectors: u32,
    /// Test the program on the board without writing it; it must be this program
    #[arg(long)]
    pub(crate) no_flash: bool,
    #[command(flatten)]
    pub(crate) on: ProgramArgs,
}

#[derive(Debug, Clone)]
pub(crate) struct BoardTarget {
    pub(crate) probe: String,
    /// The prefix of output lines; empty for a single board.
    pub(crate) prefix: String,
    pub(crate) board: ResolvedBoard,
}

impl BoardTarget {
    /// Formats this board's error; names the probe if there are several boards.
    pub(crate) fn failed(&self, error: &BoardError) -> Diagnostic {
        let mut diagnostic = board_diagnostic(error);
        if !self.prefix.is_empty() && !diagnostic.message.contains(&self.probe) {
            diagnostic.message = format!("{}: {}", self.probe, diagnostic.message);
        }
        diagnostic
    }
}

pub(crate) fn open(on: &ProgramArgs) -> Result<(Arc<Program>, Vec<BoardTarget>), Diagnostic> {
    let program = program(&on.program)?;
    let targets = targets(&on.board, Some(&program))?;
    note_emulation(&targets, &on.output);
    Ok((program, targets))
}

pub(crate) fn program(path: &Path) -> Result<Arc<Program>, Diagnostic> {
    Program::read(path).map(Arc::new).map_err(|error| board_diagnostic(&error))
}

/// Prints the warning about the log; without `log_is_wanted` only if the log is unreadable.
pub(crate) fn note_log(program: &Program, log_is_wanted: bool) {
    if let Some(warning) = program.log_warning().filter(|it| log_is_wanted || it.is_unreadable) {
        let severity = if warning.is_unreadable { Severity::Warning } else { Severity::Note };
        Diagnostic::new(severity, warning.message).help(warning.help).print();
    }
}

/// Resolves the selected boards, one for each probe.
pub(crate) fn targets(
    args: &BoardArgs,
    program: Option<&Program>,
) -> Result<Vec<BoardTarget>, Diagnostic> {
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
    let board = selection.choose(program).map_err(|error| board_diagnostic(&error))?;
    let probes = if args.probes.is_empty() {
        vec![only_probe().map_err(|error| board_diagnostic(&error))?]
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
        let prefix = if several { format!("{}  ", sanitize(&probe)) } else { String::new() };
        BoardTarget {
            probe,
            prefix,
            board: ResolvedBoard { probe: Some(selector), ..board.clone() },
        }
    };
    Ok(probes.into_iter().map(target).collect())
}

pub(crate) fn note_emulation(targets: &[BoardTarget], output: &BoardOutputArgs) {
    let mut probes = targets.iter().filter_map(|target| target.board.probe.as_ref());
    if !output.as_json() && probes.any(Selector::is_remote) {
        let message =
            "through an emulated probe: no hardware was tested, and times are meaningless";
        Diagnostic::new(Severity::Note, message).print();
    }
}

pub(crate) fn board_diagnostic(error: &BoardError) -> Diagnostic {
    Diagnostic::error(error.to_string()).help(error.help())
}

fn selector(text: &str) -> Result<Selector, &'static str> {
    text.parse().map_err(|_| "write VID:PID or VID:PID:SERIAL, as `lodger board list` shows it")
}

fn seconds(text: &str) -> Result<Duration, &'static str> {
    let number: f64 = text.trim().parse().map_err(|_| "a number is expected")?;
    Duration::try_from_secs_f64(number).map_err(|_| "a number of seconds is expected")
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn help_speaks_of_lodger_board() {
        let mut command = Cli::command();
        assert!(command.render_long_help().to_string().contains("Usage: lodger board <COMMAND>"));
        command.build();
        let run = command.find_subcommand_mut("run").expect("a command");
        assert!(run.render_help().to_string().contains("Usage: lodger board run [OPTIONS] <ELF>"));
    }
}
