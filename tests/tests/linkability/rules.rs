//! The two rules: their limits, the order of linking against a simple implementation of the document, and errors.

use std::error::Error as _;

use lodger_core::error::{Quantity, ValueProblem};
use lodger_core::linkability::{
    Ball, Fit, LinkError, LinkPrim, LinkScratch, LinkedPiece, SphereRule, enclosing_ball, link,
    max_center_distance, max_link_span,
};
use lodger_testkit::SplitMix64;
use lodger_tests::tolerance::BALL;

use super::brute::signed;

type Object = Vec<LinkPrim<f64>>;

#[derive(Debug, PartialEq)]
struct LinkOutcome {
    links: Vec<(usize, usize)>,
    pieces: Vec<Vec<usize>>,
    misses: Vec<(usize, usize, f64)>,
    better: Option<(Vec<usize>, usize)>,
}

fn link_all(objects: &[Object]) -> Result<LinkOutcome, LinkError> {
    let prims = objects.iter().map(Vec::len).sum();
    let mut spheres = vec![Ball::default(); prims];
    let mut pieces = vec![LinkedPiece::default(); objects.len()];
    let scratch = LinkScratch { spheres: &mut spheres, pieces: &mut pieces };
    let linked = link(objects, scratch)?;
    for place in linked.places() {
        let members = linked.objects(place).flat_map(|object| &objects[object]);
        let balls: Vec<_> = members.map(|prim| prim.bounding_sphere().unwrap()).collect();
        let exact = enclosing_ball(&balls).unwrap().ball();
        let kept = linked.sphere(place).unwrap();
        assert!((exact.radius() - kept.radius()).abs() <= BALL * 64.0, "{exact:?} {kept:?}");
    }
    Ok(LinkOutcome {
        links: linked.links().map(|pair| (pair.a, pair.b)).collect(),
        pieces: linked.places().map(|place| linked.objects(place).collect()).collect(),
        misses: linked.misses().map(|pair| (pair.a, pair.b, pair.fit.missed_by())).collect(),
        better: linked.better_order().map(|better| (better.order().to_vec(), better.pieces())),
    })
}

/// The algorithm of the document, sentence by sentence.
fn link_by_document(objects: &[Object]) -> (Vec<(usize, usize)>, Vec<Vec<usize>>) {
    let sphere = |piece: &[usize]| {
        let prims = piece.iter().flat_map(|&object| &objects[object]);
        let balls: Vec<_> = prims.map(|prim| prim.bounding_sphere().unwrap()).collect();
        enclosing_ball(&balls).unwrap().ball()
    };
    let mut links = Vec::new();
    let mut root = vec![0];
    let mut others: Vec<Vec<usize>> = (1..objects.len()).map(|object| vec![object]).collect();
    loop {
        let before = links.len();
        // "First the root object is tested against each candidate object and the larger bounding
        // sphere is recomputed after a successful link."
        let mut left = Vec::new();
        for candidate in others {
            if Fit::of(&sphere(&root), &sphere(&candidate)).fits() {
                links.push((0, candidate[0]));
                root.extend(candidate);
            } else {
                left.push(candidate);
            }
        }
        // "Then any unlinked pieces are tested between themselves and merged."
        let mut first = 0;
        while first < left.len() {
            let mut second = first + 1;
            while second < left.len() {
                if Fit::of(&sphere(&left[first]), &sphere(&left[second])).fits() {
                    let merged = left.remove(second);
                    links.push((left[first][0], merged[0]));
                    left[first].extend(merged);
                } else {
                    second += 1;
                }
            }
            first += 1;
        }
        others = left;
        // "The process continues until all objects are linked, or no new links have been found."
        if links.len() == before {
            break;
        }
    }
    let mut pieces = vec![root];
    pieces.extend(others);
    for piece in &mut pieces {
        piece.sort_unstable();
    }
    (links, pieces)
}

/// Objects of one to three prims, dense enough that some link and some do not.
fn scene(random: &mut SplitMix64) -> Vec<Object> {
    let spread = [5.0, 15.0, 30.0, 60.0][random.below(4) as usize];
    let size = [0.1, 2.0, 12.0][random.below(3) as usize];
    let whole = random.below(3) == 0;
    let objects = 1 + random.below(12);
    let round = |x: f64| if whole { x.round() } else { x };
    let prim = |random: &mut SplitMix64, at: [f64; 3]| LinkPrim {
        position: at.map(|x| round(x + signed(random) * size)),
        scale: [0; 3].map(|_| round(random.unit() * size)),
    };
    (0..objects)
        .map(|_| {
            let at = [0; 3].map(|_| signed(random) * spread);
            (0..=random.below(3)).map(|_| prim(random, at)).collect()
        })
        .collect()
}

