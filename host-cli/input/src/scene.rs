//! The scene of a command line, and what the user should know about it.

use std::io::{self, Read as _};
use std::path::Path;

use lodger_allowance::Allowance;
use lodger_core::budget::Leftovers;
use lodger_opensim::files::{Kind, Problem, Stream, beside, path_beside};
use lodger_scenes::{EXAMPLE, Error, ErrorKind, Format, Limits, PolicyName, SceneFile, Settings};
use lodger_terminal::{Diagnostic, Severity, Source, is_same_file};

use crate::mistake::{decode, spent, told, unwanted};
use crate::scene_args::SceneArgs;

/// What a file should have been that is none.
const WANTED: &str =
    "a scene is a TOML file in UTF-8, a .glb or .gltf file, or the index of a Streamed SOG";

/// A scene that is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// Which, and what replaces its values.
    pub scene: &'a SceneArgs,
    /// The policy, in place of the scene's.
    pub policy: Option<PolicyName>,
    /// What is done with what shares leave over, in place of what the scene says.
    pub leftovers: Option<Leftovers>,
    /// Where results will be written: no file that the scene names may be there.
    pub outputs: &'a [(&'a str, Option<&'a Path>)],
}

impl Asked<'_> {
    /// Reads and checks the scene; what the user should know about it stands beside it.
    ///
    /// # Errors
    /// What is wrong with the file, and where.
    pub fn load(self, allowance: &Allowance) -> Result<(SceneFile, Vec<Diagnostic>), Diagnostic> {
        load(self, allowance)
    }

    /// Which option would write there.
    fn overwrites(&self, file: &Path) -> Option<&str> {
        let is_it = |output: &Path| is_same_file(output, file);
        let found = self.outputs.iter().find(|(_, output)| output.is_some_and(is_it));
        found.map(|(option, _)| *option)
    }
}

fn load(
    asked: Asked<'_>,
    allowance: &Allowance,
) -> Result<(SceneFile, Vec<Diagnostic>), Diagnostic> {
    let args = asked.scene;
    let (name, bytes) = read(args, allowance)?;
    let kind = Kind::of(&bytes);
    let format = Format::of(&name, &bytes);
    if is_other(kind, format) {
        return Err(unwanted(&name, kind, "a scene").help(WANTED));
    }
    let settings = Settings {
        budget: args.budget_ms,
        units: args.budget,
        policy: asked.policy,
        leftovers: asked.leftovers,
        view: args.eye,
        unit_cost: args.unit_cost_ns,
        benefit_value: args.benefit_value,
        scene: args.which,
    };
    let limits = Limits::default();
    let (source, read) = if format == Format::Gltf {
        let path = args.scene.as_deref().unwrap_or(Path::new("-"));
        let outside = |uri: &str, most| {
            let at = path_beside(path, uri)?;
            match asked.overwrites(&at) {
                Some(option) => {
                    let message = format!("{option} would overwrite it");
                    Err(io::Error::new(io::ErrorKind::InvalidInput, message))
                }
                None => beside(path, uri, most),
            }
        };
        let read = SceneFile::from_gltf_with(&bytes, outside, &settings, limits, allowance);
        (Source { name, text: None }, read)
    } else {
        refuse_options(args, &name, format)?;
        let source = decode(name, bytes, WANTED)?;
        let text = source.text.as_ref().map_or("", |text| text);
        let read = match format {
            Format::StreamedSog => SceneFile::from_streamed_sog(text, &settings, limits, allowance),
            _ => SceneFile::from_toml(text, &settings, limits, allowance),
        };
        (source, read)
    };
    match read {
        Ok(file) => {
            let remarks = remarks(&file, &source);
            Ok((file, remarks))
        }
        Err(error) => Err(refused(&error, &source)),
    }
}

/// Whether no scene can be made of a kind of file. Of an unknown one its reader says where it breaks off.
fn is_other(kind: Kind, format: Format) -> bool {
    match kind {
        Kind::Glb | Kind::Gltf | Kind::StreamedSog | Kind::Json | Kind::Unknown => false,
        Kind::Empty => format == Format::Gltf,
        kind => !kind.may_be_text(),
    }
}

