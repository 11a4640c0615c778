//! Real probe-rs, against chips that QEMU emulates: what passes here was not passed by hardware.
//!
//! These tests need `qemu-system-arm`. They wait for what they expect, not for a time; the limits are
//! for what never comes.

mod debugging;
mod images;
mod lifetime;
mod rig;
