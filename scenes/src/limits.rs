//! How much is said about a stranger's file.

/// How much is said about a file. How much of it is taken is up to an
/// [`Allowance`](lodger_allowance::Allowance).
///
/// How deeply a file may be nested is up to the parsers, and not more than the stack bears: 80 tables or
/// arrays of TOML, 128 of JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The warnings that are kept, 5 by default: more of them say nothing new and are only counted.
    pub warnings: usize,
}

/// For what was read before, and taken into account then.
pub(crate) const UNLIMITED: lodger_allowance::Limits =
    lodger_allowance::Limits { memory: u64::MAX, work: u64::MAX };

/// As much as anybody may take.
#[cfg(test)]
pub(crate) fn plenty() -> lodger_allowance::Allowance {
    lodger_allowance::Allowance::new(lodger_allowance::Limits::default())
}

impl Default for Limits {
    fn default() -> Self {
        Self { warnings: 5 }
    }
}
