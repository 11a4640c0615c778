//! The leaves of a tree of any depth, one by one, with their boxes, splats and errors.

use lodger_gltf::ellipsized;
use lodger_quota::Quota;

use super::tokens::{JsonToken, TokenKind, Tokenizer};
use super::{must_be, repeated, wrong};
use crate::error::SceneFileError;

pub(super) struct Leaf<'a> {
    pub(super) bound: LeafBounds,
    pub(super) data: &'a LeafData,
    pub(super) has_errors: bool,
    pub(super) token: JsonToken,
}

/// The levels of a leaf in the file, the finest first.
#[derive(Debug)]
pub(super) struct LeafData {
    counts: Vec<Option<u32>>,
    errors: Vec<Option<f64>>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LeafLevel {
    /// The level's number in the file.
    pub(super) number: u8,
    pub(super) splats: u32,
    /// The error, in the unit of the file.
    pub(super) error: f64,
}

impl LeafData {
    pub(super) fn new(levels: usize) -> Self {
        Self { counts: vec![None; levels], errors: vec![None; levels] }
    }

    /// Reads `lods`: an object with a key for each level, or a list of levels.
    pub(super) fn read_counts(
        &mut self,
        tokens: &mut Tokenizer<'_>,
        value: JsonToken,
    ) -> Result<(), SceneFileError> {
        self.counts.fill(None);
        match value.kind {
            TokenKind::Object => {
                while let Some((key, lod)) = tokens.entry() {
                    let name = tokens.string(key);
                    let level = self
                        .level(&name)
                        .ok_or_else(|| no_such_level(&ellipsized(&name), self.counts.len(), lod))?;
                    let count = count(tokens, lod)?;
                    if self.counts[level].replace(count).is_some() {
                        return Err(repeated(&name, lod));
                    }
                }
            }
            TokenKind::List => {
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

    /// The level of a key in canonical decimal digits.
    fn level(&self, key: &str) -> Option<usize> {
        let level: usize = key.parse().ok().filter(|level| *level < self.counts.len())?;
        (level.to_string() == key).then_some(level)
    }

    /// Reads `errors`: a list with a number for each level. Values of absent levels are skipped.
    pub(super) fn read_errors(
        &mut self,
        tokens: &mut Tokenizer<'_>,
        value: JsonToken,
    ) -> Result<(), SceneFileError> {
        self.errors.fill(None);
        if value.kind != TokenKind::List {
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
    /// The levels of the leaf, from the coarsest to the finest, without levels that cost as much as a finer one.
    /// Without errors, the error of a level is ln(finest splats / its splats), as in the `PlayCanvas` engine.
    pub(super) fn levels(
        &self,
        by_errors: bool,
        levels: &mut Vec<LeafLevel>,
    ) -> Result<(), SceneFileError> {
        levels.clear();
        let LeafData { counts, errors } = self.data;
        let mut finest = 0.0;
        for ((number, &count), &error) in (0..=u8::MAX).zip(counts).zip(errors) {
            let Some(splats) = count.filter(|&splats| splats > 0) else { continue };
            if levels.is_empty() {
                finest = f64::from(splats);
            }
            let error = if by_errors {
                error.ok_or_else(|| wrong_errors(self.token))?
            } else {
                libm::log(finest / f64::from(splats)).max(0.0)
            };
            match levels.last() {
                Some(finer) if by_errors && error < finer.error => {
                    let message =
                        "`errors` must not fall from a level to the next, as level 0 is the finest";
                    return Err(wrong(message, self.token));
                }
                Some(finer) if splats >= finer.splats => {}
                _ => levels.push(LeafLevel { number, splats, error }),
            }
        }
        levels.reverse();
        Ok(())
    }
}

fn count(tokens: &mut Tokenizer<'_>, lod: JsonToken) -> Result<u32, SceneFileError> {
    if lod.kind != TokenKind::Object {
        let expected = "an object with the `count` of its splats for each level";
        return Err(must_be("lods", expected, lod));
    }
    let mut count = None;
    while let Some((key, value)) = tokens.entry() {
        if tokens.string(key) == "count" {
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

fn wrong_errors(at: JsonToken) -> SceneFileError {
    let expected = "a list with a finite number of at least 0 for each level that the leaf has";
    must_be("errors", expected, at)
}

/// An axis-aligned bounding box, in metres.
#[derive(Clone, Copy, Debug)]
pub(super) struct LeafBounds {
    min: [f64; 3],
    max: [f64; 3],
}

impl LeafBounds {
    pub(super) fn read(
        tokens: &mut Tokenizer<'_>,
        value: JsonToken,
    ) -> Result<Self, SceneFileError> {
        let expected = "an object with `min` and `max`, of three finite numbers each";
        let unlike = || must_be("bound", expected, value);
        if value.kind != TokenKind::Object {
            return Err(unlike());
        }
        let (mut min, mut max) = (None, None);
        while let Some((key, first)) = tokens.entry() {
            let corner = match &*tokens.string(key) {
                "min" => &mut min,
                "max" => &mut max,
                _ => {
                    tokens.skip(first);
                    continue;
                }
            };
            let read = corner_of(tokens, first).ok_or_else(unlike)?;
            if corner.replace(read).is_some() {
                return Err(repeated(&tokens.string(key), first));
            }
        }
        let (Some(min), Some(max)) = (min, max) else { return Err(unlike()) };
        if min.iter().zip(&max).any(|(min, max)| min > max) {
            let message = "`bound` must not end, at `max`, before it begins at `min`";
            return Err(wrong(message, value));
        }
        Ok(Self { min, max })
    }

    /// The centre and half the diagonal.
    pub(super) fn sphere(&self) -> ([f64; 3], f64) {
        let Self { min, max } = *self;
        let along = |axis: usize| min[axis].midpoint(max[axis]);
        let half = |axis: usize| max[axis] / 2.0 - min[axis] / 2.0;
        let radius = libm::hypot(libm::hypot(half(0), half(1)), half(2));
        ([along(0), along(1), along(2)], radius)
    }
}

fn corner_of(tokens: &mut Tokenizer<'_>, first: JsonToken) -> Option<[f64; 3]> {
    let mut corner = [0.0; 3];
    if first.kind != TokenKind::List {
        return None;
    }
    for along in &mut corner {
        let element = tokens.element()?;
        *along = tokens.number(element)?;
    }
    tokens.element().is_none().then_some(corner)
}

/// Bytes of an open node, in a list that doubles.
const NODE: u64 = 3 * size_of::<TreeNode>() as u64;

#[derive(Clone, Copy, Debug, Default)]
struct TreeNode {
    bound: Option<LeafBounds>,
    has_lods: bool,
    has_errors: bool,
    has_children: bool,
}

/// Visits all leaves of a tree in the order of the file.
pub(super) fn leaves(
    mut tokens: Tokenizer<'_>,
    levels: usize,
    quota: &Quota,
    mut visit: impl FnMut(Leaf<'_>) -> Result<(), SceneFileError>,
) -> Result<(), SceneFileError> {
    // Only the innermost node can be a leaf.
    let mut of_leaf = LeafData::new(levels);
    let mut nodes: Vec<TreeNode> = Vec::new();
    let mut deepest = 0;
    let mut in_list = true;
    while let Some(token) = tokens.next() {
        match (token.kind, nodes.last_mut()) {
            (TokenKind::Object, _) if in_list => {
                if nodes.len() == deepest {
                    quota.charge_memory(NODE)?;
                    deepest += 1;
                }
                nodes.push(TreeNode::default());
                in_list = false;
            }
            (TokenKind::End, Some(_)) if in_list => in_list = false,
            (TokenKind::End, Some(&mut node)) => {
                if node.has_lods {
                    let bound = node.bound.ok_or_else(|| wrong("`bound` is missing", token))?;
                    visit(Leaf { bound, data: &of_leaf, has_errors: node.has_errors, token })?;
                }
                nodes.pop();
                in_list = true;
            }
            (TokenKind::Text, Some(node)) if !in_list => {
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

/// Returns whether the entry is the list of children, which follow.
fn entry(
    tokens: &mut Tokenizer<'_>,
    (key, value): (JsonToken, JsonToken),
    node: &mut TreeNode,
    of_leaf: &mut LeafData,
) -> Result<bool, SceneFileError> {
    let name = tokens.string(key);
    let is_null = tokens.written(value) == "null";
    let was_there = match &*name {
        "bound" => node.bound.replace(LeafBounds::read(tokens, value)?).is_some(),
        "lods" if !is_null => {
            of_leaf.read_counts(tokens, value)?;
            std::mem::replace(&mut node.has_lods, true)
        }
        "errors" if !is_null => {
            of_leaf.read_errors(tokens, value)?;
            std::mem::replace(&mut node.has_errors, true)
        }
        "children" if !is_null => {
            if value.kind != TokenKind::List {
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
        return Err(repeated(&ellipsized(&name), value));
    }
    if node.has_lods && node.has_children {
        return Err(wrong("a node has either `children` or, as a leaf, `lods`", key));
    }
    Ok(name == "children" && !is_null)
}

fn no_such_level(key: &str, levels: usize, at: JsonToken) -> SceneFileError {
    let all = match levels {
        1 => "1, which is level 0".to_owned(),
        _ => format!("{levels}, 0 to {}", levels.saturating_sub(1)),
    };
    wrong(format!("there is no level `{key}`: the file has {all}"), at)
}
