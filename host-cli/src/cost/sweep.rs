//! Cost against size: the same mesh at many sizes, and at those where something changes.

use lodger_core::cost::Scale;
use lodger_core::cost::physics::SMALLEST_MESH_SIDE;
use serde::Serialize;

use super::conditions::Conditions;
use super::mesh::{Mesh, longest_side, resized};

/// Sizes between both ends, besides those where something changes.
const SAMPLES: u32 = 240;
/// Halvings that find the size at which the land impact changes.
const HALVINGS: u32 = 50;
/// A change of the land impact between two samples that is told as one.
const LEAP: u32 = 16;
/// The largest size that core takes.
const LARGEST: f64 = 16_384.0;

/// The sizes of a sweep: the longest side in metres, from one to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Range {
    /// The least, above 0.
    pub(crate) from: f64,
    /// The greatest, above the least.
    pub(crate) to: f64,
}

impl Range {
    /// Reads `0.1..64`.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let expected = || "two lengths in metres are expected, as in 0.1..64".to_owned();
        let (from, to) = text.split_once("..").ok_or_else(expected)?;
        let number = |text: &str| text.trim().parse::<f64>().map_err(|_| expected());
        let (from, to) = (number(from)?, number(to)?);
        if !(from > 0.0 && from < to && to <= LARGEST) {
            return Err(format!(
                "the first must be above 0 and below the second, which is at most {LARGEST} m"
            ));
        }
        Ok(Self { from, to })
    }

    fn holds(&self, size: f64) -> bool {
        self.from <= size && size <= self.to
    }
}

/// The costs at one size.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Point {
    /// Metres: the longest side.
    pub(crate) size: f64,
    /// Metres.
    pub(crate) scale: [f64; 3],
    /// Metres.
    pub(crate) radius: f64,
    /// The streaming weight.
    pub(crate) streaming: f64,
    /// The physics weight, with the penalty of a physical object.
    pub(crate) physics: f64,
    /// What the physics engine works with.
    pub(crate) representation: &'static str,
    /// The server weight.
    pub(crate) server: f64,
    /// What counts against a parcel.
    pub(crate) land_impact: u32,
    /// The weight that it comes from.
    pub(crate) limited_by: &'static str,
    /// What changes here.
    pub(crate) mark: Option<Mark>,
}

/// What changes at a size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// The curve of streaming cost bends.
    Break {
        /// Why.
        what: &'static str,
        /// In two words; none for the points that are all but the same as another.
        short: Option<&'static str>,
    },
    /// From here on the physics mesh counts, below it its hull.
    Flip,
    /// From here on the land impact is another.
    Step {
        /// Below this size.
        from: u32,
        /// From it on.
        to: u32,
    },
}

impl Mark {
    /// What changes, in words.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Break { what, .. } => (*what).to_owned(),
            Self::Flip => format!(
                "physics flips: a hull below {SMALLEST_MESH_SIDE} m of the shortest side, a mesh from there"
            ),
            Self::Step { from, to } => format!("land impact {from} to {to}"),
        }
    }
}

impl Serialize for Mark {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text())
    }
}

/// A sweep of one mesh.
#[derive(Debug)]
pub(crate) struct Sweep<'a> {
    mesh: &'a Mesh,
    conditions: &'a Conditions,
}

impl<'a> Sweep<'a> {
    /// Of this mesh.
    pub(crate) fn new(mesh: &'a Mesh, conditions: &'a Conditions) -> Self {
        Self { mesh, conditions }
    }

    /// All points, by size.
    pub(crate) fn points(&self, range: Range) -> Result<Vec<Point>, String> {
        let mut points = Vec::new();
        let ratio = range.to / range.from;
        for step in 0..=SAMPLES {
            let size = match step {
                0 => range.from,
                SAMPLES => range.to,
                step => range.from * ratio.powf(f64::from(step) / f64::from(SAMPLES)),
            };
            points.push(self.at(size, None)?);
        }
        for (size, mark) in self.breaks() {
            if range.holds(size) {
                points.push(self.at(size, Some(mark))?);
            }
        }
        points.extend(self.flip(range)?);
        points.sort_by(|a, b| a.size.total_cmp(&b.size));
        self.with_steps(points)
    }

