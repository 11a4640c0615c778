//! Why a model cannot be read, what is told of it, and how much of it is read.

use std::collections::HashSet;

use lodger_quota::QuotaExceeded;

use crate::error::Error;
use crate::note::Note;

/// What is wrong, and what to do about it.
#[derive(Debug)]
pub(crate) struct Failure {
    problem: String,
    help: Option<String>,
    is_of_skin: bool,
}

impl Failure {
    pub(crate) fn new(problem: impl Into<String>) -> Self {
        Self { problem: problem.into(), help: None, is_of_skin: false }
    }

    pub(crate) fn with_help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    /// Marks a failure that does not occur where the skin is left out.
    pub(crate) fn of_skin(self) -> Self {
        Self { is_of_skin: true, ..self }
    }

    /// Says in what of a file it is.
    pub(crate) fn within(self, place: &str) -> Self {
        Self { problem: format!("{place}: {}", self.problem), ..self }
    }

    /// The error of a file.
    pub(crate) fn in_file(self, file: &str) -> Error {
        let Self { problem, help, is_of_skin } = self;
        Error::Model { file: file.to_owned(), problem, help, is_of_skin }
    }
}

impl From<lodger_gltf::GltfFileError> for Failure {
    fn from(error: lodger_gltf::GltfFileError) -> Self {
        Self::new(error.to_string())
    }
}

impl From<QuotaExceeded> for Failure {
    fn from(spent: QuotaExceeded) -> Self {
        Self::new(spent.to_string())
    }
}

/// Notes in the making.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    list: Vec<Note>,
    seen: HashSet<(&'static str, String)>,
}

impl Notes {
    /// A note, unless there is one with this code about the same already.
    pub(crate) fn once(&mut self, code: &'static str, about: &str, text: impl Into<String>) {
        if self.seen.insert((code, about.to_owned())) {
            self.list.push(Note { code, about: about.to_owned(), text: text.into() });
        }
    }

    pub(crate) fn into_list(self) -> Vec<Note> {
        self.list
    }
}

/// The most objects of a linkset.
///
/// Source: Second Life wiki, Linkability rules; it is what a viewer links.
const OBJECTS: usize = 256;

/// The most faces of an object.
///
/// Source: Second Life wiki, Mesh/Mesh Asset Format: 1 to 8 submeshes.
pub(crate) const FACES: usize = 8;

/// The objects that a mesh of so many materials becomes at least: faces with too many vertices make more of them.
pub(crate) const fn objects_of(materials: usize) -> usize {
    materials.div_ceil(FACES)
}

/// Whether so many objects can be linked.
pub(crate) fn fits(objects: usize) -> Result<(), Failure> {
    if objects <= OBJECTS {
        return Ok(());
    }
    let problem = format!("it has more than {OBJECTS} objects, but no more can be linked");
    Err(Failure::new(problem).with_help("join meshes that have materials in common"))
}
