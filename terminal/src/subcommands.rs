//! The command line, and subcommands that are programs of their own, for example `lodger-board` for `lodger board`.
//! Such a program describes its command line as JSON.

use std::env;
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::process::{self, Command, Stdio};

use clap::builder::{PossibleValue, Resettable, StyledStr};
use clap::{Arg, ArgAction, Command as ClapCommand, Parser, ValueHint};
use serde::{Deserialize, Serialize};

use crate::{Diagnostic, OutputTarget, Severity, output};

/// The exit code of a wrong command line, as clap's.
pub(crate) const USAGE: i32 = 2;

/// The only argument of a program that prints its [`CommandSpec`].
const DESCRIBE: &str = "--lodger-command-spec";

/// Parses the command line, and answers `--help`, `--version` and [`describe_program`].
///
/// It ends the program after an answer: with 2 if the command line is invalid or stdout cannot be written, and
/// otherwise with 0. A closed pipe is no error.
#[must_use]
pub fn command_line<P: Parser>() -> P {
    if env::args_os().skip(1).eq([DESCRIBE]) {
        let described =
            output::write_json(OutputTarget::Stdout, &CommandSpec::from_command(&P::command()));
        process::exit(described.map_or(USAGE, |()| 0));
    }
    P::try_parse().unwrap_or_else(|answer| {
        let printed = answer.print().and_then(|()| io::stdout().flush());
        let code = match printed {
            Err(error) if !answer.use_stderr() && error.kind() != ErrorKind::BrokenPipe => {
                Diagnostic::error(format!("cannot write to stdout: {error}")).print();
                USAGE
            }
            _ => answer.exit_code(),
        };
        process::exit(code)
    })
}

/// Replaces this process by another program, with all arguments after the command. It returns only an error: for a
/// missing program, with the arguments `build` of `cargo build` that put the program beside lodger.
#[must_use]
pub fn exec_program(name: &str, build: &str) -> Diagnostic {
    let Some(program) = find(name) else {
        let message = format!("the program `{name}` is neither beside lodger nor on PATH");
        return Diagnostic::error(message).help(format!("build it with: cargo build {build}"));
    };
    let mut command = Command::new(&program);
    // The first two are lodger and the command.
    command.args(env::args_os().skip(2));
    let error = exec(command);
    Diagnostic::error(format!("cannot start `{}`: {error}", program.display()))
}

/// Runs a program to describe its command line; `None` if it is not installed. A program that does not answer causes
/// a warning.
#[must_use]
pub fn describe_program(name: &str) -> Option<CommandSpec> {
    let program = find(name)?;
    let answer = Command::new(&program).arg(DESCRIBE).stdin(Stdio::null()).output();
    let answer = answer.ok().filter(|answer| answer.status.success());
    let spec = answer.and_then(|answer| serde_json::from_slice(&answer.stdout).ok());
    if spec.is_none() {
        let message =
            format!("`{}` does not describe its options, so they are left out", program.display());
        Diagnostic::new(Severity::Warning, message).print();
    }
    spec
}

/// Finds the program beside the running one, or else on PATH.
fn find(name: &str) -> Option<PathBuf> {
    let file = format!("{name}{}", env::consts::EXE_SUFFIX);
    let own = env::current_exe().ok();
    let beside = own.as_deref().and_then(Path::parent).map(Path::to_owned);
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = beside.into_iter().chain(env::split_paths(&path));
    folders.map(|folder| folder.join(&file)).find(|program| is_program(program))
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}

/// Signals, terminal and exit code are the program's own.
#[cfg(unix)]
fn exec(mut command: Command) -> std::io::Error {
    use std::os::unix::process::CommandExt as _;
    command.exec()
}

/// The exit code is the program's own.
#[cfg(not(unix))]
fn exec(mut command: Command) -> std::io::Error {
    match command.status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(USAGE)),
        Err(error) => error,
    }
}

/// A command with its arguments and subcommands, except hidden ones.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CommandSpec {
    name: String,
    version: Option<String>,
    about: Option<String>,
    long_about: Option<String>,
    after_help: Option<String>,
    arguments: Vec<ArgumentSpec>,
    subcommands: Vec<CommandSpec>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct ArgumentSpec {
    id: String,
    short: Option<char>,
    long: Option<String>,
    help: Option<String>,
    long_help: Option<String>,
    heading: Option<String>,
    is_required: bool,
    is_repeatable: bool,
    value_names: Vec<String>,
    values: Option<(usize, usize)>,
    defaults: Vec<String>,
    choices: Vec<(String, Option<String>)>,
    is_path: bool,
}

impl CommandSpec {
    /// Describes a command.
    #[must_use]
    pub fn from_command(command: &ClapCommand) -> Self {
        let text = |text: Option<&StyledStr>| text.map(ToString::to_string);
        let shown = command.get_arguments().filter(|argument| !argument.is_hide_set());
        let subcommands = command.get_subcommands().filter(|command| !command.is_hide_set());
        Self {
            name: command.get_name().to_owned(),
            version: command.get_version().map(str::to_owned),
            about: text(command.get_about()),
            long_about: text(command.get_long_about()),
            after_help: text(command.get_after_long_help().or(command.get_after_help())),
            arguments: shown.map(ArgumentSpec::from_arg).collect(),
            subcommands: subcommands.map(Self::from_command).collect(),
        }
    }

