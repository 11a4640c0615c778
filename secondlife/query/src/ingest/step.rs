//! How far the work has come, and what was made.

/// How far the work has come.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step {
    /// A source begins, with so many assets and objects in it, if that is known.
    Source {
        /// Its name.
        name: String,
        /// Assets and objects.
        total: Option<u64>,
    },
    /// So many more assets and objects are done.
    Done(u64),
}

/// What was made.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct Summary {
    /// Rows that were added to `assets`.
    pub assets: u64,
    /// Assets with an error: of those that were added, and of those that were there before and were tried again.
    pub bad: u64,
    /// Objects whose parts were added.
    pub objects: u64,
    /// Rows that were added to `parts`.
    pub parts: u64,
    /// Assets and objects that were there before.
    pub known: u64,
    /// Files, assets and objects that are of no kind that counts.
    pub passed_over: u64,
}
