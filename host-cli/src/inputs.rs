//! Inputs of commands: scenes and camera paths with the options that name them, and linksets.

use std::collections::HashSet;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use clap::Args;
use lodger_core::budget::Leftovers;
use lodger_core::units::{BenefitValue, Budget, UnitCost};
use lodger_opensim::archive::{Archive, Object};
use lodger_opensim::files::{
    FileError, FileErrorKind, FileKind, InputSource as FileSource, LinkInput, OpenedSource,
    SniffedReader, SourceContent, link_objects, link_parts, read_sibling, sibling_path,
    single_object,
};
use lodger_quota::{Quota, QuotaExceeded};
use lodger_scenes::{
    CameraPath, EXAMPLE, Linkset, PolicyName, SceneFile, SceneFileError, SceneFileErrorKind,
    SceneFormat, SceneLimits, SceneOverrides,
};
use lodger_scheduler::{OutsideFactor, View};
use lodger_terminal::arguments::{COORDINATES, checked, coordinates, whole};
use lodger_terminal::{Diagnostic, Severity, SourceFile, is_same_file, quota_exceeded};

use crate::diagnostics::{decode, to_diagnostic, wrong_kind};

/// The scene, and options that replace its values.
#[derive(Args, Debug)]
pub(crate) struct SceneArgs {
    /// A .toml, .glb or .gltf scene, or the index of a Streamed SOG; `-` reads stdin [default: the
    /// built-in scene]
    pub(crate) scene: Option<PathBuf>,

    /// The budget in milliseconds, instead of the scene's; `inf` is unlimited
    #[arg(long, value_name = "X", value_parser = budget, allow_hyphen_values = true)]
    pub(crate) budget_ms: Option<Budget>,

    /// The budget in whole units, for a scene with a `unit`; k, M and G are suffixes
    #[arg(long, value_name = "N", value_parser = units, allow_hyphen_values = true)]
    #[arg(conflicts_with = "budget_ms")]
    pub(crate) budget: Option<Budget>,

    /// The eye in metres, instead of the scene's views
    #[arg(long, value_name = "X,Y,Z", value_parser = eye, allow_hyphen_values = true)]
    pub(crate) eye: Option<Box<View<f32>>>,

    /// Nanoseconds per triangle of a glTF scene [default: 1.0]
    #[arg(long, value_name = "N", value_parser = unit_cost, allow_hyphen_values = true)]
    pub(crate) unit_cost_ns: Option<UnitCost>,

    /// Milliseconds per unit of benefit of a glTF scene [default: 1.0]
    #[arg(long, value_name = "MS", value_parser = benefit_value, allow_hyphen_values = true)]
    pub(crate) benefit_value: Option<BenefitValue>,

    /// Factor of benefits outside of the frustum of a glTF scene's camera, 0 to 1 [default: 1]
    #[arg(long, value_name = "X", value_parser = outside, allow_hyphen_values = true)]
    #[arg(conflicts_with = "eye")]
    pub(crate) outside: Option<OutsideFactor>,

    /// The scene of a glTF file, from 0 [default: the file's default scene]
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

fn outside(text: &str) -> Result<OutsideFactor, String> {
    checked(text, OutsideFactor::new)
}

fn eye(text: &str) -> Result<Box<View<f32>>, &'static str> {
    View::from_position(coordinates(text)?).map(Box::new).map_err(|_| COORDINATES)
}

const WANTED: &str =
    "a scene is a TOML file in UTF-8, a .glb or .gltf file, or the index of a Streamed SOG";

#[derive(Clone, Copy, Debug)]
pub(crate) struct SceneRequest<'a> {
    pub(crate) scene: &'a SceneArgs,
    pub(crate) policy: Option<PolicyName>,
    pub(crate) leftovers: Option<Leftovers>,
    /// Outputs; no file that the scene names may be one.
    pub(crate) outputs: &'a [(&'a str, Option<&'a Path>)],
}

