//! What is to be linked: a TOML file, or objects of archives.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use lodger_allowance::{Allowance, Spent};
use lodger_opensim::archive::{Archive, Object};
use lodger_opensim::files::{
    Content, FileError, Kind, Opened, Piece, Problem, Source as FileSource, Stream, apart,
    only_object, together,
};
use lodger_scenes::{ErrorKind, Linkset};
use lodger_terminal::{Diagnostic, Severity, Source};

use crate::mistake::{decode, spent, told, unwanted};

/// What a file should have been that is none.
const WANTED: &str = "a linkset is a TOML file in UTF-8, or objects of archives";
/// The same in an example.
const HELP: &str = "give a .toml file of objects and their prims, or objects of archives, as \
                    region.oar:House";
/// Of objects that could be meant, so many are told.
const TOLD: usize = 4;

/// What a path names.
enum Named {
    Toml(Source),
    Object(Box<Object>),
}

/// Reads and checks what is to be linked: a TOML file, or objects of archives.
///
/// # Errors
/// A file that cannot be read or is no linkset, with the place of the fault.
pub fn load_linkset(
    files: &[PathBuf],
    allowance: &Allowance,
) -> Result<(Linkset, Source), Diagnostic> {
    let (mut texts, mut objects) = (Vec::new(), Vec::<Object>::new());
    for file in files {
        match read(file, allowance)? {
            Named::Toml(source) => texts.push(source),
            Named::Object(object) if objects.contains(&object) => {
                let message = format!("`{}` is named twice", file.display());
                return Err(Diagnostic::error(message).help("an object is linked with others"));
            }
            Named::Object(object) => objects.push(*object),
        }
    }
    match (texts.pop(), texts.is_empty(), objects.is_empty()) {
        (Some(text), true, true) => of_toml(text, allowance),
        (Some(_), false, true) => Err(Diagnostic::error("several TOML files; one is taken")
            .help("write all objects into one file, the root first")),
        (Some(text), _, false) => {
            let message =
                format!("`{}` is TOML, and the others are objects of archives", text.name);
            Err(Diagnostic::error(message).help("give one TOML file, or objects of archives alone"))
        }
        (None, ..) => of_objects(&objects, files),
    }
}

fn read(file: &Path, allowance: &Allowance) -> Result<Named, Diagnostic> {
    let source = FileSource::named(file);
    let name = source.name();
    let opened = source.open_any(lodger_opensim::archive::Limits::default(), allowance);
    let opened = opened.map_err(|error| refused(&error))?;
    match opened {
        Opened::Content(Content::Archive { archive, .. }) => {
            warn(name, &archive);
            let object = only_object(&source, archive.objects).map_err(|error| refused(&error))?;
            Ok(Named::Object(Box::new(object)))
        }
        Opened::Content(Content::Mesh(_)) => Err(wrong_kind(name, Kind::MeshAsset)),
        Opened::Other(stream) if stream.kind().may_be_text() => {
            let bytes = stream.whole(allowance);
            let bytes = bytes.map_err(|problem| refused(&FileError::new(name, problem)))?;
            decode(name.to_owned(), bytes, WANTED).map(Named::Toml)
        }
        Opened::Other(stream) => Err(wrong_kind(name, stream.kind())),
    }
}

fn wrong_kind(name: &str, kind: Kind) -> Diagnostic {
    unwanted(name, kind, "a linkset").help(HELP)
}

/// Says that an archive has more than could be read.
fn warn(name: &str, archive: &Archive) {
    let Some(first) = archive.errors.first() else { return };
    let count = archive.errors.len();
    let message = format!("`{name}` has {count} entries that cannot be read, the first: {first}");
    Diagnostic::new(Severity::Warning, message).print();
}

fn refused(error: &FileError) -> Diagnostic {
    match error.problem() {
        Problem::Unreadable(why) => {
            let message = format!("cannot read the linkset `{}`: {why}", error.name());
            Diagnostic::error(message).help(HELP)
        }
        Problem::Spent(why) => spent(error.name(), *why),
        Problem::Several { candidates, .. } => {
            let told = candidates.iter().take(TOLD).map(ToString::to_string);
            let more = candidates.len().checked_sub(TOLD).filter(|more| *more > 0);
            let more = more.map(|more| format!("… and {more} more"));
            let lines: Vec<_> = told.chain(more).collect();
            lines.into_iter().fold(Diagnostic::error(error.to_string()), Diagnostic::help)
        }
        _ => Diagnostic::error(error.to_string()).help(HELP),
    }
}

fn of_toml(source: Source, allowance: &Allowance) -> Result<(Linkset, Source), Diagnostic> {
    let text = source.text.as_ref().map_or("", |text| text);
    match Linkset::from_toml(text, allowance) {
        Ok(linkset) => Ok((linkset, source)),
        Err(error) => Err(told(&error, &source)),
    }
}

/// One object is taken apart; several are put together.
fn of_objects(objects: &[Object], files: &[PathBuf]) -> Result<(Linkset, Source), Diagnostic> {
    let names: Vec<_> = files.iter().map(|file| file.display().to_string()).collect();
    let source = Source { name: names.join(", "), text: None };
    let pieces = match objects {
        [only] => apart(only),
        several => {
            let told = |message| {
                Diagnostic::error(message)
                    .help("objects are put together where they stand in one region")
            };
            let archives: HashSet<_> =
                files.iter().map(|file| FileSource::named(file).file_name().to_owned()).collect();
            let pieces = together(several).map_err(|error| told(error.to_string()))?;
            if archives.len() > 1 {
                return Err(told("they are of different archives".to_owned()));
            }
            pieces
        }
    };
    let pieces = pieces.into_iter().map(|Piece { name, prims, .. }| (name, prims));
    match Linkset::new(pieces) {
        Ok(linkset) => Ok((linkset, source)),
        Err(error) => Err(told(&error, &source)),
    }
}

/// The linkset of a TOML file that is one of many, or why there is none, in a sentence with the line.
///
/// # Errors
/// It needs more than it may take.
pub fn read_linkset(
    stream: Stream<'_>,
    allowance: &Allowance,
) -> Result<Result<Linkset, String>, Spent> {
    let bytes = match stream.whole(allowance) {
        Ok(bytes) => bytes,
        Err(problem) => return problem.spent().map_or_else(|| Ok(Err(problem.to_string())), Err),
    };
    let text = match lodger_scenes::decode(bytes) {
        Ok(text) => text,
        Err(error) => return Ok(Err(format!("it is {error}"))),
    };
    Linkset::from_toml(&text, allowance).map(Ok).or_else(|error| {
        if let ErrorKind::Spent(spent) = error.kind() {
            return Err(*spent);
        }
        let before = error.span().and_then(|span| text.get(..span.start));
        let line = before.map(|before| format!("line {}: ", before.split('\n').count()));
        Ok(Err(format!("{}{error}", line.unwrap_or_default())))
    })
}
