//! What a fault looks like: in QEMU its reason and exit code 1, through a debug probe a backtrace.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod device {
    use core::hint::black_box;
    use core::ptr;

    use lodger_programs::board::{Host, exit};

    /// In the part of the address space that is for devices outside of the chip, where no board here has
    /// anything.
    const NOTHING: usize = 0xa000_0000;

    #[lodger_programs::board::entry]
    fn main() -> ! {
        let _host = Host::open();
        exit(look_at(black_box(NOTHING)).to_le_bytes()[0])
    }

    #[inline(never)]
    fn look_at(address: usize) -> u32 {
        // SAFETY: it reads what is no memory, so that the processor refuses to.
        #[allow(unsafe_code)]
        unsafe {
            ptr::with_exposed_provenance::<u32>(address).read_volatile()
        }
    }
}

#[cfg(not(target_os = "none"))]
fn main() {}
