//! Which prims can be linked: the question, and the answer by both rules.

use heapless::Vec;
use lodger_core::Error;
use lodger_core::linkability::{
    Ball, LinkError, LinkPrim, LinkScratch, LinkedPiece, SphereRule, link,
};
use serde::{Deserialize, Serialize};

use super::backend::Number;
use super::words::{Words, push, push_index, push_wide};

/// How many prims are linked at most.
pub const PRIMS: usize = 6;

/// A prim; its numbers are the bits of the backend's type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PrimQuestion {
    /// The position of its centre, in metres.
    pub position: [u32; 3],
    /// The scale along its axes, in metres.
    pub scale: [u32; 3],
}

/// Links the prims, each an object of its own. Lengths are `f64`.
// The stack of the smallest board has room for one kind of question at a time.
#[inline(never)]
pub(super) fn run<N: Number>(prims: &[PrimQuestion], words: &mut Words) -> Result<(), Error> {
    let objects: Vec<[LinkPrim<N>; 1], PRIMS> = prims
        .iter()
        .map(|prim| {
            let [position, scale] = [prim.position, prim.scale].map(|v| v.map(N::from_word));
            [LinkPrim { position, scale }]
        })
        .collect();
    sphere_rule(&objects, words)
        .and_then(|()| span_rule(&objects, words))
        .map_err(|refused| refused.error)
}

fn sphere_rule<N: Number>(
    objects: &[[LinkPrim<N>; 1]],
    words: &mut Words,
) -> Result<(), LinkError> {
    let answer = SphereRule::DOCUMENT.check(objects)?;
    push(words, answer.linkable.into());
    push_wide(words, answer.enclosing.diameter().to_bits());
    for coordinate in answer.enclosing.ball().center() {
        push_wide(words, coordinate.to_bits());
    }
    for support in answer.enclosing.support() {
        push_index(words, support.index);
        push_wide(words, support.weight.to_bits());
    }
    Ok(())
}

fn span_rule<N: Number>(objects: &[[LinkPrim<N>; 1]], words: &mut Words) -> Result<(), LinkError> {
    let (mut spheres, mut pieces) = ([Ball::default(); PRIMS], [LinkedPiece::default(); PRIMS]);
    let scratch = LinkScratch { spheres: &mut spheres, pieces: &mut pieces };
    let linked = link(objects, scratch)?;
    push(words, linked.linkable().into());
    push_index(words, linked.rounds());
    for pair in linked.links().chain(linked.misses().take(PRIMS)) {
        push_index(words, pair.a);
        push_index(words, pair.b);
        push_wide(words, pair.fit.span.to_bits());
        push_wide(words, pair.fit.max_span.to_bits());
    }
    Ok(())
}
