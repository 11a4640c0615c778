//! The scheduler for every language that can call C.
