//! Reads a scene: which file, which format, and what the command line replaces.

mod gltf_scene;
mod ladder;
pub(crate) mod linkset;
mod toml_file;
mod toml_scene;

use std::fs::File;
use std::io;
use std::path::Path;

use crate::files::read_all;
use crate::scene::{Overrides, SceneDescription};
use lodger_terminal::Source;
use lodger_terminal::{Diagnostic, Severity};

pub(crate) use gltf_scene::GltfConstants;

/// The scene that is used when no file is given.
pub(crate) const EXAMPLE: &str = include_str!("example.toml");

/// More warnings than this say nothing new.
const MOST_WARNINGS: usize = 5;

/// What to read and what to put in its place.
#[derive(Clone, Debug)]
pub(crate) struct Request<'a> {
    /// The file; `-` is stdin, `None` the built-in scene.
    pub(crate) file: Option<&'a Path>,
    /// What the command line replaces.
    pub(crate) overrides: Overrides,
    /// What a glTF scene does not say.
    pub(crate) constants: GltfConstants,
}

/// A scene, and what the user should know about it.
pub(crate) type Loaded = (SceneDescription, Vec<Diagnostic>);

/// Reads and checks a scene.
pub(crate) fn load(request: &Request<'_>) -> Result<Loaded, Diagnostic> {
    let (name, bytes) = read(request.file)?;
    read_scene(name, bytes, request.constants, request.overrides)
}

/// Reads and checks a scene from the bytes of a file.
pub(crate) fn read_scene(
    name: String,
    bytes: Vec<u8>,
    constants: GltfConstants,
    overrides: Overrides,
) -> Result<Loaded, Diagnostic> {
    let (scene, mut remarks) = if is_gltf(&name, &bytes) {
        gltf_scene::read(name, &bytes, constants, overrides)?
    } else {
        constants.refuse_for(&name)?;
        toml_scene::read(name, bytes, overrides)?
    };
    if scene.actors.is_empty() {
        remarks.push(
            Diagnostic::new(Severity::Note, "the scene has no actors, so the plan is empty")
                .in_source(&scene.source),
        );
    }
    Ok((scene, remarks))
}

fn read(file: Option<&Path>) -> Result<(String, Vec<u8>), Diagnostic> {
    let Some(path) = file else {
        return Ok(("the built-in scene".to_owned(), EXAMPLE.into()));
    };
    if path == Path::new("-") {
        let bytes = read_all(io::stdin().lock()).map_err(|e| unreadable("stdin", &e))?;
        return Ok(("<stdin>".to_owned(), bytes));
    }
    let name = path.display().to_string();
    let bytes = File::open(path).and_then(read_all).map_err(|e| unreadable(&name, &e))?;
    Ok((name, bytes))
}

fn unreadable(name: &str, error: &io::Error) -> Diagnostic {
    Diagnostic::error(format!("cannot read the scene `{name}`: {error}")).help(
        "give a .toml, .glb or .gltf file; \
         `lodger schedule --print-example --output scene.toml` writes one to start from",
    )
}

fn is_gltf(name: &str, bytes: &[u8]) -> bool {
    let extension = Path::new(name).extension().unwrap_or_default();
    bytes.starts_with(b"glTF")
        || extension.eq_ignore_ascii_case("glb")
        || extension.eq_ignore_ascii_case("gltf")
}

fn unsaid_warnings(count: usize, source: &Source) -> Diagnostic {
    let message = format!("there are {count} more warnings like these");
    Diagnostic::new(Severity::Warning, message).in_source(source)
}
