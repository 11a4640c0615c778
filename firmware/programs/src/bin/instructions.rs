//! Counts the instructions of the importance functions and of a 64-actor tick, and prints a line for
//! each: number type, what, instructions in all, how many times. It means something under
//! `-icount shift=6` only.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod device {
    use core::hint::black_box;

    use lodger_core::budget::Stability;
    use lodger_core::importance::DistanceImportance::{Angular, SolidAngle};
    use lodger_core::{Error, Fixed, Real};
    use lodger_programs::board::{InstructionCounter, exit, finish};
    use lodger_programs::measured::{ACTORS, ROWS, Scene};

    #[lodger_programs::board::entry]
    fn main() -> ! {
        match InstructionCounter::start() {
            Some(counter) => finish(&measure::<Fixed>(&counter).and(measure::<f32>(&counter))),
            None => exit(1),
        }
    }

    fn measure<N: Real>(counter: &InstructionCounter) -> Result<(), Error> {
        let mut scene = Scene::<N>::new()?;
        let budget = scene.scarce();
        let print =
            |what, count, times| semihosting::println!("{} {what} {count} {times}", N::NAME);
        let mut out = [N::ZERO; ROWS];
        for (name, importance) in [("solid_angle", SolidAngle), ("angular", Angular)] {
            print(name, counter.count(|| distances(&scene, importance, &mut out)), ROWS);
            black_box(&out);
        }
        print("age", counter.count(|| ages(&scene, &mut out)), ROWS);
        black_box(&out);
        print("speed", counter.count(|| speeds(&scene, &mut out)), ROWS);
        black_box(&out);
        print("benefit", counter.count(|| weigh(&mut scene)), ACTORS);
        print("tick", counter.count(|| tick(&mut scene, black_box(budget))), ACTORS);
        print("search", counter.count(|| optimal(&mut scene, budget, Stability::OFF)), ACTORS);
        optimal(&mut scene, budget, Stability::STEADY);
        scene.walk();
        print("steady", counter.count(|| optimal(&mut scene, budget, Stability::STEADY)), ACTORS);
        scene.keep_ladders();
        print("tick_column", counter.count(|| tick(&mut scene, black_box(budget))), ACTORS);
        Ok(())
    }

    // Functions of their own, so that what is counted is what a call costs.
    #[inline(never)]
    fn distances<N: Real>(
        scene: &Scene<N>,
        importance: lodger_core::importance::DistanceImportance,
        out: &mut [N; ROWS],
    ) {
        scene.distances(importance, out);
    }

    #[inline(never)]
    fn ages<N: Real>(scene: &Scene<N>, out: &mut [N; ROWS]) {
        scene.ages(out);
    }

    #[inline(never)]
    fn speeds<N: Real>(scene: &Scene<N>, out: &mut [N; ROWS]) {
        scene.speeds(out);
    }

    #[inline(never)]
    fn weigh<N: Real>(scene: &mut Scene<N>) {
        black_box(scene.weigh());
    }

    #[inline(never)]
    fn optimal<N: Real>(scene: &mut Scene<N>, budget: u64, stability: Stability) {
        black_box(scene.optimal(budget, stability));
        black_box(scene);
    }

    #[inline(never)]
    fn tick<N: Real>(scene: &mut Scene<N>, budget: u64) {
        black_box(scene.tick(budget));
        black_box(scene);
    }
}

#[cfg(not(target_os = "none"))]
fn main() {}
