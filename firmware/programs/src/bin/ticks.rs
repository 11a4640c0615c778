//! Counts the instructions of whole ticks of the heapless scene under every policy.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod device {
    use lodger_core::budget::Policy;
    use lodger_core::{Fixed, Real};
    use lodger_heapless::{Everything, SceneError};
    use lodger_programs::board::{BoardNumber, InstructionCounter};
    use lodger_programs::tick_counts::{frames, run};
    use lodger_programs::tick_scene::{MovingScene, TickNumber};

    #[lodger_programs::board::entry]
    fn main() -> ! {
        run(|counter| {
            policies::<Fixed>(counter)?;
            if BoardNumber::NAME == Fixed::NAME { Ok(()) } else { policies::<BoardNumber>(counter) }
        })
    }

    fn policies<N: TickNumber>(counter: &InstructionCounter) -> Result<(), SceneError> {
        let plain = |_: &mut MovingScene<'_, N, Everything>| Ok(());
        frames(counter, "keep", Policy::APEX, None, plain)?;
        frames(counter, "default", Policy::default(), None, plain)?;
        frames(counter, "optimal", Policy::Optimal, None, plain)?;
        frames(counter, "limited", Policy::Optimal, Some(1), plain)
    }
}

#[cfg(not(target_os = "none"))]
fn main() {}