#[test]
fn links_follow_the_document() {
    let mut random = SplitMix64::new(11);
    let (mut whole, mut torn, mut late) = (0, 0, 0);
    for _ in 0..2000 {
        let objects = scene(&mut random);
        let outcome = link_all(&objects).unwrap();
        let (links, pieces) = link_by_document(&objects);
        assert_eq!((&outcome.links, &outcome.pieces), (&links, &pieces), "{objects:?}");
        let pairs = pieces.len() * (pieces.len() - 1) / 2;
        assert_eq!(outcome.misses.len(), pairs);
        assert!(outcome.misses.iter().all(|&(a, b, by)| a < b && by > 0.0));
        whole += usize::from(pieces.len() == 1);
        torn += usize::from(pieces.len() > 1);
        late += usize::from(links.windows(2).any(|pair| pair[0].0 > pair[1].0));
    }
    println!("{whole} linked, {torn} did not, {late} took a second round");
    assert!(whole > 300 && torn > 300 && late > 20);
}

fn for_orders(order: &mut Vec<usize>, from: usize, call: &mut impl FnMut(&[usize])) {
    if from == order.len() {
        call(order);
    }
    for next in from..order.len() {
        order.swap(from, next);
        for_orders(order, from + 1, call);
        order.swap(from, next);
    }
}

#[test]
fn a_better_order_is_found_if_there_is_one() {
    let mut random = SplitMix64::new(12);
    let mut found = 0;
    for _ in 0..4000 {
        let mut objects = scene(&mut random);
        objects.truncate(6);
        let given = link_all(&objects).unwrap();
        if given.pieces.len() == 1 {
            assert_eq!(given.better, None);
            continue;
        }
        if given.better.is_none() && random.below(20) > 0 {
            continue;
        }
        let pieces_in = |order: &[usize]| {
            let ordered: Vec<Object> = order.iter().map(|&index| objects[index].clone()).collect();
            link_by_document(&ordered).1.len()
        };
        let mut fewest = given.pieces.len();
        for_orders(&mut (0..objects.len()).collect(), 1, &mut |order| {
            fewest = fewest.min(pieces_in(order));
        });
        match given.better {
            None => assert_eq!(fewest, given.pieces.len()),
            Some((order, pieces)) => {
                assert_eq!((order[0], pieces), (0, fewest));
                assert_eq!(pieces_in(&order), pieces);
                assert!(pieces < given.pieces.len());
                found += 1;
            }
        }
    }
    println!("{found} scenes would link more in another order");
    assert!(found > 20);
}

fn at(x: f64, side: f64) -> Object {
    vec![LinkPrim { position: [x, 0.0, 0.0], scale: [side, 0.0, 0.0] }]
}

#[test]
fn the_span_is_inclusive() {
    // The last bit of the distance may be lost in the span, 1e-14 m is not.
    // Radii 1 and 1: a span of 8, centres 6 apart. Radii 5 and 5: 32, 22 apart.
    for (side, limit) in [(2.0, 6.0), (10.0, 22.0)] {
        assert_eq!(max_center_distance(side / 2.0, side / 2.0), limit);
        let at_limit = link_all(&[at(0.0, side), at(limit, side)]).unwrap();
        assert_eq!(at_limit.links, [(0, 1)]);
        let beyond = link_all(&[at(0.0, side), at(limit + 1e-14, side)]).unwrap();
        assert_eq!(beyond.pieces.len(), 2);
        assert!(beyond.misses[0].2 > 0.0);
    }
    // The 54 m limit, reached by two pieces of radius 14: 26 apart.
    let far = Ball::new([26.0, 0.0, 0.0], 14.0).unwrap();
    let fit = Fit::of(&Ball::new([0.0; 3], 14.0).unwrap(), &far);
    assert!(fit.fits() && fit.span == 54.0 && fit.max_center_distance == 26.0);
    let farther = Ball::new([26.0 + 1e-14, 0.0, 0.0], 14.0).unwrap();
    assert!(!Fit::of(&Ball::new([0.0; 3], 14.0).unwrap(), &farther).fits());
}

#[test]
fn scalar_functions_are_total() {
    for bad in [f64::NAN, -1.0, f64::NEG_INFINITY] {
        assert_eq!((max_link_span(bad, 1.0), max_link_span(1.0, bad)), (0.0, 0.0));
        assert_eq!((max_center_distance(bad, 1.0), max_center_distance(1.0, bad)), (0.0, 0.0));
    }
    assert_eq!(max_link_span(f64::INFINITY, 1.0), 54.0);
    assert_eq!(max_center_distance(30.0, 30.0), -6.0);
}

#[test]
fn the_sphere_is_exclusive() {
    let rule = SphereRule::DOCUMENT;
    assert!(!rule.check(&[at(0.0, 1.0), at(54.0, 1.0)]).unwrap().linkable);
    let inside = rule.check(&[at(0.0, 64.0), at(54.0_f64.next_down(), 64.0)]).unwrap();
    assert!(inside.linkable && inside.prims == 2);
    let many =
        |count: u32| -> Vec<Object> { (0..count).map(|i| at(f64::from(i) / 8.0, 1.0)).collect() };
    for (count, document, viewer) in [(255, true, true), (256, false, true), (257, false, false)] {
        assert_eq!(rule.check(&many(count)).unwrap().linkable, document);
        assert_eq!(SphereRule::VIEWER.check(&many(count)).unwrap().linkable, viewer);
    }
}

