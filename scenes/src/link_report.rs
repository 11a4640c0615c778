//! Reports on whether a linkset can be linked, serialised as the JSON of schema 1.

use std::error::Error;
use std::fmt;

use lodger_core::linkability::{
    Ball, Fit, LinkError, LinkResult, LinkScratch, LinkedPiece, Pair, SphereRule, Support, link,
};
use lodger_quota::{Quota, QuotaExceeded};
use serde::{Serialize, Serializer};

use crate::linkset::{LinkObject, Linkset};

/// The report of a linkability rule. Lengths are in metres.
///
/// # Examples
/// ```
/// # use lodger_core::linkability::LinkPrim;
/// # use lodger_scenes::*;
/// # let quota = lodger_quota::Quota::default();
/// # let cube = |name: &str, x, y| (name.to_owned(), vec![LinkPrim { position: [x, y, 0.0], scale: [10.0; 3] }]);
/// let linkset = Linkset::new([cube("A", -18.0, 0.0), cube("C", 0.0, 18.0), cube("B", 18.0, 0.0)])?;
/// let sphere = LinkReport::Sphere(linkset.check_sphere_rule()?);
/// let span = LinkReport::Span(linkset.check_span_rule(&quota)?);
/// assert_eq!((sphere.is_linkable(), span.is_linkable()), (true, false));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum LinkReport<'a> {
    /// The report of the sphere rule.
    Sphere(SphereReport<'a>),
    /// The report of the span rule.
    Span(SpanReport<'a>),
}

/// The report of the sphere rule.
///
/// # Examples
/// ```
/// # use lodger_core::linkability::LinkPrim;
/// # use lodger_scenes::*;
/// # let cube = |name: &str, x, y| (name.to_owned(), vec![LinkPrim { position: [x, y, 0.0], scale: [10.0; 3] }]);
/// let linkset = Linkset::new([cube("A", -18.0, 0.0), cube("C", 0.0, 18.0), cube("B", 18.0, 0.0)])?;
/// let report = linkset.check_sphere_rule()?;
/// assert_eq!((report.diameter, report.max_diameter), (36.0, 54.0));
/// assert_eq!((report.prims, report.max_prims), (3, 256));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct SphereReport<'a> {
    /// The schema of the JSON, 1.
    pub schema: u32,
    /// `sphere`.
    pub rule: &'static str,
    /// Whether the objects can be linked.
    pub linkable: bool,
    /// The diameter of the smallest sphere around the centres of all prims.
    pub diameter: f64,
    /// The exclusive upper limit of `diameter`.
    pub max_diameter: f64,
    /// The number of prims of all objects.
    pub prims: usize,
    /// The exclusive upper limit of `prims`.
    pub max_prims: usize,
    /// The names of the objects, the root first.
    #[serde(skip)]
    pub objects: Vec<&'a str>,
    /// The prims that support the sphere: without one of them it would be smaller.
    #[serde(skip)]
    pub held_by: Vec<SupportPrim<'a>>,
}

/// A prim that supports the sphere.
///
/// # Examples
/// ```
/// # use lodger_core::linkability::LinkPrim;
/// # use lodger_scenes::*;
/// # let cube = |name: &str, x, y| (name.to_owned(), vec![LinkPrim { position: [x, y, 0.0], scale: [10.0; 3] }]);
/// let linkset = Linkset::new([cube("A", -18.0, 0.0), cube("C", 0.0, 18.0), cube("B", 18.0, 0.0)])?;
/// let report = linkset.check_sphere_rule()?;
/// let supports: Vec<_> = report.held_by.iter().map(|prim| (prim.object, prim.position[0])).collect();
/// assert_eq!(supports, [("A", -18.0), ("B", 18.0)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SupportPrim<'a> {
    /// The name of the prim's object.
    pub object: &'a str,
    /// The number of the prim in its object, from 1.
    pub prim: usize,
    /// The centre of the prim.
    pub position: [f64; 3],
}

