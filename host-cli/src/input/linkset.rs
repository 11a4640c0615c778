//! Reads a TOML file of objects that are to be linked, the first being the root.

mod raw;

#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::Arc;

use super::toml_file::number::{Allowed, check};
use super::toml_file::{text, unique_names};
use crate::mistake::Mistake;
use crate::source::Subject;
use lodger_terminal::Source;
use lodger_terminal::{Diagnostic, Severity};
use raw::{RawLinkset, RawObject, RawPrim};

/// What to write into a file.
const HELP: &str = "write `[[object]]` with `name = \"…\"`, and below it `[[object.prim]]` with \
                    `position = [x, y, z]` and `scale = [x, y, z]` in metres";

/// Objects that are to be linked.
#[derive(Clone, Debug)]
pub(crate) struct Linkset {
    /// The objects in file order, at least one; the first is the root. Names are unique.
    pub(crate) objects: Vec<LinkObject>,
    /// Where they came from.
    pub(crate) source: Source,
}

/// An object that is to be linked with others.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LinkObject {
    /// Its unique name.
    pub(crate) name: String,
    /// Its prims in file order, at least one.
    pub(crate) prims: Vec<LinkPrim>,
}

/// A prim, as far as linking depends on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LinkPrim {
    /// Metres; finite.
    pub(crate) position: [f64; 3],
    /// Metres; finite, at least 0.
    pub(crate) scale: [f64; 3],
}

/// Reads a linkset from a file; `-` is stdin.
pub(crate) fn load(file: &Path) -> Result<Linkset, Diagnostic> {
    let (name, read) = if file == Path::new("-") {
        ("<stdin>".to_owned(), super::read_all(std::io::stdin().lock()))
    } else {
        let bytes = std::fs::File::open(file).and_then(super::read_all);
        (file.display().to_string(), bytes)
    };
    let bytes = read.map_err(|error| {
        Diagnostic::error(format!("cannot read the linkset `{name}`: {error}"))
            .help("give a .toml file of objects and their prims")
    })?;
    self::read(name, bytes)
}

/// Reads a linkset from the bytes of a file.
pub(crate) fn read(name: String, bytes: Vec<u8>) -> Result<Linkset, Diagnostic> {
    let text = text::decode(&name, bytes, "a linkset is a TOML file in UTF-8")?;
    let source = Source { name, text: Some(Arc::from(text)) };
    let raw: RawLinkset = text::parse(&source)?;
    match build(raw) {
        Ok(objects) => Ok(Linkset { objects, source }),
        Err(mistake) => Err(mistake.locate(Severity::Error, &source)),
    }
}

fn build(raw: RawLinkset) -> Result<Vec<LinkObject>, Mistake> {
    if raw.object.is_empty() {
        let message = "the linkset has no objects";
        return Err(Mistake::new(Subject::Scene, "object", message).help(HELP));
    }
    unique_names(raw.object.iter().map(|o| o.name.as_str()), "object", Subject::Object)?;
    raw.object.into_iter().enumerate().map(|(index, object)| build_object(index, object)).collect()
}

fn build_object(index: usize, raw: RawObject) -> Result<LinkObject, Mistake> {
    if raw.prim.is_empty() {
        let message = format!("the object `{}` has no prims", raw.name);
        return Err(Mistake::new(Subject::Object(index), "prim", message).help(HELP));
    }
    let name = raw.name;
    let prims = raw
        .prim
        .iter()
        .enumerate()
        .map(|(prim, raw)| {
            build_prim(Subject::Prim { object: index, prim }, raw).map_err(|mut mistake| {
                let place = format!("prim {} of `{name}`", prim + 1);
                mistake.message = format!("{place}: {}", mistake.message);
                mistake
            })
        })
        .collect::<Result<_, _>>()?;
    Ok(LinkObject { name, prims })
}

fn build_prim(subject: Subject, raw: &RawPrim) -> Result<LinkPrim, Mistake> {
    for component in raw.position.0 {
        check(subject, "position", component, Allowed::Finite)?;
    }
    for component in raw.scale.0 {
        check(subject, "scale", component, Allowed::NotNegative)?;
    }
    Ok(LinkPrim { position: raw.position.0, scale: raw.scale.0 })
}
