//! Cloth: a grid of vertices that hang from their first row.
//!
//! Motion is Verlet's: a vertex knows where it is and where it was. A frame is cut into as many steps
//! as there are solver iterations. Each moves every vertex once and then pulls every link towards its
//! length once, so that the work is **vertices × iterations** and nothing beside.
//!
//! Links are pulled by T. Jakobsen's approximation ("Advanced Character Physics", GDC 2001): with
//! d² for the square of a link's length now and l² for that of its length at rest, either end moves by
//! l²/(d²+l²) − ½ of the link. One division a link, no square root, and never more than half of the
//! link, so that nothing flies apart at any number of iterations.

use embedded_graphics::Drawable;
use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::Point;
use embedded_graphics::pixelcolor::BinaryColor;
use embedded_graphics::primitives::{Line, Primitive, PrimitiveStyle};
use lodger_core::benefit::{BenefitRule, BenefitTerms, Weights};
use lodger_core::importance::DistanceImportance;
use lodger_core::{Error, Real};

use crate::app::{Body, Step};
use crate::display::Camera;

/// Downwards, in m/s².
const GRAVITY: f64 = 9.81;
/// The part of its pace that a vertex keeps in a step.
const DAMPING: f64 = 0.98;

/// One level of detail of a cloth.
#[derive(Debug, Clone, Copy)]
struct Detail {
    /// Every so many vertices along a side are simulated.
    stride: usize,
    /// Steps a frame.
    iterations: u8,
}

impl Detail {
    const fn new(stride: usize, iterations: u8) -> Self {
        Self { stride, iterations }
    }
}

/// From the cheapest to the most expensive. Grids are halved, so that a coarse one is a part of the next.
const LEVELS: [Detail; 5] =
    [Detail::new(4, 1), Detail::new(4, 3), Detail::new(2, 3), Detail::new(1, 2), Detail::new(1, 5)];

/// Benefits of cloths: the angle that they cover, up to 40 m away.
///
/// # Errors
/// None for the number types of core.
pub fn rule<N: Real>() -> Result<BenefitRule<N>, Error> {
    BenefitRule::new(BenefitTerms {
        distance_importance: DistanceImportance::Angular,
        max_distance: N::from_f64(40.0),
        weights: Weights::DISTANCE,
        ..BenefitTerms::default()
    })
}

#[derive(Debug, Clone, Copy, Default)]
struct Vertex<N> {
    now: [N; 3],
    before: [N; 3],
}

impl<N: Real> Vertex<N> {
    /// The middle between this one and the other.
    fn middle(self, other: Self) -> Self {
        let half = N::ONE / (N::ONE + N::ONE);
        let middle = |a, b| sum(a, b).map(|part| part * half);
        Self { now: middle(self.now, other.now), before: middle(self.before, other.before) }
    }
}

/// A square cloth of `SIDE` × `SIDE` vertices, where `SIDE` is one more than a multiple of 4.
#[derive(Debug, Clone)]
pub struct Cloth<N, const SIDE: usize> {
    /// Row by row from the one that it hangs from, relative to the actor's position, in metres.
    vertices: [[Vertex<N>; SIDE]; SIDE],
    detail: Detail,
    /// The distance of two vertices at rest, in metres.
    spacing: N,
    gravity: N,
    damping: N,
    /// How much longer the next step is than the last one was.
    pace: N,
}

impl<N: Real, const SIDE: usize> Cloth<N, SIDE> {
    const SIDE_IS_ONE_MORE_THAN_A_MULTIPLE_OF_4: () = assert!(SIDE > 4 && SIDE % 4 == 1);

    /// A cloth at rest, so many metres wide and high, around the actor's position.
    #[must_use]
    pub fn new(size: N) -> Self {
        () = Self::SIDE_IS_ONE_MORE_THAN_A_MULTIPLE_OF_4;
        let spacing = size / count(SIDE - 1);
        let half = size / count(2);
        let mut vertices = [[Vertex::default(); SIDE]; SIDE];
        for (row, line) in vertices.iter_mut().enumerate() {
            for (column, vertex) in line.iter_mut().enumerate() {
                let [right, down] = [column, row].map(|index| spacing * count(index) - half);
                let place = [right, -down, N::ZERO];
                *vertex = Vertex { now: place, before: place };
            }
        }
        let [detail, ..] = LEVELS;
        let [gravity, damping] = [GRAVITY, DAMPING].map(|v| N::from_f64(v).unwrap_or(N::ONE));
        Self { vertices, detail, spacing, gravity, damping, pace: N::ONE }
    }

    /// The vertex of that row and column; one at the origin where there is none.
    fn vertex(&self, row: usize, column: usize) -> Vertex<N> {
        self.vertices.get(row).and_then(|row| row.get(column)).copied().unwrap_or_default()
    }

    /// Goes over to another level. It takes little beside the work of a frame, as no unit cost knows of
    /// it: paces are a matter of the length of a step and change with the next move, and vertices that
    /// took no part so far go between those that did.
    fn change(&mut self, detail: Detail) {
        if detail.iterations != self.detail.iterations {
            let (old, new) = (count::<N>(self.detail.iterations.into()), detail.iterations.into());
            self.pace = old / count(new);
        }
        while detail.stride < self.detail.stride {
            self.refine();
        }
        self.detail = detail;
    }

