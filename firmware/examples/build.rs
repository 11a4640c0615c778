//! Has the linker find memory.x and device.x, which is all that firmware of one board needs.

use std::env;

fn main() {
    if env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "none") {
        println!("cargo::rustc-link-search={}", env!("CARGO_MANIFEST_DIR"));
        for arg in ["--nmagic", "-Tlink.x", "-Tdefmt.x"] {
            println!("cargo::rustc-link-arg-bins={arg}");
        }
    }
    for script in ["build.rs", "memory.x", "device.x"] {
        println!("cargo::rerun-if-changed={script}");
    }
}
