//! Boxes, and the spheres around them.

use super::tokens::{Kind, Token, Tokens};
use super::wrong;
use crate::error::Error;
use crate::sog_error::SogError;

/// A box along the axes, in metres.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    min: [f64; 3],
    max: [f64; 3],
}

impl Bound {
    /// Reads an object with two corners.
    pub(super) fn read(tokens: &mut Tokens<'_>, value: Token) -> Result<Self, Error> {
        let expected = "an object with `min` and `max`, of three finite numbers each";
        let unlike = || wrong(SogError::Wrong { key: "bound", expected }, value);
        if value.kind != Kind::Object {
            return Err(unlike());
        }
        let (mut min, mut max) = (None, None);
        while let Some((key, first)) = tokens.entry() {
            let corner = match &*tokens.said(key) {
                "min" => &mut min,
                "max" => &mut max,
                _ => {
                    tokens.skip(first);
                    continue;
                }
            };
            let read = corner_of(tokens, first).ok_or_else(unlike)?;
            if corner.replace(read).is_some() {
                let key = tokens.said(key).into_owned();
                return Err(wrong(SogError::Repeated { key }, first));
            }
        }
        let (Some(min), Some(max)) = (min, max) else { return Err(unlike()) };
        if min.iter().zip(&max).any(|(min, max)| min > max) {
            return Err(wrong(SogError::Reversed, value));
        }
        Ok(Self { min, max })
    }

    /// The centre, and half the diagonal.
    pub(super) fn sphere(&self) -> ([f64; 3], f64) {
        let Self { min, max } = *self;
        let along = |axis: usize| min[axis].midpoint(max[axis]);
        let half = |axis: usize| max[axis] / 2.0 - min[axis] / 2.0;
        let radius = libm::hypot(libm::hypot(half(0), half(1)), half(2));
        ([along(0), along(1), along(2)], radius)
    }
}

fn corner_of(tokens: &mut Tokens<'_>, first: Token) -> Option<[f64; 3]> {
    let mut corner = [0.0; 3];
    if first.kind != Kind::List {
        return None;
    }
    for along in &mut corner {
        let element = tokens.element()?;
        *along = tokens.number(element)?;
    }
    tokens.element().is_none().then_some(corner)
}
