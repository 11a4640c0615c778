//! What tells objects apart.

use std::fmt;
use std::sync::Arc;

use lodger_archive::{Object, Place};
use uuid::Uuid;

/// An object by what tells it apart from others of its name. Displayed, it is one line, the UUID first.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Candidate {
    /// The UUID of its root, or else of its entry; `None` if it has neither.
    pub id: Option<Uuid>,
    /// Its name.
    pub name: Arc<str>,
    /// The path of its entry.
    pub entry: Arc<str>,
    /// Where it is.
    pub place: Place,
}

impl Candidate {
    /// An object of an archive.
    #[must_use]
    pub fn of(object: &Object) -> Self {
        let own = Some(object.id).filter(|id| !id.is_nil());
        Self {
            id: own.or_else(|| entry_id(&object.source)),
            name: Arc::clone(&object.root.name),
            entry: Arc::clone(&object.source),
            place: object.place.clone(),
        }
    }
}

impl fmt::Display for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.id {
            Some(id) => write!(f, "{id}")?,
            None => f.write_str(&self.entry)?,
        }
        write!(f, "  `{}`", self.name)?;
        match &self.place {
            Place::Region { position: [x, y, z], region } => {
                write!(f, " at {x:.1}, {y:.1}, {z:.1}")?;
                region.iter().try_for_each(|region| write!(f, " in {region}"))
            }
            Place::Inventory { path } => write!(f, " in {path}"),
            _ => Ok(()),
        }
    }
}

/// The UUID in the name of an entry: at its beginning, as assets have it, or before its ending.
///
/// Source: `OpenSimulator`, `ArchiveConstants.cs` (`CreateOarObjectFilename`) and `AssetsArchiver.cs`:
/// `objects/NAME_X-Y-Z__UUID.xml` and `assets/UUID_object.xml`.
#[must_use]
pub fn entry_id(path: &str) -> Option<Uuid> {
    let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
    name.split(['_', '.']).find_map(|word| {
        let is_long = word.len() == uuid::fmt::Hyphenated::LENGTH;
        Uuid::try_parse(word).ok().filter(|_| is_long)
    })
}

#[cfg(test)]
mod tests {
    use super::entry_id;

    #[test]
    fn entries_have_identifiers() {
        let id = "a96a5b8d-5b93-4d9e-9c5e-000000000007";
        for path in [
            format!("assets/{id}_object.xml"),
            format!("objects/A_table_128-128-021__{id}.xml"),
            format!("{id}.xml"),
        ] {
            assert_eq!(entry_id(&path).map(|id| id.to_string()).as_deref(), Some(id), "{path}");
        }
        for path in ["objects/table.xml", "", "objects/", &format!("{id}/table.xml")] {
            assert_eq!(entry_id(path), None, "{path}");
        }
    }
}
