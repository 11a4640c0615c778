//! Reports on whether a linkset can be linked, with its names, serialised as the JSON of schema 1.

use std::error::Error;
use std::fmt;

use lodger_core::linkability::{
    Ball, Fit, LinkError, LinkResult, LinkScratch, LinkedPiece, Pair, SphereRule, Support, link,
};
use lodger_quota::{Quota, QuotaExceeded};
use serde::{Serialize, Serializer};

use crate::linkset::{LinkObject, Linkset};

/// The report of a rule. Lengths are in metres.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum LinkReport<'a> {
    /// The sphere rule.
    Sphere(SphereReport<'a>),
    /// The span rule.
    Span(SpanReport<'a>),
}

/// The report of the sphere rule.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct SphereReport<'a> {
    /// The version of this JSON.
    pub schema: u32,
    /// `sphere`.
    pub rule: &'static str,
    /// Whether the objects can be linked.
    pub linkable: bool,
    /// The diameter of the smallest sphere around the centres of all prims.
    pub diameter: f64,
    /// The exclusive upper limit of the diameter.
    pub max_diameter: f64,
    /// The number of prims of all objects.
    pub prims: usize,
    /// The exclusive upper limit of the number of prims.
    pub max_prims: usize,
    /// The names of the objects, the root first.
    #[serde(skip)]
    pub objects: Vec<&'a str>,
    /// The prims that support the sphere: without one of them it would be smaller.
    #[serde(skip)]
    pub held_by: Vec<SupportPrim<'a>>,
}

/// A prim that supports the sphere.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SupportPrim<'a> {
    /// The name of its object.
    pub object: &'a str,
    /// The number of the prim in the object, from 1.
    pub prim: usize,
    /// The position.
    pub position: [f64; 3],
}

/// The report of the span rule.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct SpanReport<'a> {
    /// The version of this JSON.
    pub schema: u32,
    /// `span`.
    pub rule: &'static str,
    /// Whether all objects were linked.
    pub linkable: bool,
    /// The remaining groups, the root's group first.
    #[serde(rename = "groups")]
    pub pieces: Vec<LinkGroup<'a>>,
    /// Every pair of remaining groups.
    pub misses: Vec<LinkFailure<'a>>,
    /// The links, in order.
    #[serde(skip)]
    pub steps: Vec<LinkStep<'a>>,
    /// An order of the objects that would link more.
    #[serde(skip)]
    pub better: Option<BetterLinkOrder<'a>>,
}

/// A remaining group, serialised as the names of its objects.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LinkGroup<'a> {
    /// The names of its objects.
    pub objects: Vec<&'a str>,
    /// The diameter of the smallest sphere around its prims.
    pub diameter: f64,
}

/// Two groups that did not link.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct LinkFailure<'a> {
    /// The first object of one group.
    pub a: &'a str,
    /// The first object of the other group.
    pub b: &'a str,
    /// The excess of their span.
    pub by_m: f64,
    /// The fit of the two groups.
    #[serde(skip)]
    pub fit: Fit,
}

/// Two groups that linked.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LinkStep<'a> {
    /// The objects of one group, which keeps its position.
    pub a: Vec<&'a str>,
    /// The objects of the other group.
    pub b: Vec<&'a str>,
    /// The round, from 1.
    pub round: usize,
    /// The fit of the two groups.
    pub fit: Fit,
}

/// An order that links more.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BetterLinkOrder<'a> {
    /// The objects in order, the root first.
    pub order: Vec<&'a str>,
    /// The number of groups that remain.
    pub pieces: usize,
}

impl LinkReport<'_> {
    /// Whether the objects can be linked.
    #[must_use]
    pub fn is_linkable(&self) -> bool {
        match self {
            Self::Sphere(report) => report.linkable,
            Self::Span(report) => report.linkable,
        }
    }
}

impl Serialize for LinkGroup<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.objects.serialize(serializer)
    }
}

impl Linkset {
    /// Checks the sphere rule of the document.
    ///
    /// # Errors
    /// The errors of [`SphereRule::check`].
    pub fn check_sphere_rule(&self) -> Result<SphereReport<'_>, LinkError> {
        let rule = SphereRule::DOCUMENT;
        let answer = rule.check(&self.objects)?;
        let mut held = answer.enclosing.support().to_vec();
        held.sort_by_key(|support| support.index);
        Ok(SphereReport {
            schema: 1,
            rule: "sphere",
            linkable: answer.linkable,
            diameter: answer.enclosing.diameter(),
            max_diameter: rule.diameter_below,
            prims: answer.prims,
            max_prims: rule.prims_below,
            objects: self.objects.iter().map(|object| object.name.as_str()).collect(),
            held_by: held.iter().filter_map(|support| find(&self.objects, support)).collect(),
        })
    }
}

/// The prim of a support, which counts the prims of all objects.
fn find<'a>(objects: &'a [LinkObject], support: &Support) -> Option<SupportPrim<'a>> {
    let mut prims = objects.iter().flat_map(|object| {
        (1..).zip(&object.prims).map(move |(number, prim)| (object, number, prim))
    });
    let (object, prim, found) = prims.nth(support.index)?;
    Some(SupportPrim { object: &object.name, prim, position: found.position })
}

/// A list that doubles exists twice while it is copied.
const GROWTH: usize = 3;

/// An error of the span rule.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum SpanError {
    /// The linkset exceeds its quota.
    QuotaExceeded(QuotaExceeded),
    /// The rule rejects the objects.
    Invalid(LinkError),
}

