//! Parser of the objects in the XML of an entry.
//!
//! In archives of regions, a `SceneObjectGroup` contains the root `SceneObjectPart`, and `OtherParts` the other
//! parts. In object assets, the root is in a `RootPart` and each other part in a `Part` of `OtherParts`; a
//! `CoalescedObject` holds several objects. One rule reads both; namespaces are ignored.
//! Source: `OpenSimulator`, `SceneObjectSerializer.cs` and `CoalescedSceneObjectsSerializer.cs`.

use std::sync::Arc;

use uuid::Uuid;

use crate::archive::error::{ArchiveError, ArchiveErrorKind, ErrorLog};
use crate::archive::object::{ContainingRegion, Object, ObjectPart};
use crate::archive::part::check_part;
use crate::archive::raw::{Axes, RawPart, read_part};
use crate::archive::xml::{XmlCursor, decoded, non_nil};

const GROUP: &str = "SceneObjectGroup";

#[derive(Debug)]
pub(crate) struct EntryParser<'e> {
    path: Arc<str>,
    region: &'e ContainingRegion,
    errors: &'e mut ErrorLog,
    pub(crate) objects: Vec<Object>,
    /// Assets of nested objects.
    pub(crate) inside: Vec<Uuid>,
}

impl<'e> EntryParser<'e> {
    pub(crate) fn read(
        path: &str,
        bytes: &[u8],
        (region, nesting): (&'e ContainingRegion, usize),
        errors: &'e mut ErrorLog,
    ) -> Self {
        let (objects, inside) = (Vec::new(), Vec::new());
        let mut this = Self { path: path.into(), region, errors, objects, inside };
        let text = decoded(bytes);
        let read = text.and_then(|text| this.document(&mut XmlCursor::new(&text, nesting)));
        if let Err(kind) = read {
            this.errors.add(ArchiveError::from(kind).in_entry(&this.path));
        }
        this
    }

    fn document(&mut self, cursor: &mut XmlCursor<'_>) -> Result<(), ArchiveErrorKind> {
        let root = cursor.root()?;
        match root.as_str() {
            GROUP => self.group(cursor),
            "CoalescedObject" | "scene" => {
                let mut objects = 0_usize;
                cursor.children(|cursor, name| {
                    if name != GROUP {
                        return cursor.skip();
                    }
                    objects += 1;
                    self.group(cursor)
                })?;
                let empty = ArchiveErrorKind::invalid("there is no object in it");
                if objects == 0 { Err(empty) } else { Ok(()) }
            }
            other => Err(ArchiveErrorKind::wrong_root(other, GROUP)),
        }
    }

    /// Reads the group to its end, even if it is invalid.
    fn group(&mut self, cursor: &mut XmlCursor<'_>) -> Result<(), ArchiveErrorKind> {
        let mut builder = GroupBuilder::default();
        parts(cursor, true, &mut |raw, is_root| {
            self.inside.extend(&raw.inside);
            builder.add(raw, is_root);
        })?;
        match builder.into_object(self) {
            Ok(object) => self.objects.push(object),
            Err(error) => self.errors.add(error.in_entry(&self.path)),
        }
        Ok(())
    }
}

#[derive(Debug, Default)]
struct GroupHeader {
    number: usize,
    id: Uuid,
    owner: Uuid,
    position: Axes<'static>,
}

#[derive(Debug, Default)]
struct GroupBuilder {
    root: Option<ObjectPart>,
    /// The header of the root, or else of the first part.
    head: GroupHeader,
    linked: Vec<ObjectPart>,
    count: usize,
    wrong: Option<ArchiveError>,
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
                self.wrong = Some(ArchiveError::from(wrong).in_part(self.count, raw.name.trim()));
            }
        }
    }

    /// Builds the object. Without a root, the first part becomes the root.
    fn into_object(mut self, entry: &EntryParser<'_>) -> Result<Object, ArchiveError> {
        if let Some(error) = self.wrong {
            return Err(error);
        }
        let root = match self.root {
            Some(root) => root,
            None if self.linked.is_empty() => {
                return Err(ArchiveErrorKind::invalid("it is an object without parts").into());
            }
            None => self.linked.remove(0),
        };
        let GroupHeader { number, id, owner, position } = self.head;
        let place = entry.region.place(&position);
        let place = place.map_err(|wrong| ArchiveError::from(wrong).in_part(number, &root.name))?;
        self.linked.shrink_to_fit();
        let path = Arc::clone(&entry.path);
        Ok(Object::from_parts(path, id, place, non_nil(owner), root, self.linked))
    }
}

/// Passes each part to `sink`, with whether it is at the top level, where the first part is the root.
fn parts(
    cursor: &mut XmlCursor<'_>,
    top: bool,
    sink: &mut dyn FnMut(RawPart<'static>, bool),
) -> Result<(), ArchiveErrorKind> {
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
