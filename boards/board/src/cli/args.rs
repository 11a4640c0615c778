//! The command line.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use lodger_board::Selector;
use lodger_terminal::Diagnostic;

use super::log_format::LogFormat;

/// What all commands but those that run programs end with.
const EXIT_CODES: &str = "Exit codes: 0 fine, 1 findings or some rows failed, 2 usage or \
    input, or nothing could be read. Use --help for more.";

/// Flash, run, watch and question boards through debug probes.
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
    pub(crate) command: Command,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Show the debug probes that are plugged in, and the boards that are known
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
    /// Ask a board that runs `conform` of lodger-programs what it decides, and compare bit for bit with
    /// this computer
    #[command(
        after_help = "Exit codes: 0 all alike, 1 some differ, 2 usage, probe or board, 130 Ctrl-C.\n\
        `lodger board --help` has examples and the keys of --json."
    )]
    Conform(ConformArgs),
}

/// Which board, behind which probe.
#[derive(Args, Debug)]
pub(crate) struct BoardArgs {
    /// A board of `lodger board list`; without it, the one that the program names
    #[arg(long, value_name = "NAME")]
    pub(crate) board: Option<String>,

    /// probe-rs's name of a chip, in place of the board's
    #[arg(long, value_name = "CHIP")]
    pub(crate) chip: Option<String>,

    /// A target description of probe-rs that has the chip
    #[arg(long, value_name = "FILE", requires = "chip")]
    pub(crate) chip_description: Option<PathBuf>,

    /// The probe, as `lodger board list` shows it; more than once for several boards
    #[arg(long = "probe", value_name = "SELECTOR", value_parser = selector)]
    pub(crate) probes: Vec<Selector>,

    /// The speed of SWD in kHz; without it, the probe's own choice
    #[arg(long, value_name = "KHZ", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) speed: Option<u32>,

    /// Hold the board in reset while connecting; for a program that sleeps, or that takes the pins of SWD
    ///
    /// The board begins anew, so `monitor` sees the program from its beginning. It takes a probe that is
    /// wired to the reset pin.
    #[arg(long)]
    pub(crate) connect_under_reset: bool,

    /// Erase everything on a chip that is locked, if nothing else opens it
    ///
    /// An nRF52840 of revision 3 locks its debug port (APPROTECT) again at each reset. A debugger then gets
    /// in only by erasing all: the flash and the settings in UICR. The programs of lodger-programs open the
    /// port as they start, so that this is needed once, for the first of them. A chip that is not locked is
    /// not erased.
    #[arg(long)]
    pub(crate) allow_erase_all: bool,
}

/// How to show what comes.
#[derive(Args, Debug)]
pub(crate) struct OutputArgs {
    /// How to show it
    #[arg(long, default_value = "table")]
    format: Form,

    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

impl OutputArgs {
    /// Whether it is for scripts.
    pub(crate) fn as_json(&self) -> bool {
        self.json || self.format == Form::Json
    }
}

/// How a log looks.
#[derive(Args, Debug)]
pub(crate) struct LogArgs {
    /// How a line of the log looks, as the tools of defmt take it: '{t} {L} {s}'
    ///
    /// s is what it says, L its level, t its time, f its file (ff with the folder), F the path, l the line,
    /// m the module, c the crate. Behind a colon: a colour or severity, bold, italic, underline, strike or
    /// dimmed, or a width, as {f:>12}. Braces in braces have theirs behind a %, as {[{L}]%bold}. What has
    /// no level, as plain text, is shown as it is; the live screen keeps its own look.
    #[arg(long, value_name = "FORMAT")]
    pub(crate) log_format: Option<LogFormat>,
}

impl LogArgs {
    /// The format, which scripts have no use for: each part of a line has a key of its own there.
    pub(crate) fn format(&self, output: &OutputArgs) -> Result<Option<LogFormat>, Diagnostic> {
        if self.log_format.is_some() && output.as_json() {
            let error =
                Diagnostic::error("--log-format is for eyes, and --format json for scripts");
            return Err(error.help("leave one out: in JSON each part of a line has its key"));
        }
        Ok(self.log_format.clone())
    }
}

/// How it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// For eyes
    Table,
    /// For scripts; `lodger board --help` has the keys
    Json,
}

/// What to list.
#[derive(Args, Debug)]
pub(crate) struct ListArgs {
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// A program, and the boards that it is for.
#[derive(Args, Debug)]
pub(crate) struct ProgramArgs {
    /// The program: the ELF that cargo built
    #[arg(value_name = "ELF")]
    pub(crate) program: PathBuf,
    #[command(flatten)]
    pub(crate) board: BoardArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// What to run, and where.
#[derive(Args, Debug)]
pub(crate) struct RunArgs {
    /// Start what is on the board already; it must be this program
    #[arg(long)]
    pub(crate) no_flash: bool,
    #[command(flatten)]
    pub(crate) log: LogArgs,
    #[command(flatten)]
    pub(crate) on: ProgramArgs,
}

/// What to watch, and for how long.
#[derive(Args, Debug)]
pub(crate) struct MonitorArgs {
    /// The program that runs on the board; without it, there is telemetry and no log
    #[arg(value_name = "ELF")]
    pub(crate) program: Option<PathBuf>,
    /// Begin at the program's beginning
    #[arg(long)]
    pub(crate) reset: bool,
    /// Lines even on a terminal
    #[arg(long, conflicts_with = "json")]
    pub(crate) plain: bool,
    /// Leave after so many frames of each board
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) frames: Option<u64>,
    /// Leave after so many seconds
    #[arg(long = "for", value_name = "SECONDS", value_parser = seconds)]
    pub(crate) duration: Option<Duration>,
    #[command(flatten)]
    pub(crate) log: LogArgs,
    #[command(flatten)]
    pub(crate) board: BoardArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// What to ask, and whom.
#[derive(Args, Debug)]
pub(crate) struct ConformArgs {
    /// How many questions in each number type
    #[arg(long, value_name = "N", default_value_t = lodger_wire::conform::VECTORS,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) vectors: u32,
    /// Ask what is on the board already; it must be this program
    #[arg(long)]
    pub(crate) no_flash: bool,
    #[command(flatten)]
    pub(crate) on: ProgramArgs,
}

fn selector(text: &str) -> Result<Selector, &'static str> {
    text.parse().map_err(|_| "it is VID:PID or VID:PID:SERIAL, as `lodger board list` shows it")
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