impl fmt::Display for SpanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::QuotaExceeded(exceeded) => exceeded.fmt(f),
            Self::Invalid(error) => error.fmt(f),
        }
    }
}

impl Error for SpanError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(match self {
            Self::QuotaExceeded(exceeded) => exceeded,
            Self::Invalid(error) => error,
        })
    }
}

impl From<QuotaExceeded> for SpanError {
    fn from(exceeded: QuotaExceeded) -> Self {
        Self::QuotaExceeded(exceeded)
    }
}

impl From<LinkError> for SpanError {
    fn from(error: LinkError) -> Self {
        Self::Invalid(error)
    }
}

impl Linkset {
    /// Checks the span rule. Every group is tested against every other, so the work and the report grow with the square
    /// of the objects. The names of each pair are charged a unit of work for each byte, as a text report writes them.
    ///
    /// # Errors
    /// [`SpanError::QuotaExceeded`], and the errors of [`link`].
    ///
    /// # Examples
    /// ```
    /// use lodger_quota::{Quota, QuotaLimits};
    /// use lodger_core::linkability::LinkPrim;
    /// use lodger_scenes::{Linkset, SpanError};
    ///
    /// let prim = |x| LinkPrim { position: [x, 0.0, 0.0], scale: [0.5; 3] };
    /// let far = [("a", 0.0), ("b", 900.0)].map(|(name, x)| (name.to_owned(), vec![prim(x)]));
    /// let linkset = Linkset::new(far)?;
    /// let report = linkset.by_span(&Quota::new(QuotaLimits::default()))?;
    /// assert_eq!((report.linkable, report.misses[0].b), (false, "b"));
    /// # Ok::<(), Box<dyn std::error::SceneFileError>>(())
    /// ```
    pub fn check_span_rule(&self, quota: &Quota) -> Result<SpanReport<'_>, SpanError> {
        let objects = &self.objects;
        let prims = objects.iter().map(|object| object.prims.len()).sum();
        charge(self, prims, quota)?;
        let (mut spheres, mut pieces) =
            (vec![Ball::default(); prims], vec![LinkedPiece::default(); objects.len()]);
        let linked = link(objects, LinkScratch { spheres: &mut spheres, pieces: &mut pieces })?;
        Ok(SpanReport {
            schema: 1,
            rule: "span",
            linkable: linked.linkable(),
            pieces: linked.places().map(|place| piece(self, &linked, place)).collect(),
            misses: misses(self, &linked),
            steps: steps(self, &linked),
            better: better(self, &linked),
        })
    }
}

/// Charges a miss of every two objects, the names of all links, and the text of each miss.
fn charge(linkset: &Linkset, prims: usize, quota: &Quota) -> Result<(), QuotaExceeded> {
    let objects = linkset.objects.len();
    let names: usize = linkset.objects.iter().map(|object| object.name.len()).sum();
    let pair = GROWTH * (size_of::<LinkFailure<'_>>() + size_of::<&str>());
    let object = GROWTH
        * (size_of::<LinkStep<'_>>() + size_of::<LinkedPiece>() + size_of::<LinkGroup<'_>>());
    let pairs = objects.saturating_mul(objects) / 2;
    let bytes = pairs.saturating_mul(pair).saturating_add(objects.saturating_mul(object));
    quota
        .charge_memory(bytes.saturating_add(prims.saturating_mul(size_of::<Ball<f64>>())) as u64)?;
    quota.charge_work(pairs.saturating_add(objects.saturating_mul(names)) as u64)
}

fn name(linkset: &Linkset, object: usize) -> &str {
    linkset.objects.get(object).map_or("", |object| &object.name)
}

fn names(linkset: &Linkset, objects: impl IntoIterator<Item = usize>) -> Vec<&str> {
    objects.into_iter().map(|object| name(linkset, object)).collect()
}

fn piece<'a>(linkset: &'a Linkset, linked: &LinkResult, place: usize) -> LinkGroup<'a> {
    let radius = linked.sphere(place).map_or(0.0, |sphere| sphere.radius());
    LinkGroup { objects: names(linkset, linked.objects(place)), diameter: 2.0 * radius }
}

fn misses<'a>(linkset: &'a Linkset, linked: &LinkResult) -> Vec<LinkFailure<'a>> {
    let miss = |pair: Pair| LinkFailure {
        a: name(linkset, pair.a),
        b: name(linkset, pair.b),
        by_m: pair.fit.missed_by(),
        fit: pair.fit,
    };
    linked.misses().map(miss).collect()
}

/// The links, each with the objects of its two groups at that time.
fn steps<'a>(linkset: &'a Linkset, linked: &LinkResult) -> Vec<LinkStep<'a>> {
    let mut members: Vec<Vec<usize>> = (0..linkset.objects.len()).map(|i| vec![i]).collect();
    let mut steps = Vec::new();
    for pair in linked.links() {
        let Ok([a, b]) = members.get_disjoint_mut([pair.a, pair.b]) else {
            continue;
        };
        let (a_names, b_names) =
            (names(linkset, a.iter().copied()), names(linkset, b.iter().copied()));
        a.append(b);
        steps.push(LinkStep { a: a_names, b: b_names, round: pair.round, fit: pair.fit });
    }
    steps
}

fn better<'a>(linkset: &'a Linkset, linked: &LinkResult) -> Option<BetterLinkOrder<'a>> {
    let better = linked.better_order()?;
    let order = names(linkset, better.order().iter().copied());
    Some(BetterLinkOrder { order, pieces: better.pieces() })
}