impl SceneRequest<'_> {
    /// Reads and checks the scene, and returns warnings and notes beside it. Errors have the place.
    pub(crate) fn load(self, quota: &Quota) -> Result<(SceneFile, Vec<Diagnostic>), Diagnostic> {
        let args = self.scene;
        let (name, bytes) = read(args, quota)?;
        let kind = FileKind::detect(&bytes);
        let format = SceneFormat::detect(&name, &bytes);
        if is_other(kind, format) {
            return Err(wrong_kind(&name, kind, "a scene").help(WANTED));
        }
        let settings = SceneOverrides {
            budget: args.budget_ms,
            units: args.budget,
            policy: self.policy,
            leftovers: self.leftovers,
            view: args.eye.as_deref().copied(),
            unit_cost: args.unit_cost_ns,
            benefit_value: args.benefit_value,
            outside: args.outside,
            scene: args.which,
        };
        let limits = SceneLimits::default();
        let (source, read) = if format == SceneFormat::Gltf {
            let path = args.scene.as_deref().unwrap_or(Path::new("-"));
            let outside = |uri: &str, max| {
                let at = sibling_path(path, uri)?;
                match self.overwrites(&at) {
                    Some(option) => {
                        let message = format!("{option} would overwrite it");
                        Err(io::Error::new(io::ErrorKind::InvalidInput, message))
                    }
                    None => read_sibling(path, uri, max),
                }
            };
            let read = SceneFile::from_gltf_with(&bytes, outside, &settings, limits, quota);
            (SourceFile { name, text: None }, read)
        } else {
            check_options(args, &name, format)?;
            let source = decode(name, bytes, WANTED)?;
            let text = source.text.as_ref().map_or("", |text| text);
            let read = match format {
                SceneFormat::StreamedSog => {
                    SceneFile::from_streamed_sog(text, &settings, limits, quota)
                }
                _ => SceneFile::from_toml(text, &settings, limits, quota),
            };
            (source, read)
        };
        match read {
            Ok(file) => {
                let remarks = remarks(&file, &source);
                Ok((file, remarks))
            }
            Err(error) => Err(scene_diagnostic(&error, &source)),
        }
    }

    fn overwrites(&self, file: &Path) -> Option<&str> {
        let is_it = |output: &Path| is_same_file(output, file);
        let found = self.outputs.iter().find(|(_, output)| output.is_some_and(is_it));
        found.map(|(option, _)| *option)
    }
}

/// Whether a kind of file is no scene. For an unknown kind the reader reports the place of its
/// failure.
fn is_other(kind: FileKind, format: SceneFormat) -> bool {
    match kind {
        FileKind::Glb
        | FileKind::Gltf
        | FileKind::StreamedSog
        | FileKind::Json
        | FileKind::Unknown => false,
        FileKind::Empty => format == SceneFormat::Gltf,
        kind => !kind.may_be_text(),
    }
}

fn read(args: &SceneArgs, quota: &Quota) -> Result<(String, Vec<u8>), Diagnostic> {
    let Some(path) = args.scene.as_deref() else {
        return Ok(("the built-in scene".to_owned(), EXAMPLE.into()));
    };
    let is_stdin = path == Path::new("-");
    let name = if is_stdin { "<stdin>".to_owned() } else { path.display().to_string() };
    let why = match SniffedReader::open(path).and_then(|stream| read_all(stream, quota)) {
        Ok(bytes) => return Ok((name, bytes)),
        Err(FileErrorKind::QuotaExceeded(why)) => {
            return Err(quota_exceeded(&format_args!("`{name}`"), why));
        }
        Err(FileErrorKind::Unreadable(error)) => error.to_string(),
        Err(problem) => problem.to_string(),
    };
    let called = if is_stdin { "stdin" } else { &name };
    Err(Diagnostic::error(format!("cannot read the scene `{called}`: {why}")).help(
        "give a .toml, .glb or .gltf file, or the index of a Streamed SOG; \
         `lodger schedule --print-example --output scene.toml` writes one to start from",
    ))
}

/// Reads a file, or only its beginning if that is not UTF-8.
fn read_all(stream: SniffedReader<'_>, quota: &Quota) -> Result<Vec<u8>, FileErrorKind> {
    if !matches!(stream.kind(), FileKind::Unknown | FileKind::OtherText | FileKind::Utf16) {
        return stream.read_all(quota);
    }
    let mut bytes = Vec::new();
    let beginning = &mut stream.into_reader().take(FileKind::SNIFF_BYTES as u64);
    beginning.read_to_end(&mut bytes).map_err(FileErrorKind::Unreadable)?;
    Ok(bytes)
}

fn check_options(args: &SceneArgs, name: &str, format: SceneFormat) -> Result<(), Diagnostic> {
    let is_sog = format == SceneFormat::StreamedSog;
    let (option, help) = if args.unit_cost_ns.is_some() {
        ("--unit-cost-ns", "set `unit_cost_ms` in each [[module]] instead")
    } else if args.benefit_value.is_some() {
        ("--benefit-value", "set `benefit_value` in each [[module]] instead")
    } else if args.outside.is_some() {
        ("--outside", "set `outside` in each [[module]], and `frustum = true` in [[view]] instead")
    } else if args.which.is_some() {
        ("--scene", "leave it out: a TOML file is one scene")
    } else {
        return Ok(());
    };
    let what = if is_sog { "the index of a Streamed SOG" } else { "TOML" };
    let help = match option {
        "--outside" if is_sog => "leave it out: the index has no camera",
        _ if is_sog => "leave it out: its money is splats",
        _ => help,
    };
    let message = format!("{option} is for glTF scenes, but `{name}` is {what}");
    Err(Diagnostic::error(message).help(help))
}

