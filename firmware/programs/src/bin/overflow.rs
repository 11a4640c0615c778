//! Overflows the stack: it leaves its memory, which is a fault, and does not overwrite data. QEMU's mps2-an385 and -an386
//! have a device there that accepts writes and reads as zeros, so that the first return faults.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod device {
    use core::hint::black_box;

    use lodger_programs::board::{HostLink, exit};

    #[lodger_programs::board::entry]
    fn main() -> ! {
        let _host = HostLink::open();
        exit(deeper(0))
    }

    #[inline(never)]
    fn deeper(depth: u8) -> u8 {
        let room = black_box([depth; 128]);
        if black_box(true) { deeper(depth.wrapping_add(1)) | black_box(room)[0] } else { depth }
    }
}

#[cfg(not(target_os = "none"))]
fn main() {}
