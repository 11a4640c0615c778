//! The span rule, in the names of the file.

use lodger_allowance::{Allowance, Spent};
use lodger_core::linkability::{Ball, LinkError, Linked, Pair, Piece as Room, Workspace, link};
use lodger_scenes::{Linkset, Subject, span_of};
use lodger_terminal::{Diagnostic, Source};

use super::report::{Better, Miss, Piece, SpanReport, Step};

/// Every piece is tested against every other, so the work and the answer grow with the square.
const MOST_OBJECTS: usize = 1024;
/// A list that grows to twice its length has the old one beside it while it is copied.
const GROWTH: usize = 3;

/// Refuses more objects than anybody waits for.
pub(super) fn check_size(linkset: &Linkset, source: &Source) -> Result<(), Diagnostic> {
    let found = linkset.objects.len();
    if found <= MOST_OBJECTS {
        return Ok(());
    }
    let message = format!("{found} objects; at most {MOST_OBJECTS} are tested pair by pair");
    let text = source.text.as_ref().map_or("", |text| text);
    Err(Diagnostic::error(message)
        .in_source(source)
        .at(span_of(text, Subject::Object(MOST_OBJECTS), "name"))
        .help("--rule sphere takes any number"))
}

/// Pays for a miss of every two objects and all that may have linked before, and for telling each by the
/// names of its two objects.
pub(super) fn pay(linkset: &Linkset, allowance: &Allowance) -> Result<(), Spent> {
    let objects = linkset.objects.len() as u64;
    let names: u64 = linkset.objects.iter().map(|object| object.name.len() as u64).sum();
    let pair = (GROWTH * (size_of::<Miss<'_>>() + size_of::<&str>())) as u64;
    allowance.keep(objects * objects / 2 * pair + objects * size_of::<Step<'_>>() as u64)?;
    allowance.work(objects.saturating_mul(names))
}

/// What the span rule says.
pub(super) fn answer(linkset: &Linkset) -> Result<SpanReport<'_>, LinkError> {
    let objects = &linkset.objects;
    let prims = objects.iter().map(|object| object.prims.len()).sum();
    let (mut spheres, mut pieces) =
        (vec![Ball::default(); prims], vec![Room::default(); objects.len()]);
    let linked = link(objects, Workspace { spheres: &mut spheres, pieces: &mut pieces })?;
    Ok(SpanReport {
        schema: 1,
        rule: "span",
        linkable: linked.linkable(),
        pieces: linked.places().map(|place| piece(linkset, &linked, place)).collect(),
        misses: misses(linkset, &linked),
        steps: steps(linkset, &linked),
        better: better(linkset, &linked),
    })
}

fn name(linkset: &Linkset, object: usize) -> &str {
    linkset.objects.get(object).map_or("", |object| &object.name)
}

fn names(linkset: &Linkset, objects: impl IntoIterator<Item = usize>) -> Vec<&str> {
    objects.into_iter().map(|object| name(linkset, object)).collect()
}

fn piece<'a>(linkset: &'a Linkset, linked: &Linked, place: usize) -> Piece<'a> {
    let radius = linked.sphere(place).map_or(0.0, |sphere| sphere.radius());
    Piece { objects: names(linkset, linked.objects(place)), diameter: 2.0 * radius }
}

fn misses<'a>(linkset: &'a Linkset, linked: &Linked) -> Vec<Miss<'a>> {
    let miss = |pair: Pair| Miss {
        a: name(linkset, pair.a),
        b: name(linkset, pair.b),
        by_m: pair.fit.missed_by(),
        fit: pair.fit,
    };
    linked.misses().map(miss).collect()
}

/// The links again, each with the objects that its two pieces had by then.
fn steps<'a>(linkset: &'a Linkset, linked: &Linked) -> Vec<Step<'a>> {
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

fn better<'a>(linkset: &'a Linkset, linked: &Linked) -> Option<Better<'a>> {
    let better = linked.better_order()?;
    let order = names(linkset, better.order().iter().copied());
    Some(Better { order, pieces: better.pieces() })
}