fn scene_diagnostic(error: &SceneFileError, source: &SourceFile) -> Diagnostic {
    let diagnostic = to_diagnostic(error, source);
    match error.kind() {
        SceneFileErrorKind::NoBudget if error.key() == "budget" => {
            diagnostic.help("give the budget in whole units: --budget 2M")
        }
        SceneFileErrorKind::NoBudget => diagnostic.help("or give --budget-ms"),
        SceneFileErrorKind::BudgetInTime => {
            diagnostic.help("give --budget in place of --budget-ms, as in --budget 2M")
        }
        SceneFileErrorKind::BudgetInUnits => {
            diagnostic.help("give --budget-ms in place of --budget, as in --budget-ms 16.6")
        }
        SceneFileErrorKind::LeftoversOfOptimal | SceneFileErrorKind::LeftoversOfApex
            if error.key().is_empty() =>
        {
            diagnostic.help("leave --leftovers out, or give --policy proportional")
        }
        SceneFileErrorKind::NoView => diagnostic.help(
            "add `[[view]]` with `eye = [x, y, z]`, or give --eye X,Y,Z, \
             or give every actor its `benefit`",
        ),
        SceneFileErrorKind::NoCamera => {
            diagnostic.help("give the place of the eye in metres: --eye X,Y,Z")
        }
        _ => diagnostic,
    }
}

