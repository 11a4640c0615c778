//! The frames of a board.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = lodger_fuzz::telemetry(bytes);
});
