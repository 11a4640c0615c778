//! The command line, and its description for shells (`lodger completions`) and manuals
//! (`lodger man`).

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use clap::{Args, Command as ClapCommand, CommandFactory as _, Parser, Subcommand};
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};
use lodger_terminal::output::FileBatch;
use lodger_terminal::{CommandSpec, Diagnostic, OutputTarget, describe_program, output};

use crate::commands::bench::BenchOptions;
use crate::commands::cost::CostArgs;
use crate::commands::linkset::LinksetArgs;
use crate::commands::lint::LintArgs;
use crate::commands::replay::ReplayArgs;
use crate::commands::schedule::ScheduleArgs;
use crate::commands::simulate::SimulateArgs;
use crate::diagnostics::{CommandStatus, EXIT_CODES};

/// Choose levels of detail within a budget, and say why.
#[derive(Debug, Parser)]
#[command(name = "lodger", version, after_help = EXIT_CODES, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: LodgerCommand,
}

/// Subcommands of lodger.
#[derive(Debug, Subcommand)]
pub(crate) enum LodgerCommand {
    /// Divide a budget: the level of detail of each actor of a scene, and why
    #[command(
        long_about = "Divide a budget: the level of detail of each actor of a scene, and why.\n\n\
            Each actor's benefit (its distance, age and speed, weighted) buys it a share of the \
            budget; if all shares together cost too much, all are scaled down alike.",
        after_long_help = include_str!("commands/schedule/help.txt"),
        after_help = EXIT_CODES,
    )]
    Schedule(ScheduleArgs),

    /// Price meshes and objects: land impact, its limiting weight, the share of each LOD
    #[command(
        long_about = "Price meshes and objects: land impact, its limiting weight, the share of each LOD.",
        after_long_help = include_str!("commands/cost/help.txt"),
        after_help = EXIT_CODES,
    )]
    Cost(Box<CostArgs>),

    /// Check mesh assets for faults that an upload rejects or charges for
    #[command(
        long_about = "Check mesh assets for faults that an upload rejects or charges for.\n\n\
            A finding is a warning or a note; with notes only, the exit code is 0. In an \
            archive, each mesh asset is checked. Physics costs are those at scale 1,1,1: an asset has \
            no scale of its own.",
        after_help = EXIT_CODES,
    )]
    Lint(LintArgs),

    /// Check whether objects can be linked, and by how much they exceed the rules
    #[command(
        long_about = "Check whether objects can be linked, and by how much they exceed the rules.",
        after_long_help = include_str!("commands/linkset/help.txt"),
        after_help = EXIT_CODES,
    )]
    Linkset(LinksetArgs),

    /// Decide the ticks of a log again, and name the first difference
    #[command(
        long_about = "Decide the ticks of a log again, and name the first difference.",
        after_long_help = include_str!("commands/replay/help.txt"),
        after_help = EXIT_CODES,
    )]
    Replay(ReplayArgs),

    /// Move a camera through a scene, with costs that are noisy and wrong at first
    #[command(
        long_about = "Move a camera through a scene, with costs that are noisy and wrong at first.\n\n\
            A third of the actors move. The scheduler measures, learns and decides, 60 times a second, \
            and its value is compared with the upper bound at the true costs.",
        after_long_help = include_str!("commands/simulate/help.txt"),
        after_help = EXIT_CODES,
    )]
    Simulate(Box<SimulateArgs>),

    /// Measure the time of decisions on this machine, beside textbook methods and a pass over memory
    #[command(
        long_about = "Measure the time of decisions on this machine, beside textbook methods and a pass over memory.\n\n\
            All decide for the same actors in turn. No other program should be running.",
        after_long_help = include_str!("commands/bench/help.txt"),
        after_help = EXIT_CODES,
    )]
    Bench(BenchOptions),

    /// Pack a model into mesh assets of the land impact that you want
    #[command(disable_help_flag = true)]
    Pack(ExternalArgs),

    /// Query the costs of a grid's meshes in SQL: asset stores, databases, archives
    #[command(disable_help_flag = true)]
    Grid(ExternalArgs),

    /// Flash, run, watch and query boards through debug probes
    #[command(disable_help_flag = true)]
    Board(ExternalArgs),

    /// Print a script that completes the options of lodger and its programs in a shell
    #[command(after_long_help = include_str!("commands/completions.txt"), after_help = EXIT_CODES)]
    Completions(CompletionsArgs),

    /// Write the man pages of lodger and its programs into a folder
    #[command(after_help = EXIT_CODES)]
    Man(ManArgs),
}

#[derive(Args, Debug)]
pub(crate) struct ExternalArgs {
    /// Arguments of the program; see its --help
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    _arguments: Vec<OsString>,
}

const PROGRAMS: [(&str, &str); 3] =
    [("pack", "lodger-pack"), ("grid", "lodger-grid"), ("board", "lodger-board")];

/// Options of `lodger completions`.
#[derive(Args, Debug)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Options of `lodger man`.
#[derive(Args, Debug)]
pub(crate) struct ManArgs {
    /// The folder of the pages; it is made if missing, and its pages are replaced
    #[arg(value_name = "DIR", default_value = ".")]
    folder: PathBuf,
}

pub(crate) fn completions(args: &CompletionsArgs) -> Result<CommandStatus, Diagnostic> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut full_command(), "lodger", &mut script);
    output::write(OutputTarget::Stdout, &script)?;
    Ok(CommandStatus::Fine)
}

pub(crate) fn man(args: &ManArgs) -> Result<CommandStatus, Diagnostic> {
    let mut command = full_command().disable_help_subcommand(true);
    command.build();
    let mut pages = Vec::new();
    render(&command, &mut pages)
        .map_err(|error| Diagnostic::error(format!("cannot render the man pages: {error}")))?;
    let batch = FileBatch::new(true);
    batch.make_folder(&args.folder)?;
    for (name, page) in pages {
        batch.add(&args.folder.join(name), &page)?;
    }
    batch.finish()?;
    Ok(CommandStatus::Fine)
}

fn full_command() -> ClapCommand {
    let mut spec = CommandSpec::from_command(&Cli::command());
    for (name, program) in PROGRAMS {
        if let Some(described) = describe_program(program) {
            spec.replace_subcommand(name, described);
        }
    }
    spec.into_command()
}

fn render(command: &ClapCommand, pages: &mut Vec<(String, Vec<u8>)>) -> io::Result<()> {
    for subcommand in command.get_subcommands() {
        render(subcommand, pages)?;
    }
    let after = command.get_after_long_help().map(ToString::to_string);
    let man = Man::new(command.clone().after_long_help(None::<&str>));
    let mut page = Vec::new();
    man.render(&mut page)?;
    if let Some(text) = after {
        // Examples keep their lines.
        let mut roff = Roff::new();
        roff.control("SH", ["NOTES"]).control("nf", []);
        for line in text.lines() {
            roff.text([roman(line)]);
        }
        roff.control("fi", []);
        roff.to_writer(&mut page)?;
    }
    pages.push((man.get_filename(), page));
    Ok(())
}
