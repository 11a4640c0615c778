//! Scenes and camera paths that commands read, and the options that name them.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use clap::Args;
use lodger_core::budget::Leftovers;
use lodger_core::units::{BenefitValue, Budget, UnitCost};
use lodger_opensim::files::{Kind, Problem, Stream, beside, path_beside};
use lodger_quota::Quota;
use lodger_scenes::{
    CameraPath, EXAMPLE, Error, ErrorKind, Format, Limits, PolicyName, SceneFile, Settings,
};
use lodger_scheduler::View;
use lodger_terminal::arguments::{COORDINATES, checked, coordinates, whole};
use lodger_terminal::{Diagnostic, Severity, Source, is_same_file, quota_exceeded};

use crate::diagnostics::{decode, to_diagnostic, wrong_kind};

/// Which scene is read, and what replaces its values.
#[derive(Args, Debug)]
pub(crate) struct SceneArgs {
    /// A .toml, .glb or .gltf scene, or the index of a Streamed SOG; `-` reads one from stdin; none is the
    /// built-in scene
    pub(crate) scene: Option<PathBuf>,

    /// The budget in milliseconds, in place of the scene's; `inf` is unlimited
    #[arg(long, value_name = "X", value_parser = budget, allow_hyphen_values = true)]
    pub(crate) budget_ms: Option<Budget>,

    /// The budget in whole units, for a scene that has a `unit`: k, M and G may stand behind it
    #[arg(long, value_name = "N", value_parser = units, allow_hyphen_values = true)]
    #[arg(conflicts_with = "budget_ms")]
    pub(crate) budget: Option<Budget>,

    /// The eye in metres, in place of all the scene's views
    #[arg(long, value_name = "X,Y,Z", value_parser = eye, allow_hyphen_values = true)]
    pub(crate) eye: Option<View<f32>>,

    /// Nanoseconds per triangle of a glTF scene [default: 1.0]
    #[arg(long, value_name = "N", value_parser = unit_cost, allow_hyphen_values = true)]
    pub(crate) unit_cost_ns: Option<UnitCost>,

    /// Milliseconds per unit of benefit of a glTF scene [default: 1.0]
    #[arg(long, value_name = "MS", value_parser = benefit_value, allow_hyphen_values = true)]
    pub(crate) benefit_value: Option<BenefitValue>,

    /// Which scene of a glTF file, from 0 [default: the file's own choice]
    #[arg(long = "scene", value_name = "N")]
    pub(crate) which: Option<usize>,
}

fn budget(text: &str) -> Result<Budget, String> {
    checked(text, Budget::from_ms)
}

fn units(text: &str) -> Result<Budget, &'static str> {
    Ok(if text == "inf" { Budget::UNLIMITED } else { Budget::from_ns(whole(text)?) })
}

fn unit_cost(text: &str) -> Result<UnitCost, String> {
    checked(text, UnitCost::from_ns)
}

fn benefit_value(text: &str) -> Result<BenefitValue, String> {
    checked(text, BenefitValue::from_ms)
}

fn eye(text: &str) -> Result<View<f32>, &'static str> {
    View::eye(coordinates(text)?).map_err(|_| COORDINATES)
}

/// What the file of a scene should be.
const WANTED: &str =
    "a scene is a TOML file in UTF-8, a .glb or .gltf file, or the index of a Streamed SOG";

/// Request for a scene.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SceneRequest<'a> {
    /// Which, and what replaces its values.
    pub(crate) scene: &'a SceneArgs,
    /// The policy, in place of the scene's.
    pub(crate) policy: Option<PolicyName>,
    /// What is done with what shares leave over, in place of what the scene says.
    pub(crate) leftovers: Option<Leftovers>,
    /// Where results will be written: no file that the scene names may be there.
    pub(crate) outputs: &'a [(&'a str, Option<&'a Path>)],
}

impl SceneRequest<'_> {
    /// Reads and checks the scene; what the user should know about it stands beside it.
    ///
    /// # Errors
    /// What is wrong with the file, and where.
    pub(crate) fn load(self, quota: &Quota) -> Result<(SceneFile, Vec<Diagnostic>), Diagnostic> {
        load(self, quota)
    }

    /// Which option would write there.
    fn overwrites(&self, file: &Path) -> Option<&str> {
        let is_it = |output: &Path| is_same_file(output, file);
        let found = self.outputs.iter().find(|(_, output)| output.is_some_and(is_it));
        found.map(|(option, _)| *option)
    }
}