    fn at(&self, size: f64, mark: Option<Mark>) -> Result<Point, String> {
        let scale = resized(self.conditions.scale, size).map_err(|error| error.to_string())?;
        let weighed = self.mesh.weigh(&self.conditions.at(scale))?;
        let impact = weighed.assessment.land_impact;
        Ok(Point {
            size,
            scale: scale.sides(),
            radius: scale.radius(),
            streaming: weighed.assessment.streaming,
            physics: weighed.assessment.physics,
            representation: weighed.physics.representation.name(),
            server: weighed.assessment.server,
            land_impact: impact.value,
            limited_by: impact.limited_by.map_or("", |weight| weight.name()),
            mark,
        })
    }

    /// Where the curve of streaming cost bends, in sizes.
    fn breaks(&self) -> Vec<(f64, Mark)> {
        let points = self.conditions.streaming.break_points();
        let marks = |radii: [f64; 3], names: [(&'static str, Option<&'static str>); 3]| {
            let scale = self.conditions.scale;
            radii.into_iter().zip(names).map(move |(radius, (what, short))| {
                (size_of(scale, radius), Mark::Break { what, short })
            })
        };
        let floor = marks(
            points.floor,
            [
                ("the ring of the low LOD grows from its least area", Some("low LOD grows")),
                ("the ring of the medium LOD grows from its least area", Some("medium LOD grows")),
                ("the circle of the high LOD grows from its least area", Some("high LOD grows")),
            ],
        );
        let closed = marks(
            points.closed,
            [
                ("the ring of the lowest LOD is down to its least area", None),
                ("the ring of the low LOD is down to its least area", None),
                ("the ring of the medium LOD is down to its least area", None),
            ],
        );
        let full = marks(
            points.full,
            [
                ("the low LOD and higher ones fill the region", Some("no lowest LOD")),
                ("the medium and the high LOD fill the region", Some("no low LOD")),
                ("the high LOD fills the region", Some("high LOD only")),
            ],
        );
        floor.chain(closed).chain(full).collect()
    }

    /// The sizes just below and at which the physics mesh begins to count, if it ever does.
    fn flip(&self, range: Range) -> Result<Vec<Point>, String> {
        let mut size = flip_size(self.conditions.scale);
        if !(range.from < size && size <= range.to) {
            return Ok(Vec::new());
        }
        if resized(self.conditions.scale, size).is_ok_and(|s| s.shortest() < SMALLEST_MESH_SIDE) {
            size = size.next_up();
        }
        let (mut at, mut below) = (self.at(size, None)?, self.at(size.next_down(), None)?);
        while below.scale.map(f64::to_bits) == at.scale.map(f64::to_bits) {
            below = self.at(below.size.next_down(), None)?;
        }
        if at.representation == below.representation {
            return Ok(Vec::new());
        }
        at.mark = Some(Mark::Flip);
        Ok(vec![below, at])
    }

    /// Adds the sizes at which the land impact changes, but for leaps.
    fn with_steps(&self, points: Vec<Point>) -> Result<Vec<Point>, String> {
        let mut all: Vec<Point> = Vec::with_capacity(points.len());
        for point in points {
            while let Some(last) = all.last()
                && last.land_impact != point.land_impact
                && last.land_impact.abs_diff(point.land_impact) <= LEAP
                && point.mark != Some(Mark::Flip)
                && last.size < point.size
            {
                let from = last.land_impact;
                let [below, mut step] = self.step(last.clone(), point.clone())?;
                step.mark = Some(Mark::Step { from, to: step.land_impact });
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
    fn step(&self, mut below: Point, mut above: Point) -> Result<[Point; 2], String> {
        for _ in 0..HALVINGS {
            let middle = self.at((below.size * above.size).sqrt(), None)?;
            if !(below.size < middle.size && middle.size < above.size) {
                break;
            }
            if middle.land_impact == below.land_impact {
                below = middle;
            } else {
                above = middle;
            }
        }
        Ok([below, above])
    }
}

/// The longest side at which the shortest is as long as a physics mesh needs.
pub(crate) fn flip_size(scale: Scale<f64>) -> f64 {
    SMALLEST_MESH_SIDE * (longest_side(scale) / scale.shortest())
}

/// The longest side at which the same proportions have that radius.
fn size_of(scale: Scale<f64>, radius: f64) -> f64 {
    longest_side(scale) * (radius / scale.radius())
}
