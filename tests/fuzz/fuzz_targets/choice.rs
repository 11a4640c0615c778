//! Objects that a selector names, as in `region.oar:NAME`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = lodger_fuzz::choice(bytes);
});
