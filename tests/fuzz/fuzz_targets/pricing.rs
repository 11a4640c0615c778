//! A mesh at all sizes, and what a land impact allows it.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = lodger_fuzz::pricing(bytes);
});
