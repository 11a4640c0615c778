//! A mesh, and what it costs.

use lodger_core::cost::land_impact::{Assessment, Linkset, Part, assess};
use lodger_core::cost::physics::{
    Body, PhysicsCost, Representation, ShapeType, Shapes, may_be_physical,
};
use lodger_core::cost::simulator::FreeScripts;
use lodger_core::cost::streaming::Lods;
use lodger_core::cost::{PrimKind, Provenance};
use lodger_core::{Error, cost::Scale};
use lodger_mesh_asset::{Asset, PhysicsCostData, PhysicsInputs};

use super::conditions::{Conditions, motion};
use super::report::Choice;

/// What the costs of a mesh depend on, but for the conditions.
#[derive(Clone, Debug)]
pub(crate) struct Mesh {
    /// Bytes of each LOD.
    pub(crate) sizes: Lods<i32>,
    /// Its shapes; none for sizes that are only imagined.
    pub(crate) physics: Option<PhysicsInputs>,
}

/// What a mesh costs as an object of its own.
#[derive(Clone, Debug)]
pub(crate) struct Weighed {
    /// The size of the object.
    pub(crate) scale: Scale<f64>,
    /// Its physics, before any penalty.
    pub(crate) physics: PhysicsCost<f64>,
    /// Its weights and what they come to.
    pub(crate) assessment: Assessment<f64>,
}

impl Mesh {
    /// Reads an asset.
    pub(crate) fn read(file: &[u8]) -> Result<Self, lodger_mesh_asset::Error> {
        let asset = Asset::parse(file)?;
        Ok(Self { sizes: asset.header().lod_bytes(), physics: Some(asset.physics()?) })
    }

    /// A mesh of which only the sizes are known.
    pub(crate) fn imagined(sizes: Lods<i32>) -> Self {
        Self { sizes, physics: None }
    }

    /// What it costs as an object of its own.
    pub(crate) fn weigh(&self, conditions: &Conditions) -> Result<Weighed, String> {
        let Conditions { scale, shape, physical, scripts, streaming, .. } = *conditions;
        let part = Part {
            kind: PrimKind::Mesh,
            shape,
            streaming: streaming.cost(scale.radius(), self.sizes),
            physics: self.collide(scale, shape, physical)?,
        };
        let linkset = Linkset { size: scale, physical, scripts, free_scripts: FreeScripts::One };
        let assessment = assess([part], linkset).map_err(|error| error.to_string())?;
        Ok(Weighed { scale, physics: part.physics, assessment })
    }

    /// Its physics cost, before any penalty; nothing where no shapes are known.
    pub(crate) fn collide(
        &self,
        scale: Scale<f64>,
        shape: ShapeType,
        physical: bool,
    ) -> Result<PhysicsCost<f64>, String> {
        let Some(physics) = &self.physics else {
            let (representation, provenance) = (Representation::None, Provenance::Estimated);
            return Ok(PhysicsCost { cost: 0.0, representation, provenance });
        };
        let told = |error: lodger_mesh_asset::Error| error.to_string();
        let body = if shape == ShapeType::Prim {
            physics.body(scale).map_err(told)?
        } else {
            // No other type looks at the physics mesh, which would have to be measured.
            let costs = physics.cost_data.as_ref().map(PhysicsCostData::costs).transpose();
            let (hull, decomposition) = (physics.hull, physics.decomposition);
            let cost_data = costs.map_err(|problem| told(problem.into()))?;
            Body::Mesh(Shapes { hull, decomposition, mesh: None, cost_data })
        };
        Ok(body.cost(shape, motion(physical)))
    }

    /// What there would be of each shape type under these conditions.
    pub(crate) fn choices(&self, conditions: &Conditions) -> Vec<Choice> {
        let Some(physics) = &self.physics else {
            return Vec::new();
        };
        let choice = |(shape, name): (ShapeType, &'static str)| {
            let counted = self.collide(conditions.scale, shape, conditions.physical).ok()?;
            let made_of = made_of(physics, &counted);
            let chosen = shape == conditions.shape;
            Some(Choice { shape: name, chosen, cost: counted.cost, made_of })
        };
        let shapes = [
            (ShapeType::ConvexHull, "convex-hull"),
            (ShapeType::Prim, "prim"),
            (ShapeType::None, "none"),
        ];
        shapes.into_iter().filter_map(choice).collect()
    }

    /// What the user should know about the numbers.
    pub(crate) fn remarks(&self, weighed: &Weighed, conditions: &Conditions) -> Vec<String> {
        let mut remarks = Vec::new();
        if self.sizes.high <= 0 {
            remarks
                .push("no high LOD: streaming counts nothing, and no upload takes it".to_owned());
        }
        match &self.physics {
            None => remarks.push("physics is not known and counts nothing".to_owned()),
            Some(physics) => remarks.extend(remarks_on(physics, weighed, conditions)),
        }
        let base = weighed.assessment.physics_base;
        if conditions.physical && !may_be_physical(base) {
            remarks
                .push(format!("its physics cost of {base:.1} is too much for a physical object"));
        }
        remarks
    }
}

/// What the user should know about the physics.
fn remarks_on(physics: &PhysicsInputs, weighed: &Weighed, conditions: &Conditions) -> Vec<String> {
    let mut remarks = Vec::new();
    if let Some(block) = physics.hull_made_from
        && weighed.physics.representation == Representation::Hull
        && weighed.physics.provenance == Provenance::Estimated
    {
        remarks.push(format!(
            "no hull in the file: one around {block} would cost at most what is counted"
        ));
    }
    let refused = |body: Body<f64>| body.check_shape_type(conditions.shape).is_err();
    let may_be_refused = conditions.shape == ShapeType::Prim;
    if may_be_refused && physics.body(weighed.scale).is_ok_and(refused) {
        let remark = "neither decomposition nor physics mesh: the shape type prim is refused, \
                      and the hull counts";
        remarks.push(remark.to_owned());
    }
    remarks
}

/// What a physics cost is of, in words.
fn made_of(physics: &PhysicsInputs, counted: &PhysicsCost<f64>) -> String {
    let what = match (counted.representation, physics.decomposition) {
        (Representation::None, _) => return "nothing to collide with".to_owned(),
        (Representation::Decomposition, Some(hulls)) => {
            format!("{} hulls with {} vertices", hulls.count(), hulls.vertices())
        }
        (Representation::Mesh, _) => "physics mesh".to_owned(),
        _ => format!("hull of {} vertices", physics.hull.vertices()),
    };
    format!("{what}, {}", counted.provenance.name())
}

/// The same proportions with another longest side in metres.
///
/// # Errors
/// For a longest side that is beyond core's reach, or proportions without a length.
pub(crate) fn resized(scale: Scale<f64>, longest: f64) -> Result<Scale<f64>, Error> {
    let own = longest_side(scale);
    Scale::new(scale.sides().map(|side| longest * (side / own)))
}

/// The longest side in metres.
pub(crate) fn longest_side(scale: Scale<f64>) -> f64 {
    scale.sides().into_iter().fold(0.0, f64::max)
}
