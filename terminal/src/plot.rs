//! Pictures as SVG, drawn without a display: costs at every size ([`sweep()`]), ways to spend a frame
//! ([`comparison()`]), time over the number of actors ([`growth()`]), and values beside each other ([`bars()`]).

mod bars;
mod canvas;
mod comparison;
mod growth;
mod sweep;

pub use bars::{Bar, Bars, bars};
pub use comparison::{Comparison, Entry, FIGURES, comparison};
pub use growth::{Curve, Growth, growth};
pub use sweep::{PlotEvent, PlotPoint, SweepPlot, sweep};
