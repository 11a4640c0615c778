//! What a linkset and each of its parts cost.

use std::sync::Arc;

use glam::{DMat3, DQuat, DVec3};
use lodger_core::cost::land_impact::{Assessment, Linkset, Part as Counted, assess};
use lodger_core::cost::physics::{PhysicsCost, Representation, ShapeType};
use lodger_core::cost::prims::{Primitive, Solid};
use lodger_core::cost::simulator::FreeScripts;
use lodger_core::cost::streaming::{LinksetPart, Lods, capped};
use lodger_core::cost::{ObjectScale, PrimKind, Provenance};
use lodger_mesh_asset::Counts;
use uuid::Uuid;

use crate::archive::{Object, Part, Shape};
use crate::pricing::error::Error;
use crate::pricing::mesh::{MeasuredMesh, Mesh, motion, unit};
use crate::pricing::price::Remark;
use crate::pricing::rules::Pricing;

/// What a linkset costs.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct LinksetPrice {
    /// The box around all parts along the axes of the root, in metres.
    pub size: ObjectScale<f64>,
    /// How many of its parts show a mesh.
    pub meshes: u32,
    /// How many scripts are in them.
    pub scripts: u32,
    /// Whether it moves by physics.
    pub physical: bool,
    /// Its weights and what they come to.
    pub assessment: Assessment<f64>,
    /// How far its streaming weight can be trusted: as far as that of the least certain part.
    pub streaming_provenance: Provenance,
    /// What should be known about the price.
    pub remarks: Vec<Remark>,
}

impl Pricing {
    /// What a linkset costs whose meshes are at hand.
    ///
    /// # Errors
    /// [`Error::Part`] with [`Error::MissingMesh`] or the [`Error::Mesh`] that has no price, or with
    /// [`Error::Refused`] for a part that is larger than core takes; [`Error::LinksetSize`].
    pub fn linkset<'m>(
        &self,
        object: &Object,
        meshes: impl Fn(Uuid) -> Option<&'m Mesh>,
    ) -> Result<LinksetPrice, Error> {
        let weighed = self.weighed(object, |part| {
            let mesh = meshes(part.mesh).ok_or_else(|| Arc::new(Error::MissingMesh(part.mesh)))?;
            part.price(&MeasuredMesh::new(mesh), self).map_err(|error| part.refused(error))
        })?;
        self.linkset_of(object, &weighed)
    }

    /// What is counted of each part of a linkset whose meshes are priced elsewhere.
    pub(crate) fn weighed(
        &self,
        object: &Object,
        price: impl Fn(&PartUse) -> Result<MeshWeights, Arc<Error>>,
    ) -> Result<Vec<WeighedPart>, Error> {
        let weighed = |(index, part): (usize, &Part)| {
            let weighed = match PartUse::of(part, object, index) {
                Some(part_use) => price(&part_use).map(|price| self.mesh_part(part, price)),
                None => self.prim(part, object.physical()).map_err(Arc::new),
            };
            let (number, name) = (index + 1, || Arc::clone(&part.name));
            weighed.map_err(|error| Error::Part { number, name: name(), error })
        };
        object.parts().enumerate().map(weighed).collect()
    }

    fn mesh_part(
        &self,
        part: &Part,
        MeshWeights { streaming, physics }: MeshWeights,
    ) -> WeighedPart {
        let counted = Counted { kind: PrimKind::Mesh, shape: part.shape_type, streaming, physics };
        WeighedPart { counted, streaming_provenance: self.rules().provenance }
    }

    /// What is counted of a part that shows no mesh.
    fn prim(&self, part: &Part, physical: bool) -> Result<WeighedPart, Error> {
        let radius = ObjectScale::new(part.scale)?.radius();
        let prim = match part.shape {
            Shape::Prim(primitive) => primitive,
            Shape::Plant(_) => return Ok(plant(part)),
            _ => Primitive { solid: Solid::Other, altered: false },
        };
        let physics = prim.body()?.cost(part.shape_type, motion(physical));
        let streaming = self.prims().cost(radius, prim.bytes());
        let counted = Counted { kind: prim.kind(), shape: part.shape_type, streaming, physics };
        Ok(WeighedPart {
            counted,
            streaming_provenance: prim.provenance().max(self.rules().provenance),
        })
    }

    /// The costs of a linkset, from the counts of its parts.
    pub(crate) fn linkset_of(
        &self,
        object: &Object,
        parts: &[WeighedPart],
    ) -> Result<LinksetPrice, Error> {
        let size = linkset_size(object).map_err(Error::LinksetSize)?;
        let (physical, scripts) = (object.physical(), object.scripts());
        let (free_scripts, simulator) = (FreeScripts::One, self.simulator().copied());
        let linkset = Linkset { size, physical, scripts, free_scripts, simulator };
        let counted = parts.iter().map(|part| part.counted);
        let assessment = assess(counted.clone(), linkset)?;
        let meshes = counted.filter(|part| part.kind == PrimKind::Mesh).count();
        Ok(LinksetPrice {
            size,
            meshes: u32::try_from(meshes).unwrap_or(u32::MAX),
            scripts,
            physical,
            assessment,
            streaming_provenance: parts
                .iter()
                .map(|part| part.streaming_provenance)
                .fold(Provenance::Exact, Provenance::max),
            remarks: remarks(object, assessment.physics_base),
        })
    }
}

