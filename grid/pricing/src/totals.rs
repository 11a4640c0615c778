//! Sums of prices, and their order.

use std::cmp::Ordering;

use lodger_core::cost::land_impact::Assessment;
use lodger_core::cost::simulator::ResourceCosts;

const NO_RESOURCE: ResourceCosts<f64> = ResourceCosts { simulator: 0.0, region: 0.0 };

/// A sum of prices.
///
/// # Examples
/// ```
/// use lodger_core::cost::streaming::{Lods, Rules};
/// use lodger_pricing::{Mesh, MeshUse, Pricing, Total};
///
/// let viewer = Pricing::new(Rules::VIEWER)?;
/// let mesh = Mesh::imagined(Lods { lowest: 400, low: 900, medium: 2500, high: 9000 });
/// let one = viewer.mesh(&mesh, &MeshUse::default())?.assessment;
/// let total: Total = [one; 3].iter().collect();
/// assert_eq!((total.count, total.server, total.land_impact), (3, 1.5, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Total {
    /// How many prices.
    pub count: usize,
    /// Streaming weights.
    pub streaming: f64,
    /// Physics weights, penalised where physical.
    pub physics: f64,
    /// Server weights.
    pub server: f64,
    /// Land impacts.
    pub land_impact: u64,
    /// Simulator and region resource costs, where they are [asked for](crate::Pricing::with_simulator).
    pub resource: Option<ResourceCosts<f64>>,
}

impl Total {
    /// Adds one more.
    pub fn add(&mut self, price: &Assessment<f64>) {
        self.count += 1;
        self.streaming += price.streaming;
        self.physics += price.physics;
        self.server += price.server;
        self.land_impact = self.land_impact.saturating_add(price.land_impact.value.into());
        if let Some(ResourceCosts { simulator, region }) = price.resource {
            let sum = self.resource.get_or_insert(NO_RESOURCE);
            sum.simulator += simulator;
            sum.region += region;
        }
    }

    /// The same with resource costs of 0 if it has none: the sum of no prices.
    #[must_use]
    pub fn with_resource(mut self) -> Self {
        self.resource.get_or_insert(NO_RESOURCE);
        self
    }

    /// The order that puts the greatest land impact first and, where those are equal, the greatest weight.
    pub(crate) fn most_expensive_first(&self, other: &Self) -> Ordering {
        let greatest = |of: &Self| of.streaming.max(of.physics).max(of.server);
        let by_impact = other.land_impact.cmp(&self.land_impact);
        by_impact.then(greatest(other).total_cmp(&greatest(self)))
    }
}

impl From<&Assessment<f64>> for Total {
    fn from(price: &Assessment<f64>) -> Self {
        std::iter::once(price).collect()
    }
}

impl<'a> FromIterator<&'a Assessment<f64>> for Total {
    fn from_iter<I: IntoIterator<Item = &'a Assessment<f64>>>(prices: I) -> Self {
        let mut total = Self::default();
        prices.into_iter().for_each(|price| total.add(price));
        total
    }
}

/// The order that puts the greatest land impact first and, where those are equal, the greatest weight.
#[must_use]
pub fn most_expensive_first(a: &Assessment<f64>, b: &Assessment<f64>) -> Ordering {
    let greatest = |of: &Assessment<f64>| of.streaming.max(of.physics).max(of.server);
    let by_impact = b.land_impact.value.cmp(&a.land_impact.value);
    by_impact.then(greatest(b).total_cmp(&greatest(a)))
}
