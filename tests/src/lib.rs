//! lodger-tests
