//! The entries of an archive, past the check sums of tar.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = lodger_fuzz::entries(bytes);
});
