//! Objects, their parts and their places.

use std::fmt;
use std::sync::Arc;

use lodger_core::cost::physics::ShapeType;
use lodger_core::cost::prims::{Primitive, Solid};
use uuid::Uuid;

use crate::archive::error::Problem;
use crate::archive::raw::Axes;
use crate::archive::xml::number;

/// A linkset.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Object {
    /// The path of the entry that it comes from, or the name of its tables; a coalesced object gives several
    /// with one path.
    pub source: Arc<str>,
    /// The identifier of the root part; nil if the archive has none.
    pub id: Uuid,
    /// Where it is.
    pub place: Place,
    /// Who owns it: the owner of the item that refers to it, else that of its root.
    pub owner: Option<Uuid>,
    /// The rotation of the root in its region, a quaternion x, y, z, w of length 1.
    pub rotation: [f64; 4],
    /// The root part.
    pub root: Part,
    /// The parts linked to it, in the order of the archive.
    pub linked: Vec<Part>,
}

impl Object {
    /// An object of its root and the parts linked to it. The root's rotation becomes that of the object.
    pub(crate) fn linked_up(
        source: Arc<str>,
        id: Uuid,
        place: Place,
        owner: Option<Uuid>,
        root: Part,
        linked: Vec<Part>,
    ) -> Self {
        let rotation = root.rotation;
        let root = Part { offset: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0], ..root };
        Self { source, id, place, owner, rotation, root, linked }
    }

    /// An object of unrotated boxes that is in no archive, the root first: each is a position in a region
    /// and the sides, in metres, finite, and sides at least 0. All collide as that type, and the scripts are in
    /// the root. `None` without a box.
    ///
    /// # Examples
    /// ```
    /// use lodger_opensim::archive::Object;
    /// use lodger_core::cost::physics::ShapeType;
    ///
    /// let boxes = [([8.0, 8.0, 20.0], [1.0; 3]), ([9.0, 8.0, 20.0], [1.0; 3])];
    /// let bench = Object::of_boxes("bench.toml".into(), "bench", boxes, (ShapeType::Prim, false, 0));
    /// assert_eq!(bench.map(|bench| bench.linked[0].offset), Some([1.0, 0.0, 0.0]));
    /// ```
    #[must_use]
    pub fn of_boxes(
        source: Arc<str>,
        name: &str,
        boxes: impl IntoIterator<Item = ([f64; 3], [f64; 3])>,
        (shape_type, physical, scripts): (ShapeType, bool, u32),
    ) -> Option<Self> {
        let mut boxes = boxes.into_iter();
        let (position, scale) = boxes.next()?;
        let name: Arc<str> = name.into();
        let part = |offset: [f64; 3], scale, scripts| Part {
            name: Arc::clone(&name),
            creator: None,
            scale,
            offset,
            rotation: [0.0, 0.0, 0.0, 1.0],
            shape: Shape::Prim(Primitive { solid: Solid::Box, altered: false }),
            shape_type,
            physical,
            animated: false,
            scripts,
        };
        let from_root = |at: [f64; 3]| std::array::from_fn(|axis| at[axis] - position[axis]);
        let linked = boxes.map(|(at, scale)| part(from_root(at), scale, 0)).collect();
        let (root, place) =
            (part([0.0; 3], scale, scripts), Place::Region { region: None, position });
        Some(Self::linked_up(source, Uuid::nil(), place, None, root, linked))
    }

    /// The name of the root.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.root.name
    }

    /// All parts, the root first.
    pub fn parts(&self) -> impl Iterator<Item = &Part> + Clone {
        std::iter::once(&self.root).chain(&self.linked)
    }

    /// Whether it moves by physics, which its root decides.
    #[must_use]
    pub const fn physical(&self) -> bool {
        self.root.physical
    }

    /// The bytes that it takes in memory, but for the path of its entry.
    pub(crate) fn bytes(&self) -> u64 {
        let parts = self.parts().map(|part| size_of::<Part>() + part.name.len());
        (size_of::<Self>() + parts.sum::<usize>()) as u64
    }

    /// The scripts in all its parts.
    #[must_use]
    pub fn scripts(&self) -> u32 {
        self.parts().fold(0, |sum, part| sum.saturating_add(part.scripts))
    }
}

/// One prim of an object.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Part {
    /// Its name; names are not unique.
    pub name: Arc<str>,
    /// Who made it.
    pub creator: Option<Uuid>,
    /// Metres along its own axes; finite, at least 0, and as large as the archive has it.
    pub scale: [f64; 3],
    /// Metres from the root along the root's axes; finite. 0 for the root.
    pub offset: [f64; 3],
    /// The rotation against the root, a quaternion x, y, z, w of length 1. Upright for the root.
    pub rotation: [f64; 4],
    /// What it looks like.
    pub shape: Shape,
    /// What it collides as.
    pub shape_type: ShapeType,
    /// Whether it moves by physics.
    pub physical: bool,
    /// Whether its mesh is animated; only the root's counts.
    pub animated: bool,
    /// The scripts in it.
    pub scripts: u32,
}

impl Part {
    /// The mesh that it shows.
    #[must_use]
    pub const fn mesh(&self) -> Option<Uuid> {
        match self.shape {
            Shape::Mesh(id) => Some(id),
            Shape::Prim(_) | Shape::Plant(_) => None,
        }
    }
}

/// What a part looks like, as far as its cost depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Shape {
    /// A mesh asset.
    Mesh(Uuid),
    /// A prim formed by its own numbers, or by a texture.
    Prim(Primitive),
    /// A plant, whose triangles no document states.
    Plant(Plant),
}

/// A plant of the grid's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plant {
    /// A tree.
    Tree,
    /// Grass.
    Grass,
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mesh(_) => f.pad("mesh"),
            Self::Prim(Primitive { solid, .. }) => solid.fmt(f),
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

/// Where an object is.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Place {
    /// It stands in a region.
    Region {
        /// The folder of the region, in an archive of several; the name that [`Prims`](crate::archive::Prims) gives it.
        region: Option<Arc<str>>,
        /// Metres from the south-western corner of the region.
        position: [f64; 3],
    },
    /// It lies in an inventory.
    Inventory {
        /// The names of its folders and its own, with `/` between them.
        path: Arc<str>,
    },
    /// It is an asset that no item of an inventory refers to, or XML by itself; or the archive does
    /// not say where in its region it stands.
    Unknown,
}

/// What an object stands on.
#[derive(Clone, Debug)]
pub(crate) enum ContainingRegion {
    /// A region, by its folder in an archive of several.
    Region(Option<Arc<str>>),
    /// None.
    None,
}

impl ContainingRegion {
    /// The place of an object whose root has this position. Without any axis it is unknown.
    pub(crate) fn place(&self, axes: &Axes<'_>) -> Result<Place, Problem> {
        let Self::Region(region) = self else { return Ok(Place::Unknown) };
        Ok(parse_position(axes)?
            .map_or(Place::Unknown, |position| Place::Region { region: region.clone(), position }))
    }
}

/// The position in its region that the axes say; `None` without any axis.
pub(crate) fn parse_position(axes: &Axes<'_>) -> Result<Option<[f64; 3]>, Problem> {
    if axes.iter().all(Option::is_none) {
        return Ok(None);
    }
    let mut position = [0.0; 3];
    for ((value, text), field) in position.iter_mut().zip(axes).zip(POSITION) {
        *value = number(field, text.as_deref())?;
    }
    Ok(Some(position))
}
