//! Binary LLSD, by itself and as every block of an asset.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = lodger_fuzz::llsd(bytes);
});
