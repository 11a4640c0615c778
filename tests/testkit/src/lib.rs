//! Test support for several packages: random numbers, builders of files, runs of programs and scripts of calls.
#![allow(missing_docs, reason = "not published")]
#![allow(
    clippy::missing_panics_doc,
    clippy::must_use_candidate,
    clippy::return_self_not_must_use,
    reason = "only tests call these functions: a panic is a failed test, and a test that drops a result tests nothing"
)]

/// Builders of files, one for each format. Lengths, counts and offsets may be false, and [`damage`](build::damage)
/// damages any file but keeps most of its structure.
pub mod build {
    pub mod archive;
    pub mod compressed;
    pub mod damage;
    pub mod gltf;
    pub mod llsd;
    pub mod mesh;
    pub mod scene;
    pub mod streamed_sog;
}
#[cfg(target_os = "linux")]
pub mod campaign;
mod case;
mod output;
pub mod page;
pub mod promises;
mod random;
pub mod run;
#[cfg(target_os = "linux")]
mod save_case;
pub mod script;
pub mod template;

pub use random::SplitMix64;

/// The FNV-1a hash of no bytes.
pub const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;

/// Adds bytes to an FNV-1a hash of 64 bits.
pub fn fnv1a(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The least number for which `holds` returns true; it must hold for all greater numbers below 2⁶³.
pub fn least(holds: impl Fn(u64) -> bool) -> u64 {
    let (mut low, mut high) = (0, 1 << 63);
    while low < high {
        let middle = u64::midpoint(low, high);
        if holds(middle) { high = middle } else { low = middle + 1 }
    }
    low
}
