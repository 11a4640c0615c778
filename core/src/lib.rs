//! The arithmetic of **lodger**, a scheduler for levels of detail.
//!
//! A frame has a few milliseconds, and many actors that could each be shown or simulated in more detail. [`importance`]
//! says how much an actor matters to a viewer, [`benefit`] weighs importances into one integer, and [`budget`] turns
//! benefits into levels that fit a budget, at unit costs that [`calibration`] learns from measurements. They follow
//! NVIDIA's APEX LOD document; an item's documentation states where it is silent or wrong. [`cost`] and [`linkability`] are
//! Second Life's accounting of objects and its rules for linking them.
//!
//! The crate is `no_std`, allocates nothing, holds no `unsafe` and does not panic. Results have the same bits on a
//! Cortex-M0 and on a server.
//!
//! # Important terms
//!
//! - **actor**: something that is shown or simulated at one of several levels of detail
//! - **module**: actors of one kind, and the constants that they share
//! - **LOD**: level of detail; 0 is the cheapest
//! - **importance**: a number in \[0, 1\]; **benefit**: a weighted sum of importances
//! - **unit cost**: the price of a unit of work; **benefit value**: the price of a unit of benefit
//!
//! Units are metres, seconds and milliseconds at every API.
//!
//! # Number types
//!
//! Formulas are generic over [`real::Real`]:
//!
//! | type | for | accuracy of importances against `f64` |
//! |---|---|---|
//! | `f64` | reference | |
//! | `f32` | everywhere | absolute 10⁻⁶ · max(1, ½·D²/(D²−πR²)) |
//! | [`fixed::Fixed`] | cores without a floating-point unit | absolute 2⁻¹⁴ · max(1, ½·D²/(D²−πR²)) |
//! | `micro::Micro` | micromath's square root (feature `micromath`) | a table in the module |
//!
//! # Features
//!
//! - `defmt`: every public type can be logged from a device.
//! - `serde`: types of scene files implement `Deserialize`, checked as by their constructors: quantities of [`units`] are
//!   milliseconds, a negative [`budget::LodControl`] is automatic, and [`importance::DistanceImportance`] and
//!   [`budget::Leftovers`] are keywords.
//!
//! # Example
//!
//! ```
//! use lodger_core::importance::solid_angle;
//!
//! // A sphere of 1 m at a distance of 4 m: π·1²/4² of the unit sphere's surface.
//! let importance = solid_angle(4.0_f64, 1.0, None);
//! assert!((importance - core::f64::consts::PI / 16.0).abs() < 1e-12);
//! ```
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss
    )
)]
// Tests of exact arithmetic compare exactly, and count in small numbers.
#![cfg_attr(test, allow(clippy::float_cmp, clippy::cast_precision_loss))]

#[cfg(any(test, feature = "std"))]
extern crate std;

pub mod benefit;
pub mod budget;
pub mod calibration;
pub mod cost;
mod decimal;
#[cfg(feature = "serde")]
mod deserialize;
pub mod error;
pub mod fixed;
pub mod importance;
mod keyword;
pub mod linkability;
#[cfg(feature = "micromath")]
pub mod micro;
pub mod real;
mod target;
pub mod units;

pub use benefit::Benefit;
pub use error::ValueError;
pub use fixed::Fixed;
pub use keyword::UnknownKeyword;
#[cfg(feature = "micromath")]
pub use micro::Micro;
pub use real::Real;

/// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
