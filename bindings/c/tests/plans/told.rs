//! What is told of a scene: a line for each answer, its numbers in hexadecimal.

use std::fmt::Write as _;

/// The lines so far.
pub(crate) struct Told(String);

/// A floating-point number that only some plans have.
pub(crate) fn known(value: Option<f64>) -> u64 {
    value.map_or(u64::MAX, f64::to_bits)
}

impl Told {
    /// The first line.
    pub(crate) fn of_scene(seed: u64) -> Self {
        Self(format!("scene {seed}\n"))
    }

    /// A line of numbers.
    pub(crate) fn line(&mut self, name: &str, numbers: impl IntoIterator<Item = u64>) {
        self.0.push_str(name);
        for number in numbers {
            write!(self.0, " {number:x}").expect("a string takes all");
        }
        self.0.push('\n');
    }

    /// What a call returned.
    pub(crate) fn call(&mut self, status: i32) {
        self.line("call", [u64::try_from(status).expect("no status is negative")]);
    }

    /// All of it.
    pub(crate) fn into_text(self) -> String {
        self.0
    }
}
