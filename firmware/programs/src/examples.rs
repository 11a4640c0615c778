//! Example firmware for QEMU's `mps2-an386` with the feature `examples`: a plain loop, embassy and RTIC
//! (`src/bin/plain.rs`, `embassy.rs`, `rtic.rs`).
//!
//! Twelve voices and six emitters of sparks have five levels each, and share a budget, which halves twice. [`scene`] is
//! their scene in the scheduler, [`modules`] their work, [`budget_test`] tests whether the budget is kept, and `mps2` is
//! the board support.

pub mod budget_test;
pub mod modules;
#[cfg(target_os = "none")]
pub mod mps2;
pub mod scene;

#[cfg(target_os = "none")]
pub use stall::Stall;

/// A module that hangs when the program has the argument `stall`, so that the watchdog resets the board.
#[cfg(target_os = "none")]
mod stall {
    use core::hint::spin_loop;
    use core::sync::atomic::{AtomicU32, Ordering};

    use semihosting::experimental::env::args;

    /// A mark that uninitialised memory does not contain by chance.
    const STALLED: u32 = 0x5741_5443;
    const FRAME: u32 = 50;

    // Nothing else is in this section, and nothing initialises it.
    #[allow(unsafe_code)]
    #[unsafe(link_section = ".uninit.stalled")]
    static MARK: AtomicU32 = AtomicU32::new(0);

    /// The frames until a module hangs; `None` if none shall.
    #[derive(Debug)]
    pub struct Stall(Option<u32>);

    impl Stall {
        /// Reads the arguments at the start. Ends the program successfully if the watchdog has reset the board.
        #[must_use]
        pub fn prepare() -> Self {
            if MARK.swap(0, Ordering::Relaxed) == STALLED {
                defmt::info!("a module hung, and the watchdog has begun again");
                semihosting::process::exit(0)
            }
            let wanted =
                args::<64>().is_ok_and(|args| args.into_iter().any(|arg| arg == Ok("stall")));
            Self(wanted.then_some(FRAME))
        }

        /// Call this once in each frame: it hangs after 50 calls, if the program has the argument `stall`.
        pub fn frame(&mut self) {
            let Some(frames) = &mut self.0 else { return };
            if *frames > 0 {
                *frames -= 1;
                return;
            }
            MARK.store(STALLED, Ordering::Relaxed);
            loop {
                spin_loop();
            }
        }
    }
}
