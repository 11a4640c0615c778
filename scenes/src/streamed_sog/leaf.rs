//! A leaf: where it is, what its levels cost, and what is wrong with them.

use super::bound::Bound;
use super::tokens::{Kind, Token, Tokens};
use super::wrong;
use crate::error::Error;
use crate::sog_error::SogError;
use lodger_gltf::clipped;

/// A leaf of a tree.
pub(super) struct Leaf<'a> {
    pub(super) bound: Bound,
    pub(super) levels: &'a Levels,
    pub(super) has_errors: bool,
    /// Where it ends.
    pub(super) token: Token,
}

/// What a file says of the levels of a leaf, the finest first.
#[derive(Debug)]
pub(super) struct Levels {
    /// Splats; none where the leaf has none at that level.
    counts: Vec<Option<u32>>,
    /// What is wrong with each; none where nothing is said.
    errors: Vec<Option<f64>>,
}

/// A level of a leaf.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rung {
    /// Which it is in the file.
    pub(super) level: u8,
    pub(super) splats: u32,
    /// What is wrong with it, in a measure of the file's own.
    pub(super) error: f64,
}

impl Levels {
    pub(super) fn new(levels: usize) -> Self {
        Self { counts: vec![None; levels], errors: vec![None; levels] }
    }

    /// Reads `lods`: an object with a key for each level, or a list of them.
    pub(super) fn read_counts(
        &mut self,
        tokens: &mut Tokens<'_>,
        value: Token,
    ) -> Result<(), Error> {
        self.counts.fill(None);
        match value.kind {
            Kind::Object => {
                while let Some((key, lod)) = tokens.entry() {
                    let said = tokens.said(key);
                    let level = self.level(&said).ok_or_else(|| {
                        let (key, levels) = (clipped(&said).into_owned(), self.counts.len());
                        wrong(SogError::NoSuchLevel { key, levels }, lod)
                    })?;
                    let count = count(tokens, lod)?;
                    if self.counts[level].replace(count).is_some() {
                        return Err(wrong(SogError::Repeated { key: said.into_owned() }, lod));
                    }
                }
            }
            Kind::List => {
                let mut level = 0;
                while let Some(lod) = tokens.element() {
                    let levels = self.counts.len();
                    let place = self.counts.get_mut(level).ok_or_else(|| {
                        wrong(SogError::NoSuchLevel { key: level.to_string(), levels }, lod)
                    })?;
                    if tokens.written(lod) != "null" {
                        *place = Some(count(tokens, lod)?);
                    }
                    level += 1;
                }
            }
            _ => {
                let expected = "an object with a key for each level";
                return Err(wrong(SogError::Wrong { key: "lods", expected }, value));
            }
        }
        Ok(())
    }

    /// The level that is written so, in decimal digits and in no other way.
    fn level(&self, key: &str) -> Option<usize> {
        let level: usize = key.parse().ok().filter(|level| *level < self.counts.len())?;
        (level.to_string() == key).then_some(level)
    }

    /// Reads `errors`: a list with one for each level. Of levels that the leaf has not, any value is
    /// passed over.
    pub(super) fn read_errors(
        &mut self,
        tokens: &mut Tokens<'_>,
        value: Token,
    ) -> Result<(), Error> {
        self.errors.fill(None);
        if value.kind != Kind::List {
            return Err(wrong_errors(value));
        }
        let mut level = 0;
        while let Some(element) = tokens.element() {
            if let Some(error) = self.errors.get_mut(level) {
                *error = tokens.number(element).filter(|error| *error >= 0.0);
            }
            tokens.skip(element);
            level += 1;
        }
        Ok(())
    }
}

impl Leaf<'_> {
    /// The levels that the leaf has, from the coarsest and cheapest to the finest. One that costs as much as
    /// a finer one is of no use. Without errors, that of a level is the logarithm of how many splats the
    /// finest has for each of its own, as `PlayCanvas`'s engine derives it.
    pub(super) fn rungs(&self, by_errors: bool, rungs: &mut Vec<Rung>) -> Result<(), Error> {
        rungs.clear();
        let Levels { counts, errors } = self.levels;
        let mut finest = 0.0;
        for ((level, &count), &error) in (0..=u8::MAX).zip(counts).zip(errors) {
            let Some(splats) = count.filter(|&splats| splats > 0) else { continue };
            if rungs.is_empty() {
                finest = f64::from(splats);
            }
            let error = if by_errors {
                error.ok_or_else(|| wrong_errors(self.token))?
            } else {
                libm::log(finest / f64::from(splats)).max(0.0)
            };
            match rungs.last() {
                Some(finer) if by_errors && error < finer.error => {
                    return Err(wrong(SogError::Falling, self.token));
                }
                Some(finer) if splats >= finer.splats => {}
                _ => rungs.push(Rung { level, splats, error }),
            }
        }
        rungs.reverse();
        Ok(())
    }
}

/// The splats of a level.
fn count(tokens: &mut Tokens<'_>, lod: Token) -> Result<u32, Error> {
    if lod.kind != Kind::Object {
        let expected = "an object with the `count` of its splats for each level";
        return Err(wrong(SogError::Wrong { key: "lods", expected }, lod));
    }
    let mut count = None;
    while let Some((key, value)) = tokens.entry() {
        if tokens.said(key) == "count" {
            let splats = tokens.written(value).parse().map_err(|_| {
                let expected = "a whole number of splats from 0 to 4294967295";
                wrong(SogError::Wrong { key: "count", expected }, value)
            })?;
            if count.replace(splats).is_some() {
                return Err(wrong(SogError::Repeated { key: "count".to_owned() }, value));
            }
        }
        tokens.skip(value);
    }
    count.ok_or_else(|| wrong(SogError::Missing { key: "count" }, lod))
}

fn wrong_errors(at: Token) -> Error {
    let expected = "a list with a finite number of at least 0 for each level that the leaf has";
    wrong(SogError::Wrong { key: "errors", expected }, at)
}