    /// Replaces a subcommand by another description, and keeps its name.
    pub fn replace_subcommand(&mut self, name: &str, spec: Self) {
        if let Some(found) = self.subcommands.iter_mut().find(|command| command.name == name) {
            *found = Self { name: name.to_owned(), ..spec };
        }
    }

    /// Builds the described command.
    #[must_use]
    pub fn into_command(self) -> ClapCommand {
        ClapCommand::new(self.name)
            .version(set(self.version))
            .about(set(self.about))
            .long_about(set(self.long_about))
            .after_long_help(set(self.after_help))
            .args(self.arguments.into_iter().map(ArgumentSpec::into_arg))
            .subcommands(self.subcommands.into_iter().map(Self::into_command))
    }
}

fn set<T: From<String>>(text: Option<String>) -> Resettable<T> {
    text.map(T::from).into()
}

impl ArgumentSpec {
    fn from_arg(argument: &Arg) -> Self {
        let takes_values = argument.get_action().takes_values();
        let names = argument.get_value_names().unwrap_or_default();
        let mut value_names: Vec<_> = names.iter().map(ToString::to_string).collect();
        if !takes_values {
            value_names.clear();
        } else if value_names.is_empty() {
            value_names.push(argument.get_id().as_str().to_uppercase());
        }
        let choice = |value: &PossibleValue| {
            (value.get_name().to_owned(), value.get_help().map(ToString::to_string))
        };
        let choices = argument.get_possible_values();
        let choices = choices.iter().filter(|value| takes_values && !value.is_hide_set());
        let text = |text: Option<&StyledStr>| text.map(ToString::to_string);
        let defaults = argument.get_default_values().iter();
        Self {
            id: argument.get_id().to_string(),
            short: argument.get_short(),
            long: argument.get_long().map(str::to_owned),
            help: text(argument.get_help()),
            long_help: text(argument.get_long_help()),
            heading: argument.get_help_heading().map(str::to_owned),
            is_required: argument.is_required_set(),
            is_repeatable: matches!(argument.get_action(), ArgAction::Append | ArgAction::Count),
            value_names,
            values: argument.get_num_args().map(|range| (range.min_values(), range.max_values())),
            defaults: defaults.map(|value| value.to_string_lossy().into_owned()).collect(),
            choices: choices.map(choice).collect(),
            is_path: argument.get_value_hint() == ValueHint::AnyPath,
        }
    }

    fn into_arg(self) -> Arg {
        let is_flag = self.value_names.is_empty();
        let action = match (is_flag, self.is_repeatable) {
            (true, false) => ArgAction::SetTrue,
            (true, true) => ArgAction::Count,
            (false, false) => ArgAction::Set,
            (false, true) => ArgAction::Append,
        };
        let mut arg = Arg::new(self.id)
            .short(self.short)
            .long(set(self.long))
            .help(set(self.help))
            .long_help(set(self.long_help))
            .help_heading(set(self.heading))
            .required(self.is_required)
            .action(action);
        if is_flag {
            return arg;
        }
        if let Some((least, most)) = self.values {
            arg = arg.num_args(least..=most);
        }
        if !self.choices.is_empty() {
            let value = |(name, help): (String, Option<String>)| {
                PossibleValue::new(name).help(set::<StyledStr>(help))
            };
            arg = arg.value_parser(self.choices.into_iter().map(value).collect::<Vec<_>>());
        }
        let hint = if self.is_path { ValueHint::AnyPath } else { ValueHint::Unknown };
        arg.value_names(self.value_names).value_hint(hint).default_values(self.defaults)
    }
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::*;

    #[derive(Clone, ValueEnum)]
    enum HelpSize {
        /// A few
        Small,
        Large,
    }

    /// Packs things.
    #[derive(Parser)]
    #[command(name = "lodger pack", version)]
    struct Cli {
        /// The files to pack
        #[arg(required = true, value_name = "FILE")]
        _files: Vec<std::path::PathBuf>,
        /// The size
        #[arg(long, short, value_enum, default_value = "small")]
        _size: HelpSize,
        #[arg(long, hide = true)]
        _secret: bool,
        #[arg(long)]
        _force: bool,
    }

    #[test]
    fn a_described_command_has_the_same_help() {
        let spec = CommandSpec::from_command(&<Cli as clap::CommandFactory>::command());
        let json = serde_json::to_string(&spec).expect("text alone");
        let spec: CommandSpec = serde_json::from_str(&json).expect("the same");
        let help = |mut command: ClapCommand| command.render_help().to_string();
        let described = help(spec.clone().into_command());
        assert_eq!(described, help(<Cli as clap::CommandFactory>::command()));
        let lodger = ClapCommand::new("lodger").subcommand(ClapCommand::new("pack"));
        let mut whole = CommandSpec::from_command(&lodger);
        whole.replace_subcommand("pack", spec);
        let command = whole.into_command();
        let pack = command.find_subcommand("pack").expect("still there");
        assert!(pack.get_arguments().any(|argument| argument.get_long() == Some("force")));
    }
}
