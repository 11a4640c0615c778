//! Archives of objects (.oar, .iar, object XML) to linksets.
#![forbid(unsafe_code)]
