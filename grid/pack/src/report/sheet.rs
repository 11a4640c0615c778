//! What a page tells, gathered from a model and what was made of it.

use lodger_core::cost::land_impact::LandImpact;
use lodger_core::cost::physics::ShapeType;
use lodger_core::cost::streaming::{Lods, MeshLod, Rules, Streaming};
use lodger_core::cost::{ObjectScale, Provenance};
use lodger_mesh_asset::Limits;
use lodger_opensim::pricing::{Mesh, MeshUse};

use crate::aabb::Aabb;
use crate::chain::Candidate;
use crate::frame::Frame;
use crate::model::{Material, Model};
use crate::note::Note;
use crate::packing::{Packed, PackedObject};
use crate::physics::Physics;

/// From the highest to the lowest.
pub(super) const HIGHEST_FIRST: [MeshLod; 4] =
    [MeshLod::High, MeshLod::Medium, MeshLod::Low, MeshLod::Lowest];

/// What a page tells.
pub(super) struct Sheet<'a> {
    pub(super) name: &'a str,
    pub(super) materials: &'a [Material],
    pub(super) asked: Option<u32>,
    pub(super) land_impact: LandImpact,
    pub(super) streaming: f64,
    pub(super) physics: f64,
    pub(super) server: f64,
    pub(super) loss: f64,
    /// What the viewer's own split would have.
    pub(super) viewer_loss: f64,
    pub(super) notes: &'a [Note],
    pub(super) rules: Rules,
    pub(super) shape: ShapeType,
    pub(super) parts: Vec<Part<'a>>,
}

/// What it tells of an object.
pub(super) struct Part<'a> {
    pub(super) name: &'a str,
    /// The material of each face.
    pub(super) materials: &'a [usize],
    pub(super) frame: Frame,
    pub(super) candidates: &'a [Candidate],
    pub(super) picks: Lods<usize>,
    pub(super) weights: Lods<f64>,
    pub(super) bytes: Lods<i32>,
    pub(super) physics: &'a Physics,
    /// As the file says, or with its bytes alone if it cannot be read.
    pub(super) mesh: Mesh,
}

impl<'a> Sheet<'a> {
    /// Gathers it.
    pub(super) fn new(model: &'a Model, packed: &'a Packed) -> Self {
        let materials = model.objects.iter().map(|object| &object.materials[..]);
        let materials = materials.chain(std::iter::repeat(&[][..]));
        Self {
            name: &model.name,
            materials: &model.materials,
            asked: packed.asked,
            land_impact: packed.land_impact,
            streaming: packed.streaming,
            physics: packed.physics,
            server: packed.server,
            loss: packed.loss,
            viewer_loss: packed.viewer.loss,
            notes: &packed.notes,
            rules: packed.rules,
            shape: packed.shape,
            parts: packed.objects.iter().zip(materials).map(|(o, m)| Part::new(o, m)).collect(),
        }
    }

    /// The box around all objects in metres: its middle and its sides.
    pub(super) fn whole(&self) -> ([f64; 3], [f64; 3]) {
        if self.parts.is_empty() {
            return ([0.0; 3], [1.0; 3]);
        }
        let ends = |part: &Part<'_>| {
            let (centre, sides) = (part.frame.centre(), part.frame.sides());
            [-0.5, 0.5].map(|half| std::array::from_fn(|axis| centre[axis] + sides[axis] * half))
        };
        let whole = Aabb::around(self.parts.iter().flat_map(ends));
        let middle = |axis| f64::midpoint(whole.min[axis], whole.max[axis]);
        (std::array::from_fn(middle), whole.sides())
    }

    /// How far the physics cost can be trusted.
    pub(super) fn physics_provenance(&self) -> Provenance {
        let of_part = |part: &Part<'_>| {
            let scale = part.frame.scale().ok()?;
            Some(part.mesh.physics_cost(scale, self.shape, false).ok()?.provenance)
        };
        let all = self.parts.iter().map(|part| of_part(part).unwrap_or(Provenance::Estimated));
        all.fold(Provenance::Exact, Provenance::max)
    }
}

impl<'a> Part<'a> {
    fn new(packed: &'a PackedObject, materials: &'a [usize]) -> Self {
        let mesh = Mesh::read(&packed.asset, Limits::default());
        let candidates = packed.chain.candidates();
        let bytes = packed.picks.map(|pick| {
            candidates.get(pick).map_or(0, |chosen| i32::try_from(chosen.bytes).unwrap_or(i32::MAX))
        });
        Self {
            name: &packed.name,
            materials,
            frame: packed.frame,
            candidates,
            picks: packed.picks,
            weights: packed.weights,
            bytes,
            physics: &packed.physics,
            mesh: mesh.unwrap_or_else(|_| Mesh::imagined(bytes)),
        }
    }

    /// What was chosen for a level.
    pub(super) fn chosen(&self, lod: MeshLod) -> Option<&'a Candidate> {
        self.candidates.get(self.picks.of(lod))
    }

    /// The source.
    pub(super) fn source(&self) -> Option<&'a Candidate> {
        self.candidates.first()
    }

    /// Half of the diagonal of its box, in metres.
    pub(super) fn radius(&self) -> f64 {
        self.frame.scale().map_or(0.0, |scale: ObjectScale<f64>| scale.radius())
    }

    /// From how far away each level is shown, in metres.
    pub(super) fn distances(&self, rules: Rules) -> Lods<f64> {
        Streaming::new(rules).map_or_else(
            |_| Lods::default(),
            |streaming: Streaming<f64>| streaming.transition_distances(self.radius()),
        )
    }

    /// How its mesh is used.
    pub(super) fn usage(&self, shape: ShapeType) -> MeshUse {
        let scale = self.frame.scale().unwrap_or(ObjectScale::ONE);
        MeshUse { scale, shape, ..MeshUse::default() }
    }
}
