//! Panics: QEMU shows a message and exit code 1, a debug probe a log line and a backtrace. The check for panics must find
//! it, too.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod device {
    use core::hint::black_box;

    use lodger_programs::board::{HostLink, exit};

    #[lodger_programs::board::entry]
    fn main() -> ! {
        let _host = HostLink::open();
        exit(look_up(black_box(2)))
    }

    #[inline(never)]
    fn look_up(place: usize) -> u8 {
        black_box([0, 1])[place]
    }
}

#[cfg(not(target_os = "none"))]
fn main() {}
