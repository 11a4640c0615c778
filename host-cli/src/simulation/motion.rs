use std::f64::consts::TAU;

use lodger_scenes::CameraPath;
use lodger_scheduler::ActorId;

use super::random::{RandomStream, StreamKind};
use super::simulated_scene::{Ground, SimulationScene, has_position};

/// The default speed in metres per second.
const SPEED: f64 = CameraPath::SPEED;

#[derive(Debug, Clone, PartialEq)]
pub enum CameraMotion {
    /// A circle around the middle of the scene, half way to its border, at 5 m/s.
    Orbit,
    /// To and fro along x through the middle of the scene, at 5 m/s.
    Line,
    /// A fixed position, where the circle begins.
    Still,
    /// Along waypoints.
    File(CameraPath),
}

#[derive(Debug, Clone)]
pub(crate) enum CameraPosition {
    Circle { ground: Ground, speed: f64 },
    Track(CameraTrack),
}

#[derive(Debug, Clone)]
pub(crate) struct CameraTrack {
    points: Vec<[f64; 3]>,
    /// The distance of each point from the start, along the line.
    reached: Vec<f64>,
    speed: f64,
    /// Whether the last point is the first one; else the camera goes to and fro.
    is_closed: bool,
}

impl CameraPosition {
    pub(crate) fn new(path: &CameraMotion, ground: Ground) -> Self {
        match path {
            CameraMotion::Orbit => Self::Circle { ground, speed: SPEED },
            CameraMotion::Still => Self::Circle { ground, speed: 0.0 },
            CameraMotion::Line => {
                let Ground { centre: [x, z], reach, eye } = ground;
                Self::Track(CameraTrack::new(
                    vec![[x - reach, eye, z], [x + reach, eye, z]],
                    SPEED,
                    false,
                ))
            }
            CameraMotion::File(CameraPath { eyes, speed, closed, .. }) => {
                let mut points: Vec<_> = eyes.iter().map(|eye| eye.map(f64::from)).collect();
                if *closed {
                    points.extend(points.first().copied());
                }
                Self::Track(CameraTrack::new(points, *speed, *closed))
            }
        }
    }

    pub(crate) fn eye(&self, seconds: f64) -> [f64; 3] {
        match self {
            Self::Circle { ground, speed } => {
                let radius = ground.reach / 2.0;
                let angle = (speed * seconds / radius) % TAU;
                let [x, z] = ground.centre;
                [x + radius * libm::cos(angle), ground.eye, z + radius * libm::sin(angle)]
            }
            Self::Track(track) => track.at(track.speed * seconds),
        }
    }
}

impl CameraTrack {
    fn new(points: Vec<[f64; 3]>, speed: f64, is_closed: bool) -> Self {
        let mut length = 0.0;
        let mut reached = vec![length];
        for pair in points.windows(2) {
            let square = |axis: usize| (pair[1][axis] - pair[0][axis]).powi(2);
            length += (square(0) + square(1) + square(2)).sqrt();
            reached.push(length);
        }
        Self { points, reached, speed, is_closed }
    }

    fn at(&self, distance: f64) -> [f64; 3] {
        let length = self.reached.last().copied().unwrap_or(0.0);
        if length == 0.0 {
            return self.points.first().copied().unwrap_or_default();
        }
        let distance = match (self.is_closed, distance % (2.0 * length)) {
            (true, _) => distance % length,
            (false, back) if back > length => 2.0 * length - back,
            (false, forth) => forth,
        };
        let next = self
            .reached
            .partition_point(|reached| *reached <= distance)
            .clamp(1, self.points.len() - 1);
        let (from, to) = (self.points[next - 1], self.points[next]);
        let piece = self.reached[next] - self.reached[next - 1];
        let part = if piece > 0.0 { (distance - self.reached[next - 1]) / piece } else { 0.0 };
        [0, 1, 2].map(|axis| from[axis] + (to[axis] - from[axis]) * part)
    }
}

