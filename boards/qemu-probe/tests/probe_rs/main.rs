//! Unmodified probe-rs against chips that QEMU emulates, without hardware.
//!
//! The tests need `qemu-system-arm`. They wait for events, not for a time; timeouts only end a test that hangs.

mod debugging;
mod lifetime;
mod rig;
