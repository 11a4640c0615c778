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
/// use lodger_core::cost::streaming::{PerLod, StreamingRules};
/// use lodger_opensim::pricing::{CostTotal, MeshInputs, MeshUse, Pricer};
///
/// let viewer = Pricer::new(StreamingRules::VIEWER)?;
/// let mesh = MeshInputs::from_lod_bytes(PerLod { lowest: 400, low: 900, medium: 2500, high: 9000 });
/// let one = viewer.mesh(&mesh, &MeshUse::default())?.assessment;
/// let total: CostTotal = [one; 3].iter().collect();
/// assert_eq!((total.count, total.server, total.land_impact), (3, 1.5, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
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
    /// Sums of simulator and region resource costs, if [enabled](crate::pricing::Pricer::with_simulator).
    pub resource: Option<ResourceCosts<f64>>,
}

impl CostTotal {
    /// Adds a price.
    ///
    /// # Examples
    /// ```
    /// # use lodger_core::cost::{ObjectScale, streaming::{PerLod, StreamingRules}};
    /// # use lodger_opensim::pricing::*;
    /// let viewer = Pricer::new(StreamingRules::VIEWER)?;
    /// let mesh = MeshInputs::from_lod_bytes(PerLod { lowest: 400, low: 900, medium: 2500, high: 9000 });
    /// let mut total = CostTotal::default();
    /// for side in [1.0, 20.0] {
    ///     let usage = MeshUse { scale: ObjectScale::new([side; 3])?, ..MeshUse::default() };
    ///     total.add(&viewer.mesh(&mesh, &usage)?.assessment);
    /// }
    /// assert_eq!((total.count, total.land_impact), (2, 1 + 12));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
    ///
    /// # Examples
    /// ```
    /// # use lodger_opensim::pricing::CostTotal;
    /// let total = CostTotal::default().with_resource();
    /// assert_eq!(total.resource.map(|costs| costs.simulator), Some(0.0));
    /// ```
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
///
/// # Examples
/// ```
/// # use lodger_core::cost::{ObjectScale, streaming::{PerLod, StreamingRules}};
/// # use lodger_opensim::pricing::*;
/// let viewer = Pricer::new(StreamingRules::VIEWER)?;
/// let mesh = MeshInputs::from_lod_bytes(PerLod { lowest: 400, low: 900, medium: 2500, high: 9000 });
/// let price = |side| {
///     let usage = MeshUse { scale: ObjectScale::new([side; 3])?, ..MeshUse::default() };
///     Ok::<_, Box<dyn std::error::Error>>(viewer.mesh(&mesh, &usage)?.assessment)
/// };
/// let mut prices = [price(1.0)?, price(20.0)?, price(8.0)?];
/// prices.sort_by(most_expensive_first);
/// assert_eq!(prices[0].land_impact.value, 12);
/// assert!(prices[1].streaming > prices[2].streaming);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn most_expensive_first(a: &Assessment<f64>, b: &Assessment<f64>) -> Ordering {
    CostTotal::from(a).most_expensive_first(&b.into())
}

/// The key of groups of objects.
///
/// # Examples
/// ```
/// use lodger_opensim::pricing::GroupBy;
///
/// assert_eq!(GroupBy::Parcel.to_string(), "parcel");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GroupBy {
    /// Groups by the owner of the object.
    Owner,
    /// Groups by the parcel under the object.
    Parcel,
}