/// The share of actors that walk.
const WALKING: f64 = 0.3;
/// The slowest and fastest speed, in metres per second.
const SPEEDS: (f64, f64) = (0.5, 3.0);

/// An actor that walks straight on and turns at the border.
#[derive(Debug, Clone)]
pub(crate) struct Walker {
    pub(crate) actor: usize,
    pub(crate) id: ActorId,
    /// Metres.
    pub(crate) position: [f64; 3],
    /// Metres per second along x and z.
    velocity: [f64; 2],
}

/// Chooses about three tenths of the actors that have a position.
pub(crate) fn walkers(simulated: &SimulationScene, seed: u64) -> Vec<Walker> {
    let mut random = RandomStream::new(seed, StreamKind::Walkers);
    let mut walkers = Vec::new();
    for (actor, (id, _)) in simulated.actors.iter().enumerate() {
        // Drawn for every actor, so that another actor changes nothing for the rest.
        let (walks, heading) = (random.unit() < WALKING, random.heading());
        let speed = random.between(SPEEDS.0, SPEEDS.1);
        let position =
            simulated.scene.position(*id).filter(|_| has_position(&simulated.scene, *id));
        if let Some(position) = position
            && walks
        {
            let velocity = heading.map(|along| along * speed);
            walkers.push(Walker { actor, id: *id, position: position.map(f64::from), velocity });
        }
    }
    walkers
}

impl Walker {
    pub(crate) fn advance(&mut self, seconds: f64, ground: Ground) {
        for (axis, velocity) in [0, 2].into_iter().zip(&mut self.velocity) {
            let centre = ground.centre[axis / 2];
            let place = &mut self.position[axis];
            *place += *velocity * seconds;
            let beyond = (*place - centre).abs() > ground.reach;
            if beyond && (*place - centre) * *velocity > 0.0 {
                *velocity = -*velocity;
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp)] // exact numbers
mod tests {
    use super::super::simulated_scene::Ground;
    use super::{CameraMotion, CameraPosition, CameraTrack};

    const GROUND: Ground = Ground { centre: [10.0, 0.0], reach: 80.0, eye: 2.0 };

    #[test]
    fn a_circle_is_half_way_to_the_border() {
        let camera = CameraPosition::new(&CameraMotion::Orbit, GROUND);
        assert_eq!(camera.eye(0.0), [50.0, 2.0, 0.0]);
        // A second is 5 m of 40.
        let [x, _, z] = camera.eye(1.0);
        assert!(
            ((x - 10.0).hypot(z) - 40.0).abs() < 1e-12
                && (z - 40.0 * 0.125_f64.sin()).abs() < 1e-12
        );
        assert_eq!(CameraPosition::new(&CameraMotion::Still, GROUND).eye(9.0), camera.eye(0.0));
    }

    #[test]
    fn a_line_goes_to_and_fro() {
        let camera = CameraPosition::new(&CameraMotion::Line, GROUND);
        let x = |seconds| camera.eye(seconds)[0];
        assert_eq!([x(0.0), x(16.0), x(32.0), x(40.0), x(64.0)], [-70.0, 10.0, 90.0, 50.0, -70.0]);
    }

    #[test]
    fn a_closed_track_begins_again_and_points_may_be_equal() {
        let square = |x: f64, z: f64| [x, 0.0, z];
        let points = vec![
            square(0.0, 0.0),
            square(3.0, 0.0),
            square(3.0, 0.0),
            square(3.0, 4.0),
            square(0.0, 0.0),
        ];
        let track = CameraTrack::new(points, 1.0, true);
        assert_eq!(track.at(3.0), square(3.0, 0.0));
        assert_eq!(track.at(5.0), square(3.0, 2.0));
        assert_eq!(track.at(12.0), square(0.0, 0.0));
        assert_eq!(track.at(13.5), square(1.5, 0.0));
        let nowhere = CameraTrack::new(vec![square(1.0, 1.0); 3], 1.0, false);
        assert_eq!(nowhere.at(7.0), square(1.0, 1.0));
    }
}
