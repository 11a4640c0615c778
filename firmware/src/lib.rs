//! lodger in the frame loop of a microcontroller: an app over embedded-hal traits, for any board.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(target_os = "none", no_std)]
// Tests of exact arithmetic compare exactly, and count in small numbers.
#![cfg_attr(test, allow(clippy::float_cmp, clippy::cast_precision_loss))]

pub mod app;
pub mod clock;
pub mod cloth;
pub mod display;
pub mod led;
pub mod particles;
pub mod report;
pub mod scene;
