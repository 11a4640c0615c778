//! What a linkset costs.

use glam::{DMat3, DQuat, DVec3};
use lodger_archive::{Object, Part, Shape};
use lodger_core::cost::land_impact::{Assessment, Linkset, Part as Counted, assess};
use lodger_core::cost::prims::{Primitive, Solid};
use lodger_core::cost::simulator::FreeScripts;
use lodger_core::cost::{ObjectScale, PrimKind};
use uuid::Uuid;

use crate::error::Error;
use crate::mesh::Mesh;
use crate::part_use::{PartPrice, PartUse};
use crate::remark::Remark;
use crate::rules::Pricing;
use crate::shapes::motion;

/// What a linkset costs.
#[derive(Clone, Copy, Debug, PartialEq)]
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
    /// What should be known about the price.
    pub remark: Option<Remark>,
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
        self.linkset_of_priced(object, |part| {
            let mesh = meshes(part.mesh).ok_or(Error::MissingMesh(part.mesh))?;
            part.price(mesh, self).map_err(|error| part.refused(error))
        })
    }

    /// What a linkset costs whose meshes are priced elsewhere.
    pub(crate) fn linkset_of_priced(
        &self,
        object: &Object,
        price: impl Fn(&PartUse) -> Result<PartPrice, Error>,
    ) -> Result<LinksetPrice, Error> {
        let counted = |(index, part): (usize, &Part)| {
            let counted = match PartUse::of(part, object, index) {
                Some(part_use) => price(&part_use).map(|price| counted_mesh(part, price)),
                None => self.prim(part, object.physical()),
            };
            counted.map_err(|error| Error::Part {
                number: index + 1,
                name: part.name.clone(),
                error: Box::new(error),
            })
        };
        let parts = object.parts().enumerate().map(counted).collect::<Result<Vec<_>, _>>()?;
        let size = ObjectScale::new(size(object).into()).map_err(Error::LinksetSize)?;
        let (physical, scripts) = (object.physical(), object.scripts());
        let linkset = Linkset { size, physical, scripts, free_scripts: FreeScripts::One };
        let assessment = assess(parts.iter().copied(), linkset)?;
        let meshes = parts.iter().filter(|part| part.kind == PrimKind::Mesh).count();
        let meshes = u32::try_from(meshes).unwrap_or(u32::MAX);
        let remark = Remark::on_motion(physical, assessment.physics_base);
        Ok(LinksetPrice { size, meshes, scripts, physical, assessment, remark })
    }

    /// What is counted of a part that shows no mesh.
    fn prim(&self, part: &Part, physical: bool) -> Result<Counted<f64>, Error> {
        let prim = primitive(part);
        let radius = ObjectScale::new(part.scale)?.radius();
        Ok(Counted {
            kind: prim.kind(),
            shape: part.shape_type,
            streaming: self.prims().cost(radius, prim.bytes()),
            physics: prim.body()?.cost(part.shape_type, motion(physical)),
        })
    }
}

fn counted_mesh(part: &Part, PartPrice { streaming, physics }: PartPrice) -> Counted<f64> {
    Counted { kind: PrimKind::Mesh, shape: part.shape_type, streaming, physics }
}

/// What a part is taken for that shows no mesh.
fn primitive(part: &Part) -> Primitive {
    match part.shape {
        Shape::Prim(primitive) => primitive,
        _ => Primitive { solid: Solid::Other, altered: false },
    }
}

/// Metres: the box around all parts, along the axes of the root.
fn size(object: &Object) -> DVec3 {
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
