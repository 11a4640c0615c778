//! Linkability: the smallest enclosing ball against brute force and against fractions, and the two
//! rules against the document told a second time.

mod ball;
mod brute;
mod exact;
mod rules;
mod sets;
