//! Where the tables of a list are in a TOML text, found without parsing it.
//!
//! A text of a million `[[actor]]`s is read one by one: the parser makes of a text some forty times its
//! bytes, and more of hostile ones. What this finds in TOML that is right is right. Of what is not,
//! pieces may be other ones, but then one of them is not right either.

use std::borrow::Cow;
use std::ops::Range;

use lodger_quota::{Quota, QuotaExceeded, QuotaLimits};

/// A list that grows to twice its length has the old one beside it while it is copied.
const GROWTH: u64 = 3;
/// The bytes of a piece of the rest, beside its text.
const PIECE: u64 = size_of::<(usize, usize)>() as u64;

/// The limits for a text that was read and charged before.
pub(crate) const UNLIMITED: QuotaLimits = QuotaLimits { memory: u64::MAX, work: u64::MAX };

/// A text, and the list whose tables are looked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outline<'t> {
    text: &'t str,
    list: &'static str,
}

/// All of a text that is in no table of the list.
#[derive(Debug)]
pub(crate) struct Rest<'t> {
    pub(crate) text: Cow<'t, str>,
    /// Where each piece begins, in the rest and in the text, and none if the rest is the text.
    pieces: Vec<(usize, usize)>,
}

/// What a line begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Header {
    /// `[[list]]`
    Element,
    /// `[list.key]` or `[[list.key]]`
    Child,
    Other,
}

impl<'t> Outline<'t> {
    pub(crate) const fn new(text: &'t str, list: &'static str) -> Self {
        Self { text, list }
    }

    /// The tables of the list, each from its `[[list]]` to the next header that is not of a table in it.
    pub(crate) fn elements(self) -> impl Iterator<Item = Range<usize>> + use<'t> {
        self.parts().filter(|(is_element, _)| *is_element).map(|(_, range)| range)
    }

    /// All else. Looking for it takes a unit of work for each byte of the text.
    pub(crate) fn rest(self, quota: &Quota) -> Result<Rest<'t>, QuotaExceeded> {
        quota.charge_work(self.text.len() as u64)?;
        let mut pieces: Vec<(usize, usize)> = Vec::new();
        let mut text = String::new();
        for (is_element, range) in self.parts() {
            if is_element {
                continue;
            }
            if range.len() == self.text.len() {
                return Ok(Rest::of(self.text));
            }
            quota.charge_memory(GROWTH * (PIECE + range.len() as u64))?;
            pieces.push((text.len(), range.start));
            text.push_str(&self.text[range]);
        }
        Ok(Rest { text: Cow::Owned(text), pieces })
    }

    /// All parts of the text, and whether each is a table of the list.
    fn parts(self) -> impl Iterator<Item = (bool, Range<usize>)> + use<'t> {
        let (bytes, list) = (self.text.as_bytes(), self.list.as_bytes());
        let mut start = 0;
        std::iter::from_fn(move || {
            if start == bytes.len() {
                return None;
            }
            let is_element = header(&bytes[start..], list) == Some(Header::Element);
            let mut end = after_expression(bytes, start);
            while end < bytes.len() {
                match header(&bytes[end..], list) {
                    Some(Header::Element) => break,
                    Some(Header::Other) if is_element => break,
                    _ => end = after_expression(bytes, end),
                }
            }
            Some((is_element, std::mem::replace(&mut start, end)..end))
        })
    }
}

impl<'t> Rest<'t> {
    /// A text without any table of the list.
    pub(crate) const fn of(text: &'t str) -> Self {
        Self { text: Cow::Borrowed(text), pieces: Vec::new() }
    }

    /// Where a part of the rest is in the text.
    pub(crate) fn in_text(&self, span: Range<usize>) -> Range<usize> {
        let place = |at: usize| match self.pieces.partition_point(|&(in_rest, _)| in_rest <= at) {
            0 => at,
            after => at - self.pieces[after - 1].0 + self.pieces[after - 1].1,
        };
        let start = place(span.start);
        match span.len() {
            0 => start..start,
            _ => start..place(span.end - 1) + 1,
        }
    }
}

/// The header that a line begins with, if it begins with one.
fn header(line: &[u8], list: &[u8]) -> Option<Header> {
    let inner = blank(line).strip_prefix(b"[")?;
    let (is_double, inner) = inner.strip_prefix(b"[").map_or((false, inner), |inner| (true, inner));
    let Some(behind) = blank(inner).strip_prefix(list).map(blank) else {
        return Some(Header::Other);
    };
    Some(match behind {
        [b'.', ..] => Header::Child,
        [b']', b']', ..] if is_double => Header::Element,
        _ => Header::Other,
    })
}

