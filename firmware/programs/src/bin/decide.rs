//! Decides for 64 actors under shrinking budgets, and logs the decisions. The log is the same on every board.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod device {
    use lodger_core::budget::Leftovers;
    use lodger_core::importance::DistanceImportance::SolidAngle;
    use lodger_core::{Fixed, ValueError};
    use lodger_programs::bench_scene::{ACTORS, BenchScene, ROWS};
    use lodger_programs::board::{HostLink, finish};

    #[lodger_programs::board::entry]
    fn main() -> ! {
        let _host = HostLink::open();
        finish(&decide())
    }

    fn decide() -> Result<(), ValueError> {
        let mut scene = BenchScene::<Fixed>::new(SolidAngle, ROWS)?;
        let budget = scene.scarce();
        defmt::info!("{=usize} actors, targets of twice {=u64} ns", ACTORS, budget);
        for shift in 0..4 {
            let decision = scene.tick(budget >> shift, Leftovers::Keep);
            defmt::info!(
                "budget {=u64} ns: scale {=u64:#x}, spent {=u64} ns",
                budget >> shift,
                decision.scale.bits(),
                decision.assigned
            );
        }
        Ok(())
    }
}

#[cfg(not(target_os = "none"))]
fn main() {}
