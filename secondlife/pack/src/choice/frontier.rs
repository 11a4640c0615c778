//! All plans of an object that are worth their cost.

use super::item::{Item, Picks};

/// With more plans than that, of those that cost about the same only the best are kept.
const MOST: usize = 4096;

/// A plan of some levels of an object: those from one on down; picks of others are 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    pub(super) cost: f64,
    pub(super) loss: f64,
    pub(super) picks: Picks,
}

/// The plans of an object that cost at most so much, no level heavier than the one above: costs rise and losses
/// fall, so that no other plan is both cheaper and better.
///
/// From the lowest level up: plans from a level on that begin with a form, or a lighter one, are those that begin
/// with a lighter one and that form with what may stand below it.
///
/// # Range and accuracy
/// All such plans up to 4096 of them; of more, one for each 4096th of the range of costs, so that what is missing
/// loses less than one that costs so much more.
pub(super) fn frontier(item: &Item, most: f64) -> Vec<Point> {
    let nothing = Point { cost: 0.0, loss: 0.0, picks: [0; 4] };
    // For each form of the level below: the plans that begin with it or a lighter one.
    let mut below: Vec<Vec<Point>> = vec![vec![nothing]];
    for place in (0..4).rev() {
        let forms = &item.forms[place];
        let mut here: Vec<Vec<Point>> = vec![Vec::new(); forms.len()];
        let mut lighter = Vec::new();
        for (pick, form) in forms.iter().enumerate().rev() {
            let first = item.first_below(place, pick);
            let plans = first.and_then(|first| below.get(first)).map_or(&[][..], Vec::as_slice);
            let with = plans.iter().map(|plan| {
                let mut picks = plan.picks;
                picks[place] = pick;
                Point { cost: plan.cost + form.cost, loss: plan.loss + form.loss, picks }
            });
            let with: Vec<Point> = with.take_while(|plan| plan.cost <= most).collect();
            lighter = thinned(merged(&lighter, &with));
            here[pick].clone_from(&lighter);
        }
        below = here;
    }
    below.swap_remove(0)
}

/// The best of two frontiers.
fn merged(a: &[Point], b: &[Point]) -> Vec<Point> {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    let mut all: Vec<Point> = Vec::with_capacity(a.len() + b.len());
    loop {
        let next = match (a.peek(), b.peek()) {
            (Some(x), Some(y)) if (x.cost, x.loss) <= (y.cost, y.loss) => a.next(),
            (_, Some(_)) => b.next(),
            (_, None) => a.next(),
        };
        let Some(next) = next else { return all };
        if all.last().is_none_or(|last| next.loss < last.loss) {
            all.push(*next);
        }
    }
}

/// At most [`MOST`] and the two ends: the best of each part of the range of costs.
fn thinned(points: Vec<Point>) -> Vec<Point> {
    let [first, .., last] = &points[..] else { return points };
    if points.len() <= MOST {
        return points;
    }
    let (start, range) = (first.cost, last.cost - first.cost);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "from 0 to MOST"
    )]
    let part = |point: &Point| ((point.cost - start) / range * MOST as f64) as usize;
    let ends = points.windows(2).filter(|pair| part(&pair[0]) < part(&pair[1]));
    let mut kept = vec![*first];
    kept.extend(ends.map(|pair| pair[0]).filter(|point| point.cost > start));
    kept.push(*last);
    kept
}

/// The best plan for that much.
pub(super) fn best(points: &[Point], money: f64) -> Option<&Point> {
    points.partition_point(|point| point.cost <= money).checked_sub(1).map(|last| &points[last])
}

/// The best plans of two objects for that much together.
pub(super) fn best_pair<'a>(
    a: &'a [Point],
    b: &'a [Point],
    money: f64,
) -> Option<(&'a Point, &'a Point)> {
    let mut fitting = b.len();
    let pairs = a.iter().filter_map(|first| {
        while fitting > 0 && first.cost + b[fitting - 1].cost > money {
            fitting -= 1;
        }
        Some((first, &b[fitting.checked_sub(1)?]))
    });
    let loss = |(a, b): &(&Point, &Point)| a.loss + b.loss;
    pairs.min_by(|x, y| loss(x).total_cmp(&loss(y)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(pairs: &[(f64, f64)]) -> Vec<Point> {
        pairs.iter().map(|&(cost, loss)| Point { cost, loss, picks: [0; 4] }).collect()
    }

    fn pairs(points: &[Point]) -> Vec<(f64, f64)> {
        points.iter().map(|point| (point.cost, point.loss)).collect()
    }

    #[test]
    fn what_is_dearer_and_no_better_is_left_out() {
        let a = points(&[(1.0, 9.0), (4.0, 3.0), (5.0, 2.0)]);
        let b = points(&[(1.0, 8.0), (3.0, 5.0), (4.5, 3.0), (6.0, 1.0)]);
        let best = [(1.0, 8.0), (3.0, 5.0), (4.0, 3.0), (5.0, 2.0), (6.0, 1.0)];
        assert_eq!(pairs(&merged(&a, &b)), best);
        assert_eq!(pairs(&merged(&b, &a)), best);
    }

    #[test]
    fn many_are_thinned_and_the_ends_stay() {
        let many: Vec<(f64, f64)> =
            (0..50_000).map(f64::from).map(|x| (x * x, 50_000.0 - x)).collect();
        let thin = pairs(&thinned(points(&many)));
        assert!(thin.len() <= MOST + 2, "{}", thin.len());
        assert_eq!((thin[0], thin[thin.len() - 1]), (many[0], many[49_999]));
        assert!(thin.is_sorted_by(|a, b| a.0 < b.0 && a.1 > b.1));
    }

    #[test]
    fn the_best_that_can_be_paid_is_found() {
        let a = points(&[(1.0, 9.0), (4.0, 3.0)]);
        let b = points(&[(2.0, 8.0), (3.0, 5.0), (6.0, 1.0)]);
        assert!(best(&a, 0.9).is_none());
        assert_eq!(best(&a, 3.9).map(|point| point.loss), Some(9.0));
        let losses = |money| best_pair(&a, &b, money).map(|(a, b)| (a.loss, b.loss));
        assert_eq!(losses(2.9), None);
        assert_eq!(losses(4.0), Some((9.0, 5.0)));
        assert_eq!(losses(7.0), Some((3.0, 5.0)));
        assert_eq!(losses(99.0), Some((3.0, 1.0)));
    }
}
