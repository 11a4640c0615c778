//! The span rule, in the names of the file.

use std::error::Error;
use std::fmt;

use lodger_allowance::{Allowance, Spent};
use lodger_core::linkability::{Ball, LinkError, LinkResult, LinkScratch, LinkedPiece, Pair, link};

use super::answer::{Better, Miss, Piece, SpanReport, Step};
use crate::linkset::Linkset;

/// A list that grows to twice its length has the old one beside it while it is copied.
const GROWTH: usize = 3;

/// Why there is no report by the span rule.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum SpanError {
    /// It takes more than it may.
    Spent(Spent),
    /// The rule refuses the objects.
    Refused(LinkError),
}

impl fmt::Display for SpanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Spent(spent) => spent.fmt(f),
            Self::Refused(error) => error.fmt(f),
        }
    }
}

impl Error for SpanError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(match self {
            Self::Spent(spent) => spent,
            Self::Refused(error) => error,
        })
    }
}

impl From<Spent> for SpanError {
    fn from(spent: Spent) -> Self {
        Self::Spent(spent)
    }
}

impl From<LinkError> for SpanError {
    fn from(error: LinkError) -> Self {
        Self::Refused(error)
    }
}

impl Linkset {
    /// What the span rule says. Every piece is tested against every other, so the work and the report grow
    /// with the square of the objects. Names are told for every two of them, as often as a report in text
    /// has to: that is a unit of work for each byte.
    ///
    /// # Errors
    /// [`SpanError::Spent`], and those of [`link`].
    ///
    /// # Examples
    /// ```
    /// use lodger_allowance::{Allowance, Limits};
    /// use lodger_core::linkability::LinkPrim;
    /// use lodger_scenes::{Linkset, SpanError};
    ///
    /// let prim = |x| LinkPrim { position: [x, 0.0, 0.0], scale: [0.5; 3] };
    /// let far = [("a", 0.0), ("b", 900.0)].map(|(name, x)| (name.to_owned(), vec![prim(x)]));
    /// let linkset = Linkset::new(far)?;
    /// let report = linkset.by_span(&Allowance::new(Limits::default()))?;
    /// assert_eq!((report.linkable, report.misses[0].b), (false, "b"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn by_span(&self, allowance: &Allowance) -> Result<SpanReport<'_>, SpanError> {
        let objects = &self.objects;
        let prims = objects.iter().map(|object| object.prims.len()).sum();
        pay(self, prims, allowance)?;
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

/// Pays for a miss of every two objects and for all names of all links, and for telling each miss by the
/// names of its two objects.
fn pay(linkset: &Linkset, prims: usize, allowance: &Allowance) -> Result<(), Spent> {
    let objects = linkset.objects.len();
    let names: usize = linkset.objects.iter().map(|object| object.name.len()).sum();
    let pair = GROWTH * (size_of::<Miss<'_>>() + size_of::<&str>());
    let object =
        GROWTH * (size_of::<Step<'_>>() + size_of::<LinkedPiece>() + size_of::<Piece<'_>>());
    let pairs = objects.saturating_mul(objects) / 2;
    let bytes = pairs.saturating_mul(pair).saturating_add(objects.saturating_mul(object));
    allowance.keep(bytes.saturating_add(prims.saturating_mul(size_of::<Ball<f64>>())) as u64)?;
    allowance.work(pairs.saturating_add(objects.saturating_mul(names)) as u64)
}

fn name(linkset: &Linkset, object: usize) -> &str {
    linkset.objects.get(object).map_or("", |object| &object.name)
}

fn names(linkset: &Linkset, objects: impl IntoIterator<Item = usize>) -> Vec<&str> {
    objects.into_iter().map(|object| name(linkset, object)).collect()
}

fn piece<'a>(linkset: &'a Linkset, linked: &LinkResult, place: usize) -> Piece<'a> {
    let radius = linked.sphere(place).map_or(0.0, |sphere| sphere.radius());
    Piece { objects: names(linkset, linked.objects(place)), diameter: 2.0 * radius }
}

fn misses<'a>(linkset: &'a Linkset, linked: &LinkResult) -> Vec<Miss<'a>> {
    let miss = |pair: Pair| Miss {
        a: name(linkset, pair.a),
        b: name(linkset, pair.b),
        by_m: pair.fit.missed_by(),
        fit: pair.fit,
    };
    linked.misses().map(miss).collect()
}

/// The links again, each with the objects that its two pieces had by then.
fn steps<'a>(linkset: &'a Linkset, linked: &LinkResult) -> Vec<Step<'a>> {
    let mut members: Vec<Vec<usize>> = (0..linkset.objects.len()).map(|i| vec![i]).collect();
    let mut steps = Vec::new();
    for pair in linked.links() {
        let Ok([a, b]) = members.get_disjoint_mut([pair.a, pair.b]) else {
            continue;
        };
        let (a_names, b_names) =
            (names(linkset, a.iter().copied()), names(linkset, b.iter().copied()));
        a.append(b);
        steps.push(Step { a: a_names, b: b_names, round: pair.round, fit: pair.fit });
    }
    steps
}

fn better<'a>(linkset: &'a Linkset, linked: &LinkResult) -> Option<Better<'a>> {
    let better = linked.better_order()?;
    let order = names(linkset, better.order().iter().copied());
    Some(Better { order, pieces: better.pieces() })
}
