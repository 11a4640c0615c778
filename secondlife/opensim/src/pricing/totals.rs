//! Sums of prices by owner or parcel, their order, and labels of locations.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::fmt;

use lodger_core::cost::land_impact::Assessment;
use lodger_core::cost::simulator::ResourceCosts;
use uuid::Uuid;

use crate::archive::ObjectLocation;
use crate::pricing::archive::PricedObject;

const NO_RESOURCE: ResourceCosts<f64> = ResourceCosts { simulator: 0.0, region: 0.0 };

/// A sum of prices.
///
/// # Examples
/// ```
/// use lodger_core::cost::streaming::{Lods, Rules};
/// use lodger_opensim::pricing::{MeshInputs, MeshUse, Pricer, CostTotal};
///
/// let viewer = Pricer::new(Rules::VIEWER)?;
/// let mesh = MeshInputs::imagined(Lods { lowest: 400, low: 900, medium: 2500, high: 9000 });
/// let one = viewer.mesh(&mesh, &MeshUse::default())?.assessment;
/// let total: CostTotal = [one; 3].iter().collect();
/// assert_eq!((total.count, total.server, total.land_impact), (3, 1.5, 3));
/// # Ok::<(), Box<dyn std::error::ArchiveError>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct CostTotal {
    /// Number of prices.
    pub count: usize,
    /// Sum of streaming weights.
    pub streaming: f64,
    /// Sum of physics weights, with the penalty of physical objects.
    pub physics: f64,
    /// Sum of server weights.
    pub server: f64,
    /// Sum of land impacts.
    pub land_impact: u64,
    /// Sums of simulator and region resource costs, if [enabled](crate::pricing::Pricing::with_simulator).
    pub resource: Option<ResourceCosts<f64>>,
}

impl CostTotal {
    /// Adds a price.
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

    /// Sets missing resource costs to 0.
    #[must_use]
    pub fn with_resource(mut self) -> Self {
        self.resource.get_or_insert(NO_RESOURCE);
        self
    }

    /// Compares by descending land impact, then by descending maximum weight.
    pub(crate) fn most_expensive_first(&self, other: &Self) -> Ordering {
        let greatest = |of: &Self| of.streaming.max(of.physics).max(of.server);
        let by_impact = other.land_impact.cmp(&self.land_impact);
        by_impact.then(greatest(other).total_cmp(&greatest(self)))
    }
}

impl From<&Assessment<f64>> for CostTotal {
    fn from(price: &Assessment<f64>) -> Self {
        std::iter::once(price).collect()
    }
}

impl<'a> FromIterator<&'a Assessment<f64>> for CostTotal {
    fn from_iter<I: IntoIterator<Item = &'a Assessment<f64>>>(prices: I) -> Self {
        let mut total = Self::default();
        prices.into_iter().for_each(|price| total.add(price));
        total
    }
}

/// Compares by descending land impact, then by descending maximum weight.
#[must_use]
pub fn most_expensive_first(a: &Assessment<f64>, b: &Assessment<f64>) -> Ordering {
    CostTotal::from(a).most_expensive_first(&b.into())
}

/// Key of groups of objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GroupBy {
    /// Owner.
    Owner,
    /// Parcel under the object.
    Parcel,
}

/// The objects of one owner or parcel.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct GroupTotal {
    /// UUID of the owner or parcel; `None` for objects without one.
    pub id: Option<Uuid>,
    /// Name of the parcel; owners have none.
    pub name: Option<String>,
    /// Number of prims.
    pub prims: u64,
    /// Sum of prices.
    pub total: CostTotal,
}

