//! A scene whose eye stands still, in which some actors move from frame to frame.

use lodger_scheduler::{ActorId, Policy, Scene, SceneError, Stability};

use super::workload::{MovingViewScene, unit};

/// Who moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// Nobody.
    Nothing,
    /// One actor in a hundred, in runs of neighbouring rows.
    Runs,
    /// One actor in a hundred, scattered over all rows.
    Scattered,
}

/// How many neighbours move together.
const RUN: usize = 64;
/// Of how many actors one moves.
const ONE_IN: usize = 100;
/// So many choices of who moves take turns, so that they are not the same rows in every frame.
const CHOICES: u32 = 8;

/// Somebody who moves, and from where.
type Mover = (ActorId, [f32; 3]);

/// The scene, with those who may move.
#[derive(Clone, Debug)]
pub(super) struct StaticViewScene {
    scene: Scene,
    runs: Vec<Vec<Mover>>,
    scattered: Vec<Vec<Mover>>,
    frames: usize,
}

impl Change {
    /// All of them, in the order in which they are shown.
    pub(super) const ALL: [Self; 3] = [Self::Nothing, Self::Runs, Self::Scattered];

    /// Whether it is the first of them, by which a scene is known that all share.
    pub(super) const fn is_first(self) -> bool {
        matches!(self, Self::Nothing)
    }

    /// What reports call it.
    pub(super) const fn key(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Runs => "runs",
            Self::Scattered => "scattered",
        }
    }
}

impl StaticViewScene {
    /// A scene that is decided in this way.
    pub(super) fn new(seen: MovingViewScene, policy: Policy) -> Result<Self, SceneError> {
        let mut scene = seen.set(policy, Stability::OFF).scene;
        let modules: Vec<_> = scene.modules().collect();
        let mut rows = Vec::with_capacity(scene.len());
        for module in modules {
            let states = scene.states_mut(module)?;
            let places = states.x.iter().zip(&*states.y).zip(&*states.z);
            rows.extend(states.ids().zip(places.map(|((x, y), z)| [*x, *y, *z])));
        }
        let chosen = |run: usize| (0..CHOICES).map(|number| choice(&rows, run, number)).collect();
        Ok(Self { runs: chosen(RUN), scattered: chosen(1), scene, frames: 0 })
    }

    /// Tells the scheduler who has moved. It is no part of deciding, and measured by itself.
    pub(super) fn change(&mut self, change: Change) {
        let choices = match change {
            Change::Nothing => return,
            Change::Runs => &self.runs,
            Change::Scattered => &self.scattered,
        };
        self.frames += 1;
        // Everybody goes a step, and back when they are chosen for the next time.
        let back = (self.frames / choices.len()).is_multiple_of(2);
        let step = if back { 0.0 } else { 1.0 };
        for &(actor, [x, y, z]) in &choices[self.frames % choices.len()] {
            // Nobody was despawned, so nothing is refused.
            let _ = self.scene.set_position(actor, [x + step, y, z]);
        }
    }

    /// Decides. What it costs, in nanoseconds.
    pub(super) fn decide(&mut self) -> u64 {
        self.scene.tick().assigned_ns()
    }
}

/// One in a hundred of the rows, so many neighbours at a time.
fn choice(rows: &[Mover], run: usize, number: u32) -> Vec<Mover> {
    let wanted = rows.len().div_ceil(ONE_IN);
    let starts = (0_u32..).map(|start| unit(start.wrapping_mul(CHOICES).wrapping_add(number)));
    let runs = starts.map(|start| {
        let first = start_of(start, rows.len().saturating_sub(run) + 1);
        &rows[first..rows.len().min(first + run)]
    });
    runs.flatten().take(wanted).copied().collect()
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "a part of a number of rows"
)]
fn start_of(part: f32, rows: usize) -> usize {
    ((f64::from(part) * rows as f64) as usize).min(rows.saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use lodger_scheduler::Leftovers;

    use super::super::workload::Kind;
    use super::*;

    #[test]
    fn one_in_a_hundred_moves_and_comes_back() {
        let policy = Policy::Proportional(Leftovers::Keep);
        let mut still =
            StaticViewScene::new(MovingViewScene::new(20_000, Kind::Usual).unwrap(), policy)
                .unwrap();
        assert!(still.runs.iter().chain(&still.scattered).all(|movers| movers.len() == 200));
        let together = |movers: &[Mover]| {
            movers.windows(2).filter(|pair| pair[1].0.slot() == pair[0].0.slot() + 4).count()
        };
        assert!(together(&still.runs[0]) >= 195 && together(&still.scattered[0]) < 10);
        let all: Vec<_> =
            [&still.runs, &still.scattered].into_iter().flatten().flatten().copied().collect();
        let away = |still: &StaticViewScene| {
            all.iter().filter(|(actor, place)| still.scene.position(*actor) != Some(*place)).count()
        };
        for (change, many) in
            [(Change::Nothing, 0), (Change::Runs, 1_600), (Change::Scattered, 1_600)]
        {
            still.frames = 0;
            (0..15).for_each(|_| still.change(change));
            // Somebody may be chosen several times.
            assert!(
                (many..=many + many / 4).contains(&away(&still)),
                "{change:?}: {}",
                away(&still)
            );
            (0..8).for_each(|_| still.change(change));
            assert_eq!(away(&still), 0, "{change:?}");
            assert!(still.decide() > 0);
        }
    }
}
