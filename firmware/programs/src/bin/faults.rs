//! Causes a fault: QEMU shows its reason and exit code 1, a debug probe a backtrace.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod device {
    use core::hint::black_box;
    use core::ptr;

    use lodger_programs::board::{HostLink, exit};

    const NOTHING: usize = 0xa000_0000;

    #[lodger_programs::board::entry]
    fn main() -> ! {
        let _host = HostLink::open();
        exit(look_at(black_box(NOTHING)).to_le_bytes()[0])
    }

    #[inline(never)]
    fn look_at(address: usize) -> u32 {
        // SAFETY: there is no memory, so that the processor faults.
        #[allow(unsafe_code)]
        unsafe {
            ptr::with_exposed_provenance::<u32>(address).read_volatile()
        }
    }
}

#[cfg(not(target_os = "none"))]
fn main() {}
