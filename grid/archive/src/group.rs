//! The objects in the XML of an entry.
//!
//! Two formats are about. In archives of regions a `SceneObjectGroup` holds its root, a
//! `SceneObjectPart`, and `OtherParts` with the rest. In object assets the root is inside a
//! `RootPart`, and each other one inside a `Part` of `OtherParts`; several objects may be together
//! in a `CoalescedObject`. Both are read by one rule, and namespaces play no part.
//! Source: `OpenSimulator`, `SceneObjectSerializer.cs` and `CoalescedSceneObjectsSerializer.cs`.

use uuid::Uuid;

use crate::error::{Error, Problem, clipped};
use crate::object::{Object, Part};
use crate::part;
use crate::place::Place;
use crate::raw;
use crate::xml::Cursor;

const GROUP: &str = "SceneObjectGroup";

/// Where the objects of an entry, and its errors, are handed to.
type Take<'t> = &'t mut dyn FnMut(Result<Object, Error>);

/// Reads all objects of an entry, whose elements may be nested so deep.
pub(crate) fn read(path: &str, bytes: &[u8], nesting: usize, take: Take<'_>) {
    let read = if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        Err(Problem::Utf16)
    } else {
        let text = String::from_utf8_lossy(bytes);
        document(path, Cursor::new(&text, nesting), take)
    };
    if let Err(problem) = read {
        take(Err(Error::from(problem).in_entry(path)));
    }
}

fn document(path: &str, mut cursor: Cursor<'_>, take: Take<'_>) -> Result<(), Problem> {
    let root = cursor.root()?;
    match root.as_str() {
        GROUP => take(group(path, &mut cursor)?),
        "CoalescedObject" | "scene" => {
            let mut objects = 0_usize;
            cursor.children(|cursor, name| {
                if name == GROUP {
                    objects += 1;
                    take(group(path, cursor)?);
                    Ok(())
                } else {
                    cursor.skip()
                }
            })?;
            if objects == 0 {
                return Err(Problem::NoObject);
            }
        }
        other => return Err(Problem::NotAnObject { root: clipped(other) }),
    }
    Ok(())
}

/// Reads the group that the cursor is in, to its end even if it cannot be used.
fn group(path: &str, cursor: &mut Cursor<'_>) -> Result<Result<Object, Error>, Problem> {
    let mut gathered = Gathered::default();
    parts(cursor, true, &mut gathered)?;
    Ok(gathered.into_object(path).map_err(|error| error.in_entry(path)))
}

/// The parts of a group so far.
#[derive(Debug, Default)]
struct Gathered {
    root: Option<Part>,
    linked: Vec<Part>,
    seen: usize,
    wrong: Option<Error>,
}

impl Gathered {
    fn add(&mut self, raw: &raw::RawPart, is_root: bool) {
        self.seen += 1;
        if self.wrong.is_some() {
            return;
        }
        match part::check(raw) {
            Ok(part) if is_root && self.root.is_none() => self.root = Some(part),
            Ok(part) => self.linked.push(part),
            Err(wrong) => {
                self.wrong = Some(Error::from(wrong).in_part(self.seen, raw.name.trim()));
            }
        }
    }

    /// The object, if no part was wrong. Without a root of its own, the first part is it.
    fn into_object(self, path: &str) -> Result<Object, Error> {
        if let Some(error) = self.wrong {
            return Err(error);
        }
        let mut linked = self.linked.into_iter();
        let Some(root) = self.root.or_else(|| linked.next()) else {
            return Err(Problem::NoParts.into());
        };
        let root = Part { offset: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0], ..root };
        Ok(Object {
            source: path.to_owned(),
            id: Uuid::nil(),
            place: Place::Unknown,
            owner: None,
            rotation: root.rotation,
            root,
            linked: linked.collect(),
        })
    }
}

/// Gathers the parts in the current element; at its top, the first one is the root.
fn parts(cursor: &mut Cursor<'_>, top: bool, gathered: &mut Gathered) -> Result<(), Problem> {
    cursor.children(|cursor, name| match name {
        "SceneObjectPart" => {
            gathered.add(&raw::part(cursor)?, top);
            Ok(())
        }
        "RootPart" | GROUP => parts(cursor, true, gathered),
        "OtherParts" | "Part" => parts(cursor, false, gathered),
        _ => cursor.skip(),
    })
}
