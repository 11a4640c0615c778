//! A program that can panic, for the check that finds panics: it must find this one.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
#[cortex_m_rt::entry]
fn main() -> ! {
    let exits = core::hint::black_box([0_u8, 1]);
    lodger_firmware::board::exit(exits[core::hint::black_box(0)])
}

#[cfg(not(target_os = "none"))]
fn main() {}