    /// Halves the stride: new vertices start in the middle of an edge of the grid, or of a diagonal.
    fn refine(&mut self) {
        let coarse = self.detail.stride;
        let stride = coarse / 2;
        for row in (0..SIDE).step_by(stride) {
            // Strides are powers of 2: the rest of a division by one is a few bits.
            let down = row & (coarse - 1);
            for column in (0..SIDE).step_by(stride) {
                let right = column & (coarse - 1);
                if down | right == 0 {
                    continue;
                }
                let before = self.vertex(row - down, column - right);
                let middle = before.middle(self.vertex(row + down, column + right));
                if let Some(place) = self.vertices.as_flattened_mut().get_mut(row * SIDE + column) {
                    *place = middle;
                }
            }
        }
        self.detail.stride = stride;
    }

    /// Moves every vertex but those of the first row on by one step.
    fn integrate(&mut self, acceleration: [N; 3]) {
        let stride = self.detail.stride;
        let kept = self.damping * core::mem::replace(&mut self.pace, N::ONE);
        for row in self.vertices.iter_mut().step_by(stride).skip(1) {
            for vertex in row.iter_mut().step_by(stride) {
                let way = difference(vertex.now, vertex.before).map(|part| part * kept);
                vertex.before = vertex.now;
                vertex.now = sum(sum(vertex.now, way), acceleration);
            }
        }
    }

    /// Pulls every link towards its length once, row by row, first to the right and then down.
    fn pull(&mut self) {
        let stride = self.detail.stride;
        let rest = (self.spacing * count(stride)).square();
        for row in (0..SIDE).step_by(stride) {
            for column in (0..SIDE).step_by(stride) {
                let here = row * SIDE + column;
                if row > 0 && column + stride < SIDE {
                    self.pull_link([here, here + stride], false, rest);
                }
                if row + stride < SIDE {
                    self.pull_link([here, here + stride * SIDE], row == 0, rest);
                }
            }
        }
    }

    /// Pulls one link; of one that is held at its first end, the other moves for both.
    fn pull_link(&mut self, ends: [usize; 2], held: bool, rest: N::Square) {
        let Ok([a, b]) = self.vertices.as_flattened_mut().get_disjoint_mut(ends) else { return };
        let link = difference(b.now, a.now);
        let half = N::ONE / (N::ONE + N::ONE);
        let part = N::ratio(rest, N::norm_sq(link) + rest) - half;
        let way = link.map(|component| component * part);
        b.now = sum(b.now, way);
        if held {
            b.now = sum(b.now, way);
        } else {
            a.now = difference(a.now, way);
        }
    }
}

impl<N: Real, const SIDE: usize> Body<N> for Cloth<N, SIDE> {
    fn units(level: u8) -> Option<u32> {
        let detail = LEVELS.get(usize::from(level))?;
        let side = u32::try_from((SIDE - 1) / detail.stride + 1).ok()?;
        side.checked_mul(side)?.checked_mul(detail.iterations.into())
    }

    fn step(&mut self, level: u8, step: Step<N>) {
        let Some(&detail) = LEVELS.get(usize::from(level)) else { return };
        self.change(detail);
        let time = step.time / count(detail.iterations.into());
        let fall = [N::ZERO, -self.gravity, step.wind].map(|part| part * time * time);
        for _ in 0..detail.iterations {
            self.integrate(fall);
            self.pull();
        }
    }

    fn draw<D>(&self, at: [N; 3], camera: &Camera<N>, display: &mut D) -> Result<(), D::Error>
    where
        D: DrawTarget<Color = BinaryColor>,
    {
        let stride = self.detail.stride;
        let see = |row, column| camera.project(sum(at, self.vertex(row, column).now));
        for row in (0..SIDE).step_by(stride) {
            for column in (0..SIDE).step_by(stride) {
                let Some(here) = see(row, column) else { continue };
                let right = (column + stride < SIDE).then(|| see(row, column + stride)).flatten();
                let down = (row + stride < SIDE).then(|| see(row + stride, column)).flatten();
                for end in [right, down].into_iter().flatten() {
                    line(here, end).draw(display)?;
                }
            }
        }
        Ok(())
    }
}

fn line(from: Point, to: Point) -> impl Drawable<Color = BinaryColor, Output = ()> {
    Line::new(from, to).into_styled(PrimitiveStyle::with_stroke(BinaryColor::On, 1))
}

/// A small number, without a conversion from floating point.
fn count<N: Real>(number: usize) -> N {
    (0..number).fold(N::ZERO, |sum, _| sum + N::ONE)
}

fn sum<N: Real>([a, b, c]: [N; 3], [x, y, z]: [N; 3]) -> [N; 3] {
    [a + x, b + y, c + z]
}

fn difference<N: Real>([a, b, c]: [N; 3], [x, y, z]: [N; 3]) -> [N; 3] {
    [a - x, b - y, c - z]
}

#[cfg(test)]
mod tests;