/// The report of the span rule.
///
/// # Examples
/// ```
/// # use lodger_core::linkability::LinkPrim;
/// # use lodger_scenes::*;
/// # let quota = lodger_quota::Quota::default();
/// # let cube = |name: &str, x, y| (name.to_owned(), vec![LinkPrim { position: [x, y, 0.0], scale: [10.0; 3] }]);
/// let linkset = Linkset::new([cube("A", -18.0, 0.0), cube("C", 0.0, 18.0), cube("B", 18.0, 0.0)])?;
/// let report = linkset.check_span_rule(&quota)?;
/// assert_eq!((report.linkable, report.groups.len()), (false, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct SpanReport<'a> {
    /// The schema of the JSON, 1.
    pub schema: u32,
    /// `span`.
    pub rule: &'static str,
    /// Whether all objects were linked.
    pub linkable: bool,
    /// The remaining groups, the root's group first.
    pub groups: Vec<LinkGroup<'a>>,
    /// Every pair of remaining groups.
    pub misses: Vec<LinkFailure<'a>>,
    /// The links, in order.
    #[serde(skip)]
    pub steps: Vec<LinkStep<'a>>,
    /// An order of the objects that would link more.
    #[serde(skip)]
    pub better: Option<BetterLinkOrder<'a>>,
}

/// Objects that were linked, serialised as their names.
///
/// # Examples
/// ```
/// # use lodger_core::linkability::LinkPrim;
/// # use lodger_scenes::*;
/// # let quota = lodger_quota::Quota::default();
/// # let cube = |name: &str, x, y| (name.to_owned(), vec![LinkPrim { position: [x, y, 0.0], scale: [10.0; 3] }]);
/// let linkset = Linkset::new([cube("A", -18.0, 0.0), cube("C", 0.0, 18.0), cube("B", 18.0, 0.0)])?;
/// let report = linkset.check_span_rule(&quota)?;
/// assert_eq!((&report.groups[0].objects[..], &report.groups[1].objects[..]), (&["A", "C"][..], &["B"][..]));
/// assert_eq!((report.groups[0].diameter * 10.0).round(), 428.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LinkGroup<'a> {
    /// The names of the objects.
    pub objects: Vec<&'a str>,
    /// The diameter of the smallest sphere around the bounding spheres of the prims.
    pub diameter: f64,
}

/// Two remaining groups, which the rule does not link.
///
/// # Examples
/// ```
/// # use lodger_core::linkability::LinkPrim;
/// # use lodger_scenes::*;
/// # let quota = lodger_quota::Quota::default();
/// # let cube = |name: &str, x, y| (name.to_owned(), vec![LinkPrim { position: [x, y, 0.0], scale: [10.0; 3] }]);
/// let linkset = Linkset::new([cube("A", -18.0, 0.0), cube("C", 0.0, 18.0), cube("B", 18.0, 0.0)])?;
/// let failure = &linkset.check_span_rule(&quota)?.misses[0];
/// assert_eq!((failure.a, failure.b), ("A", "B"));
/// assert_eq!(((failure.by_m * 10.0).round(), failure.fit.max_span), (45.0, 54.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct LinkFailure<'a> {
    /// The first object of one group.
    pub a: &'a str,
    /// The first object of the other group.
    pub b: &'a str,
    /// The metres by which the span is too large.
    pub by_m: f64,
    /// The fit of the bounding spheres.
    #[serde(skip)]
    pub fit: Fit,
}

/// Two groups that were linked.
///
/// # Examples
/// ```
/// # use lodger_core::linkability::LinkPrim;
/// # use lodger_scenes::*;
/// # let quota = lodger_quota::Quota::default();
/// # let cube = |name: &str, x, y| (name.to_owned(), vec![LinkPrim { position: [x, y, 0.0], scale: [10.0; 3] }]);
/// let linkset = Linkset::new([cube("A", -18.0, 0.0), cube("C", 0.0, 18.0), cube("B", 18.0, 0.0)])?;
/// let step = &linkset.check_span_rule(&quota)?.steps[0];
/// assert_eq!((&step.a[..], &step.b[..], step.round), (&["A"][..], &["C"][..], 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LinkStep<'a> {
    /// The objects of the group that keeps its position.
    pub a: Vec<&'a str>,
    /// The objects of the other group.
    pub b: Vec<&'a str>,
    /// The round of the rule, from 1.
    pub round: usize,
    /// The fit of the bounding spheres.
    pub fit: Fit,
}

