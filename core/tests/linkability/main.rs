//! Linkability: the smallest enclosing ball against brute force and against fractions, and the two
//! rules against the document told a second time.
#![allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::float_cmp)]

mod ball;
mod brute;
mod exact;
mod rules;
mod sets;
