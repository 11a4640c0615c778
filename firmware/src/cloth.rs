//! Cloth: a grid of vertices that hangs from its first row.
//!
//! Motion is by Verlet integration. A frame has one step for each solver iteration; a step moves every vertex once and
//! pulls every link towards its length once, so that the work is exactly **vertices × iterations**.
//!
//! Links are pulled by T. Jakobsen's approximation ("Advanced Character Physics", GDC 2001): with the squares d² of a
//! link's length and l² of its length at rest, either end moves by l²/(d²+l²) − ½ of the link. That is one division per
//! link, no square root, and never more than half of the link, so that it is stable at any number of iterations.

use embedded_graphics::Drawable;
use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::Point;
use embedded_graphics::pixelcolor::BinaryColor;
use embedded_graphics::primitives::{Line, Primitive, PrimitiveStyle};
use lodger_core::benefit::{BenefitRule, BenefitTerms, Weights};
use lodger_core::importance::DistanceImportance;
use lodger_core::{Real, ValueError};

use crate::app::{Body, BodyStep};
use crate::display::Camera;

/// Downwards, in m/s².
const GRAVITY: f64 = 9.81;
/// The part of its velocity that a vertex keeps in a step.
const DAMPING: f64 = 0.98;

#[derive(Debug, Clone, Copy)]
struct Detail {
    /// The distance of simulated vertices along a side.
    stride: usize,
    /// Steps per frame.
    iterations: u8,
}

impl Detail {
    const fn new(stride: usize, iterations: u8) -> Self {
        Self { stride, iterations }
    }
}

/// The levels, from the cheapest. A coarse grid is a subset of the next finer one.
const LEVELS: [Detail; 5] =
    [Detail::new(4, 1), Detail::new(4, 3), Detail::new(2, 3), Detail::new(1, 2), Detail::new(1, 5)];

/// Returns the benefit rule of cloths: angular importance, up to 40 m away.
///
/// # Errors
/// None for the number types of core.
pub fn rule<N: Real>() -> Result<BenefitRule<N>, ValueError> {
    BenefitRule::new(BenefitTerms {
        distance_importance: DistanceImportance::Angular,
        max_distance: N::from_f64(40.0),
        weights: Weights::DISTANCE,
        ..BenefitTerms::default()
    })
}

#[derive(Debug, Clone, Copy, Default)]
struct ClothVertex<N> {
    now: [N; 3],
    before: [N; 3],
}

impl<N: Real> ClothVertex<N> {
    fn middle(self, other: Self) -> Self {
        let half = N::ONE / (N::ONE + N::ONE);
        let middle = |a, b| sum(a, b).map(|part| part * half);
        Self { now: middle(self.now, other.now), before: middle(self.before, other.before) }
    }
}

/// A square cloth of `SIDE` × `SIDE` vertices, where `SIDE` is one more than a multiple of 4.
#[derive(Debug, Clone)]
pub struct Cloth<N, const SIDE: usize> {
    /// The vertices by rows from the top, relative to the position of the actor, in metres.
    vertices: [[ClothVertex<N>; SIDE]; SIDE],
    detail: Detail,
    /// The distance of two vertices at rest, in metres.
    spacing: N,
    gravity: N,
    damping: N,
    /// The ratio of the duration of the next step to the last one.
    pace: N,
}

impl<N: Real, const SIDE: usize> Cloth<N, SIDE> {
    const SIDE_IS_ONE_MORE_THAN_A_MULTIPLE_OF_4: () = assert!(SIDE > 4 && SIDE % 4 == 1);

    /// Makes a cloth at rest with this width and height in metres, centred at the position of the actor.
    #[must_use]
    pub fn new(size: N) -> Self {
        () = Self::SIDE_IS_ONE_MORE_THAN_A_MULTIPLE_OF_4;
        let spacing = size / count(SIDE - 1);
        let half = size / count(2);
        let mut vertices = [[ClothVertex::default(); SIDE]; SIDE];
        for (row, line) in vertices.iter_mut().enumerate() {
            for (column, vertex) in line.iter_mut().enumerate() {
                let [right, down] = [column, row].map(|index| spacing * count(index) - half);
                let place = [right, -down, N::ZERO];
                *vertex = ClothVertex { now: place, before: place };
            }
        }
        let [detail, ..] = LEVELS;
        let [gravity, damping] = [GRAVITY, DAMPING].map(|v| N::from_f64(v).unwrap_or(N::ONE));
        Self { vertices, detail, spacing, gravity, damping, pace: N::ONE }
    }

    fn vertex(&self, row: usize, column: usize) -> ClothVertex<N> {
        self.vertices.get(row).and_then(|row| row.get(column)).copied().unwrap_or_default()
    }

    /// Changes the level, in little time beside the work of a frame, because unit costs do not include it: the next step
    /// scales velocities by its duration, and vertices that were not simulated are interpolated.
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

