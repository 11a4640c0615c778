//! Tells the code whether the compiler knows `core::hint::cold_path`, so that older ones can build it too.

use std::env;
use std::process::Command;

/// The first Rust 1.N that has it.
const COLD_PATH: u32 = 95;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(has_cold_path)");
    if minor_version().is_some_and(|minor| minor >= COLD_PATH) {
        println!("cargo::rustc-cfg=has_cold_path");
    }
}

/// The N of Rust 1.N. Of a compiler that does not tell, nothing is asked that is new.
fn minor_version() -> Option<u32> {
    let told = Command::new(env::var_os("RUSTC")?).arg("--version").output().ok()?;
    let told = String::from_utf8(told.stdout).ok()?;
    told.strip_prefix("rustc 1.")?.split('.').next()?.parse().ok()
}