impl GroupBy {
    /// Sums the objects with a price, the most expensive group first. Archives share the groups of equal UUIDs.
    #[must_use]
    pub fn sum<'o>(self, objects: impl IntoIterator<Item = &'o PricedObject>) -> Vec<GroupTotal> {
        let mut groups: HashMap<Option<Uuid>, GroupTotal> = HashMap::new();
        for object in objects {
            let Ok(price) = &object.price else { continue };
            let id = self.of(object);
            let group = groups.entry(id).or_insert_with(|| GroupTotal {
                id,
                name: self.name(object).map(str::to_owned),
                ..GroupTotal::default()
            });
            group.prims = group.prims.saturating_add(price.assessment.prims.into());
            group.total.add(&price.assessment);
        }
        let mut groups: Vec<_> = groups.into_values().collect();
        groups.sort_by(|a, b| a.total.most_expensive_first(&b.total).then(a.id.cmp(&b.id)));
        groups
    }

    fn of(self, object: &PricedObject) -> Option<Uuid> {
        match self {
            Self::Owner => object.owner,
            Self::Parcel => object.parcel.as_ref().map(|parcel| parcel.id),
        }
    }

    fn name(self, object: &PricedObject) -> Option<&str> {
        match self {
            Self::Owner => None,
            Self::Parcel => object.parcel.as_ref().map(|parcel| parcel.name.as_str()),
        }
    }
}

impl GroupTotal {
    /// Name and short UUID, as names are not unique; the whole UUID without a name, and `none` without a UUID.
    #[must_use]
    pub fn label(&self, none: &str) -> String {
        match (self.id, self.name.as_deref().unwrap_or_default()) {
            (None, _) => none.to_owned(),
            (Some(id), "") => id.to_string(),
            (Some(id), name) => format!("{name} ({})", short_id(id)),
        }
    }
}

impl fmt::Display for GroupBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Owner => "owner",
            Self::Parcel => "parcel",
        })
    }
}

/// Labels the location of each object.
///
/// In an inventory, a label is the folder, with the item if it has another name than the object; in a region, the position
/// in whole metres, with the region if there are several. Labels are shortened at the beginning to `most` characters;
/// then objects of one name at one location get their short UUID, or their entry without a UUID.
#[must_use]
pub fn location_labels<'o>(
    objects: impl IntoIterator<Item = &'o PricedObject>,
    most: usize,
) -> Vec<String> {
    let objects: Vec<_> = objects.into_iter().collect();
    let regions = objects.windows(2).any(|pair| region(pair[0]) != region(pair[1]));
    let texts = objects.iter().map(|object| (&*object.name, tail(&place(object, regions), most)));
    let texts: Vec<_> = texts.collect();
    let mut times: HashMap<_, usize> = HashMap::new();
    for text in &texts {
        *times.entry(text).or_default() += 1;
    }
    let one = |(object, text): (&&PricedObject, &(&str, String))| match times.get(text) {
        Some(1) => text.1.clone(),
        _ if object.id.is_nil() => tail(&object.entry, most),
        _ => format!("{} {}", text.1, short_id(object.id)).trim_start().to_owned(),
    };
    objects.iter().zip(&texts).map(one).collect()
}

/// The first eight digits of a UUID.
#[must_use]
pub fn short_id(id: Uuid) -> String {
    id.to_string().chars().take(8).collect()
}

fn region(object: &PricedObject) -> Option<&str> {
    match &object.place {
        ObjectLocation::Region { region, .. } => region.as_deref(),
        _ => None,
    }
}

fn place(object: &PricedObject, regions: bool) -> Cow<'_, str> {
    match &object.place {
        ObjectLocation::Inventory { path } => {
            let folder = path.strip_suffix(&*object.name);
            folder.filter(|folder| folder.ends_with('/')).unwrap_or(path).into()
        }
        ObjectLocation::Region { region, position } => {
            let metres = position.map(|metres| format!("{metres:.0}")).join(", ");
            match region {
                Some(region) if regions => format!("{region}: {metres}").into(),
                _ => metres.into(),
            }
        }
        _ => Cow::default(),
    }
}

/// The last `most` characters of a text, with `…` before them if it is longer.
fn tail(text: &str, most: usize) -> String {
    let count = text.chars().count();
    if count <= most {
        return text.to_owned();
    }
    let rest = text.chars().skip(count - most.saturating_sub(1));
    std::iter::once('…').chain(rest).collect()
}
