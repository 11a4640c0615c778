use std::cell::RefCell;
use std::io;
use std::path::{Path, PathBuf};

use lodger_opensim::files::{FileErrorKind, FileKind, SniffedReader, read_sibling, sibling_path};
use lodger_pack::{GltfSource, Model, read};
use lodger_quota::Quota;
use lodger_terminal::{Diagnostic, quota_exceeded};

use super::args::{PackCli, PhysicsSource};
use super::to_diagnostic;

const PHYSICS: &str = "_PHYS";
const LEVELS: [&str; 3] = ["_LOD0", "_LOD1", "_LOD2"];

const STDIN: &str = "model";

pub(super) struct Inputs {
    pub(super) model: Model,
    pub(super) files: Vec<PathBuf>,
}

struct Read<'a> {
    path: &'a Path,
    name: String,
    bytes: Vec<u8>,
}

impl Inputs {
    pub(super) fn read(args: &PackCli, quota: &Quota) -> Result<Self, Diagnostic> {
        let mut reads = Vec::new();
        for path in &args.models {
            let bytes = bytes(path, "the model", quota)?;
            reads.push(Read { path, name: file_name(path), bytes });
        }
        if let Some(PhysicsSource::File(path)) = &args.physics {
            let bytes = bytes(path, "the physics shape", quota)?;
            let name = format!("{}{PHYSICS}.glb", stem(&args.models));
            reads.push(Read { path, name, bytes });
        }
        let named = RefCell::new(Vec::new());
        let mut outsides: Vec<_> =
            reads.iter().map(|read| read_external(read.path, &named)).collect();
        let mut sources: Vec<_> = reads
            .iter()
            .zip(&mut outsides)
            .map(|(Read { name, bytes, .. }, external)| GltfSource { name, bytes, external })
            .collect();
        let model = read(&mut sources, args.skin, quota).map_err(|error| {
            to_diagnostic(
                &error,
                Some(&|name| {
                    let found = reads.iter().find(|read| read.name == name);
                    found.map_or_else(|| name.to_owned(), |read| read.path.display().to_string())
                }),
            )
        })?;
        drop(outsides);
        let mut files: Vec<_> = reads.into_iter().map(|read| read.path.to_owned()).collect();
        files.extend(named.into_inner());
        Ok(Self { model, files })
    }
}

fn read_external<'a>(
    path: &'a Path,
    named: &'a RefCell<Vec<PathBuf>>,
) -> impl FnMut(&str, u64) -> io::Result<Vec<u8>> + 'a {
    move |uri, max| {
        named.borrow_mut().push(sibling_path(path, uri)?);
        read_sibling(path, uri, max)
    }
}

fn bytes(path: &Path, what: &str, quota: &Quota) -> Result<Vec<u8>, Diagnostic> {
    let name = path.display().to_string();
    let refused = |problem| match problem {
        FileErrorKind::QuotaExceeded(why) => quota_exceeded(&format_args!("`{name}`"), why),
        FileErrorKind::Unreadable(why) => {
            Diagnostic::error(format!("cannot read {what} `{name}`: {why}")).help(help(what))
        }
        problem => Diagnostic::error(format!("cannot read {what} `{name}`: {problem}")),
    };
    let stream = SniffedReader::open(path).map_err(refused)?;
    match stream.kind() {
        FileKind::Glb | FileKind::Gltf => stream.read_all(quota).map_err(refused),
        FileKind::Empty => {
            Err(Diagnostic::error(format!("`{name}` is {}", FileKind::Empty)).help(help(what)))
        }
        kind => {
            let message = format!("`{name}` is {kind}, not a glTF model");
            Err(Diagnostic::error(message).help(help(what)))
        }
    }
}

fn help(what: &str) -> &'static str {
    if what == "the model" {
        "a model is a .glb or .gltf file of glTF 2.0"
    } else {
        "--physics is none, box, hull, parts, mesh, or a .glb or .gltf file whose meshes are the shape"
    }
}

fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    if path.as_os_str() == "-" {
        return STDIN.to_owned();
    }
    name.to_string_lossy().into_owned()
}

fn stem(models: &[PathBuf]) -> String {
    let names: Vec<_> = models.iter().map(|path| PathBuf::from(file_name(path))).collect();
    let stems = || names.iter().map(|path| path.file_stem().unwrap_or_default().to_string_lossy());
    let level =
        |stem: &str| LEVELS.iter().find_map(|level| stem.strip_suffix(level).map(str::to_owned));
    let high = stems().find(|stem| level(stem).is_none() && !stem.ends_with(PHYSICS));
    let high = high.map(std::borrow::Cow::into_owned);
    high.or_else(|| stems().find_map(|stem| level(&stem))).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_of_several_files_has_the_name_of_the_high_level() {
        let stem = |models: &[&str]| stem(&models.iter().map(PathBuf::from).collect::<Vec<_>>());
        assert_eq!(stem(&["a/hat_LOD0.glb", "b/hat.glb"]), "hat");
        assert_eq!(stem(&["hat_PHYS.glb", "hat_LOD1.glb"]), "hat");
        assert_eq!(stem(&["-"]), "model");
    }
}
