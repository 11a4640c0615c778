//! Tests of the library and of the real program.

mod formats;
