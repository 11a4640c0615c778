//! How close a cost must be.
//!
//! A row promises `|got − expected| <= relative · unit + absolute`. The unit is that of each promise: the cost of the
//! greatest LOD's triangles shown everywhere for streaming cost, the cost itself for all else.

/// One promise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    /// What is computed.
    pub function: &'static str,
    /// The name of the number type.
    pub number: &'static str,
    /// Of the unit.
    pub relative: f64,
    /// In addition, for each unit of slenderness (the longest edge over the width) of the thinnest triangle.
    pub per_slenderness: f64,
    /// In any case.
    pub absolute: f64,
}

/// All promises. `Micro` keeps those of `f32`, whose bits it gives.
pub const TABLE: [Row; 12] = [
    row("streaming", "f64", 1e-14, 0.0, 0.0),
    row("streaming", "f32", 1e-6, 0.0, 0.0),
    row("streaming", "Fixed", 1e-3, 0.0, 0.0),
    // Half a unit of the result stays where a triangle costs less than that.
    row("streaming by a grid's own rules", "f64", 1e-14, 0.0, 0.0),
    row("streaming by a grid's own rules", "f32", 1e-6, 0.0, 0.0),
    row("streaming by a grid's own rules", "Fixed", 1e-3, 0.0, 1.0 / 131_072.0),
    row("mesh", "f64", 1e-12, 1e-14, 0.0),
    row("mesh", "f32", 1e-5, 2e-7, 0.0),
    row("mesh", "Fixed", 1e-6, 0.0, 1.0 / 131_072.0),
    row("other", "f64", 1e-14, 0.0, 0.0),
    row("other", "f32", 1e-6, 0.0, 0.0),
    row("other", "Fixed", 1e-6, 0.0, 1.0 / 65_536.0),
];

const fn row(
    function: &'static str,
    number: &'static str,
    relative: f64,
    per_slenderness: f64,
    absolute: f64,
) -> Row {
    Row { function, number, relative, per_slenderness, absolute }
}

/// The promise of a function for a number type.
///
/// # Panics
/// If the table lacks it.
#[must_use]
pub fn promise(function: &str, number: &str) -> &'static Row {
    let number = if number == "Micro" { "f32" } else { number };
    TABLE
        .iter()
        .find(|row| row.function == function && row.number == number)
        .expect("the table has a row for every function and number type")
}

impl Row {
    /// The greatest difference that passes.
    #[must_use]
    pub fn allowed(&self, unit: f64, slenderness: f64) -> f64 {
        (self.relative + self.per_slenderness * slenderness) * unit + self.absolute
    }
}
