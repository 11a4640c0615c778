//! The tables of a page of Markdown, of which the first column has keys in code.

use std::collections::BTreeMap;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// The code in the first column of all tables, by the heading that a table stands below, in their order.
#[must_use]
pub fn first_columns(page: &str) -> BTreeMap<String, Vec<String>> {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let (mut heading, mut in_heading, mut column) = (String::new(), false, None);
    for event in Parser::new_ext(page, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Heading { .. }) => (heading, in_heading) = (String::new(), true),
            Event::End(TagEnd::Heading(_)) => in_heading = false,
            Event::Text(text) | Event::Code(text) if in_heading => heading += &text,
            Event::Start(Tag::TableRow) => column = Some(0),
            Event::End(TagEnd::TableCell) => column = column.map(|column| column + 1),
            Event::Code(key) if column == Some(0) => {
                found.entry(heading.clone()).or_default().push(key.to_string());
            }
            Event::End(TagEnd::Table) => column = None,
            _ => {}
        }
    }
    found
}
