//! Goes through the sizes of a sweep.

use lodger_core::cost::physics::SMALLEST_MESH_SIDE;
use lodger_core::cost::streaming::MeshLod;

use super::mark::{Bend, Mark};
use super::point::SweepPoint;
use super::range::SizeRange;
use crate::error::Error;
use crate::price::MeshPrice;
use crate::sizes::Sizes;

/// Sizes between both ends, besides those where something changes.
const SAMPLES: u32 = 240;
/// Halvings that find the size at which the land impact changes.
const HALVINGS: u32 = 50;
/// A change of the land impact between two samples that is told as one.
const LEAP: u32 = 16;

/// What something costs at a size in metres.
pub(super) type Price<'a> = &'a dyn Fn(f64) -> Result<MeshPrice, Error>;

/// All points, by size.
pub(super) fn points(sizes: &Sizes<'_>, range: SizeRange) -> Result<Vec<SweepPoint>, Error> {
    let price = |size| sizes.price(size);
    let mut points = samples(&price, range)?;
    for (size, bend) in bends(sizes) {
        if range.holds(size) {
            points.push(at(&price, size, Some(Mark::Bend(bend)))?);
        }
    }
    points.extend(flip(sizes, range)?);
    points.sort_by(|a, b| a.size.total_cmp(&b.size));
    with_steps(&price, points)
}

/// The samples, and the sizes at which the land impact changes.
pub(super) fn steps_of(price: Price<'_>, range: SizeRange) -> Result<Vec<SweepPoint>, Error> {
    with_steps(price, samples(price, range)?)
}

fn samples(price: Price<'_>, range: SizeRange) -> Result<Vec<SweepPoint>, Error> {
    let (from, to) = (range.from(), range.to());
    let ratio = to / from;
    let sample = |step| match step {
        0 => from,
        SAMPLES => to,
        step => from * ratio.powf(f64::from(step) / f64::from(SAMPLES)),
    };
    (0..=SAMPLES).map(|step| at(price, sample(step), None)).collect()
}

fn at(price: Price<'_>, size: f64, mark: Option<Mark>) -> Result<SweepPoint, Error> {
    Ok(SweepPoint { size, price: price(size)?, mark })
}

/// Where the curve of streaming cost bends.
fn bends(sizes: &Sizes<'_>) -> Vec<(f64, Bend)> {
    use MeshLod::{High, Low, Lowest, Medium};
    let scale = sizes.usage.scale;
    let points = sizes.pricing.meshes().break_points();
    let marks = |radii: [f64; 3], bend: fn(MeshLod) -> Bend, lods: [MeshLod; 3]| {
        let size_of = move |radius: f64| scale.longest() * (radius / scale.radius());
        radii.into_iter().zip(lods).map(move |(radius, lod)| (size_of(radius), bend(lod)))
    };
    marks(points.floor, Bend::Grows, [Low, Medium, High])
        .chain(marks(points.closed, Bend::Shut, [Lowest, Low, Medium]))
        .chain(marks(points.full, Bend::Fills, [Low, Medium, High]))
        .collect()
}

/// The sizes just below and at which the physics mesh begins to count, if it ever does.
fn flip(sizes: &Sizes<'_>, range: SizeRange) -> Result<Vec<SweepPoint>, Error> {
    let mut size = sizes.flip();
    if !(range.from() < size && size <= range.to()) {
        return Ok(Vec::new());
    }
    if sizes.scale(size).is_ok_and(|scale| scale.shortest() < SMALLEST_MESH_SIDE) {
        size = size.next_up();
    }
    let price = |size| sizes.price(size);
    let (mut above, mut below) = (at(&price, size, None)?, at(&price, size.next_down(), None)?);
    let bits = |point: &SweepPoint| point.price.scale.sides().map(f64::to_bits);
    while bits(&below) == bits(&above) {
        below = at(&price, below.size.next_down(), None)?;
    }
    if above.price.physics.representation == below.price.physics.representation {
        return Ok(Vec::new());
    }
    above.mark = Some(Mark::Flip);
    Ok(vec![below, above])
}

/// Adds the sizes at which the land impact changes, but for leaps.
fn with_steps(price: Price<'_>, points: Vec<SweepPoint>) -> Result<Vec<SweepPoint>, Error> {
    let mut all: Vec<SweepPoint> = Vec::with_capacity(points.len());
    for point in points {
        while let Some(&last) = all.last()
            && last.land_impact() != point.land_impact()
            && last.land_impact().abs_diff(point.land_impact()) <= LEAP
            && point.mark != Some(Mark::Flip)
            && last.size < point.size
        {
            let [below, mut step] = step(price, last, point)?;
            step.mark = Some(Mark::Step { from: last.land_impact(), to: step.land_impact() });
            all.extend([below, step]);
        }
        let repeats = all.last().is_some_and(|last| last.size >= point.size);
        if !repeats || point.mark.is_some() {
            all.push(point);
        }
    }
    Ok(all)
}

/// The last point with the land impact of `below`, and the first with that of `above`.
fn step(
    price: Price<'_>,
    mut below: SweepPoint,
    mut above: SweepPoint,
) -> Result<[SweepPoint; 2], Error> {
    for _ in 0..HALVINGS {
        let middle = at(price, (below.size * above.size).sqrt(), None)?;
        if !(below.size < middle.size && middle.size < above.size) {
            break;
        }
        if middle.land_impact() == below.land_impact() {
            below = middle;
        } else {
            above = middle;
        }
    }
    Ok([below, above])
}
