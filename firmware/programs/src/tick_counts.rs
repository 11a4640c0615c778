//! Counts the instructions of whole ticks of the heapless scene, and prints a line for each: number type, name, instructions,
//! number of actors. Only meaningful where the clock counts instructions.

use core::hint::black_box;

use lodger_core::budget::Policy;
use lodger_heapless::{SceneError, WithMotion, WithOptimal};

use crate::board::{InstructionCounter, exit, finish};
use crate::tick_scene::{ACTORS, MovingScene, SceneOf64, TickNumber};

/// The frames before the counted ones.
const WARM_UP: usize = 8;
const FRAMES: usize = 64;

/// Counts, and ends the program.
pub fn run(measure: fn(&InstructionCounter) -> Result<(), SceneError>) -> ! {
    match InstructionCounter::start() {
        Some(counter) => finish(&measure(&counter)),
        None => exit(1),
    }
}

/// Counts the frames of a policy.
///
/// # Errors
/// An error of the scene.
// One scene at a time, because the smallest board has 16 KiB.
#[inline(never)]
pub fn frames<N: TickNumber, C: WithMotion + WithOptimal>(
    counter: &InstructionCounter,
    policy: &str,
    kind: Policy,
    max_passes: Option<u32>,
    begin: fn(&mut MovingScene<'_, N, C>) -> Result<(), SceneError>,
) -> Result<(), SceneError> {
    let print = |what: &str, count: u32| {
        semihosting::println!("{} {policy}_{what} {count} {ACTORS}", N::NAME);
    };
    let mut scene = SceneOf64::<N, C>::new();
    scene.set_max_passes(max_passes);
    let mut moving = MovingScene::new(&mut scene, kind)?;
    begin(&mut moving)?;
    print("first", frame(counter, &mut moving)?.whole());
    for _ in 1..WARM_UP {
        frame(counter, &mut moving)?;
    }
    let (mut whole, mut observed) = ([0; FRAMES], [0; FRAMES]);
    for (whole, observed) in whole.iter_mut().zip(&mut observed) {
        let frame = frame(counter, &mut moving)?;
        (*whole, *observed) = (frame.whole(), frame.observed);
    }
    let [median, worst] = [FRAMES / 2, FRAMES - 1];
    for counts in [&mut whole, &mut observed] {
        counts.sort_unstable();
    }
    let at = |counts: &[u32], place| counts.get(place).copied().unwrap_or(u32::MAX);
    print("median", at(&whole, median));
    print("worst", at(&whole, worst));
    print("observe", at(&observed, median));
    moving.halve_budget();
    print("halved", frame(counter, &mut moving)?.whole());
    Ok(())
}

/// The instructions of a frame, without the work and the clock.
struct FrameCount {
    tick: u32,
    observed: u32,
}

impl FrameCount {
    fn whole(&self) -> u32 {
        self.tick.saturating_add(self.observed)
    }
}

#[inline(never)]
fn frame<N: TickNumber, C: WithMotion + WithOptimal>(
    counter: &InstructionCounter,
    moving: &mut MovingScene<'_, N, C>,
) -> Result<FrameCount, SceneError> {
    moving.advance()?;
    let tick = counter.count(|| tick(moving));
    let (times, mut outcome) = (black_box(moving.times()), Ok(()));
    let observed = counter.count(|| outcome = moving.observe(times));
    outcome.map(|()| FrameCount { tick, observed })
}

// Not inlined, so that the count is the cost of a call.
#[inline(never)]
fn tick<N: TickNumber, C: WithMotion + WithOptimal>(moving: &mut MovingScene<'_, N, C>) {
    moving.tick();
    black_box(moving);
}
