use lodger_core::cost::physics::ShapeType;
use lodger_core::cost::streaming::{MeshLod, PerLod, StreamingModel, StreamingRules};
use lodger_core::cost::{ObjectScale, Provenance};
use lodger_mesh_asset::AssetLimits;
use lodger_opensim::pricing::{MeshInputs, MeshUse};

use crate::frame::Aabb;
use crate::lod_chain::LodCandidate;
use crate::model::Model;
use crate::packing::{PackedModel, PackedObject};

pub(super) struct ReportData<'a> {
    pub(super) model: &'a Model,
    pub(super) packed: &'a PackedModel,
    pub(super) parts: Vec<ObjectData<'a>>,
}

pub(super) struct ObjectData<'a> {
    pub(super) object: &'a PackedObject,
    pub(super) materials: &'a [usize],
    pub(super) candidates: &'a [LodCandidate],
    pub(super) bytes: PerLod<i32>,
    /// The asset as read, or its bytes alone if it cannot be read.
    pub(super) mesh: MeshInputs,
}

impl<'a> ReportData<'a> {
    pub(super) fn new(model: &'a Model, packed: &'a PackedModel) -> Self {
        let materials = model.objects.iter().map(|object| &object.materials[..]);
        let parts = packed.objects.iter().zip(materials.chain(std::iter::repeat(&[][..])));
        Self { model, packed, parts: parts.map(|(o, m)| ObjectData::new(o, m)).collect() }
    }

    /// The bounding box of all objects in metres: its centre and its sides.
    pub(super) fn bounds(&self) -> ([f64; 3], [f64; 3]) {
        if self.parts.is_empty() {
            return ([0.0; 3], [1.0; 3]);
        }
        let ends = |part: &ObjectData<'_>| {
            let (centre, sides) = (part.object.frame.centre(), part.object.frame.sides());
            [-0.5, 0.5].map(|half| std::array::from_fn(|axis| centre[axis] + sides[axis] * half))
        };
        let whole = Aabb::around(self.parts.iter().flat_map(ends));
        let middle = |axis| f64::midpoint(whole.min[axis], whole.max[axis]);
        (std::array::from_fn(middle), whole.sides())
    }

    pub(super) fn physics_provenance(&self) -> Provenance {
        let of_part = |part: &ObjectData<'_>| {
            let scale = part.object.frame.scale().ok()?;
            Some(part.mesh.physics_cost(scale, self.packed.shape, false).ok()?.provenance)
        };
        let all = self.parts.iter().map(|part| of_part(part).unwrap_or(Provenance::Estimated));
        all.fold(Provenance::Exact, Provenance::max)
    }
}

impl<'a> ObjectData<'a> {
    fn new(object: &'a PackedObject, materials: &'a [usize]) -> Self {
        let candidates = object.chain.candidates();
        let bytes = object.selected.map(|index| {
            candidates.get(index).map_or(0, |one| i32::try_from(one.bytes).unwrap_or(i32::MAX))
        });
        let mesh = MeshInputs::read(&object.asset, AssetLimits::default());
        let mesh = mesh.unwrap_or_else(|_| MeshInputs::from_lod_bytes(bytes));
        Self { object, materials, candidates, bytes, mesh }
    }

    pub(super) fn selected(&self, lod: MeshLod) -> Option<&'a LodCandidate> {
        self.candidates.get(self.object.selected.of(lod))
    }

    pub(super) fn source(&self) -> Option<&'a LodCandidate> {
        self.candidates.first()
    }

    /// Half of the diagonal of the box, in metres.
    pub(super) fn radius(&self) -> f64 {
        self.object.frame.scale().map_or(0.0, |scale: ObjectScale<f64>| scale.radius())
    }

    /// The distance in metres from which each level is shown.
    pub(super) fn distances(&self, rules: StreamingRules) -> PerLod<f64> {
        StreamingModel::new(rules).map_or_else(
            |_| PerLod::default(),
            |streaming: StreamingModel<f64>| streaming.transition_distances(self.radius()),
        )
    }

    pub(super) fn usage(&self, shape: ShapeType) -> MeshUse {
        let scale = self.object.frame.scale().unwrap_or(ObjectScale::ONE);
        MeshUse { scale, shape, ..MeshUse::default() }
    }
}
