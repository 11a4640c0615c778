//! Answers the host's questions until it has no more.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod device {
    use lodger_programs::board::{self, Host, exit, finish};
    use lodger_wire::conform::serve;

    #[board::entry]
    fn main() -> ! {
        match Host::open() {
            Some(host) => finish(&serve(host)),
            None => exit(1),
        }
    }
}

#[cfg(not(target_os = "none"))]
fn main() {}
