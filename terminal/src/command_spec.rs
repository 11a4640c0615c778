//! A description of a command line, which a program prints as JSON for another one: `lodger completions` and
//! `lodger man` describe `lodger pack` so without linking what `lodger-pack` is made of.

use clap::builder::{PossibleValue, Resettable, StyledStr};
use clap::{Arg, ArgAction, Command, ValueHint};
use serde::{Deserialize, Serialize};

/// A command with its arguments and subcommands. Hidden arguments and subcommands are left out.
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
    /// Names of its values; a flag has none.
    value_names: Vec<String>,
    /// Fewest and most values, where that is stated.
    values: Option<(usize, usize)>,
    defaults: Vec<String>,
    choices: Vec<(String, Option<String>)>,
    is_path: bool,
}

impl CommandSpec {
    /// Describes a command.
    #[must_use]
    pub fn of(command: &Command) -> Self {
        let text = |text: Option<&StyledStr>| text.map(ToString::to_string);
        let shown = command.get_arguments().filter(|argument| !argument.is_hide_set());
        let subcommands = command.get_subcommands().filter(|command| !command.is_hide_set());
        Self {
            name: command.get_name().to_owned(),
            version: command.get_version().map(str::to_owned),
            about: text(command.get_about()),
            long_about: text(command.get_long_about()),
            after_help: text(command.get_after_long_help().or(command.get_after_help())),
            arguments: shown.map(ArgumentSpec::of).collect(),
            subcommands: subcommands.map(Self::of).collect(),
        }
    }

    /// Puts another description in the place of a subcommand, under that subcommand's name.
    pub fn replace_subcommand(&mut self, name: &str, spec: Self) {
        if let Some(found) = self.subcommands.iter_mut().find(|command| command.name == name) {
            *found = Self { name: name.to_owned(), ..spec };
        }
    }

    /// The command that is described.
    #[must_use]
    pub fn into_command(self) -> Command {
        Command::new(self.name)
            .version(set(self.version))
            .about(set(self.about))
            .long_about(set(self.long_about))
            .after_long_help(set(self.after_help))
            .args(self.arguments.into_iter().map(ArgumentSpec::into_arg))
            .subcommands(self.subcommands.into_iter().map(Self::into_command))
    }
}

/// An optional text, as builders of clap take it.
fn set<T: From<String>>(text: Option<String>) -> Resettable<T> {
    text.map(T::from).into()
}

impl ArgumentSpec {
    fn of(argument: &Arg) -> Self {
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
    use clap::{Parser, ValueEnum};

    use super::*;

    #[derive(Clone, ValueEnum)]
    enum Size {
        /// A few
        Small,
        Large,
    }

    /// Packs things.
    #[derive(Parser)]
    #[command(name = "lodger pack", version)]
    struct Cli {
        /// What is packed
        #[arg(required = true, value_name = "FILE")]
        _files: Vec<std::path::PathBuf>,
        /// How large it is
        #[arg(long, short, value_enum, default_value = "small")]
        _size: Size,
        #[arg(long, hide = true)]
        _secret: bool,
        #[arg(long)]
        _force: bool,
    }

    #[test]
    fn a_described_command_has_the_same_help() {
        let spec = CommandSpec::of(&<Cli as clap::CommandFactory>::command());
        let json = serde_json::to_string(&spec).expect("text alone");
        let spec: CommandSpec = serde_json::from_str(&json).expect("the same");
        let help = |mut command: Command| command.render_help().to_string();
        let described = help(spec.clone().into_command());
        assert_eq!(described, help(<Cli as clap::CommandFactory>::command()));
        let lodger = Command::new("lodger").subcommand(Command::new("pack"));
        let mut whole = CommandSpec::of(&lodger);
        whole.replace_subcommand("pack", spec);
        let command = whole.into_command();
        let pack = command.find_subcommand("pack").expect("still there");
        assert!(pack.get_arguments().any(|argument| argument.get_long() == Some("force")));
    }
}
