//! Counts the instructions of importance functions and of ticks, and prints a line for each: number type, name, total
//! instructions, number of calls. Only meaningful where the clock counts instructions.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod device {
    use core::hint::black_box;

    use lodger_core::budget::{Hysteresis, Leftovers};
    use lodger_core::importance::DistanceImportance::{self, Angular, SolidAngle};
    use lodger_core::{Fixed, Real, ValueError};
    use lodger_programs::bench_scene::{ACTORS, BenchScene, FEW, ROWS};
    use lodger_programs::board::{InstructionCounter, exit, finish};

    #[lodger_programs::board::entry]
    fn main() -> ! {
        match InstructionCounter::start() {
            Some(counter) => finish(&measure::<Fixed>(&counter).and(measure::<f32>(&counter))),
            None => exit(1),
        }
    }

    fn measure<N: Real>(counter: &InstructionCounter) -> Result<(), ValueError> {
        importances::<N>(counter)?;
        ticks::<N>(counter)?;
        angular_tick::<N>(counter)?;
        ticks_of_few::<N>(counter)?;
        optimal_ticks::<N>(counter)
    }

    fn print<N: Real>(what: &str, count: u32, times: usize) {
        semihosting::println!("{} {what} {count} {times}", N::NAME);
    }

    #[inline(never)]
    fn importances<N: Real>(counter: &InstructionCounter) -> Result<(), ValueError> {
        let scene = BenchScene::<N>::new(SolidAngle, ROWS)?;
        let mut out = [N::ZERO; ROWS];
        for (name, importance) in [("solid_angle", SolidAngle), ("angular", Angular)] {
            print::<N>(name, counter.count(|| distances(&scene, importance, &mut out)), ROWS);
            black_box(&out);
        }
        print::<N>("age", counter.count(|| ages(&scene, &mut out)), ROWS);
        black_box(&out);
        print::<N>("speed", counter.count(|| speeds(&scene, &mut out)), ROWS);
        black_box(&out);
        Ok(())
    }

    // One scene at a time, because the smallest board has 16 KiB.
    #[inline(never)]
    fn ticks<N: Real>(counter: &InstructionCounter) -> Result<(), ValueError> {
        let mut scene = BenchScene::<N>::new(SolidAngle, ROWS)?;
        let budget = scene.scarce();
        print::<N>("benefit", counter.count(|| weigh(&mut scene)), ACTORS);
        print::<N>("tick", counter.count(|| keep(&mut scene, budget)), ACTORS);
        print::<N>("default", counter.count(|| spend(&mut scene, budget)), ACTORS);
        scene.keep_ladders();
        print::<N>("tick_column", counter.count(|| keep(&mut scene, budget)), ACTORS);
        Ok(())
    }

    #[inline(never)]
    fn angular_tick<N: Real>(counter: &InstructionCounter) -> Result<(), ValueError> {
        let mut scene = BenchScene::<N>::new(Angular, ROWS)?;
        let budget = scene.scarce();
        print::<N>("tick_angular", counter.count(|| keep(&mut scene, budget)), ACTORS);
        Ok(())
    }

    #[inline(never)]
    fn ticks_of_few<N: Real>(counter: &InstructionCounter) -> Result<(), ValueError> {
        let mut scene = BenchScene::<N>::new(SolidAngle, FEW)?;
        let budget = scene.scarce();
        print::<N>("tick_few", counter.count(|| keep(&mut scene, budget)), 2 * FEW);
        scene = BenchScene::new(Angular, FEW)?;
        scene.keep_ladders();
        let budget = scene.scarce();
        print::<N>("worst", counter.count(|| spend(&mut scene, budget)), 2 * FEW);
        Ok(())
    }

    #[inline(never)]
    fn optimal_ticks<N: Real>(counter: &InstructionCounter) -> Result<(), ValueError> {
        let mut scene = BenchScene::<N>::new(SolidAngle, ROWS)?;
        let budget = scene.scarce();
        let off = Hysteresis::OFF;
        print::<N>("search", counter.count(|| optimal(&mut scene, budget, off)), ACTORS);
        optimal(&mut scene, budget, Hysteresis::TYPICAL);
        scene.move_viewer();
        let steady = Hysteresis::TYPICAL;
        print::<N>("steady", counter.count(|| optimal(&mut scene, budget, steady)), ACTORS);
        Ok(())
    }

    // Not inlined, so that counts are the cost of a call.
    #[inline(never)]
    fn distances<N: Real>(
        scene: &BenchScene<N>,
        importance: DistanceImportance,
        out: &mut [N; ROWS],
    ) {
        scene.distances(importance, out);
    }

    #[inline(never)]
    fn ages<N: Real>(scene: &BenchScene<N>, out: &mut [N; ROWS]) {
        scene.ages(out);
    }

    #[inline(never)]
    fn speeds<N: Real>(scene: &BenchScene<N>, out: &mut [N; ROWS]) {
        scene.speeds(out);
    }

    #[inline(never)]
    fn weigh<N: Real>(scene: &mut BenchScene<N>) {
        black_box(scene.weigh());
    }

    #[inline(never)]
    fn keep<N: Real>(scene: &mut BenchScene<N>, budget: u64) {
        black_box(scene.tick(black_box(budget), Leftovers::Keep));
        black_box(scene);
    }

    #[inline(never)]
    fn spend<N: Real>(scene: &mut BenchScene<N>, budget: u64) {
        black_box(scene.tick(black_box(budget), Leftovers::default()));
        black_box(scene);
    }

    #[inline(never)]
    fn optimal<N: Real>(scene: &mut BenchScene<N>, budget: u64, hysteresis: Hysteresis) {
        black_box(scene.optimal(budget, hysteresis));
        black_box(scene);
    }
}

#[cfg(not(target_os = "none"))]
fn main() {}
