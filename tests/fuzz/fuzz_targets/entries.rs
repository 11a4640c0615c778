//! The entries of an archive, without tar.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = lodger_fuzz::entries(bytes);
});
