//! Sets `has_cold_path` if the compiler has `core::hint::cold_path`.

use std::env;
use std::process::Command;

/// The first Rust 1.N with the function.
const COLD_PATH: u32 = 95;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(has_cold_path)");
    if minor_version().is_some_and(|minor| minor >= COLD_PATH) {
        println!("cargo::rustc-cfg=has_cold_path");
    }
}

/// Returns the N of Rust 1.N, if known.
fn minor_version() -> Option<u32> {
    let output = Command::new(env::var_os("RUSTC")?).arg("--version").output().ok()?;
    let output = String::from_utf8(output.stdout).ok()?;
    output.strip_prefix("rustc 1.")?.split('.').next()?.parse().ok()
}