/// A plant counts nothing but itself: nobody states its triangles or what it collides as.
fn plant(part: &Part) -> WeighedPart {
    let (representation, unknown) = (Representation::None, Provenance::Unknown);
    let physics = PhysicsCost { cost: 0.0, representation, provenance: unknown };
    let (kind, shape) = (PrimKind::Plain, part.shape_type);
    let counted = Counted { kind, shape, streaming: 0.0, physics };
    WeighedPart { counted, streaming_provenance: unknown }
}

fn remarks(object: &Object, physics: f64) -> Vec<Remark> {
    let parts = |is: fn(Shape) -> bool| object.parts().filter(|part| is(part.shape)).count();
    let unknown = |shape| matches!(shape, Shape::Prim(prim) if prim.solid == Solid::Other);
    let (plants, unknown) = (parts(|shape| matches!(shape, Shape::Plant(_))), parts(unknown));
    let mut remarks = Vec::new();
    remarks.extend(Remark::on_motion(object.physical(), physics));
    remarks.extend((plants > 0).then_some(Remark::Plants(plants)));
    remarks.extend((unknown > 0).then_some(Remark::UnknownShapes(unknown)));
    remarks
}

/// The box around all parts of an object along the axes of its root, in metres: what its penalty depends on.
///
/// # Errors
/// It is larger than core takes.
///
/// # Examples
/// ```
/// use lodger_allowance::Allowance;
/// use lodger_opensim::archive::{Limits, read_objects};
///
/// let post = "<SceneObjectGroup><SceneObjectPart>\
///     <Shape><ProfileCurve>1</ProfileCurve><PathCurve>16</PathCurve></Shape>\
///     <Scale><X>0.5</X><Y>0.5</Y><Z>2</Z></Scale></SceneObjectPart></SceneObjectGroup>";
/// let allowance = Allowance::new(lodger_allowance::Limits::default());
/// let found = read_objects("post.xml", post.as_bytes(), Limits::default(), &allowance)?;
/// let size = lodger_opensim::pricing::linkset_size(&found.objects[0])?;
/// assert_eq!(size.sides(), [0.5, 0.5, 2.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn linkset_size(object: &Object) -> Result<ObjectScale<f64>, lodger_core::Error> {
    ObjectScale::new(extent(object).into())
}

fn extent(object: &Object) -> DVec3 {
    let corners = object.parts().map(|part| {
        let turned = DMat3::from_quat(DQuat::from_array(part.rotation));
        let half = DVec3::from_array(part.scale) / 2.0;
        let [x, y, z] = [turned.x_axis, turned.y_axis, turned.z_axis].map(DVec3::abs);
        let reach = x * half.x + y * half.y + z * half.z;
        let centre = DVec3::from_array(part.offset);
        (centre - reach, centre + reach)
    });
    let around = |(least, most): (DVec3, DVec3), (low, high): (DVec3, DVec3)| {
        (least.min(low), most.max(high))
    };
    corners.reduce(around).map_or(DVec3::ZERO, |(least, most)| most - least)
}