/// The objects of one owner or parcel.
///
/// # Examples
/// ```
/// # use lodger_core::cost::streaming::StreamingRules;
/// # use lodger_mesh_asset::AssetLimits;
/// # use lodger_opensim::{archive::*, pricing::*};
/// # let quota = lodger_quota::Quota::new(lodger_quota::QuotaLimits::default());
/// # let limits = MeshReadLimits { limits: AssetLimits::default(), quota: &quota };
/// let boxes = [([8.0, 8.0, 20.0], [1.0; 3]), ([9.0, 8.0, 20.0], [1.0; 3])];
/// let bench = Object::from_boxes("a".into(), "bench", boxes, Default::default());
/// let archive = Archive::from_objects(bench.into_iter().collect());
/// let prices = Pricer::new(StreamingRules::VIEWER)?.archive(&archive, &MeshUse::default(), limits, |_| ())?;
/// let groups = GroupBy::Owner.sum(&prices.objects);
/// assert_eq!((groups[0].id, groups[0].prims, groups[0].total.land_impact), (None, 2, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    ///
    /// # Examples
    /// ```
    /// # use lodger_core::cost::streaming::StreamingRules;
    /// # use lodger_mesh_asset::AssetLimits;
    /// # use lodger_opensim::{archive::*, pricing::*};
    /// # let quota = lodger_quota::Quota::new(lodger_quota::QuotaLimits::default());
    /// # let limits = MeshReadLimits { limits: AssetLimits::default(), quota: &quota };
    /// let post = "<SceneObjectGroup><SceneObjectPart><Shape><PathCurve>16</PathCurve>\
    ///     <ProfileCurve>1</ProfileCurve></Shape><Scale><X>1</X><Y>1</Y><Z>2</Z></Scale>\
    ///     <OwnerID>a96a5b8d-5b93-4d9e-9c5e-000000000007</OwnerID></SceneObjectPart></SceneObjectGroup>";
    /// let posts = read_objects("a.xml", post.as_bytes(), ArchiveLimits::default(), &quota)?.objects;
    /// let archive = Archive::from_objects([&posts[..], &posts].concat());
    /// let prices = Pricer::new(StreamingRules::VIEWER)?.archive(&archive, &MeshUse::default(), limits, |_| ())?;
    /// let groups = GroupBy::Owner.sum(&prices.objects);
    /// assert_eq!((groups.len(), groups[0].total.count), (1, 2));
    /// assert_eq!(groups[0].id.map(short_id).as_deref(), Some("a96a5b8d"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn sum<'o>(self, objects: impl IntoIterator<Item = &'o PricedObject>) -> Vec<GroupTotal> {
        let mut groups: HashMap<Option<Uuid>, GroupTotal> = HashMap::new();
        for object in objects {
            let Ok(price) = &object.price else { continue };
            let id = self.group_id(object);
            let group = groups.entry(id).or_insert_with(|| GroupTotal {
                id,
                name: self.group_name(object).map(str::to_owned),
                ..GroupTotal::default()
            });
            group.prims = group.prims.saturating_add(price.assessment.prims.into());
            group.total.add(&price.assessment);
        }
        let mut groups: Vec<_> = groups.into_values().collect();
        groups.sort_by(|a, b| a.total.most_expensive_first(&b.total).then(a.id.cmp(&b.id)));
        groups
    }

    fn group_id(self, object: &PricedObject) -> Option<Uuid> {
        match self {
            Self::Owner => object.owner,
            Self::Parcel => object.parcel.as_ref().map(|parcel| parcel.id),
        }
    }

    fn group_name(self, object: &PricedObject) -> Option<&str> {
        match self {
            Self::Owner => None,
            Self::Parcel => object.parcel.as_ref().map(|parcel| parcel.name.as_str()),
        }
    }
}

impl GroupTotal {
    /// The name and the short UUID, as names are not unique; the whole UUID without a name, and `none` without a
    /// UUID.
    ///
    /// # Examples
    /// ```
    /// # use lodger_opensim::pricing::GroupTotal;
    /// assert_eq!(GroupTotal::default().label("no parcel"), "no parcel");
    /// ```
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
/// In an inventory, a label is the folder, with the item if it has another name than the object; in a region, the
/// position in whole metres, with the region if there are several. Labels are shortened at the beginning to `max`
/// characters; then objects of one name at one location get their short UUID, or their entry without a UUID.
///
/// # Examples
/// ```
/// # use lodger_core::cost::streaming::StreamingRules;
/// # use lodger_mesh_asset::AssetLimits;
/// # use lodger_opensim::{archive::*, pricing::*};
/// # let quota = lodger_quota::Quota::new(lodger_quota::QuotaLimits::default());
/// # let limits = MeshReadLimits { limits: AssetLimits::default(), quota: &quota };
/// let post = ([8.2, 8.0, 20.0], [1.0; 3]);
/// let post = Object::from_boxes("a".into(), "post", [post], Default::default());
/// let archive = Archive::from_objects(post.into_iter().collect());
/// let prices = Pricer::new(StreamingRules::VIEWER)?.archive(&archive, &MeshUse::default(), limits, |_| ())?;
/// assert_eq!(location_labels(&prices.objects, 40), ["8, 8, 20"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn location_labels<'o>(
    objects: impl IntoIterator<Item = &'o PricedObject>,
    max: usize,
) -> Vec<String> {
    let objects: Vec<_> = objects.into_iter().collect();
    let regions = objects.windows(2).any(|pair| region(pair[0]) != region(pair[1]));
    let texts = objects.iter().map(|object| (&*object.name, tail(&place(object, regions), max)));
    let texts: Vec<_> = texts.collect();
    let mut times: HashMap<_, usize> = HashMap::new();
    for text in &texts {
        *times.entry(text).or_default() += 1;
    }
    let one = |(object, text): (&&PricedObject, &(&str, String))| match times.get(text) {
        Some(1) => text.1.clone(),
        _ if object.id.is_nil() => tail(&object.entry, max),
        _ => format!("{} {}", text.1, short_id(object.id)).trim_start().to_owned(),
    };
    objects.iter().zip(&texts).map(one).collect()
}

/// The first eight digits of a UUID.
///
/// # Examples
/// ```
/// use lodger_opensim::pricing::short_id;
///
/// assert_eq!(short_id(uuid::Uuid::from_u128(0x1234_5678 << 96)), "12345678");
/// ```
#[must_use]
pub fn short_id(id: Uuid) -> String {
    id.to_string().chars().take(8).collect()
}

fn region(object: &PricedObject) -> Option<&str> {
    match &object.location {
        ObjectLocation::Region { region, .. } => region.as_deref(),
        _ => None,
    }
}

fn place(object: &PricedObject, regions: bool) -> Cow<'_, str> {
    match &object.location {
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

fn tail(text: &str, max: usize) -> String {
    let count = text.chars().count();
    if count <= max {
        return text.to_owned();
    }
    let rest = text.chars().skip(count - max.saturating_sub(1));
    std::iter::once('…').chain(rest).collect()
}
