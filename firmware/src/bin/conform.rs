//! Answers the host's questions over semihosting until it has no more.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
#[cortex_m_rt::entry]
fn main() -> ! {
    use lodger_firmware::board::{Host, exit, finish};
    use lodger_wire::conform::serve;

    match Host::open() {
        Ok(host) => finish(&serve(host)),
        Err(_) => exit(1),
    }
}

#[cfg(not(target_os = "none"))]
fn main() {}
