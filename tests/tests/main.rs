//! The one integration binary.

mod cost;
