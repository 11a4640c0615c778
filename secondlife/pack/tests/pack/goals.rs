//! What the assets of whole models cost and show, against the viewer's own split and an exhaustive search.

use lodger_core::cost::land_impact::greatest_weight;
use lodger_core::cost::physics::ShapeType;
use lodger_core::cost::streaming::{Lods, MeshLod, Rules, Streaming};
use lodger_pack::{Error, Options, Packed, PackedObject, PhysicsChoice, pack};

use crate::models::{
    Drawing, nine_material_cube, skinned_tube, sphere, terrain, torus_knot, tree_of_cards,
};

fn drawings() -> Vec<Drawing> {
    vec![
        sphere(2.0, 14),
        terrain(18),
        tree_of_cards(80),
        torus_knot(64, 8),
        nine_material_cube(),
        skinned_tube(24, 12),
    ]
}

pub(crate) fn options(land_impact: Option<u32>, size: Option<[f64; 3]>) -> Options {
    Options {
        land_impact,
        size,
        lods: lodger_pack::LodRule::default(),
        keep_high: false,
        shape: ShapeType::ConvexHull,
        physics: PhysicsChoice::Hull,
        physics_cost: None,
        rules: Rules::VIEWER,
    }
}

fn packed(drawing: &Drawing, options: &Options) -> Result<Packed, lodger_pack::Error> {
    let mut model = crate::read_one(drawing);
    pack(&mut model, options, &crate::NO_PARTS, &crate::plenty(), &|_| ())
}

#[test]
fn the_land_impact_is_met_and_nothing_better_fits() {
    let mut ratios = Vec::new();
    println!("model               N  LI  streaming      loss    viewer   best possible");
    for drawing in drawings() {
        for side in [0.5, 2.0, 12.0] {
            let size = Some([side; 3]);
            let free = packed(&drawing, &options(None, size)).expect("the viewer's own price");
            let own = free.land_impact.value;
            for asked in wishes(own) {
                match packed(&drawing, &options(Some(asked), size)) {
                    Ok(packed) => {
                        judge(drawing.name, asked, &packed);
                        ratios.extend(distances(&packed));
                    }
                    Err(Error::TooDear(dear)) => {
                        assert!(asked < own && dear.least > asked, "{}: {dear}", drawing.name);
                    }
                    Err(error) => panic!("{}: {error}", drawing.name),
                }
            }
        }
    }
    let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / count(ratios.len())).exp();
    println!(
        "distances to the source over those of the viewer's split: {mean:.3} in the mean of {}",
        ratios.len()
    );
    assert!(mean <= 1.0, "{mean}");
}

/// Land impacts around the one that a model would have.
fn wishes(own: u32) -> Vec<u32> {
    let mut wishes = vec![own.div_ceil(3), own.div_ceil(2), own, own + 1, own * 2];
    wishes.dedup();
    wishes
}

fn judge(name: &str, asked: u32, packed: &Packed) {
    let most: f64 = greatest_weight(asked);
    assert!(packed.land_impact.value <= asked, "{name}: {:?} of {asked}", packed.land_impact);
    assert!(packed.streaming <= most);
    let best = exhaustive(packed, most);
    let Packed { streaming, loss, .. } = *packed;
    println!(
        "{name:<18} {asked:>2}  {:>2}  {streaming:>9.3} {loss:>9.5} {:>9.5} {best:>9.5}",
        packed.land_impact.value, packed.viewer.loss
    );
    assert!(loss <= packed.viewer.loss, "{name}, {asked}: {loss} of {}", packed.viewer.loss);
    let short = most - streaming > 1.0;
    let done = packed.objects.iter().all(|object| object.picks == Lods::default());
    assert!(
        !short || done || loss <= best * (1.0 + 1e-9),
        "{name}, {asked}: {loss}, but {best} fits"
    );
    // Not a promise of the policy, but what is expected of it.
    assert!(loss <= best * 1.1 + 1e-9, "{name}, {asked}: {loss}, but {best} fits");
}

/// The distance to the source of each level over that of the viewer's split, where both have one.
fn distances(packed: &Packed) -> Vec<f64> {
    let pairs = packed.objects.iter().zip(&packed.viewer.picks).flat_map(|(object, viewers)| {
        let error = |pick: usize| object.chain.candidates()[pick].error;
        let ours = object.picks.to_array().map(error);
        ours.into_iter().zip(viewers.to_array().map(error)).collect::<Vec<_>>()
    });
    let pairs = pairs.inspect(|&(ours, theirs)| assert!(ours <= 0.0 || theirs > 0.0));
    pairs.filter(|&(ours, _)| ours > 0.0).map(|(ours, theirs)| ours / theirs).collect()
}

/// The least Σ weight·error that any choice of candidates has whose streaming cost is at most `most`. High levels are
/// the source wherever that fits, and must have been left so.
fn exhaustive(packed: &Packed, most: f64) -> f64 {
    let streaming = Streaming::new(Rules::VIEWER).expect("rules");
    let search = |is_free: bool| {
        let mut all = vec![(0.0, 0.0)];
        for object in &packed.objects {
            let own = all_of(object, &streaming, is_free);
            let sums = all.iter().flat_map(|a| own.iter().map(move |b| (a.0 + b.0, a.1 + b.1)));
            all = best_of(sums.filter(|sum| sum.0 <= most).collect());
        }
        all.last().map(|best| best.1)
    };
    let Some(best) = search(false) else {
        return search(true).expect("what was chosen fits");
    };
    assert!(packed.objects.iter().all(|object| object.picks.high == 0), "simplified needlessly");
    best
}

/// Costs and losses of all choices for an object of which none is worse and dearer than another; the high level is the
/// source or free.
fn all_of(object: &PackedObject, streaming: &Streaming<f64>, is_free: bool) -> Vec<(f64, f64)> {
    let candidates = object.chain.candidates();
    let radius = object.frame.scale().expect("a size").radius();
    let price = |lod: MeshLod, pick: usize| {
        let bytes = Lods::default()
            .map(|_: i32| i32::try_from(candidates[pick].bytes).expect("a small block"));
        streaming.cost(radius, bytes) * streaming.cost_shares(radius, bytes).of(lod)
    };
    let loss = |lod: MeshLod, pick: usize| object.weights.of(lod) * candidates[pick].error;
    // By the candidate of the level above: nothing lower may be heavier.
    let mut above = vec![Vec::new(); candidates.len()];
    let highs = if is_free { candidates.len() } else { 1 };
    for (high, sums) in above.iter_mut().enumerate().take(highs) {
        sums.push((price(MeshLod::High, high), loss(MeshLod::High, high)));
    }
    for lod in [MeshLod::Medium, MeshLod::Low, MeshLod::Lowest] {
        let mut next = vec![Vec::new(); candidates.len()];
        for pick in 0..candidates.len() {
            let sums = above[..=pick].iter().flatten();
            let sums =
                sums.map(|sum: &(f64, f64)| (sum.0 + price(lod, pick), sum.1 + loss(lod, pick)));
            next[pick] = best_of(sums.collect());
        }
        above = next;
    }
    best_of(above.into_iter().flatten().collect())
}

/// Those of which no other is as cheap and as good, by rising cost.
fn best_of(mut all: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    all.sort_by(|a, b| a.partial_cmp(b).expect("numbers"));
    let mut least = f64::INFINITY;
    all.retain(|&(_, loss)| {
        let is_better = loss < least;
        least = least.min(loss);
        is_better
    });
    all
}

#[expect(clippy::cast_precision_loss, reason = "a few hundred")]
fn count(number: usize) -> f64 {
    number as f64
}
