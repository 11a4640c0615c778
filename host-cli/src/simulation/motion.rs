use std::f64::consts::TAU;

use lodger_scenes::CameraPath;
use lodger_scheduler::ActorId;

use super::random::{RandomStream, StreamKind};
use super::simulated_scene::{Ground, SimulationScene, has_position};

/// The default speed in metres per second.
const SPEED: f64 = CameraPath::SPEED;

#[derive(Debug, Clone, PartialEq)]
pub enum CameraMotion {
    /// A circle around the middle of the scene, half way to its border, at 5 m/s. The camera looks at the middle.
    Orbit,
    /// To and fro along x through the middle of the scene, at 5 m/s. The camera looks along x.
    Line,
    /// A fixed position, where the circle begins. The camera looks at the middle.
    Still,
    /// Along waypoints.
    File(CameraPath),
}

#[derive(Debug, Clone)]
pub(crate) enum CameraPosition {
    Circle { ground: Ground, speed: f64 },
    Track(CameraTrack),
}

/// A place of the camera, in metres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct CameraPose {
    pub(crate) eye: [f64; 3],
    /// The direction of view; `None` if the path has none.
    pub(crate) direction: Option<[f64; 3]>,
}

#[derive(Debug, Clone)]
pub(crate) struct CameraTrack {
    points: Vec<[f64; 3]>,
    directions: TrackDirections,
    /// The distance of each point from the start, along the line.
    reached: Vec<f64>,
    speed: f64,
    /// Whether the last point is the first one; else the camera goes to and fro.
    is_closed: bool,
}

#[derive(Debug, Clone)]
enum TrackDirections {
    None,
    AlongX,
    /// Towards a point for each point of the track.
    Towards(Vec<[f64; 3]>),
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
                    TrackDirections::AlongX,
                    SPEED,
                    false,
                ))
            }
            CameraMotion::File(CameraPath { eyes, looks, speed, closed, .. }) => {
                let first = usize::from(*closed);
                let points = |points: &[[f32; 3]]| -> Vec<_> {
                    let all = points.iter().chain(points.iter().take(first));
                    all.map(|point| point.map(f64::from)).collect()
                };
                let directions = if looks.is_empty() {
                    TrackDirections::None
                } else {
                    TrackDirections::Towards(points(looks))
                };
                Self::Track(CameraTrack::new(points(eyes), directions, *speed, *closed))
            }
        }
    }

    pub(crate) fn pose(&self, seconds: f64) -> CameraPose {
        match self {
            Self::Circle { ground, speed } => {
                let radius = ground.reach / 2.0;
                let angle = (speed * seconds / radius) % TAU;
                let [x, z] = ground.centre;
                let [along_x, along_z] = [libm::cos(angle), libm::sin(angle)];
                CameraPose {
                    eye: [x + radius * along_x, ground.eye, z + radius * along_z],
                    direction: Some([-along_x, 0.0, -along_z]),
                }
            }
            Self::Track(track) => track.at(track.speed * seconds),
        }
    }
}

impl CameraTrack {
    fn new(
        points: Vec<[f64; 3]>,
        directions: TrackDirections,
        speed: f64,
        is_closed: bool,
    ) -> Self {
        let mut length = 0.0;
        let mut reached = vec![length];
        for pair in points.windows(2) {
            let square = |axis: usize| (pair[1][axis] - pair[0][axis]).powi(2);
            length += (square(0) + square(1) + square(2)).sqrt();
            reached.push(length);
        }
        Self { points, directions, reached, speed, is_closed }
    }

    fn at(&self, distance: f64) -> CameraPose {
        let length = self.reached.last().copied().unwrap_or(0.0);
        let distance = match (self.is_closed, distance % (2.0 * length)) {
            _ if length == 0.0 => 0.0,
            (true, _) => distance % length,
            (false, back) if back > length => 2.0 * length - back,
            (false, forth) => forth,
        };
        let next = self
            .reached
            .partition_point(|reached| *reached <= distance)
            .clamp(1, self.points.len() - 1);
        let piece = self.reached[next] - self.reached[next - 1];
        let part = if piece > 0.0 { (distance - self.reached[next - 1]) / piece } else { 0.0 };
        let between = |points: &[[f64; 3]]| {
            let (from, to) = (points[next - 1], points[next]);
            [0, 1, 2].map(|axis| from[axis] + (to[axis] - from[axis]) * part)
        };
        let eye = between(&self.points);
        let direction = match &self.directions {
            TrackDirections::None => None,
            TrackDirections::AlongX => Some([1.0, 0.0, 0.0]),
            TrackDirections::Towards(looks) => {
                let look = between(looks);
                Some([0, 1, 2].map(|axis| look[axis] - eye[axis]))
            }
        };
        CameraPose { eye, direction }
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
    use super::{CameraMotion, CameraPosition, CameraTrack, TrackDirections};

    const GROUND: Ground = Ground { centre: [10.0, 0.0], reach: 80.0, eye: 2.0 };

    #[test]
    fn a_circle_is_half_way_to_the_border() {
        let camera = CameraPosition::new(&CameraMotion::Orbit, GROUND);
        assert_eq!(camera.pose(0.0).eye, [50.0, 2.0, 0.0]);
        assert_eq!(camera.pose(0.0).direction, Some([-1.0, 0.0, 0.0]));
        // A second is 5 m of 40.
        let [x, _, z] = camera.pose(1.0).eye;
        assert!(
            ((x - 10.0).hypot(z) - 40.0).abs() < 1e-12
                && (z - 40.0 * 0.125_f64.sin()).abs() < 1e-12
        );
        let still = CameraPosition::new(&CameraMotion::Still, GROUND);
        assert_eq!(still.pose(9.0), camera.pose(0.0));
    }

    #[test]
    fn a_line_goes_to_and_fro() {
        let camera = CameraPosition::new(&CameraMotion::Line, GROUND);
        let x = |seconds| camera.pose(seconds).eye[0];
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
        let track = CameraTrack::new(points, TrackDirections::None, 1.0, true);
        let at = |distance| track.at(distance).eye;
        assert_eq!(at(3.0), square(3.0, 0.0));
        assert_eq!(at(5.0), square(3.0, 2.0));
        assert_eq!(at(12.0), square(0.0, 0.0));
        assert_eq!(at(13.5), square(1.5, 0.0));
        let nowhere = vec![square(1.0, 1.0); 3];
        let nowhere = CameraTrack::new(nowhere, TrackDirections::None, 1.0, false);
        assert_eq!(nowhere.at(7.0).eye, square(1.0, 1.0));
    }

    #[test]
    fn a_track_looks_at_points_between_those_of_its_waypoints() {
        let text = "closed = true\n[[waypoint]]\neye = [0, 1, 0]\nlook = [0, 1, -9]\n[[waypoint]]\neye = [5, 1, 0]\n\
                    look = [9, 1, 0]\n";
        let quota = lodger_quota::Quota::new(lodger_quota::QuotaLimits::default());
        let path = lodger_scenes::CameraPath::from_toml(text, &quota).expect("a path");
        let camera = CameraPosition::new(&CameraMotion::File(path), GROUND);
        let direction = |seconds| camera.pose(seconds).direction;
        assert_eq!(direction(0.0), Some([0.0, 0.0, -9.0]));
        assert_eq!(direction(0.5), Some([2.0, 0.0, -4.5]));
        assert_eq!(direction(1.5), direction(0.5));
        assert_eq!(direction(2.0), direction(0.0));
    }
}
