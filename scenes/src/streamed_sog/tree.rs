//! The leaves of a tree, one by one, however deep it is.

use lodger_allowance::Allowance;

use super::bound::Bound;
use super::leaf::{Leaf, Levels};
use super::tokens::{Kind, Token, Tokens};
use super::wrong;
use crate::error::Error;
use crate::sog_error::SogError;
use lodger_gltf::clipped;

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
    allowance: &Allowance,
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
                    allowance.keep(NODE)?;
                    deepest += 1;
                }
                nodes.push(Node::default());
                in_list = false;
            }
            (Kind::End, Some(_)) if in_list => in_list = false,
            (Kind::End, Some(&mut node)) => {
                if node.has_lods {
                    let bound = node.bound.ok_or_else(|| missing("bound", token))?;
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
                return Err(wrong(SogError::Wrong { key, expected }, token));
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
                return Err(wrong(SogError::Wrong { key: "children", expected }, value));
            }
            std::mem::replace(&mut node.has_children, true)
        }
        _ => {
            tokens.skip(value);
            false
        }
    };
    if was_there {
        let key = clipped(&said).into_owned();
        return Err(wrong(SogError::Repeated { key }, value));
    }
    if node.has_lods && node.has_children {
        return Err(wrong(SogError::Both, key));
    }
    Ok(said == "children" && !is_null)
}

fn missing(key: &'static str, at: Token) -> Error {
    wrong(SogError::Missing { key }, at)
}