/// What one part of a linkset weighs: the sums over its parts are the weights of the linkset.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PartPrice {
    /// Its name, which need not be unique.
    pub name: Arc<str>,
    /// What it looks like.
    pub shape: Shape,
    /// Metres along its own axes.
    pub scale: [f64; 3],
    /// The scripts in it.
    pub scripts: u32,
    /// Its physics shape type.
    pub shape_type: ShapeType,
    /// Its streaming weight, at most what a prim of its kind may weigh.
    pub streaming: f64,
    /// How far the streaming weight can be trusted.
    pub streaming_provenance: Provenance,
    /// Its physics weight, before any penalty, and what it collides as.
    pub physics: PhysicsCost<f64>,
    /// The triangles and vertices that its mesh really has.
    pub geometry: Option<Lods<Option<Counts>>>,
}

/// What is counted of a part, and how far its streaming weight can be trusted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WeighedPart {
    pub(crate) counted: Counted<f64>,
    pub(crate) streaming_provenance: Provenance,
}

impl PartPrice {
    /// The mesh that it shows.
    #[must_use]
    pub const fn mesh(&self) -> Option<Uuid> {
        match self.shape {
            Shape::Mesh(id) => Some(id),
            _ => None,
        }
    }

    pub(crate) fn new(
        part: &Part,
        weighed: WeighedPart,
        geometry: Option<Lods<Option<Counts>>>,
    ) -> Self {
        let Counted { kind, streaming, physics, .. } = weighed.counted;
        Self {
            name: Arc::clone(&part.name),
            shape: part.shape,
            scale: part.scale,
            scripts: part.scripts,
            shape_type: part.shape_type,
            streaming: capped(kind, streaming),
            streaming_provenance: weighed.streaming_provenance,
            physics,
            geometry,
        }
    }
}

/// A mesh as a part of a linkset: all that its price depends on, but for the asset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PartUse {
    /// The asset.
    pub(crate) mesh: Uuid,
    /// The bits of its metres.
    scale: [u64; 3],
    shape: ShapeType,
    /// Whether the linkset moves by physics.
    physical: bool,
    /// Which part it is of a linkset whose mesh is animated.
    animated: Option<LinksetPart>,
}

/// The weights of a mesh in such a use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MeshWeights {
    pub(crate) streaming: f64,
    pub(crate) physics: PhysicsCost<f64>,
}

impl PartUse {
    /// How a part, which is that many parts behind the root, uses a mesh, if it shows one.
    pub(crate) fn of(part: &Part, object: &Object, index: usize) -> Option<Self> {
        let place = if index == 0 { LinksetPart::Root } else { LinksetPart::Child };
        Some(Self {
            mesh: part.mesh()?,
            scale: part.scale.map(f64::to_bits),
            shape: part.shape_type,
            physical: object.physical(),
            animated: object.root.animated.then_some(place),
        })
    }

    /// The meshes that a linkset uses, and how.
    pub(crate) fn all(object: &Object) -> impl Iterator<Item = Self> {
        let parts = object.parts().enumerate();
        parts.filter_map(|(index, part)| Self::of(part, object, index))
    }

    /// The price of the mesh in this use.
    pub(crate) fn price(
        &self,
        mesh: &MeasuredMesh<'_>,
        pricing: &Pricing,
    ) -> Result<MeshWeights, Error> {
        let (scale, sizes) = (self.scale()?, mesh.mesh.sizes);
        let streaming = match self.animated {
            Some(part) => pricing.meshes().animated_cost(sizes, part),
            None => pricing.meshes().cost(scale.radius(), sizes),
        };
        Ok(MeshWeights { streaming, physics: mesh.physics_cost(scale, self.shape, self.physical)? })
    }

    fn scale(&self) -> Result<ObjectScale<f64>, lodger_core::Error> {
        ObjectScale::new(self.scale.map(f64::from_bits))
    }

    /// By what uses are sorted, so that those of equal proportions are side by side.
    pub(crate) fn proportions(&self) -> [u64; 3] {
        self.scale().map_or(self.scale, |scale| unit(scale).sides().map(f64::to_bits))
    }

    /// That the mesh of this use has no price.
    pub(crate) fn refused(&self, error: Error) -> Arc<Error> {
        Arc::new(Error::Mesh { id: self.mesh, error: Arc::new(error) })
    }
}
