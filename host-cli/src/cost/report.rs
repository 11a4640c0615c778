//! What comes out: costs in the words and units of the user.

use lodger_core::cost::land_impact::{Accounting, LandImpact, Weight};
use lodger_core::cost::streaming::Lods;
use serde::Serialize;

use super::conditions::Conditions;
use super::mesh::{Mesh, Weighed};
use super::totals::Totals;
use crate::input::assets::FileError;

/// All that was priced. Serialised, it is the JSON of schema 1.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    /// The version of this shape.
    pub(crate) schema: u32,
    /// The meshes, in the order given; of archives those that no object uses.
    pub(crate) files: Vec<FileRow>,
    /// The objects of archives, the dearest first.
    pub(crate) objects: Vec<ObjectRow>,
    /// What could not be priced.
    pub(crate) errors: Vec<FileError>,
    /// What should be known about a number.
    pub(crate) notes: Vec<NoteRow>,
    /// The sums.
    pub(crate) totals: Totals,
}

/// A mesh as an object of its own.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct FileRow {
    /// Where it came from.
    pub(crate) file: String,
    /// Metres.
    pub(crate) scale: [f64; 3],
    /// Metres.
    pub(crate) radius: f64,
    /// What viewers download.
    pub(crate) streaming: StreamingRow,
    /// What the physics engine works with.
    pub(crate) physics: PhysicsRow,
    /// What the simulator manages.
    pub(crate) server: ServerRow,
    /// What counts against a parcel.
    pub(crate) land_impact: LandImpactRow,
}

/// The streaming weight.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct StreamingRow {
    /// The weight.
    pub(crate) cost: f64,
    /// Whose constants it follows.
    pub(crate) rules: &'static str,
    /// Triangles that each LOD is charged for.
    pub(crate) triangles: PerLod<f64>,
    /// The part of the cost that each LOD is responsible for, 0 to 1.
    pub(crate) share: PerLod<f64>,
    /// Bytes of each LOD in the file; 0 if it is missing.
    pub(crate) bytes: PerLod<i32>,
    /// Metres from which on each LOD is shown.
    #[serde(skip)]
    pub(crate) begins: PerLod<f64>,
    /// The part of the region in which each LOD is shown, 0 to 1.
    #[serde(skip)]
    pub(crate) area: PerLod<f64>,
}

/// The physics weight.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct PhysicsRow {
    /// Before any penalty: what decides whether the object may be physical.
    pub(crate) cost: f64,
    /// What counts: with the penalty of a physical object, else the same.
    pub(crate) penalised: f64,
    /// What the physics engine works with.
    pub(crate) representation: &'static str,
    /// How far the cost can be trusted.
    pub(crate) provenance: &'static str,
    /// What there would be of each shape type.
    #[serde(skip)]
    pub(crate) choices: Vec<Choice>,
}

/// What a mesh would be as another shape type.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    /// The shape type, as the command line spells it.
    pub(crate) shape: &'static str,
    /// Whether it is the one that counts.
    pub(crate) chosen: bool,
    /// The cost, before any penalty.
    pub(crate) cost: f64,
    /// What of, in words.
    pub(crate) made_of: String,
}

/// The server weight.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ServerRow {
    /// The weight.
    pub(crate) cost: f64,
}

/// What counts against a parcel.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct LandImpactRow {
    /// Prim equivalents.
    pub(crate) value: u32,
    /// The weight that it comes from; none under the old accounting.
    pub(crate) limited_by: Option<&'static str>,
}

/// A value for each LOD.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct PerLod<T> {
    /// Seen from afar.
    pub(crate) lowest: T,
    /// The third.
    pub(crate) low: T,
    /// The second.
    pub(crate) medium: T,
    /// Seen close by.
    pub(crate) high: T,
}

/// An object of an archive.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ObjectRow {
    /// The archive.
    pub(crate) file: String,
    /// The object's name, which need not be unique.
    pub(crate) object: String,
    /// Its entry in the archive.
    pub(crate) entry: String,
    /// How many prims it has.
    pub(crate) prims: u32,
    /// How many of them show a mesh.
    pub(crate) meshes: u32,
    /// How many scripts are in them.
    pub(crate) scripts: u32,
    /// Whether it moves by physics.
    pub(crate) physical: bool,
    /// Metres: the box around it along its root's axes.
    pub(crate) size: [f64; 3],
    /// How it is counted.
    pub(crate) accounting: &'static str,
    /// What viewers download, summed.
    pub(crate) streaming: ObjectStreamingRow,
    /// What the physics engine works with, summed.
    pub(crate) physics: ObjectPhysicsRow,
    /// What the simulator manages.
    pub(crate) server: ServerRow,
    /// What counts against a parcel.
    pub(crate) land_impact: LandImpactRow,
}

/// The streaming weight of an object.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ObjectStreamingRow {
    /// The weight.
    pub(crate) cost: f64,
    /// Whose constants it follows.
    pub(crate) rules: &'static str,
}

/// The physics weight of an object.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ObjectPhysicsRow {
    /// Before any penalty.
    pub(crate) cost: f64,
    /// What counts: with the penalty of a physical object, else the same.
    pub(crate) penalised: f64,
    /// How far the cost of the least certain prim can be trusted.
    pub(crate) provenance: &'static str,
}

/// What should be known about a number.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct NoteRow {
    /// The file, or the archive and what is in it.
    pub(crate) file: String,
    /// What.
    pub(crate) note: String,
}

impl FileRow {
    /// The row of a mesh.
    pub(crate) fn new(file: &str, mesh: &Mesh, weighed: &Weighed, conditions: &Conditions) -> Self {
        let (streaming, sizes) = (&conditions.streaming, mesh.sizes);
        let radius = weighed.scale.radius();
        Self {
            file: file.to_owned(),
            scale: weighed.scale.sides(),
            radius,
            streaming: StreamingRow {
                cost: weighed.assessment.streaming,
                rules: conditions.rules(),
                triangles: streaming.triangles(sizes).into(),
                share: streaming.cost_shares(radius, sizes).into(),
                bytes: sizes.into(),
                begins: streaming.transition_distances(radius).into(),
                area: streaming.area_shares(radius).into(),
            },
            physics: PhysicsRow {
                cost: weighed.assessment.physics_base,
                penalised: weighed.assessment.physics,
                representation: weighed.physics.representation.name(),
                provenance: weighed.physics.provenance.name(),
                choices: mesh.choices(conditions),
            },
            server: ServerRow { cost: weighed.assessment.server },
            land_impact: weighed.assessment.land_impact.into(),
        }
    }
}

impl From<LandImpact> for LandImpactRow {
    fn from(impact: LandImpact) -> Self {
        Self { value: impact.value, limited_by: impact.limited_by.map(Weight::name) }
    }
}

impl<T> From<Lods<T>> for PerLod<T> {
    fn from(Lods { lowest, low, medium, high }: Lods<T>) -> Self {
        Self { lowest, low, medium, high }
    }
}

impl<T: Copy> PerLod<T> {
    /// From the lowest to the highest.
    pub(crate) fn each(&self) -> [T; 4] {
        [self.lowest, self.low, self.medium, self.high]
    }
}

/// How an accounting is spelt.
pub(crate) fn accounting(accounting: Accounting) -> &'static str {
    match accounting {
        Accounting::Old => "old",
        Accounting::New => "new",
    }
}
