//! Parser of the objects in the XML of an entry.
//!
//! There are two formats. In archives of regions, a `SceneObjectGroup` contains the root `SceneObjectPart`, and
//! `OtherParts` the other parts. In object assets, the root is in a `RootPart` and each other part in a `Part` of
//! `OtherParts`; a `CoalescedObject` holds several objects. One rule reads both; namespaces are ignored.
//! Source: `OpenSimulator`, `SceneObjectSerializer.cs` and `CoalescedSceneObjectsSerializer.cs`.

use std::sync::Arc;

use uuid::Uuid;

use crate::archive::error::{Error, Problem, ellipsized};
use crate::archive::object::{ContainingRegion, Object, Part};
use crate::archive::part::check_part;
use crate::archive::raw::{Axes, RawPart, read_part};
use crate::archive::xml::{XmlCursor, decoded, non_nil};

const GROUP: &str = "SceneObjectGroup";

/// Output of the parser.
#[derive(Debug)]
pub(crate) enum EntryItem {
    /// An object.
    Object(Box<Object>),
    /// An error.
    Fault(Error),
    /// The asset of a nested object.
    Inside(Uuid),
}

/// Context of an entry with objects.
#[derive(Clone, Debug)]
pub(crate) struct EntryContext<'e> {
    /// Path, shared with the objects.
    pub(crate) path: Arc<str>,
    /// Region that contains the objects.
    pub(crate) region: &'e ContainingRegion,
    /// Maximum nesting depth of elements.
    pub(crate) nesting: usize,
}

/// Receiver of objects and errors.
pub(crate) type ItemSink<'t> = &'t mut dyn FnMut(EntryItem);

/// Reads all objects of an entry.
pub(crate) fn read_objects_of_entry(source: &EntryContext<'_>, bytes: &[u8], sink: ItemSink<'_>) {
    let read = decoded(bytes).and_then(|text| {
        let cursor = XmlCursor::new(&text, source.nesting);
        document(source, cursor, sink)
    });
    if let Err(problem) = read {
        sink(EntryItem::Fault(Error::from(problem).in_entry(&source.path)));
    }
}

fn document(
    source: &EntryContext<'_>,
    mut cursor: XmlCursor<'_>,
    sink: ItemSink<'_>,
) -> Result<(), Problem> {
    let root = cursor.root()?;
    match root.as_str() {
        GROUP => group(source, &mut cursor, sink)?,
        "CoalescedObject" | "scene" => {
            let mut objects = 0_usize;
            cursor.children(|cursor, name| {
                if name == GROUP {
                    objects += 1;
                    group(source, cursor, sink)
                } else {
                    cursor.skip()
                }
            })?;
            if objects == 0 {
                return Err(Problem::Unusable("there is no object in it"));
            }
        }
        other => return Err(Problem::NotAnObject { root: ellipsized(other) }),
    }
    Ok(())
}

/// Reads the current group to its end, even if it is invalid.
fn group(
    source: &EntryContext<'_>,
    cursor: &mut XmlCursor<'_>,
    sink: ItemSink<'_>,
) -> Result<(), Problem> {
    let mut builder = GroupBuilder::default();
    parts(cursor, true, &mut |raw, is_root| {
        raw.inside.iter().for_each(|&asset| sink(EntryItem::Inside(asset)));
        builder.add(raw, is_root);
    })?;
    sink(match builder.into_object(source) {
        Ok(object) => EntryItem::Object(Box::new(object)),
        Err(error) => EntryItem::Fault(error.in_entry(&source.path)),
    });
    Ok(())
}

/// Properties of the whole object, which its root states.
#[derive(Debug, Default)]
struct GroupHeader {
    number: usize,
    id: Uuid,
    owner: Uuid,
    position: Axes<'static>,
}

/// Collected parts of a group.
#[derive(Debug, Default)]
struct GroupBuilder {
    root: Option<Part>,
    /// From the root, or from the first part while there is no root.
    head: GroupHeader,
    linked: Vec<Part>,
    count: usize,
    wrong: Option<Error>,
}

impl GroupBuilder {
    fn add(&mut self, raw: RawPart<'static>, is_root: bool) {
        self.count += 1;
        if self.wrong.is_some() {
            return;
        }
        match check_part(&raw) {
            Ok(part) => {
                let is_root = is_root && self.root.is_none();
                if is_root || self.count == 1 {
                    let RawPart { id, owner, position, .. } = raw;
                    self.head = GroupHeader { number: self.count, id, owner, position };
                }
                if is_root {
                    self.root = Some(part);
                } else {
                    self.linked.push(part);
                }
            }
            Err(wrong) => {
                self.wrong = Some(Error::from(wrong).in_part(self.count, raw.name.trim()));
            }
        }
    }

    /// Builds the object if all parts are valid. Without a root, the first part becomes the root.
    fn into_object(mut self, source: &EntryContext<'_>) -> Result<Object, Error> {
        if let Some(error) = self.wrong {
            return Err(error);
        }
        let root = match self.root {
            Some(root) => root,
            None if self.linked.is_empty() => return Err(Problem::NoParts.into()),
            None => self.linked.remove(0),
        };
        let GroupHeader { number, id, owner, position } = self.head;
        let place = source.region.place(&position);
        let place = place.map_err(|wrong| Error::from(wrong).in_part(number, &root.name))?;
        self.linked.shrink_to_fit();
        let path = Arc::clone(&source.path);
        Ok(Object::from_parts(path, id, place, non_nil(owner), root, self.linked))
    }
}

/// Passes each part in the current element to `sink`, with whether it is at the top level, where the first part is the
/// root.
fn parts(
    cursor: &mut XmlCursor<'_>,
    top: bool,
    sink: &mut dyn FnMut(RawPart<'static>, bool),
) -> Result<(), Problem> {
    cursor.children(|cursor, name| match name {
        "SceneObjectPart" => {
            sink(read_part(cursor)?, top);
            Ok(())
        }
        "RootPart" | GROUP => parts(cursor, true, sink),
        "OtherParts" | "Part" => parts(cursor, false, sink),
        _ => cursor.skip(),
    })
}
