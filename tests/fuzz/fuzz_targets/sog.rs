//! The index of a Streamed SOG, as `lodger schedule` reads it.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = lodger_fuzz::sog(bytes);
});
