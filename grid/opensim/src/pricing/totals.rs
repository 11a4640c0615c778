//! Sums of prices by owner or parcel, their order, and short texts that tell objects apart.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::fmt;

use lodger_core::cost::land_impact::Assessment;
use lodger_core::cost::simulator::ResourceCosts;
use uuid::Uuid;

use crate::archive::Place;
use crate::pricing::archive::PricedObject;

const NO_RESOURCE: ResourceCosts<f64> = ResourceCosts { simulator: 0.0, region: 0.0 };

/// A sum of prices.
///
/// # Examples
/// ```
/// use lodger_core::cost::streaming::{Lods, Rules};
/// use lodger_opensim::pricing::{Mesh, MeshUse, Pricing, Total};
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
    /// Simulator and region resource costs, where they are [asked for](crate::pricing::Pricing::with_simulator).
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
    Total::from(a).most_expensive_first(&b.into())
}

/// What objects are summed by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GroupBy {
    /// Who owns them.
    Owner,
    /// The parcel that they stand on.
    Parcel,
}

/// The objects of one owner, or of one parcel.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Group {
    /// The owner or the parcel; `None` for the objects without one.
    pub id: Option<Uuid>,
    /// The name of the parcel; owners have none.
    pub name: Option<String>,
    /// The prims of its objects.
    pub prims: u64,
    /// Its objects together.
    pub total: Total,
}

impl GroupBy {
    /// Sums the objects that have a price, the most expensive group first. An owner or a parcel that
    /// several archives have is one group.
    #[must_use]
    pub fn sum<'o>(self, objects: impl IntoIterator<Item = &'o PricedObject>) -> Vec<Group> {
        let mut groups: HashMap<Option<Uuid>, Group> = HashMap::new();
        for object in objects {
            let Ok(price) = &object.price else { continue };
            let id = self.of(object);
            let group = groups.entry(id).or_insert_with(|| Group {
                id,
                name: self.name(object).map(str::to_owned),
                ..Group::default()
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

impl Group {
    /// Its name, and the first digits of its identifier, for names are not unique; all of the identifier
    /// if it has no name, and `none` if it has no identifier either.
    #[must_use]
    pub fn label(&self, none: &str) -> String {
        match (self.id, self.name.as_deref().unwrap_or_default()) {
            (None, _) => none.to_owned(),
            (Some(id), "") => id.to_string(),
            (Some(id), name) => format!("{name} ({})", first_digits(id)),
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

/// Where each object is: its folder in the inventory, with the item if that has another name than the
/// object; or its position in whole metres, with the region if there are several. Shortened at the
/// beginning to so many characters; then, where two of one name are at one place, the first digits of
/// the object's identifier follow, or its entry if it has none.
#[must_use]
pub fn whereabouts<'o>(
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
        _ => format!("{} {}", text.1, first_digits(object.id)).trim_start().to_owned(),
    };
    objects.iter().zip(&texts).map(one).collect()
}

/// The first digits of an identifier: as much of it as eyes compare.
#[must_use]
pub fn first_digits(id: Uuid) -> String {
    id.to_string().chars().take(8).collect()
}

fn region(object: &PricedObject) -> Option<&str> {
    match &object.place {
        Place::Region { region, .. } => region.as_deref(),
        _ => None,
    }
}

fn place(object: &PricedObject, regions: bool) -> Cow<'_, str> {
    match &object.place {
        Place::Inventory { path } => {
            let folder = path.strip_suffix(&*object.name);
            folder.filter(|folder| folder.ends_with('/')).unwrap_or(path).into()
        }
        Place::Region { region, position } => {
            let metres = position.map(|metres| format!("{metres:.0}")).join(", ");
            match region {
                Some(region) if regions => format!("{region}: {metres}").into(),
                _ => metres.into(),
            }
        }
        _ => Cow::default(),
    }
}

/// The end of a text, which of a path tells more than its beginning.
fn tail(text: &str, most: usize) -> String {
    let count = text.chars().count();
    if count <= most {
        return text.to_owned();
    }
    let rest = text.chars().skip(count - most.saturating_sub(1));
    std::iter::once('…').chain(rest).collect()
}
