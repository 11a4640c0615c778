//! Cost against size: the same mesh at many sizes, and at those where something changes.

mod linked;
mod mark;
mod point;
mod range;
mod walk;

pub use mark::{Bend, Mark};
pub use point::SweepPoint;
pub use range::SizeRange;

use crate::error::Error;
use crate::measured::Measured;
use crate::mesh::{Mesh, MeshUse};
use crate::rules::Pricing;
use crate::sizes::Sizes;

impl Pricing {
    /// What a mesh costs at sizes from one to another, in the proportions of its scale: at even steps of
    /// the logarithm, at the bends of the streaming cost, and just before and at every change of the land
    /// impact and of the physics. By size. A physics mesh of more than
    /// 1 024 triangles is measured once for all sizes, which may change the last digits of its cost.
    ///
    /// # Errors
    /// [`Error::NoExtent`] for a scale without a side above 0, and those of [`Pricing::mesh`].
    ///
    /// # Examples
    /// ```
    /// use lodger_core::cost::streaming::{Lods, Rules};
    /// use lodger_pricing::{Mark, Mesh, MeshUse, Pricing, SizeRange};
    ///
    /// let viewer = Pricing::new(Rules::VIEWER)?;
    /// let mesh = Mesh::imagined(Lods { lowest: 400, low: 900, medium: 2500, high: 9000 });
    /// let points = viewer.sweep(&mesh, &MeshUse::default(), SizeRange::new(1.0, 8.0)?)?;
    /// let step = points.iter().find(|point| matches!(point.mark, Some(Mark::Step { .. })));
    /// assert_eq!(step.and_then(|step| step.mark), Some(Mark::Step { from: 1, to: 2 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sweep(
        &self,
        mesh: &Mesh,
        usage: &MeshUse,
        range: SizeRange,
    ) -> Result<Vec<SweepPoint>, Error> {
        walk::points(&Sizes::new(self, &Measured::at_many_sizes(mesh), usage)?, range)
    }
}
