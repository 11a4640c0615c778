//! A mesh at all sizes, and the sizes within a land impact.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = lodger_fuzz::pricing(bytes);
});
