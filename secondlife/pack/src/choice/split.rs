//! Levels by numbers of triangles: the viewer's own split, and what a list asks for.

use lodger_core::cost::streaming::{Lods, Streaming};

use super::item::{Freedom, Item};
use super::{Choice, Choosing, LodRule, Share, chosen};
use crate::chain::Chain;

/// So often an interval is halved: a factor is exact to 2⁻⁵².
const HALVINGS: usize = 52;

/// What a viewer makes of a model on upload: each level has a third of the triangles of the one above. Candidates
/// that are nearest to that; and where they cost more than `most`, to as small a part of it, the same for all
/// levels below the high one, as makes them fit. Where even the simplest do not, the high level shrinks with the
/// others; what costs too much even then is the simplest of all.
pub(crate) fn thirds(objects: &[Choosing<'_>], streaming: &Streaming<f64>, most: f64) -> Choice {
    let with = |factor: f64, high: bool| {
        let picks = objects.iter().map(|object| scaled(object.chain, factor, high)).collect();
        chosen(objects, streaming, picks)
    };
    let all = with(1.0, false);
    if all.streaming <= most {
        return all;
    }
    let high = with(0.0, false).streaming > most;
    let (mut fits, mut too_much) = (0.0, 1.0);
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(fits, too_much);
        if with(middle, high).streaming <= most {
            fits = middle;
        } else {
            too_much = middle;
        }
    }
    with(fits, high)
}

/// What the levels that a rule asks for cost where nothing else is said: those of the list, or else thirds, between
/// what the model brings if that is to stay.
pub(crate) fn own(objects: &[Choosing<'_>], streaming: &Streaming<f64>, rule: &LodRule) -> f64 {
    match rule {
        LodRule::Triangles(shares) => by_triangles(objects, streaming, shares).streaming,
        LodRule::Auto => thirds(objects, streaming, f64::INFINITY).streaming,
        LodRule::Given => {
            let freedom = Freedom { high: false, given: true };
            let cost = |object| {
                let item = Item::new(object, streaming, freedom);
                let picks = item.repaired(item.nearest([1.0, 3.0, 9.0, 27.0]));
                let picks = picks.unwrap_or_else(|| item.lightest());
                streaming.cost(item.radius, item.bytes(&picks))
            };
            objects.iter().map(cost).sum()
        }
    }
}

/// Thirds of an object, by a factor that leaves the high level alone or not.
fn scaled(chain: &Chain, factor: f64, high: bool) -> Lods<usize> {
    #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^53 triangles")]
    let all = chain.made()[0].level.triangle_count() as f64;
    let third = |by: f64| nearest(chain, all * factor / by);
    Lods {
        lowest: third(27.0),
        low: third(9.0),
        medium: third(3.0),
        high: if high { third(1.0) } else { 0 },
    }
}

/// The candidate with about so many triangles: of equally near ones that with fewer, of equal ones the lightest.
fn nearest(chain: &Chain, wanted: f64) -> usize {
    #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^53 triangles")]
    let off = |index: &usize| (chain.made()[*index].level.triangle_count() as f64 - wanted).abs();
    (0..chain.made().len()).rev().min_by(|a, b| off(a).total_cmp(&off(b))).unwrap_or(0)
}

/// The level that a rule of triangles asks for is the best candidate that has no more, the simplest if none has so
/// few.
/// No level is heavier than the one above, whatever is asked for.
pub(crate) fn by_triangles(
    objects: &[Choosing<'_>],
    streaming: &Streaming<f64>,
    shares: &[Share; 3],
) -> Choice {
    let pick = |object: &Choosing<'_>| {
        let made = object.chain.made();
        let best = |share: Share| {
            let most = share.triangles(&made[0].level);
            let index = made.partition_point(|one| one.level.triangle_count() > most);
            index.min(made.len() - 1)
        };
        let medium = best(shares[0]);
        let low = best(shares[1]).max(medium);
        Lods { lowest: best(shares[2]).max(low), low, medium, high: 0 }
    };
    chosen(objects, streaming, objects.iter().map(pick).collect())
}
