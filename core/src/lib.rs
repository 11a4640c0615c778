//! The arithmetic of **lodger**, a scheduler for levels of detail.
//!
//! A frame has a few milliseconds and many actors that could each be shown or simulated in more
//! detail. This crate picks their levels: [`importance`] says how much an actor matters to a viewer,
//! [`benefit`] weighs importances into one integer, and [`budget`] turns benefits into levels of
//! detail that fit a budget, at unit costs that [`calibration`] learns from measurements. It
//! follows NVIDIA's APEX LOD document; if that document is silent or wrong, the item's own
//! documentation states the choice. [`cost`] computes the cost of an object's LODs and shapes
//! under Second Life's accounting, and [`linkability`] says which objects that grid allows to be
//! linked.
//!
//! The crate is `no_std`, allocates nothing, holds no `unsafe` and does not panic. The same functions
//! take the same slices on a Cortex-M0 and in a server with a million actors, and return the same
//! results, bit for bit.
//!
//! # Important terms
//!
//! - **actor**: something that can be shown or simulated at several levels of detail
//! - **module**: owns actors of one kind, and the constants that they share
//! - **LOD**: level of detail; 0 is the cheapest
//! - **importance**: a number in \[0, 1\]
//! - **benefit**: a weighted sum of importances; it says nothing about LOD
//! - **unit cost**, **benefit value**, **budget**: the price of a unit of work, the price of a unit of
//!   benefit, and the total that a frame may cost
//!
//! Units are metres, seconds and milliseconds at every API; squares say so in their names.
//!
//! # Number types
//!
//! Formulas are written once, over the trait [`real::Real`]:
//!
//! | type | for | accuracy of importances against `f64` |
//! |---|---|---|
//! | `f64` | reference | |
//! | `f32` | everywhere | absolute 10⁻⁶ · max(1, ½·D²/(D²−πR²)) |
//! | [`fixed::Fixed`] | cores without a floating-point unit | absolute 2⁻¹⁴ · max(1, ½·D²/(D²−πR²)) |
//! | `micro::Micro` | micromath's square root (feature `micromath`) | a table in the module |
//!
//! With the feature `defmt`, every public type can be logged from a device through `defmt::Format`.
//!
//! # Files
//!
//! With the feature `serde`, the types that scene files consist of implement `Deserialize`. Their
//! constructors check the values, and their [`ValueError`] is the message. [`units::Budget`],
//! [`units::UnitCost`] and [`units::BenefitValue`] are numbers of milliseconds; [`Benefit`],
//! [`budget::Lod`] and [`budget::LodControl`] (a negative number means automatic) are plain
//! numbers; [`benefit::Weights`], [`benefit::BenefitTerms`] and [`benefit::BenefitRule`] are tables whose
//! keys are the names of their terms; [`importance::DistanceImportance`] and [`budget::Leftovers`] are
//! keywords, as displayed and parsed, and also implement `Serialize`.
//!
//! # Example
//!
//! ```
//! use lodger_core::importance::solid_angle;
//!
//! // A sphere of 1 m seen from 4 m: π·1²/4² of the unit sphere's surface.
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
