//! Cost against size of meshes that are linked and scaled together.

use lodger_core::cost::land_impact::{Linkset, Part, assess};
use lodger_core::cost::physics::{PhysicsCost, Representation};
use lodger_core::cost::simulator::FreeScripts;
use lodger_core::cost::{ObjectScale, PrimKind};

use super::point::SweepPoint;
use super::range::SizeRange;
use super::walk;
use crate::error::Error;
use crate::measured::Measured;
use crate::mesh::{Mesh, MeshUse};
use crate::price::MeshPrice;
use crate::rules::Pricing;

impl Pricing {
    /// What linked meshes cost at sizes from one to another, all of them scaled alike: `whole` is the box around
    /// them at the scales of their uses, and a size is its longest side. At even steps of the logarithm, and just before
    /// and at every change of the land impact; bends and flips, which each mesh has of its own, are not marked.
    /// The physics of a point's price is the sum, with the representation of the first mesh.
    ///
    /// # Errors
    /// [`Error::NoExtent`] for a box without a side above 0, [`Error::Refused`] without a mesh, and those of
    /// [`Pricing::mesh`].
    ///
    /// # Examples
    /// ```
    /// use lodger_core::cost::ObjectScale;
    /// use lodger_core::cost::streaming::{Lods, Rules};
    /// use lodger_pricing::{Mesh, MeshUse, Pricing, SizeRange};
    ///
    /// let viewer = Pricing::new(Rules::VIEWER)?;
    /// let mesh = Mesh::imagined(Lods { lowest: 400, low: 900, medium: 2500, high: 9000 });
    /// let two = [(&mesh, MeshUse::default()), (&mesh, MeshUse::default())];
    /// let whole = ObjectScale::new([2.0, 1.0, 1.0])?;
    /// let points = viewer.sweep_linked(&two, whole, SizeRange::new(2.0, 40.0)?)?;
    /// let alone = viewer.mesh(&mesh, &MeshUse::default())?.assessment.streaming;
    /// assert_eq!(points[0].price.assessment.streaming, 2.0 * alone);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sweep_linked(
        &self,
        meshes: &[(&Mesh, MeshUse)],
        whole: ObjectScale<f64>,
        range: SizeRange,
    ) -> Result<Vec<SweepPoint>, Error> {
        if whole.longest() > 0.0 {
            let meshes: Vec<_> = meshes
                .iter()
                .map(|(mesh, usage)| (Measured::at_many_sizes(mesh), *usage))
                .collect();
            walk::steps_of(&|size| self.linked(&meshes, whole, size), range)
        } else {
            Err(Error::NoExtent)
        }
    }

    /// What they cost where the longest side of the box around them is that.
    fn linked(
        &self,
        meshes: &[(Measured<'_>, MeshUse)],
        whole: ObjectScale<f64>,
        size: f64,
    ) -> Result<MeshPrice, Error> {
        let resized = |scale: ObjectScale<f64>| {
            ObjectScale::new(scale.sides().map(|side| size * (side / whole.longest())))
        };
        let part = |(mesh, usage): &(Measured<'_>, MeshUse)| {
            let (scale, shape) = (resized(usage.scale)?, usage.shape);
            let physics = mesh.physics_cost(scale, shape, usage.physical)?;
            let streaming = self.meshes().cost(scale.radius(), mesh.mesh.sizes);
            Ok(Part { kind: PrimKind::Mesh, shape, streaming, physics })
        };
        let parts = meshes.iter().map(part).collect::<Result<Vec<_>, Error>>()?;
        let linkset = Linkset {
            size: resized(whole)?,
            physical: meshes.iter().any(|(_, usage)| usage.physical),
            scripts: meshes.iter().fold(0, |sum, (_, usage)| sum.saturating_add(usage.scripts)),
            free_scripts: FreeScripts::One,
            simulator: self.simulator().copied(),
        };
        let assessment = assess(parts.iter().copied(), linkset)?;
        let first = parts.first().map(|part| part.physics.representation);
        Ok(MeshPrice {
            scale: linkset.size,
            streaming_provenance: self.rules().provenance,
            physics: PhysicsCost {
                cost: assessment.physics_base,
                representation: first.unwrap_or(Representation::None),
                provenance: assessment.physics_provenance,
            },
            assessment,
        })
    }
}
