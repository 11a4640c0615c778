//! Objects, their parts and their locations.

use std::fmt;
use std::sync::Arc;

use lodger_core::cost::physics::ShapeType;
use lodger_core::cost::prims::{SolidKind, SolidPrim};
use uuid::Uuid;

use crate::archive::error::ArchiveErrorKind;
use crate::archive::raw::Axes;
use crate::archive::xml::number;

/// A linkset.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Object {
    /// Path of the object's entry, or name of its tables; objects of one coalesced object share it.
    pub source: Arc<str>,
    /// UUID of the root part; nil if the archive has none.
    pub id: Uuid,
    /// Location of the object.
    pub location: ObjectLocation,
    /// Owner of the item that refers to the object, or else of the root.
    pub owner: Option<Uuid>,
    /// Rotation of the root in its region: a unit quaternion x, y, z, w.
    pub rotation: [f64; 4],
    /// Root part.
    pub root: ObjectPart,
    /// Linked parts, in archive order.
    pub linked: Vec<ObjectPart>,
}

impl Object {
    /// The root's rotation becomes the rotation of the object.
    pub(crate) fn from_parts(
        source: Arc<str>,
        id: Uuid,
        location: ObjectLocation,
        owner: Option<Uuid>,
        root: ObjectPart,
        linked: Vec<ObjectPart>,
    ) -> Self {
        let rotation = root.rotation;
        let root = ObjectPart { offset: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0], ..root };
        Self { source, id, location, owner, rotation, root, linked }
    }

    /// Builds an object of unrotated boxes, the root first; `None` without a box.
    ///
    /// Each box is a position in a region and the sides, in finite metres, sides at least 0. All boxes have the given
    /// shape type; the scripts are in the root.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::cost::physics::ShapeType;
    /// use lodger_opensim::archive::Object;
    ///
    /// let boxes = [([8.0, 8.0, 20.0], [1.0; 3]), ([9.0, 8.0, 20.0], [1.0; 3])];
    /// let bench = Object::from_boxes("bench.toml".into(), "bench", boxes, (ShapeType::Prim, false, 0));
    /// assert_eq!(bench.map(|bench| bench.linked[0].offset), Some([1.0, 0.0, 0.0]));
    /// ```
    #[must_use]
    pub fn from_boxes(
        source: Arc<str>,
        name: &str,
        boxes: impl IntoIterator<Item = ([f64; 3], [f64; 3])>,
        (shape_type, physical, scripts): (ShapeType, bool, u32),
    ) -> Option<Self> {
        let mut boxes = boxes.into_iter();
        let (position, scale) = boxes.next()?;
        let name: Arc<str> = name.into();
        let part = |offset: [f64; 3], scale, scripts| ObjectPart {
            name: Arc::clone(&name),
            creator: None,
            scale,
            offset,
            rotation: [0.0, 0.0, 0.0, 1.0],
            shape: PrimGeometry::Prim(SolidPrim { solid: SolidKind::Box, altered: false }),
            shape_type,
            physical,
            animated: false,
            scripts,
        };
        let from_root = |at: [f64; 3]| std::array::from_fn(|axis| at[axis] - position[axis]);
        let linked = boxes.map(|(at, scale)| part(from_root(at), scale, 0)).collect();
        let (root, place) =
            (part([0.0; 3], scale, scripts), ObjectLocation::Region { region: None, position });
        Some(Self::from_parts(source, Uuid::nil(), place, None, root, linked))
    }

    /// The name of the root.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.root.name
    }

    /// Returns all parts, the root first.
    pub fn parts(&self) -> impl Iterator<Item = &ObjectPart> + Clone {
        std::iter::once(&self.root).chain(&self.linked)
    }

    /// Whether the object moves by physics, as its root says.
    #[must_use]
    pub const fn physical(&self) -> bool {
        self.root.physical
    }

    pub(crate) fn bytes(&self) -> u64 {
        let parts = self.parts().map(|part| size_of::<ObjectPart>() + part.name.len());
        (size_of::<Self>() + parts.sum::<usize>()) as u64
    }

    /// Number of scripts in all parts.
    #[must_use]
    pub fn scripts(&self) -> u32 {
        self.parts().fold(0, |sum, part| sum.saturating_add(part.scripts))
    }
}