/// An order of objects that links more.
///
/// # Examples
/// ```
/// # use lodger_core::linkability::LinkPrim;
/// # use lodger_scenes::*;
/// # let quota = lodger_quota::Quota::default();
/// # let cube = |name: &str, x, y| (name.to_owned(), vec![LinkPrim { position: [x, y, 0.0], scale: [10.0; 3] }]);
/// let linkset = Linkset::new([cube("A", -18.0, 0.0), cube("C", 0.0, 18.0), cube("B", 18.0, 0.0)])?;
/// let better = linkset.check_span_rule(&quota)?.better.expect("an order that links all");
/// assert_eq!((better.order, better.groups), (vec!["A", "B", "C"], 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BetterLinkOrder<'a> {
    /// The names of the objects, the root first.
    pub order: Vec<&'a str>,
    /// The number of groups that would remain.
    pub groups: usize,
}

impl LinkReport<'_> {
    /// Whether the objects can be linked.
    ///
    /// # Examples
    /// ```
    /// # use lodger_core::linkability::LinkPrim;
    /// # use lodger_scenes::*;
    /// # let cube = |name: &str, x, y| (name.to_owned(), vec![LinkPrim { position: [x, y, 0.0], scale: [10.0; 3] }]);
    /// let linkset = Linkset::new([cube("a", 0.0, 0.0), cube("b", 54.0, 0.0)])?;
    /// assert!(!LinkReport::Sphere(linkset.check_sphere_rule()?).is_linkable());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
    /// Checks the rule that is in use since 2010: [`SphereRule::DOCUMENT`].
    ///
    /// # Errors
    /// The errors of [`SphereRule::check`].
    ///
    /// # Examples
    /// ```
    /// # use lodger_core::linkability::LinkPrim;
    /// # use lodger_scenes::*;
    /// # let cube = |name: &str, x, y| (name.to_owned(), vec![LinkPrim { position: [x, y, 0.0], scale: [10.0; 3] }]);
    /// for (x, linkable) in [(53.9, true), (54.0, false)] {
    ///     let linkset = Linkset::new([cube("a", 0.0, 0.0), cube("b", x, 0.0)])?;
    ///     assert_eq!(linkset.check_sphere_rule()?.linkable, linkable);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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

/// The prim of a support, whose index counts the prims of all objects.
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
///
/// # Examples
/// ```
/// # use lodger_core::linkability::LinkPrim;
/// # use lodger_quota::{Quota, QuotaExceeded, QuotaLimits};
/// # use lodger_scenes::{Linkset, SpanError};
/// # let cube = |name: &str, x, y| (name.to_owned(), vec![LinkPrim { position: [x, y, 0.0], scale: [10.0; 3] }]);
/// let linkset = Linkset::new([cube("a", 0.0, 0.0), cube("b", 36.0, 0.0)])?;
/// let quota = Quota::new(QuotaLimits { memory: 100, ..QuotaLimits::default() });
/// let error = linkset.check_span_rule(&quota).unwrap_err();
/// assert_eq!(error, SpanError::QuotaExceeded(QuotaExceeded::Memory { limit: 100 }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    /// Checks the rule before 2010: groups are linked pair by pair if their span allows it.
    ///
    /// Memory and work grow with the square of the objects. Each byte of a failure's names is charged a unit of work,
    /// as a text report writes them.
    ///
    /// # Errors
    /// [`SpanError::QuotaExceeded`], and the errors of [`link`].
    ///
    /// # Examples
    /// ```
    /// # use lodger_core::linkability::LinkPrim;
    /// # use lodger_scenes::*;
    /// # let quota = lodger_quota::Quota::default();
    /// # let cube = |name: &str, x, y| (name.to_owned(), vec![LinkPrim { position: [x, y, 0.0], scale: [10.0; 3] }]);
    /// // The document's example: cubes of 10 m link up to 36.64 m between their centres.
    /// for (x, linkable) in [(36.64, true), (36.65, false)] {
    ///     let linkset = Linkset::new([cube("a", 0.0, 0.0), cube("b", x, 0.0)])?;
    ///     assert_eq!(linkset.check_span_rule(&quota)?.linkable, linkable);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
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
            groups: linked.places().map(|place| group(self, &linked, place)).collect(),
            misses: misses(self, &linked),
            steps: steps(self, &linked),
            better: better(self, &linked),
        })
    }
}

/// Charges a failure of every two objects, the names of all links, and the text of each failure.
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

fn group<'a>(linkset: &'a Linkset, linked: &LinkResult, place: usize) -> LinkGroup<'a> {
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

/// Each link has the objects of its groups at that time.
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
    Some(BetterLinkOrder { order, groups: better.pieces() })
}
