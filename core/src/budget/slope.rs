//! What money buys along a ladder.

/// What the next unit of money buys at a level: quality for a unit of money along the upper hull of a
/// ladder, a mantissa with an exponent, rounded down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Slope {
    mantissa: u32,
    exponent: i16,
}

/// The slopes of a module's ladders, parallel to their costs, in memory that the ledger fills.
///
/// A level that costs more than there is belongs to no hull, so slopes hold for a range of money only,
/// and are made anew when the budget leaves it.
#[derive(Debug, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Slopes<'a> {
    /// A place for each cost. May be empty where the policy is not optimal.
    pub of_costs: &'a mut [Slope],
    /// For what they were made; to be kept with them from frame to frame.
    pub made_for: MadeFor,
}

/// For how much money slopes were made. The default is that of slopes that have to be made: whoever
/// changes a ladder, a cost or a quality sets it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct MadeFor {
    /// From that on, in nanoseconds.
    from: u64,
    /// To below that.
    to: u64,
}