fn load(
    request: SceneRequest<'_>,
    quota: &Quota,
) -> Result<(SceneFile, Vec<Diagnostic>), Diagnostic> {
    let args = request.scene;
    let (name, bytes) = read(args, quota)?;
    let kind = Kind::of(&bytes);
    let format = Format::of(&name, &bytes);
    if is_other(kind, format) {
        return Err(wrong_kind(&name, kind, "a scene").help(WANTED));
    }
    let settings = Settings {
        budget: args.budget_ms,
        units: args.budget,
        policy: request.policy,
        leftovers: request.leftovers,
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
            match request.overwrites(&at) {
                Some(option) => {
                    let message = format!("{option} would overwrite it");
                    Err(io::Error::new(io::ErrorKind::InvalidInput, message))
                }
                None => beside(path, uri, most),
            }
        };
        let read = SceneFile::from_gltf_with(&bytes, outside, &settings, limits, quota);
        (Source { name, text: None }, read)
    } else {
        refuse_options(args, &name, format)?;
        let source = decode(name, bytes, WANTED)?;
        let text = source.text.as_ref().map_or("", |text| text);
        let read = match format {
            Format::StreamedSog => SceneFile::from_streamed_sog(text, &settings, limits, quota),
            _ => SceneFile::from_toml(text, &settings, limits, quota),
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

fn read(args: &SceneArgs, quota: &Quota) -> Result<(String, Vec<u8>), Diagnostic> {
    let Some(path) = args.scene.as_deref() else {
        return Ok(("the built-in scene".to_owned(), EXAMPLE.into()));
    };
    let is_stdin = path == Path::new("-");
    let name = if is_stdin { "<stdin>".to_owned() } else { path.display().to_string() };
    let why = match Stream::open(path).and_then(|stream| read_all(stream, quota)) {
        Ok(bytes) => return Ok((name, bytes)),
        Err(Problem::QuotaExceeded(why)) => {
            return Err(quota_exceeded(&format_args!("`{name}`"), why));
        }
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
fn read_all(stream: Stream<'_>, quota: &Quota) -> Result<Vec<u8>, Problem> {
    if !matches!(stream.kind(), Kind::Unknown | Kind::OtherText | Kind::Utf16) {
        return stream.whole(quota);
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
    let diagnostic = to_diagnostic(error, source);
    match error.kind() {
        ErrorKind::NoBudget if error.key() == "budget" => {
            diagnostic.help("give the budget in whole units: --budget 2M")
        }
        ErrorKind::NoBudget => diagnostic.help("or give --budget-ms"),
        ErrorKind::BudgetInTime => {
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

/// What the file of a camera path should be.
const WANTED_PATH: &str =
    "a camera path is a TOML file in UTF-8, of `[[waypoint]]` with `eye = [x, y, z]`";

/// Reads and checks a camera path.
///
/// # Errors
/// What is wrong with the file, and where.
pub(crate) fn camera_path(path: &Path, quota: &Quota) -> Result<CameraPath, Diagnostic> {
    let name = path.display().to_string();
    let refused = |problem| match problem {
        Problem::QuotaExceeded(why) => quota_exceeded(&format_args!("`{name}`"), why),
        Problem::Unreadable(why) => {
            let message = format!("cannot read the camera path `{name}`: {why}");
            Diagnostic::error(message).help("--path is orbit, line, still, or a .toml file")
        }
        problem => Diagnostic::error(format!("cannot read the camera path `{name}`: {problem}")),
    };
    let stream = Stream::open(path).map_err(refused)?;
    let kind = stream.kind();
    if !kind.may_be_text() && kind != Kind::Unknown {
        return Err(wrong_kind(&name, kind, "a camera path").help(WANTED_PATH));
    }
    let bytes = stream.whole(quota).map_err(refused)?;
    let source = decode(name.clone(), bytes, WANTED_PATH)?;
    let text = source.text.as_ref().map_or("", |text| text);
    CameraPath::from_toml(text, quota).map_err(|error| to_diagnostic(&error, &source))
}