fn remarks(file: &SceneFile, source: &SourceFile) -> Vec<Diagnostic> {
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

const WANTED_PATH: &str =
    "a camera path is a TOML file in UTF-8, of `[[waypoint]]` with `eye = [x, y, z]`";

/// Reads and checks a camera path. Errors have the place.
pub(crate) fn camera_path(path: &Path, quota: &Quota) -> Result<CameraPath, Diagnostic> {
    let name = path.display().to_string();
    let refused = |problem| match problem {
        FileErrorKind::QuotaExceeded(why) => quota_exceeded(&format_args!("`{name}`"), why),
        FileErrorKind::Unreadable(why) => {
            let message = format!("cannot read the camera path `{name}`: {why}");
            Diagnostic::error(message).help("--path is orbit, line, still, or a .toml file")
        }
        problem => Diagnostic::error(format!("cannot read the camera path `{name}`: {problem}")),
    };
    let stream = SniffedReader::open(path).map_err(refused)?;
    let kind = stream.kind();
    if !kind.may_be_text() && kind != FileKind::Unknown {
        return Err(wrong_kind(&name, kind, "a camera path").help(WANTED_PATH));
    }
    let bytes = stream.read_all(quota).map_err(refused)?;
    let source = decode(name.clone(), bytes, WANTED_PATH)?;
    let text = source.text.as_ref().map_or("", |text| text);
    CameraPath::from_toml(text, quota).map_err(|error| to_diagnostic(&error, &source))
}

const WANTED_LINKSET: &str = "a linkset is a TOML file in UTF-8, or objects of archives";
const LINKSET_HELP: &str = "give a .toml file of objects and their prims, or objects of archives, as \
                    region.oar:House";
const MAX_CANDIDATES: usize = 4;

enum LinksetSource {
    Toml(SourceFile),
    Object(Box<Object>),
}

/// Reads and checks the objects to link: a TOML file, or objects of archives. Errors have the
/// place.
pub(crate) fn load_linkset(
    files: &[PathBuf],
    quota: &Quota,
) -> Result<(Linkset, SourceFile), Diagnostic> {
    let (mut texts, mut objects) = (Vec::new(), Vec::<Object>::new());
    for file in files {
        match open_linkset(file, quota)? {
            LinksetSource::Toml(source) => texts.push(source),
            LinksetSource::Object(object) if objects.contains(&object) => {
                let message = format!("`{}` is named twice", file.display());
                return Err(Diagnostic::error(message).help("an object is linked with others"));
            }
            LinksetSource::Object(object) => objects.push(*object),
        }
    }
    match (texts.pop(), texts.is_empty(), objects.is_empty()) {
        (Some(text), true, true) => from_toml(text, quota),
        (Some(_), false, true) => Err(Diagnostic::error("several TOML files; one is taken")
            .help("write all objects into one file, the root first")),
        (Some(text), _, false) => {
            let message =
                format!("`{}` is TOML, and the others are objects of archives", text.name);
            Err(Diagnostic::error(message).help("give one TOML file, or objects of archives alone"))
        }
        (None, ..) => from_objects(&objects, files),
    }
}

fn open_linkset(file: &Path, quota: &Quota) -> Result<LinksetSource, Diagnostic> {
    let source = FileSource::from_path(file);
    let name = source.name();
    let opened = source.open_any(lodger_opensim::archive::ArchiveLimits::default(), quota);
    let opened = opened.map_err(|error| linkset_error(&error))?;
    match opened {
        OpenedSource::Content(SourceContent::Archive { archive, .. }) => {
            warn(name, &archive);
            let object =
                single_object(&source, archive.objects).map_err(|error| linkset_error(&error))?;
            Ok(LinksetSource::Object(Box::new(object)))
        }
        OpenedSource::Content(SourceContent::Mesh(_)) => Err(no_linkset(name, FileKind::MeshAsset)),
        OpenedSource::Other(stream) if stream.kind().may_be_text() => {
            let bytes = stream.read_all(quota);
            let bytes = bytes.map_err(|problem| linkset_error(&FileError::new(name, problem)))?;
            decode(name.to_owned(), bytes, WANTED_LINKSET).map(LinksetSource::Toml)
        }
        OpenedSource::Other(stream) => Err(no_linkset(name, stream.kind())),
    }
}

fn no_linkset(name: &str, kind: FileKind) -> Diagnostic {
    wrong_kind(name, kind, "a linkset").help(LINKSET_HELP)
}

fn warn(name: &str, archive: &Archive) {
    let Some(first) = archive.errors.first() else { return };
    let count = archive.errors.len();
    let message = format!("`{name}` has {count} entries that cannot be read, the first: {first}");
    Diagnostic::new(Severity::Warning, message).print();
}

fn linkset_error(error: &FileError) -> Diagnostic {
    match error.kind() {
        FileErrorKind::Unreadable(why) => {
            let message = format!("cannot read the linkset `{}`: {why}", error.name());
            Diagnostic::error(message).help(LINKSET_HELP)
        }
        FileErrorKind::QuotaExceeded(why) => {
            quota_exceeded(&format_args!("`{}`", error.name()), *why)
        }
        FileErrorKind::Several { candidates, .. } => {
            let shown = candidates.iter().take(MAX_CANDIDATES).map(ToString::to_string);
            let more = candidates.len().checked_sub(MAX_CANDIDATES).filter(|more| *more > 0);
            let more = more.map(|more| format!("… and {more} more"));
            let lines: Vec<_> = shown.chain(more).collect();
            lines.into_iter().fold(Diagnostic::error(error.to_string()), Diagnostic::help)
        }
        _ => Diagnostic::error(error.to_string()).help(LINKSET_HELP),
    }
}

fn from_toml(source: SourceFile, quota: &Quota) -> Result<(Linkset, SourceFile), Diagnostic> {
    let text = source.text.as_ref().map_or("", |text| text);
    match Linkset::from_toml(text, quota) {
        Ok(linkset) => Ok((linkset, source)),
        Err(error) => Err(to_diagnostic(&error, &source)),
    }
}

fn from_objects(
    objects: &[Object],
    files: &[PathBuf],
) -> Result<(Linkset, SourceFile), Diagnostic> {
    let names: Vec<_> = files.iter().map(|file| file.display().to_string()).collect();
    let source = SourceFile { name: names.join(", "), text: None };
    let pieces = match objects {
        [only] => link_parts(only),
        several => {
            let rejected = |message| {
                Diagnostic::error(message)
                    .help("objects are put together where they stand in one region")
            };
            let archives: HashSet<_> = files
                .iter()
                .map(|file| FileSource::from_path(file).file_name().to_owned())
                .collect();
            let pieces = link_objects(several).map_err(|error| rejected(error.to_string()))?;
            if archives.len() > 1 {
                return Err(rejected("they are of different archives".to_owned()));
            }
            pieces
        }
    };
    let pieces = pieces.into_iter().map(|LinkInput { name, prims, .. }| (name, prims));
    match Linkset::new(pieces) {
        Ok(linkset) => Ok((linkset, source)),
        Err(error) => Err(to_diagnostic(&error, &source)),
    }
}

/// Reads the linkset of one of many files; the inner error is a sentence with the line.
///
/// # Errors
///
/// The file exceeds its quota.
pub(crate) fn read_linkset(
    stream: SniffedReader<'_>,
    quota: &Quota,
) -> Result<Result<Linkset, String>, QuotaExceeded> {
    let bytes = match stream.read_all(quota) {
        Ok(bytes) => bytes,
        Err(problem) => {
            return problem.quota_exceeded().map_or_else(|| Ok(Err(problem.to_string())), Err);
        }
    };
    let text = match lodger_scenes::decode(bytes) {
        Ok(text) => text,
        Err(error) => return Ok(Err(format!("it is {error}"))),
    };
    Linkset::from_toml(&text, quota).map(Ok).or_else(|error| {
        if let SceneFileErrorKind::QuotaExceeded(exceeded) = error.kind() {
            return Err(*exceeded);
        }
        let before = error.span().and_then(|span| text.get(..span.start));
        let line = before.map(|before| format!("line {}: ", before.split('\n').count()));
        Ok(Err(format!("{}{error}", line.unwrap_or_default())))
    })
}
