//! The XML of objects by itself.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = lodger_fuzz::objects(bytes);
});
