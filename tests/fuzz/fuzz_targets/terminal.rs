//! Untrusted text on a terminal.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = lodger_fuzz::terminal(bytes);
});
