//! The motion of the camera and of the actors.

use std::f64::consts::TAU;

use lodger_scenes::CameraPath;
use lodger_scheduler::ActorId;

use crate::random::{Random, Stream};
use crate::stage::{Ground, Stage, is_seen};

/// Metres a second, as where a file says nothing.
const SPEED: f64 = CameraPath::SPEED;

/// Where the camera goes.
#[derive(Debug, Clone, PartialEq)]
pub enum Path {
    /// On a circle around the middle of the scene, half way to its border, at 5 m/s.
    Orbit,
    /// Through the middle of the scene, to and fro along x, at 5 m/s.
    Line,
    /// Nowhere: it stands where the circle begins.
    Still,
    /// From waypoint to waypoint.
    File(CameraPath),
}

/// A camera on its way.
#[derive(Debug, Clone)]
pub(crate) enum Camera {
    Circle { ground: Ground, speed: f64 },
    Way(Way),
}

/// A way of straight pieces.
#[derive(Debug, Clone)]
pub(crate) struct Way {
    points: Vec<[f64; 3]>,
    /// How far each point is along the way.
    reached: Vec<f64>,
    speed: f64,
    /// Whether the last point is the first one; else the camera goes to and fro.
    is_closed: bool,
}

impl Camera {
    pub(crate) fn new(path: &Path, ground: Ground) -> Self {
        match path {
            Path::Orbit => Self::Circle { ground, speed: SPEED },
            Path::Still => Self::Circle { ground, speed: 0.0 },
            Path::Line => {
                let Ground { centre: [x, z], reach, eye } = ground;
                Self::Way(Way::new(vec![[x - reach, eye, z], [x + reach, eye, z]], SPEED, false))
            }
            Path::File(CameraPath { eyes, speed, closed, .. }) => {
                let mut points: Vec<_> = eyes.iter().map(|eye| eye.map(f64::from)).collect();
                if *closed {
                    points.extend(points.first().copied());
                }
                Self::Way(Way::new(points, *speed, *closed))
            }
        }
    }

    /// Where it is after so many seconds.
    pub(crate) fn eye(&self, seconds: f64) -> [f64; 3] {
        match self {
            Self::Circle { ground, speed } => {
                let radius = ground.reach / 2.0;
                let angle = (speed * seconds / radius) % TAU;
                let [x, z] = ground.centre;
                [x + radius * libm::cos(angle), ground.eye, z + radius * libm::sin(angle)]
            }
            Self::Way(way) => way.at(way.speed * seconds),
        }
    }
}

impl Way {
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

    fn at(&self, way: f64) -> [f64; 3] {
        let length = self.reached.last().copied().unwrap_or(0.0);
        if length == 0.0 {
            return self.points.first().copied().unwrap_or_default();
        }
        let way = match (self.is_closed, way % (2.0 * length)) {
            (true, _) => way % length,
            (false, back) if back > length => 2.0 * length - back,
            (false, forth) => forth,
        };
        let next =
            self.reached.partition_point(|reached| *reached <= way).clamp(1, self.points.len() - 1);
        let (from, to) = (self.points[next - 1], self.points[next]);
        let piece = self.reached[next] - self.reached[next - 1];
        let part = if piece > 0.0 { (way - self.reached[next - 1]) / piece } else { 0.0 };
        [0, 1, 2].map(|axis| from[axis] + (to[axis] - from[axis]) * part)
    }
}

/// The part of the actors that walk.
const WALKING: f64 = 0.3;
/// The slowest and the fastest, in metres a second.
const SPEEDS: (f64, f64) = (0.5, 3.0);

/// An actor that walks straight on and turns at the border.
#[derive(Debug, Clone)]
pub(crate) struct Walker {
    pub(crate) actor: usize,
    pub(crate) id: ActorId,
    /// Metres.
    pub(crate) position: [f64; 3],
    /// Metres a second along x and z.
    velocity: [f64; 2],
}

/// Some three tenths of the actors that are somewhere.
pub(crate) fn walkers(stage: &Stage, seed: u64) -> Vec<Walker> {
    let mut random = Random::new(seed, Stream::Walkers);
    let mut walkers = Vec::new();
    for (actor, (id, _)) in stage.actors.iter().enumerate() {
        // Drawn for everybody, so that one more actor changes nothing for the others.
        let (walks, heading) = (random.part() < WALKING, random.heading());
        let speed = random.between(SPEEDS.0, SPEEDS.1);
        let position = stage.scene.position(*id).filter(|_| is_seen(&stage.scene, *id));
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
    /// Walks on for so many seconds.
    pub(crate) fn walk(&mut self, seconds: f64, ground: Ground) {
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
    use super::{Camera, Path, Way};
    use crate::stage::Ground;

    const GROUND: Ground = Ground { centre: [10.0, 0.0], reach: 80.0, eye: 2.0 };

    #[test]
    fn a_circle_is_half_way_to_the_border() {
        let camera = Camera::new(&Path::Orbit, GROUND);
        assert_eq!(camera.eye(0.0), [50.0, 2.0, 0.0]);
        // A second is 5 m of 40.
        let [x, _, z] = camera.eye(1.0);
        assert!(
            ((x - 10.0).hypot(z) - 40.0).abs() < 1e-12
                && (z - 40.0 * 0.125_f64.sin()).abs() < 1e-12
        );
        assert_eq!(Camera::new(&Path::Still, GROUND).eye(9.0), camera.eye(0.0));
    }

    #[test]
    fn a_line_goes_to_and_fro() {
        let camera = Camera::new(&Path::Line, GROUND);
        let x = |seconds| camera.eye(seconds)[0];
        assert_eq!([x(0.0), x(16.0), x(32.0), x(40.0), x(64.0)], [-70.0, 10.0, 90.0, 50.0, -70.0]);
    }

    #[test]
    fn a_closed_way_begins_again_and_points_may_be_equal() {
        let square = |x: f64, z: f64| [x, 0.0, z];
        let points = vec![
            square(0.0, 0.0),
            square(3.0, 0.0),
            square(3.0, 0.0),
            square(3.0, 4.0),
            square(0.0, 0.0),
        ];
        let way = Way::new(points, 1.0, true);
        assert_eq!(way.at(3.0), square(3.0, 0.0));
        assert_eq!(way.at(5.0), square(3.0, 2.0));
        assert_eq!(way.at(12.0), square(0.0, 0.0));
        assert_eq!(way.at(13.5), square(1.5, 0.0));
        let nowhere = Way::new(vec![square(1.0, 1.0); 3], 1.0, false);
        assert_eq!(nowhere.at(7.0), square(1.0, 1.0));
    }
}
