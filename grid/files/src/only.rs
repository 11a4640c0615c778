//! One object, where several could be meant.

use lodger_archive::Object;

use crate::candidate::Candidate;
use crate::error::{FileError, Problem};
use crate::source::Source;

/// The one object that was chosen from a source.
///
/// # Errors
/// [`Problem::NoObjects`], and [`Problem::Several`] with what tells them apart.
pub fn only_object(source: &Source, mut objects: Vec<Object>) -> Result<Object, FileError> {
    if objects.len() > 1 {
        let candidates = objects.iter().map(Candidate::of).collect();
        let archive = source.file_name().to_owned();
        return Err(FileError::new(source.name(), Problem::Several { archive, candidates }));
    }
    objects.pop().ok_or_else(|| FileError::new(source.name(), Problem::NoObjects))
}
