//! A scene in TOML, as `lodger schedule` reads it.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = lodger_fuzz::scene(bytes);
});