/// One prim of an object.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ObjectPart {
    /// Name of the part; not unique.
    pub name: Arc<str>,
    /// Creator of the part.
    pub creator: Option<Uuid>,
    /// Size in metres along the part's own axes; finite, at least 0, not capped.
    pub scale: [f64; 3],
    /// Offset from the root in metres along the root's axes; finite. 0 for the root.
    pub offset: [f64; 3],
    /// Rotation relative to the root: a unit quaternion x, y, z, w. Identity for the root.
    pub rotation: [f64; 4],
    /// Visible shape.
    pub shape: PrimGeometry,
    /// Physics shape type.
    pub shape_type: ShapeType,
    /// Whether the part moves by physics.
    pub physical: bool,
    /// Whether the part's mesh is animated; used only for the root.
    pub animated: bool,
    /// Number of scripts in the part.
    pub scripts: u32,
}

impl ObjectPart {
    /// The asset of the part's mesh, if it has one.
    #[must_use]
    pub const fn mesh(&self) -> Option<Uuid> {
        self.shape.mesh()
    }
}

/// The visible shape of a part, as far as its cost depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PrimGeometry {
    /// A mesh asset.
    Mesh(Uuid),
    /// A prim with a parametric or sculpted shape.
    Prim(SolidPrim),
    /// A plant, of which no document states the triangles.
    Plant(Plant),
}

impl PrimGeometry {
    /// The mesh asset, if it is one.
    #[must_use]
    pub const fn mesh(self) -> Option<Uuid> {
        match self {
            Self::Mesh(id) => Some(id),
            Self::Prim(_) | Self::Plant(_) => None,
        }
    }
}

/// The kind of a plant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plant {
    /// A tree.
    Tree,
    /// Grass.
    Grass,
}

impl fmt::Display for PrimGeometry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mesh(_) => f.pad("mesh"),
            Self::Prim(SolidPrim { solid, .. }) => solid.fmt(f),
            Self::Plant(plant) => plant.fmt(f),
        }
    }
}

impl fmt::Display for Plant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Tree => "tree",
            Self::Grass => "grass",
        })
    }
}

const POSITION: [&str; 3] = ["GroupPosition.X", "GroupPosition.Y", "GroupPosition.Z"];

/// The location of an object.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ObjectLocation {
    /// In a region.
    Region {
        /// Folder of the region in an archive of several, or the name given to [`Object::from_records`].
        region: Option<Arc<str>>,
        /// Metres from the south-western corner of the region.
        position: [f64; 3],
    },
    /// In an inventory.
    Inventory {
        /// Names of the object's folders and of the item, separated by `/`.
        path: Arc<str>,
    },
    /// Unknown: an asset without an item, XML by itself, or an object without a position.
    Unknown,
}

#[derive(Clone, Debug)]
pub(crate) enum ContainingRegion {
    Region(Option<Arc<str>>),
    None,
}

impl ContainingRegion {
    pub(crate) fn place(&self, axes: &Axes<'_>) -> Result<ObjectLocation, ArchiveErrorKind> {
        let Self::Region(region) = self else { return Ok(ObjectLocation::Unknown) };
        Ok(parse_position(axes)?.map_or(ObjectLocation::Unknown, |position| {
            ObjectLocation::Region { region: region.clone(), position }
        }))
    }
}

pub(crate) fn parse_position(axes: &Axes<'_>) -> Result<Option<[f64; 3]>, ArchiveErrorKind> {
    if axes.iter().all(Option::is_none) {
        return Ok(None);
    }
    let mut position = [0.0; 3];
    for ((value, text), field) in position.iter_mut().zip(axes).zip(POSITION) {
        *value = number(field, text.as_deref())?;
    }
    Ok(Some(position))
}
