//! A module that hangs, so that the watchdog has something to do: with the argument `stall`.

use core::hint::spin_loop;
use core::sync::atomic::{AtomicU32, Ordering};

use semihosting::experimental::env::args;

/// A mark that no memory holds by itself.
const STALLED: u32 = 0x5741_5443;
/// The frame in which a module hangs.
const FRAME: u32 = 50;

/// Not cleared by a reset.
// The section is memory that nothing else has and nothing is written to before the program.
#[allow(unsafe_code)]
#[unsafe(link_section = ".uninit.stalled")]
static MARK: AtomicU32 = AtomicU32::new(0);

/// The frames until a module hangs, if it is to.
#[derive(Debug)]
pub struct Stall(Option<u32>);

impl Stall {
    /// Looks at the arguments, once, at the beginning: ends the program where the watchdog has just reset
    /// it, as was to be shown.
    #[must_use]
    pub fn prepare() -> Self {
        if MARK.swap(0, Ordering::Relaxed) == STALLED {
            defmt::info!("a module hung, and the watchdog has begun again");
            semihosting::process::exit(0)
        }
        let wanted = args::<64>().is_ok_and(|args| args.into_iter().any(|arg| arg == Ok("stall")));
        Self(wanted.then_some(FRAME))
    }

    /// To be called once in each frame: hangs in the last.
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
