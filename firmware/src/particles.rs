//! Particles: points that rise from their actor in a helix that is widest at half height.
//!
//! Particles do not interact, so that the work is exactly the number of **particles**. Motion is in `f32` with micromath's
//! sine and cosine for every number type of the board; the error of at most 10⁻³ is less than a pixel.

use core::f32::consts::{PI, TAU};

use embedded_graphics::Pixel;
use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::pixelcolor::BinaryColor;
use lodger_core::benefit::{BenefitRule, BenefitTerms, Weights};
use lodger_core::{Real, ValueError};
use micromath::F32;

use crate::app::{Body, BodyStep};
use crate::display::Camera;

const WIDTH: f32 = 0.5;
/// Turns around the middle from bottom to top.
const TURNS: f32 = 2.0;

/// Returns the benefit rule of swarms: solid angle, up to 30 m away, and age.
///
/// # Errors
/// None for the number types of core.
pub fn rule<N: Real>() -> Result<BenefitRule<N>, ValueError> {
    let half = N::ONE / (N::ONE + N::ONE);
    BenefitRule::new(BenefitTerms {
        max_distance: N::from_f64(30.0),
        weights: Weights::new(half, half, N::ZERO)?,
        max_age: N::from_f64(20.0),
        ..BenefitTerms::default()
    })
}

#[derive(Debug, Clone, Copy, Default)]
struct Particle {
    /// The part of the height reached.
    way: f32,
    /// Heights per second.
    pace: f32,
    /// The initial angle, in radians.
    start: f32,
    /// The position relative to the actor, in heights.
    place: [f32; 3],
}

/// A swarm of up to `PARTICLES` particles, a multiple of 8.
#[derive(Debug, Clone)]
pub struct Swarm<const PARTICLES: usize> {
    particles: [Particle; PARTICLES],
    /// The number of particles of the last step.
    active: usize,
    /// The height in metres.
    height: f32,
}

impl<const PARTICLES: usize> Swarm<PARTICLES> {
    const PARTICLES_ARE_A_MULTIPLE_OF_8: () = assert!(PARTICLES > 0 && PARTICLES.is_multiple_of(8));

    /// Makes a swarm of a height in metres, random by a seed.
    #[must_use]
    pub fn new(height: f32, seed: u32) -> Self {
        () = Self::PARTICLES_ARE_A_MULTIPLE_OF_8;
        let mut random = ParticleRandom(seed | 1);
        let particles = core::array::from_fn(|_| Particle {
            way: random.unit(),
            pace: 0.2 + 0.3 * random.unit(),
            start: TAU * random.unit(),
            place: [0.0; 3],
        });
        Self { particles, active: 0, height }
    }

    /// Returns the number of particles at a level: none, an eighth, a quarter, half, all.
    const fn at(level: u8) -> Option<usize> {
        match level {
            0 => Some(0),
            1..=4 => Some(PARTICLES >> (4 - level)),
            _ => None,
        }
    }
}

impl Particle {
    fn rise(&mut self, time: f32) {
        let way = self.way + self.pace * time;
        self.way = if way < 1.0 { way } else { 0.0 };
        let angle = self.start + TURNS * TAU * self.way;
        let reach = WIDTH * F32(PI * self.way).sin().0;
        self.place = [reach * F32(angle).cos().0, self.way, reach * F32(angle).sin().0];
    }
}

impl<N: Real, const PARTICLES: usize> Body<N> for Swarm<PARTICLES> {
    fn units(level: u8) -> Option<u32> {
        Self::at(level).and_then(|particles| u32::try_from(particles).ok())
    }

    #[allow(clippy::cast_possible_truncation)] // to the nearest
    fn step(&mut self, level: u8, step: BodyStep<N>) {
        let Some(active) = Self::at(level) else { return };
        let time = step.time.to_f64() as f32;
        self.active = active;
        self.particles.iter_mut().take(active).for_each(|particle| particle.rise(time));
    }

    fn draw<D>(&self, at: [N; 3], camera: &Camera<N>, display: &mut D) -> Result<(), D::Error>
    where
        D: DrawTarget<Color = BinaryColor>,
    {
        let [x, y, z] = at;
        let visible = self.particles.iter().take(self.active).filter_map(|particle| {
            let metres = |part: f32| N::from_f64((part * self.height).into());
            let [right, up, back] = particle.place;
            let point = [x + metres(right)?, y + metres(up)?, z + metres(back)?];
            camera.project(point).map(|point| Pixel(point, BinaryColor::On))
        });
        display.draw_iter(visible)
    }
}

/// G. Marsaglia's xorshift generator.
struct ParticleRandom(u32);

impl ParticleRandom {
    #[allow(clippy::cast_precision_loss)] // 24 bits are exact
    fn unit(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        (self.0 >> 8) as f32 / 16_777_216.0
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use embedded_graphics::geometry::OriginDimensions;
    use lodger_core::Fixed;

    use super::*;
    use crate::display::FrameBuffer;

    fn swarm(level: u8, frames: usize) -> Swarm<32> {
        let mut swarm = Swarm::new(2.0, 7);
        (0..frames).for_each(|_| swarm.step(level, BodyStep { time: 1.0 / 32.0, wind: 0.0_f32 }));
        swarm
    }

    #[test]
    fn work_is_particles() {
        let all: Vec<_> = (0..).map_while(<Swarm<32> as Body<f32>>::units).collect();
        assert_eq!(all, [0, 4, 8, 16, 32]);
        let moved = |level| {
            let start = Swarm::<32>::new(2.0, 7);
            let after = swarm(level, 1);
            start.particles.iter().zip(&after.particles).filter(|(a, b)| a.way != b.way).count()
        };
        assert_eq!((0..5).map(moved).collect::<Vec<_>>(), [0, 4, 8, 16, 32]);
    }

    #[test]
    fn particles_stay_inside_their_swarm() {
        for frames in [1, 10, 100, 1_000] {
            for particle in &swarm(4, frames).particles {
                let [x, y, z] = particle.place;
                assert!((0.0..1.0).contains(&y) && x.hypot(z) <= WIDTH + 0.01, "{particle:?}");
            }
        }
    }

    #[test]
    fn swarms_of_different_seeds_differ() {
        let ways = |seed| Swarm::<8>::new(1.0, seed).particles.map(|particle| particle.way);
        assert_eq!(ways(5), ways(5));
        assert_ne!(ways(5), ways(7));
        assert!(ways(0).iter().all(|way| (0.0..1.0).contains(way)));
    }

    #[test]
    fn the_same_is_drawn_in_fixed_within_a_few_pixels() {
        let swarm = swarm(4, 50);
        let picture = |count: u32| (20..=32).contains(&count);
        let mut display = FrameBuffer::<64, 8>::new();
        let camera = Camera::new([0.0_f32, 1.0, 2.0], display.size());
        swarm.draw([0.0, 0.0, 0.0], &camera, &mut display).unwrap();
        assert!(picture(display.lit()), "{display}");
        let mut other = FrameBuffer::<64, 8>::new();
        let eye = [0, 1, 2].map(Fixed::from_int);
        swarm.draw([Fixed::ZERO; 3], &Camera::new(eye, other.size()), &mut other).unwrap();
        assert!(picture(other.lit()), "{other}");
    }
}
