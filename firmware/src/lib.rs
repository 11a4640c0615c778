//! lodger in the frame loop of a microcontroller: an app over embedded-hal traits, for any board.
//!
//! A board has a [`Clock`](clock::Clock), an output pin and a [`Display`](display::Display). An [`App`](app::App) owns
//! clock and pin, and runs frames; [`DemoScene`](scene::DemoScene) is an app with four cloths and four swarms.
//!
//! Without the default feature `app` the package is the clock alone, with [`Ticks`](clock::Ticks) over any counter, and has
//! no dependency.
//!
//! ```
//! use lodger_core::units::Budget;
//! use lodger_firmware::clock::{TickRate, Ticks};
//! use lodger_firmware::display::FrameBuffer;
//! use lodger_firmware::scene::{DemoScene, Setup};
//! # use embedded_hal_mock::eh1::digital::{Mock, State, Transaction};
//! # let mut led = Mock::new(&[Transaction::set(State::High)]);
//!
//! // A counter at 1 MHz that advances by 10 µs with each reading.
//! let mut count = 0_u32;
//! let read = move || {
//!     count += 10;
//!     count
//! };
//! let clock = Ticks::new(read, 32, TickRate::from_hz(1_000_000));
//! let mut scene = DemoScene::<f32, _, _>::new(clock, led.clone());
//! scene.populate(Setup::new()?);
//! scene.app.budget = Budget::from_ns(1);
//!
//! let mut over = 0;
//! scene.app.frame(&mut FrameBuffer::<128, 8>::new(), |frame| over = frame.over_budget()).unwrap();
//! // Each of both modules took 10 µs, so that the LED is on.
//! assert_eq!(over, 2 * 10_000 - 1);
//! # led.done();
//! # Ok::<(), lodger_core::ValueError>(())
//! ```
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(target_os = "none", no_std)]
// Tests of exact arithmetic compare exactly, and count in small numbers.
#![cfg_attr(test, allow(clippy::float_cmp, clippy::cast_precision_loss))]

#[cfg(feature = "app")]
pub mod app;
pub mod clock;
#[cfg(feature = "app")]
pub mod cloth;
#[cfg(feature = "app")]
pub mod display;
#[cfg(feature = "app")]
pub mod led;
#[cfg(feature = "app")]
pub mod particles;
#[cfg(feature = "app")]
pub mod report;
#[cfg(feature = "app")]
pub mod scene;
