//! `lodger completions` and `lodger man`: scripts for shells, and man pages, for lodger and the programs behind it.

use std::io;
use std::path::PathBuf;

use clap::{Args, Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};
use lodger_terminal::output::Batch;
use lodger_terminal::{CommandSpec, Diagnostic, Target, describe_program, output};

use crate::diagnostics::CommandStatus;

/// The subcommands that are programs of their own.
const PROGRAMS: [(&str, &str); 3] =
    [("pack", "lodger-pack"), ("grid", "lodger-grid"), ("board", "lodger-board")];

/// For which shell a script is printed.
#[derive(Args, Debug)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Where man pages are written.
#[derive(Args, Debug)]
pub(crate) struct ManArgs {
    /// The folder for the pages; it is made, and pages in it are replaced
    #[arg(value_name = "DIR", default_value = ".")]
    folder: PathBuf,
}

/// Prints the script of a shell.
pub(crate) fn completions<C: CommandFactory>(
    args: &CompletionsArgs,
) -> Result<CommandStatus, Diagnostic> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command::<C>(), "lodger", &mut script);
    output::write(Target::Stdout, &script)?;
    Ok(CommandStatus::Fine)
}

/// Writes a page for lodger and for each of its commands: all of them, or none.
pub(crate) fn man<C: CommandFactory>(args: &ManArgs) -> Result<CommandStatus, Diagnostic> {
    let mut command = command::<C>().disable_help_subcommand(true);
    command.build();
    let mut pages = Vec::new();
    render(&command, &mut pages)
        .map_err(|error| Diagnostic::error(format!("cannot render the man pages: {error}")))?;
    let batch = Batch::new(true);
    batch.make_folder(&args.folder)?;
    for (name, page) in pages {
        batch.add(&args.folder.join(name), &page)?;
    }
    batch.finish()?;
    Ok(CommandStatus::Fine)
}

/// The command line of lodger with those of the installed programs in it.
fn command<C: CommandFactory>() -> Command {
    let mut spec = CommandSpec::of(&C::command());
    for (name, program) in PROGRAMS {
        if let Some(described) = describe_program(program) {
            spec.replace_subcommand(name, described);
        }
    }
    spec.into_command()
}

/// Renders the pages of a command and its subcommands, each with the name of its file.
fn render(command: &Command, pages: &mut Vec<(String, Vec<u8>)>) -> io::Result<()> {
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
