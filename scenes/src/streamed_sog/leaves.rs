//! The leaves of a tree, one by one, however deep it is: where each is, what its levels cost, and what is wrong
//! with them.

use lodger_gltf::ellipsized;
use lodger_quota::Quota;

use super::tokens::{Kind, Token, Tokens};
use super::{must_be, repeated, wrong};
use crate::error::Error;

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
                    let level = self
                        .level(&said)
                        .ok_or_else(|| no_such_level(&ellipsized(&said), self.counts.len(), lod))?;
                    let count = count(tokens, lod)?;
                    if self.counts[level].replace(count).is_some() {
                        return Err(repeated(&said, lod));
                    }
                }
            }
            Kind::List => {
                let mut level = 0;
                while let Some(lod) = tokens.element() {
                    let levels = self.counts.len();
                    let place = self
                        .counts
                        .get_mut(level)
                        .ok_or_else(|| no_such_level(&level.to_string(), levels, lod))?;
                    if tokens.written(lod) != "null" {
                        *place = Some(count(tokens, lod)?);
                    }
                    level += 1;
                }
            }
            _ => {
                let expected = "an object with a key for each level";
                return Err(must_be("lods", expected, value));
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
                    let message =
                        "`errors` must not fall from a level to the next, as level 0 is the finest";
                    return Err(wrong(message, self.token));
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
        return Err(must_be("lods", expected, lod));
    }
    let mut count = None;
    while let Some((key, value)) = tokens.entry() {
        if tokens.said(key) == "count" {
            let splats = tokens.written(value).parse().map_err(|_| {
                let expected = "a whole number of splats from 0 to 4294967295";
                must_be("count", expected, value)
            })?;
            if count.replace(splats).is_some() {
                return Err(repeated("count", value));
            }
        }
        tokens.skip(value);
    }
    count.ok_or_else(|| wrong("`count` is missing", lod))
}

fn wrong_errors(at: Token) -> Error {
    let expected = "a list with a finite number of at least 0 for each level that the leaf has";
    must_be("errors", expected, at)
}

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
        let unlike = || must_be("bound", expected, value);
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
                return Err(repeated(&tokens.said(key), first));
            }
        }
        let (Some(min), Some(max)) = (min, max) else { return Err(unlike()) };
        if min.iter().zip(&max).any(|(min, max)| min > max) {
            let message = "`bound` must not end, at `max`, before it begins at `min`";
            return Err(wrong(message, value));
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

/// The bytes of a node whose children are read, in a list that grows to twice its length.
const NODE: u64 = 3 * size_of::<Node>() as u64;

/// A node that was begun.
#[derive(Clone, Copy, Debug, Default)]
struct Node {
    bound: Option<Bound>,
    has_lods: bool,
    has_errors: bool,
    has_children: bool,
}

/// Shows all leaves of a tree in the order of the file.
pub(super) fn leaves(
    mut tokens: Tokens<'_>,
    levels: usize,
    quota: &Quota,
    mut see: impl FnMut(Leaf<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    // Only the node that was begun last can be a leaf.
    let mut of_leaf = Levels::new(levels);
    let mut nodes: Vec<Node> = Vec::new();
    let mut deepest = 0;
    let mut in_list = true;
    while let Some(token) = tokens.next() {
        match (token.kind, nodes.last_mut()) {
            (Kind::Object, _) if in_list => {
                if nodes.len() == deepest {
                    quota.charge_memory(NODE)?;
                    deepest += 1;
                }
                nodes.push(Node::default());
                in_list = false;
            }
            (Kind::End, Some(_)) if in_list => in_list = false,
            (Kind::End, Some(&mut node)) => {
                if node.has_lods {
                    let bound = node.bound.ok_or_else(|| wrong("`bound` is missing", token))?;
                    see(Leaf { bound, levels: &of_leaf, has_errors: node.has_errors, token })?;
                }
                nodes.pop();
                in_list = true;
            }
            (Kind::Text, Some(node)) if !in_list => {
                let Some(value) = tokens.next() else { break };
                in_list = entry(&mut tokens, (token, value), node, &mut of_leaf)?;
            }
            _ => {
                let (key, expected) = if nodes.is_empty() {
                    ("tree", "an object")
                } else {
                    ("children", "a list of objects")
                };
                return Err(must_be(key, expected, token));
            }
        }
        if nodes.is_empty() {
            break;
        }
    }
    Ok(())
}

/// Reads an entry of a node. Returns whether it is the list of its children, which are read next.
fn entry(
    tokens: &mut Tokens<'_>,
    (key, value): (Token, Token),
    node: &mut Node,
    of_leaf: &mut Levels,
) -> Result<bool, Error> {
    let said = tokens.said(key);
    let is_null = tokens.written(value) == "null";
    let was_there = match &*said {
        "bound" => node.bound.replace(Bound::read(tokens, value)?).is_some(),
        "lods" if !is_null => {
            of_leaf.read_counts(tokens, value)?;
            std::mem::replace(&mut node.has_lods, true)
        }
        "errors" if !is_null => {
            of_leaf.read_errors(tokens, value)?;
            std::mem::replace(&mut node.has_errors, true)
        }
        "children" if !is_null => {
            if value.kind != Kind::List {
                let expected = "a list of objects";
                return Err(must_be("children", expected, value));
            }
            std::mem::replace(&mut node.has_children, true)
        }
        _ => {
            tokens.skip(value);
            false
        }
    };
    if was_there {
        return Err(repeated(&ellipsized(&said), value));
    }
    if node.has_lods && node.has_children {
        return Err(wrong("a node has either `children` or, as a leaf, `lods`", key));
    }
    Ok(said == "children" && !is_null)
}

fn no_such_level(key: &str, levels: usize, at: Token) -> Error {
    let all = match levels {
        1 => "1, which is level 0".to_owned(),
        _ => format!("{levels}, 0 to {}", levels.saturating_sub(1)),
    };
    wrong(format!("there is no level `{key}`: the file has {all}"), at)
}