#[test]
fn the_centroid_would_be_wrong() {
    // Nineteen of twenty prims at one end: their mean is not the centre of the ball.
    let mut objects = vec![at(53.0, 1.0)];
    objects.extend((0..19).map(|_| at(0.0, 1.0)));
    let checked = SphereRule::DOCUMENT.check(&objects).unwrap();
    assert!(checked.linkable);
    assert_eq!(checked.enclosing.diameter(), 53.0);
}

type Bad = (Option<usize>, Option<usize>, lodger_core::ValueError);

fn parts(error: LinkError) -> Bad {
    (error.object, error.prim, error.error)
}

fn bad(object: usize, prim: usize, quantity: Quantity, problem: ValueProblem) -> Bad {
    (Some(object), Some(prim), lodger_core::ValueError::new(quantity, problem))
}

#[test]
fn an_invalid_prim_is_named() {
    use {Quantity::*, ValueProblem::*};
    let cases = [
        (LinkPrim { position: [0.0, f64::NAN, 0.0], scale: [1.0; 3] }, Position, NotFinite),
        (LinkPrim { position: [f64::INFINITY, 0.0, 0.0], scale: [1.0; 3] }, Position, NotFinite),
        (LinkPrim { position: [0.0, 0.0, -1e101], scale: [1.0; 3] }, Position, TooLarge),
        (LinkPrim { position: [0.0; 3], scale: [1.0, -0.5, 1.0] }, Scale, Negative),
        (LinkPrim { position: [0.0; 3], scale: [1.0, 1.0, f64::NAN] }, Scale, NotFinite),
        (LinkPrim { position: [0.0; 3], scale: [1e101, 1.0, 1.0] }, Scale, TooLarge),
    ];
    for (prim, quantity, problem) in cases {
        let objects = [at(0.0, 1.0), vec![at(1.0, 1.0)[0], prim]];
        let expected = bad(1, 1, quantity, problem);
        let refused = link_all(&objects).unwrap_err();
        assert_eq!(parts(refused), expected);
        assert_eq!(SphereRule::DOCUMENT.check(&objects), Err(refused));
        let message = format!("object 1: prim 1: {}", expected.2);
        assert_eq!(refused.to_string(), message);
        assert_eq!(refused.source().map(ToString::to_string), Some(expected.2.to_string()));
    }
    let flat = [at(0.0, 1.0), vec![at(1.0, 1.0)[0], cases[3].0]];
    let error = link_all(&flat).unwrap_err().to_string();
    assert_eq!(error, "object 1: prim 1: scale must not be negative");
}

#[test]
fn objects_without_prims_and_small_scratch_are_rejected() {
    let missing = |object| {
        (object, None, lodger_core::ValueError::new(Quantity::Prims, ValueProblem::Missing))
    };
    let refused = |objects: &[Object]| parts(link_all(objects).unwrap_err());
    assert_eq!(refused(&[]), missing(None));
    assert_eq!(refused(&[at(0.0, 1.0), vec![]]), missing(Some(1)));
    let none = SphereRule::DOCUMENT.check::<f64, Object>(&[]);
    assert_eq!(none.map_err(parts), Err(missing(None)));
    assert!(SphereRule::DOCUMENT.check(&[vec![], at(0.0, 1.0)]).unwrap().linkable);

    let objects = [at(0.0, 1.0), [at(1.0, 1.0), at(2.0, 1.0)].concat()];
    let mut spheres = [Ball::default(); 3];
    let mut pieces = [LinkedPiece::default(); 2];
    let mut refused = |spheres_len: usize, pieces_len: usize| {
        let scratch =
            LinkScratch { spheres: &mut spheres[..spheres_len], pieces: &mut pieces[..pieces_len] };
        link(&objects, scratch)
            .map(|linked| linked.rounds())
            .map_err(|error| (error.object, error.prim))
    };
    assert_eq!(refused(2, 2), Err((Some(1), Some(1))));
    assert_eq!(refused(3, 1), Err((Some(1), None)));
    assert_eq!(refused(3, 2), Ok(2));
}

#[test]
fn megaprims_count_as_ten_metres() {
    let prim = |side: f64| vec![LinkPrim { position: [side, 0.0, 0.0], scale: [side; 3] }];
    let sphere = |side: f64| prim(side)[0].bounding_sphere().unwrap().radius();
    assert_eq!(sphere(10.0), sphere(64.0));
    assert!(sphere(9.99) < sphere(10.0));
}

#[test]
fn many_prims_in_a_row_link_in_order() {
    // Half-metre cubes every 2 m: neighbours fit, and the row may grow to 54 m.
    let cube =
        |i: u32| vec![LinkPrim { position: [f64::from(i) * 2.0, 0.0, 0.0], scale: [0.5; 3] }];
    let objects: Vec<Object> = (0..40).map(cube).collect();
    let outcome = link_all(&objects).unwrap();
    assert_eq!(outcome.pieces, [(0..27).collect::<Vec<_>>(), (27..40).collect()]);
    assert_eq!(outcome.misses.len(), 1);
}