fn read(args: &SceneArgs, allowance: &Allowance) -> Result<(String, Vec<u8>), Diagnostic> {
    let Some(path) = args.scene.as_deref() else {
        return Ok(("the built-in scene".to_owned(), EXAMPLE.into()));
    };
    let is_stdin = path == Path::new("-");
    let name = if is_stdin { "<stdin>".to_owned() } else { path.display().to_string() };
    let why = match Stream::open(path).and_then(|stream| whole(stream, allowance)) {
        Ok(bytes) => return Ok((name, bytes)),
        Err(Problem::Spent(why)) => return Err(spent(&name, why)),
        Err(Problem::Unreadable(error)) => error.to_string(),
        Err(problem) => problem.to_string(),
    };
    let called = if is_stdin { "stdin" } else { &name };
    Err(Diagnostic::error(format!("cannot read the scene `{called}`: {why}")).help(
        "give a .toml, .glb or .gltf file, or the index of a Streamed SOG; \
         `lodger schedule --print-example --output scene.toml` writes one to start from",
    ))
}

/// All bytes of a file, or those of its beginning where they already show that it is no UTF-8.
fn whole(stream: Stream<'_>, allowance: &Allowance) -> Result<Vec<u8>, Problem> {
    if !matches!(stream.kind(), Kind::Unknown | Kind::OtherText | Kind::Utf16) {
        return stream.whole(allowance);
    }
    let mut bytes = Vec::new();
    let beginning = &mut stream.into_reader().take(Kind::LOOKED_AT as u64);
    beginning.read_to_end(&mut bytes).map_err(Problem::Unreadable)?;
    Ok(bytes)
}

/// Refuses options that say of glTF what other scenes say themselves.
fn refuse_options(args: &SceneArgs, name: &str, format: Format) -> Result<(), Diagnostic> {
    let is_sog = format == Format::StreamedSog;
    let (option, help) = if args.unit_cost_ns.is_some() {
        ("--unit-cost-ns", "set `unit_cost_ms` in each [[module]] instead")
    } else if args.benefit_value.is_some() {
        ("--benefit-value", "set `benefit_value` in each [[module]] instead")
    } else if args.which.is_some() {
        ("--scene", "leave it out: a TOML file is one scene")
    } else {
        return Ok(());
    };
    let what = if is_sog { "the index of a Streamed SOG" } else { "TOML" };
    let help = if is_sog { "leave it out: its money is splats" } else { help };
    let message = format!("{option} is for glTF scenes, but `{name}` is {what}");
    Err(Diagnostic::error(message).help(help))
}

/// The mistake; where an option can say what the file does not, the option is named.
fn refused(error: &Error, source: &Source) -> Diagnostic {
    let diagnostic = told(error, source);
    match error.kind() {
        ErrorKind::NoBudget if error.key() == "budget" => {
            diagnostic.help("give the budget in whole units: --budget 2M")
        }
        ErrorKind::NoBudget => diagnostic.help("or give --budget-ms"),
        ErrorKind::BudgetInTime { .. } => {
            diagnostic.help("give --budget in place of --budget-ms, as in --budget 2M")
        }
        ErrorKind::BudgetInUnits => {
            diagnostic.help("give --budget-ms in place of --budget, as in --budget-ms 16.6")
        }
        ErrorKind::LeftoversOfOptimal | ErrorKind::LeftoversOfApex if error.key().is_empty() => {
            diagnostic.help("leave --leftovers out, or give --policy proportional")
        }
        ErrorKind::NoView => diagnostic.help(
            "add `[[view]]` with `eye = [x, y, z]`, or give --eye X,Y,Z, \
             or give every actor its `benefit`",
        ),
        ErrorKind::NoCamera => diagnostic.help("give the place of the eye in metres: --eye X,Y,Z"),
        _ => diagnostic,
    }
}

fn remarks(file: &SceneFile, source: &Source) -> Vec<Diagnostic> {
    let remark = |severity, message| Diagnostic::new(severity, message).in_source(source);
    let mut remarks: Vec<_> = file
        .warnings
        .iter()
        .map(|warning| remark(Severity::Warning, warning.to_string()).at(warning.span.clone()))
        .collect();
    if file.more_warnings > 0 {
        let message = format!("there are {} more warnings like these", file.more_warnings);
        remarks.push(remark(Severity::Warning, message));
    }
    if file.actors.is_empty() {
        let message = "the scene has no actors, so the plan is empty";
        remarks.push(remark(Severity::Note, message.to_owned()));
    }
    remarks
}
