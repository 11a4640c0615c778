//! Computes a level of detail (LOD) for every actor within a frame's budget, without `std` or allocation.
//!
//! Scenes, handles and ticks are in `lodger-scheduler`, and in `lodger-heapless` for firmware; both decide through this
//! crate. Its functions work on the caller's slices:
//!
//! ```
//! use lodger_core::Benefit;
//! use lodger_core::budget::{
//!     Carryover, IndexColumn, LadderSpan, Ladders, ModuleInput, ModuleView, Request, Scratch, Upgrade, decide,
//! };
//! use lodger_core::importance::solid_angle;
//! use lodger_core::units::{BenefitValue, Budget};
//!
//! // Two capes with a radius of 1 m, at distances of 2 and 5 m.
//! let near = Benefit::new(solid_angle(2.0_f32, 1.0, None))?; // π/4
//! let far = Benefit::new(solid_angle(5.0_f32, 1.0, None))?; // π/25
//!
//! // Levels 0 to 2 cost 0, 100 and 400 ns. A cape of benefit 1 may cost 1000 ns.
//! let capes = ModuleInput {
//!     benefit_value: BenefitValue::from_ns(1_000),
//!     ladders: Ladders { spans: &[LadderSpan::new(0, 3, 0)], costs: &[0, 100, 400] },
//!     benefits: &[near, far],
//!     ..ModuleInput::default()
//! };
//! let mut levels = [0; 2];
//! let ids = IndexColumn::Bytes(&[0, 1]);
//! let mut modules =
//!     [ModuleView { input: capes, ids, levels: &mut levels, ..ModuleView::default() }];
//!
//! let request = Request { budget: Budget::from_ns(600), ..Request::default() };
//! let scratch = Scratch { upgrades: &mut [Upgrade::default(); 2], moves: &mut [] };
//! let decision = decide(&request, &mut Carryover::default(), &mut modules[..], scratch);
//! assert_eq!((decision.assigned, levels), (500, [2, 1]));
//! # Ok::<(), lodger_core::ValueError>(())
//! ```
//!
//! | task | start at |
//! |---|---|
//! | Importance of an actor to a viewer | [`importance`]: [`DistanceImportance`](importance::DistanceImportance) |
//! | Benefit from distance, age and speed | [`benefit`]: [`BenefitRule`](benefit::BenefitRule) |
//! | A camera's zoom and frustum | [`view`]: [`View`](view::View) |
//! | Levels within a budget | [`budget::decide`], [`Policy`](budget::Policy), [`ModuleView`](budget::ModuleView) |
//! | Unit costs from measured times | [`calibration`]: [`Calibration`](calibration::Calibration) |
//! | Second Life's cost of an object, and its rules for links | [`cost`], [`linkability`] |
//!
//! All but the last follow NVIDIA's APEX LOD document; an item's documentation states where the document is silent or wrong.
//!
//! # Important terms
//!
//! - **actor**: something that is shown or simulated at one of several levels of detail
//! - **module**: actors of one kind, and the constants that they share
//! - **LOD**: level of detail; 0 is the cheapest
//! - **importance**: a number in \[0, 1\]; **benefit**: a weighted sum of importances
//! - **unit cost**: the price of a unit of work; **benefit value**: the price of a unit of benefit
//!
//! # Units and errors
//!
//! Lengths are metres, ages seconds. Costs are nanoseconds, or any other unit in whole numbers; [`units`]
//! converts milliseconds. Constructors reject invalid values with a [`ValueError`], which has the quantity and the problem;
//! no function panics.
//!
//! # Number types
//!
//! Formulas are generic over [`Real`]. Decisions use integers. Results have the same bits on a Cortex-M0 and on a server.
//!
//! | type | for | accuracy of importances against `f64` |
//! |---|---|---|
//! | `f64` | reference | |
//! | `f32` | everywhere | absolute 10⁻⁶ · max(1, ½·D²/(D²−πR²)) |
//! | [`Fixed`] | cores without a floating-point unit | absolute 2⁻¹⁴ · max(1, ½·D²/(D²−πR²)) |
//! | `Micro` | micromath's square root (feature `micromath`) | a table in its module |
//!
//! R is the actor's radius and D the distance at which importance reaches 0.
//!
//! # Features
//!
//! All are off by default.
//!
//! - `std`: the square root of `std`, which compilers vectorize; the bits are the same without.
//! - `micromath`: the number type `Micro`.
//! - `glam`: [`View`](view::View) implements `TryFrom` for the matrices of glam.
//! - `defmt`: every public type can be logged from a device.
//! - `serde`: types of scene files implement `Deserialize`, checked as by their constructors: quantities of [`units`] are
//!   milliseconds, a negative [`LodControl`](budget::LodControl) is automatic, and
//!   [`DistanceImportance`](importance::DistanceImportance) and [`Leftovers`](budget::Leftovers) are keywords.
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
mod product;
pub mod real;
mod target;
pub mod units;
pub mod view;

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
