//! A file of any kind, and gzip around it.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = lodger_fuzz::stream(bytes);
});
