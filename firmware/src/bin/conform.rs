//! Answers the host's questions until it has no more.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
#[lodger_firmware::board::entry]
fn main() -> ! {
    use lodger_firmware::board::{Host, exit, finish};
    use lodger_wire::conform::serve;

    match Host::open() {
        Some(host) => finish(&serve(host)),
        None => exit(1),
    }
}

#[cfg(not(target_os = "none"))]
fn main() {}
