//! The way back: what a land impact allows.

use lodger_core::cost::Scale;
use lodger_core::cost::land_impact::{Weight, greatest_weight};
use lodger_core::cost::streaming::{Lods, Reach};
use serde::Serialize;

use super::conditions::Conditions;
use super::mesh::{Mesh, Weighed, longest_side, resized};
use super::report::{FileRow, PerLod};
use super::sweep::flip_size;

/// Halvings after which no number is left between two others.
const HALVINGS: u32 = 64;
/// The largest side that core takes, in metres.
const LARGEST: f64 = 16_384.0;
/// Metres: all sizes below this cost alike, for no area is less than 1 m².
const SMALLEST: f64 = 1e-6;

/// What a land impact allows. Serialised, it is the JSON of schema 1.
#[derive(Debug, Serialize)]
pub(crate) struct Answer {
    /// The version of this shape.
    pub(crate) schema: u32,
    /// The land impact asked for.
    pub(crate) target: u32,
    /// What the mesh costs as it is.
    pub(crate) now: FileRow,
    /// How many bytes the LODs may have at this size.
    pub(crate) bytes: Bytes,
    /// How large the mesh may be with the bytes it has.
    pub(crate) size: Size,
    /// What should be known about a number.
    pub(crate) notes: Vec<String>,
}

/// How many bytes the LODs may have.
#[derive(Debug, Serialize)]
pub(crate) struct Bytes {
    /// Whether any number of bytes comes to the target.
    pub(crate) possible: bool,
    /// Why not.
    pub(crate) why_not: Option<String>,
    /// Each LOD, if the others stay as they are; none where not one byte is left.
    pub(crate) alone: PerLod<Option<i32>>,
    /// All LODs, if each is changed by the same factor.
    pub(crate) together: Option<PerLod<i32>>,
}

/// How large a mesh may be.
#[derive(Debug, Serialize)]
pub(crate) struct Size {
    /// How far it may go.
    pub(crate) limit: SizeLimit,
    /// The greatest scale of the same proportions, in metres; none if there is no limit, or no size.
    pub(crate) scale: Option<[f64; 3]>,
    /// The longest side of it.
    pub(crate) longest_side: Option<f64>,
    /// Whether all smaller sizes are within the target too.
    pub(crate) all_smaller: bool,
}

/// How far a size may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum SizeLimit {
    /// No size is within the target.
    Never,
    /// Up to a size.
    UpTo,
    /// Any size is within the target.
    Always,
}

impl SizeLimit {
    /// As JSON spells it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::UpTo => "up-to",
            Self::Always => "always",
        }
    }
}

/// What a land impact allows a mesh.
pub(crate) fn answer(
    file: &str,
    mesh: &Mesh,
    conditions: &Conditions,
    target: u32,
) -> Result<Answer, String> {
    let weighed = mesh.weigh(conditions)?;
    Ok(Answer {
        schema: 1,
        target,
        now: FileRow::new(file, mesh, &weighed, conditions),
        bytes: bytes(mesh, &weighed, conditions, target),
        size: size(mesh, conditions, target)?,
        notes: mesh.remarks(&weighed, conditions),
    })
}

fn bytes(mesh: &Mesh, weighed: &Weighed, conditions: &Conditions, target: u32) -> Bytes {
    let limit = greatest_weight::<f64>(target);
    let fixed = [
        (weighed.assessment.physics, Weight::Physics),
        (weighed.assessment.server, Weight::Server),
    ];
    if let Some((weight, which)) = fixed.into_iter().find(|(weight, _)| *weight > limit) {
        let why_not = format!(
            "at this size {} weighs {weight:.3} whatever the bytes, too much for {target}",
            which.name()
        );
        let alone = Lods { lowest: None, low: None, medium: None, high: None }.into();
        return Bytes { possible: false, why_not: Some(why_not), alone, together: None };
    }
    let (streaming, radius) = (&conditions.streaming, conditions.scale.radius());
    let alone = PerLod::from(streaming.room(radius, mesh.sizes, limit));
    let together = streaming.resized(radius, mesh.sizes, limit).map(PerLod::from);
    let possible = together.is_some() || alone.each().iter().any(Option::is_some);
    let why_not =
        (!possible).then(|| format!("even empty LODs cost more than {target} at this size"));
    Bytes { possible, why_not, alone, together }
}