fn blank(text: &[u8]) -> &[u8] {
    let blanks = text.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    &text[blanks..]
}

/// The end of the line that a header, a key with its value, or nothing is on, whatever lines are in
/// arrays and texts.
fn after_expression(bytes: &[u8], start: usize) -> usize {
    let (mut at, mut depth) = (start, 0_usize);
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'\n' if depth == 0 => return at,
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            b'#' => at += bytes[at..].iter().take_while(|&&byte| byte != b'\n').count(),
            b'"' | b'\'' => at = after_string(bytes, at, byte),
            _ => {}
        }
    }
    at
}

/// The end of a string whose first quotation mark was read. On one line it ends with it at the latest.
fn after_string(bytes: &[u8], start: usize, mark: u8) -> usize {
    let is_long = bytes[start..].starts_with(&[mark, mark]);
    let mut at = if is_long { start + 2 } else { start };
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' if mark == b'"' => at += 2,
            b'\n' if !is_long => return at,
            _ if byte != mark => at += 1,
            _ if !is_long => return at + 1,
            _ => {
                let marks = bytes[at..].iter().take_while(|&&byte| byte == mark).count();
                if marks >= 3 {
                    return at + marks.min(5);
                }
                at += marks;
            }
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use lodger_quota::{Quota, QuotaLimits};

    use super::Outline;

    fn split(text: &str) -> (Vec<&str>, String) {
        let outline = Outline::new(text, "actor");
        let rest = outline.rest(&Quota::new(QuotaLimits::default())).expect("it is small");
        (outline.elements().map(|range| &text[range]).collect(), rest.text.into_owned())
    }

    #[test]
    fn a_table_ends_at_the_next_header_that_is_not_in_it() {
        let text = "a = 1\n[[actor]]\nx = 1\n [ actor.y ]\n[[actor.z]]\n# end\n[[ actor ]] # two\n[[b]]\n\
                    [actor.q]\n[actors]\n[[actor]]";
        let (elements, rest) = split(text);
        let first = "[[actor]]\nx = 1\n [ actor.y ]\n[[actor.z]]\n# end\n";
        assert_eq!(elements, [first, "[[ actor ]] # two\n", "[[actor]]"]);
        assert_eq!(rest, "a = 1\n[[b]]\n[actor.q]\n[actors]\n");
    }

    #[test]
    fn what_looks_like_a_header_may_be_none() {
        for text in [
            "a = [\n[[actor]]\n]",
            "a = \"\"\"\n[[actor]]\n\"\"\"",
            "a = '''\n[[actor]]\n'''",
            "a = \"\"\"\\\"\"\"\n[[actor]]\n\"\"\"\"\"",
            "# [[actor]]",
            "a = \"[[actor]]\"",
            "[actor]",
            "[\"actor\"]",
            "[[\"actor\"]]",
            "[[actor]",
            "a = { b = [1,\n[[actor]]\n] }",
        ] {
            assert_eq!(split(text), (Vec::new(), text.to_owned()));
        }
        let after = [
            "a = ''",
            "a = \"\"",
            "a = '\\'",
            "a = \"\\\"\"",
            "a = ''''''",
            "a = '''''a'''''",
            "a = ']'",
        ];
        for before in after {
            assert_eq!(split(&format!("{before}\n[[actor]]\n")).0, ["[[actor]]\n"], "{before}");
        }
    }

    #[test]
    fn the_rest_knows_where_it_was() {
        let text = "a = 1\n[[actor]]\nx = 1\n[b]\nc = 2\n[[actor]]\n[d]\n";
        let rest =
            Outline::new(text, "actor").rest(&Quota::new(QuotaLimits::default())).expect("small");
        for word in ["a = 1", "[b]", "c = 2\n", "[d]\n"] {
            let at = rest.text.find(word).expect("it is there");
            assert_eq!(&text[rest.in_text(at..at + word.len())], word);
        }
        let whole = "a = 1\n";
        let rest =
            Outline::new(whole, "actor").rest(&Quota::new(QuotaLimits::default())).expect("small");
        assert_eq!(rest.in_text(2..6), 2..6);
    }
}