    /// Halves the stride: new vertices start in the middle of an edge or a diagonal of the grid.
    fn refine(&mut self) {
        let coarse = self.detail.stride;
        let stride = coarse / 2;
        for row in (0..SIDE).step_by(stride) {
            // Strides are powers of 2, so that a mask is the remainder.
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

    /// Pulls one link; if its first end is held, the other end moves twice as far.
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

    fn step(&mut self, level: u8, step: BodyStep<N>) {
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

/// Converts a small number without a conversion from floating point.
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
mod tests {
    use std::vec::Vec;

    use embedded_graphics::geometry::OriginDimensions;
    use lodger_core::Fixed;

    use super::*;
    use crate::display::FrameBuffer;

    const SIDE: usize = 9;
    const TOP: u8 = 4;

    fn number<N: Real>(value: f64) -> N {
        N::from_f64(value).unwrap()
    }

    fn step<N: Real>(wind: f64) -> BodyStep<N> {
        BodyStep { time: number(1.0 / 32.0), wind: number(wind) }
    }

    fn blown<N: Real>(levels: &[u8], frames: usize) -> Cloth<N, SIDE> {
        let mut cloth = Cloth::new(number(1.0));
        levels.iter().cycle().take(frames).for_each(|&level| cloth.step(level, step(3.0)));
        cloth
    }

    fn hanging<N: Real>(cloth: &Cloth<N, SIDE>) -> Vec<[f64; 3]> {
        let rows = cloth.vertices.iter().step_by(4).skip(1);
        rows.flat_map(|row| row.iter().step_by(4)).map(|v| v.now.map(N::to_f64)).collect()
    }

    #[test]
    fn work_is_vertices_times_iterations() {
        let units = |level| <Cloth<f32, SIDE> as Body<f32>>::units(level);
        let all: Vec<_> = (0..).map_while(units).collect();
        assert_eq!(all, [9, 27, 75, 162, 405]);
        assert_eq!(<Cloth<f32, 5> as Body<f32>>::units(TOP), Some(125));
        assert_eq!(units(5), None);
    }

    #[test]
    fn the_first_row_holds_and_the_rest_sags_and_blows() {
        let (still, cloth) = (Cloth::<f32, SIDE>::new(1.0), blown::<f32>(&[TOP], 100));
        for (before, after) in still.vertices[0].iter().zip(&cloth.vertices[0]) {
            assert_eq!(before.now, after.now);
        }
        for [x, y, z] in hanging(&cloth) {
            assert!(x.abs() < 0.7 && (-1.2..0.4).contains(&y) && z > 0.05, "{x} {y} {z}");
        }
    }

    #[test]
    fn links_keep_about_their_length_at_every_level() {
        for level in 0..=TOP {
            let cloth = blown::<f32>(&[level], 200);
            let stride = LEVELS[usize::from(level)].stride;
            let rest = f64::from(cloth.spacing) * stride as f64;
            for row in (0..SIDE - stride).step_by(stride) {
                for column in (0..SIDE).step_by(stride) {
                    let [a, b] = [row, row + stride].map(|row| cloth.vertex(row, column).now);
                    let length = f64::from(f32::norm_sq(difference(b, a))).sqrt();
                    assert!(
                        (0.8..1.5).contains(&(length / rest)),
                        "level {level}: {length} of {rest}"
                    );
                }
            }
        }
    }

    #[test]
    fn changes_of_level_keep_the_cloth_steady() {
        let levels = [0, 4, 1, 3, 2, 0, 3, 4, 0, 1];
        let (steady, changing) = (blown::<f32>(&[TOP], 300), blown::<f32>(&levels, 300));
        for (a, b) in hanging(&steady).into_iter().zip(hanging(&changing)) {
            let off = a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(off < 0.4, "{a:?} {b:?}");
        }
        // Finer vertices come between coarser ones: a cloth at rest stays flat.
        let mut flat = Cloth::<f32, SIDE>::new(1.0);
        flat.change(LEVELS[4]);
        let still = Cloth::<f32, SIDE>::new(1.0);
        for (a, b) in flat.vertices.as_flattened().iter().zip(still.vertices.as_flattened()) {
            assert_eq!(a.now, b.now);
        }
    }

    #[test]
    fn fixed_hangs_as_f32_does() {
        let (float, fixed) = (blown::<f32>(&[TOP], 200), blown::<Fixed>(&[TOP], 200));
        for (a, b) in hanging(&float).into_iter().zip(hanging(&fixed)) {
            let off = a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(off < 0.1, "{a:?} {b:?}");
        }
    }

    #[test]
    fn a_level_beyond_the_highest_does_nothing() {
        let mut cloth = blown::<f32>(&[TOP], 3);
        let before = hanging(&cloth);
        cloth.step(5, step(1.0));
        assert_eq!(hanging(&cloth), before);
    }

    #[test]
    fn a_cloth_at_rest_is_drawn_as_its_grid() {
        let cloth = Cloth::<f32, SIDE>::new(1.0);
        let mut display = FrameBuffer::<16, 2>::new();
        let camera = Camera::new([0.0, 0.0, 1.0], display.size());
        cloth.draw([0.0, 0.0, 0.0], &camera, &mut display).unwrap();
        let expected = "
    █▀▀▀█▀▀▀█   
    █   █   █   
    █▀▀▀█▀▀▀█   
    █   █   █   
    ▀▀▀▀▀▀▀▀▀   
";
        let picture = std::format!("\n{display}");
        assert!(picture.contains(expected.trim_matches('\n')), "{picture}");
    }
}