fn size(mesh: &Mesh, conditions: &Conditions, target: u32) -> Result<Size, String> {
    let search = Search::new(mesh, conditions, target);
    let (limit, longest) = match search.greatest()? {
        Reach::Never => (SizeLimit::Never, None),
        Reach::Always => (SizeLimit::Always, None),
        Reach::UpTo(longest) => (SizeLimit::UpTo, Some(longest)),
    };
    let scale = longest.and_then(|longest| resized(conditions.scale, longest).ok());
    let all_smaller = search.holds_below(longest.unwrap_or(LARGEST))?;
    Ok(Size { limit, scale: scale.map(Scale::sides), longest_side: longest, all_smaller })
}

/// The search for the greatest size within a target.
///
/// Between two neighbours of the streaming curve's break points and the flip of the physics, either
/// weight is monotone: so what is within the target is a range for each, and both begin or end there.
struct Search<'a> {
    mesh: &'a Mesh,
    conditions: &'a Conditions,
    limit: f64,
}

impl<'a> Search<'a> {
    fn new(mesh: &'a Mesh, conditions: &'a Conditions, target: u32) -> Self {
        Self { mesh, conditions, limit: greatest_weight(target) }
    }

    /// The greatest longest side in metres within the target.
    fn greatest(&self) -> Result<Reach<f64>, String> {
        if self.is_within(LARGEST)? == [true; 3] {
            return Ok(Reach::Always);
        }
        let mut upper = LARGEST;
        for lower in self.turns() {
            if let Some(longest) = self.greatest_between(lower, upper)? {
                return Ok(Reach::UpTo(longest));
            }
            upper = lower;
        }
        Ok(Reach::Never)
    }

    /// Whether all sizes below one are within the target: so they are if the turns are.
    fn holds_below(&self, longest: f64) -> Result<bool, String> {
        for turn in self.turns().into_iter().filter(|turn| *turn < longest) {
            if self.is_within(turn)? != [true; 3] {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Where either weight may turn, the greatest first; the last is the least size of all.
    fn turns(&self) -> Vec<f64> {
        let scale = self.conditions.scale;
        let points = self.conditions.streaming.break_points();
        let radii = points.full.into_iter().chain(points.closed).chain(points.floor);
        let per_radius = longest_side(scale) / scale.radius();
        let flip = flip_size(scale);
        let mut turns: Vec<_> = radii
            .map(|radius| radius * per_radius)
            .chain([flip, flip.next_down(), SMALLEST])
            .filter(|size| (SMALLEST..LARGEST).contains(size))
            .collect();
        turns.sort_by(|a, b| b.total_cmp(a));
        turns
    }

    /// Which of streaming, physics and server weight are within the limit.
    fn is_within(&self, longest: f64) -> Result<[bool; 3], String> {
        let scale = resized(self.conditions.scale, longest).map_err(|error| error.to_string())?;
        let counted = self.mesh.weigh(&self.conditions.at(scale))?.assessment;
        Ok([counted.streaming, counted.physics, counted.server].map(|weight| weight <= self.limit))
    }

    fn greatest_between(&self, lower: f64, upper: f64) -> Result<Option<f64>, String> {
        let (at_lower, at_upper) = (self.is_within(lower)?, self.is_within(upper)?);
        let mut greatest = upper;
        for weight in 0..at_lower.len() {
            match (at_lower[weight], at_upper[weight]) {
                (_, true) => {}
                (true, false) => greatest = greatest.min(self.last(lower, upper, weight)?),
                (false, false) => return Ok(None),
            }
        }
        Ok((self.is_within(greatest)? == [true; 3]).then_some(greatest))
    }

    /// The end of the range that begins at `within` and holds what is within, which `beyond` is not.
    fn last(&self, mut within: f64, mut beyond: f64, weight: usize) -> Result<f64, String> {
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(within, beyond);
            if !(within < middle && middle < beyond) {
                break;
            }
            if self.is_within(middle)?[weight] {
                within = middle;
            } else {
                beyond = middle;
            }
        }
        Ok(within)
    }
}
