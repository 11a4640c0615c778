//! The fenced blocks of a page.

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};

/// A fenced block.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// The line of its fence, from 1.
    pub(super) line: usize,
    /// What stands behind the fence.
    pub(super) info: String,
    pub(super) text: String,
}

/// The fenced blocks of a page.
pub(super) fn blocks(page: &str) -> Vec<Block> {
    let mut found = Vec::new();
    let mut open: Option<Block> = None;
    for (event, span) in Parser::new(page).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                let line = page[..span.start].lines().count() + 1;
                open = Some(Block { line, info: info.to_string(), text: String::new() });
            }
            Event::Text(text) => open.iter_mut().for_each(|block| block.text += &text),
            Event::End(TagEnd::CodeBlock) => found.extend(open.take()),
            _ => {}
        }
    }
    found
}
