//! lodger-core
