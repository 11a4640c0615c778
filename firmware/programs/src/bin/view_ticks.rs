//! Counts the instructions of whole ticks of the heapless scene with priorities, a zoom and a frustum. In a program
//! of their own, these do not change how the scenes of `ticks` are compiled.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod device {
    use lodger_core::budget::Policy;
    use lodger_core::{Fixed, Real};
    use lodger_heapless::{Prioritised, SceneError, Viewed};
    use lodger_programs::board::{BoardNumber, InstructionCounter};
    use lodger_programs::tick_counts::{frames, run};
    use lodger_programs::tick_scene::{TickNumber, look_through_frustum, prioritise, zoom};

    #[lodger_programs::board::entry]
    fn main() -> ! {
        run(|counter| {
            policies::<Fixed>(counter)?;
            if BoardNumber::NAME == Fixed::NAME { Ok(()) } else { policies::<BoardNumber>(counter) }
        })
    }

    fn policies<N: TickNumber>(counter: &InstructionCounter) -> Result<(), SceneError> {
        let policy = Policy::default();
        frames::<N, Prioritised>(counter, "priority", policy, None, prioritise)?;
        frames::<N, Viewed>(counter, "zoom", policy, None, zoom)?;
        frames::<N, Viewed>(counter, "frustum", policy, None, look_through_frustum)
    }
}

#[cfg(not(target_os = "none"))]
fn main() {}
