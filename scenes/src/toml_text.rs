//! Parses TOML within the quota, and rewords the parser's errors.

use std::collections::BTreeMap;
use std::ops::Range;

use lodger_gltf::{ellipsized, ellipsized_message};
use lodger_quota::Quota;
use serde::de::DeserializeOwned;
use toml::de::DeTable;

use crate::error::{SceneFileError, SceneFileErrorKind};
use crate::spans::TableScanner;

/// The parser's most bytes for a byte of text: a token and a copy.
const BYTE: u64 = 84;
/// The parser's most bytes for a mark, line end or run of blanks: an entry or an element.
const MARK: u64 = 480;
/// The parser's most bytes for a mark that may begin a table, with space for eleven entries.
const TABLE: u64 = 1_100;
/// The parser's most bytes for the outermost table and a message.
const ROOT: u64 = 2_048;
/// Units of work for each byte: about 50 ns.
const WORK: u64 = 16;
/// Bytes of parsed tables, for each byte of a text outside of the list's tables.
const PARSED: u64 = 16;
/// Bytes that are parsed if the quota is too small for all.
const BEGINNING: usize = 128;

/// Parses a text with reserved memory. If the text exceeds the quota, a syntax error in its beginning takes
/// precedence: such a file is often another format.
pub(crate) fn parse<T: DeserializeOwned>(text: &str, quota: &Quota) -> Result<T, SceneFileError> {
    quota.charge_work(WORK * text.len() as u64)?;
    let exceeded = match quota.reserve(memory(text)) {
        Ok(_reserved) => return parse_charged(text),
        Err(exceeded) => exceeded,
    };
    let beginning = &text[..text.floor_char_boundary(BEGINNING)];
    let _reserved = quota.reserve(memory(beginning))?;
    match DeTable::parse(beginning) {
        Err(error) if error.span().is_some_and(|span| span.end < beginning.len()) => {
            Err(refused(error, beginning))
        }
        _ => Err(exceeded.into()),
    }
}

/// A file with a list of tables that are parsed one by one.
pub(crate) trait TableListFile: DeserializeOwned {
    /// A table of the list.
    type Table: DeserializeOwned;
    /// The name of the list.
    const LIST: &'static str;

    /// Takes the tables of the list; `None` if the list is missing.
    fn take_tables(&mut self) -> Option<Vec<Self::Table>>;
}

/// The tables of a list, each parsed when it is requested.
pub(crate) type Tables<'a, T> = &'a mut dyn Iterator<Item = Result<T, SceneFileError>>;

/// Reads the tables of a list one by one. Parses the whole text if they are not written as `[[list]]`, or to report its
/// first error.
pub(crate) fn read_tables<F: TableListFile, T>(
    text: &str,
    quota: &Quota,
    build: impl Fn(&F, Tables<'_, F::Table>) -> Result<T, SceneFileError>,
) -> Result<T, SceneFileError> {
    let scanner = TableScanner::new(text, F::LIST);
    let remainder = scanner.rest(quota)?;
    let has_tables = scanner.elements().next().is_some();
    let read_whole = |found| {
        let mut file: F = parse_to_keep(text, found, quota)?;
        let tables = file.take_tables().unwrap_or_default();
        build(&file, &mut tables.into_iter().map(Ok))
    };
    let mut file: F = match parse(&remainder.text, quota) {
        Ok(file) => file,
        Err(error) if has_tables && !error.is_quota_exceeded() => {
            return read_whole(Some(error.map_span(|span| remainder.in_text(span))));
        }
        Err(error) => return Err(error),
    };
    quota.charge_memory(PARSED * remainder.text.len() as u64)?;
    match file.take_tables() {
        Some(_) if has_tables => read_whole(None),
        Some(listed) => build(&file, &mut listed.into_iter().map(Ok)),
        None => {
            let mut tables = scanner.elements().map(|part| parse_part::<F>(text, part, quota));
            build(&file, &mut tables).or_else(|error| match error.kind() {
                SceneFileErrorKind::Toml => read_whole(Some(error)),
                _ => Err(error),
            })
        }
    }
}

/// Parses a part of a text that is one table of the list and nothing else. Spans of errors refer to the whole text.
fn parse_part<F: TableListFile>(
    text: &str,
    part: Range<usize>,
    quota: &Quota,
) -> Result<F::Table, SceneFileError> {
    let start = part.start;
    let mut lists: BTreeMap<String, Vec<F::Table>> = parse(&text[part.clone()], quota)
        .map_err(|error| error.map_span(|span| start + span.start..start + span.end))?;
    let mut tables = lists.remove(F::LIST).unwrap_or_default();
    match tables.pop() {
        Some(table) if tables.is_empty() && lists.is_empty() => Ok(table),
        _ => Err(SceneFileError::for_file(format!("this is not one `[[{}]]` table", F::LIST))
            .of_kind(SceneFileErrorKind::Toml)
            .at(Some(part))),
    }
}

/// Parses a text with charged memory. If the quota is too small, returns `found`, the error of a part.
fn parse_to_keep<T: DeserializeOwned>(
    text: &str,
    found: Option<SceneFileError>,
    quota: &Quota,
) -> Result<T, SceneFileError> {
    if let Err(exceeded) = quota.charge_memory(memory(text)) {
        return Err(found.unwrap_or(exceeded.into()));
    }
    quota.charge_work(WORK * text.len() as u64)?;
    parse_charged(text)
}

fn memory(text: &str) -> u64 {
    let (mut sum, mut before) = (ROOT + BYTE * text.len() as u64, b'\n');
    for &byte in text.as_bytes() {
        sum += match byte {
            b'.' | b'[' | b'{' => TABLE,
            b' ' | b'\t' if matches!(before, b' ' | b'\t') => 0,
            b'-' | b'_' | b'+' | b':' | b'\\' => 0,
            byte if byte.is_ascii_whitespace() || byte.is_ascii_punctuation() => MARK,
            _ => 0,
        };
        before = byte;
    }
    sum
}

fn parse_charged<T: DeserializeOwned>(text: &str) -> Result<T, SceneFileError> {
    toml::from_str(text).map_err(|error| refused(error, text))
}

fn refused(error: toml::de::Error, text: &str) -> SceneFileError {
    let span = error.span();
    let help = span.clone().and_then(|span| advice(text.get(span)?, error.message()));
    SceneFileError::for_file(message(error))
        .of_kind(SceneFileErrorKind::Toml)
        .at(span)
        .with_optional_help(help)
}

fn message(mut error: toml::de::Error) -> String {
    error.set_input(None);
    let described = error.to_string();
    let mut lines = described.trim_end().lines();
    let message = reworded(&ellipsized_message(lines.next().unwrap_or("this is not TOML")));
    match lines.last().and_then(path_of) {
        Some(path) => format!("`{}`: {message}", ellipsized(path)),
        None => message,
    }
}

fn reworded(message: &str) -> String {
    message
        .replace("unknown field", "unknown key")
        .replace("missing field", "missing key")
        .replace("unknown variant", "unknown value")
        .replace("expected f64", "expected a number")
        .replace("expected u32", "expected a whole number from 0 to 4294967295")
        .replace("expected a sequence", "expected an array")
        .replace("invalid type: map", "this is a table")
        .replace("recursion limit", "its keys are nested too deeply")
}

/// The key in the line ``in `actor.radius` `` of the error's text.
fn path_of(line: &str) -> Option<&str> {
    line.strip_prefix("in `")?.strip_suffix('`')
}

fn advice(found: &str, message: &str) -> Option<String> {
    if found.starts_with('[') && message.ends_with("map, expected a sequence") {
        return Some(format!("write `[{found}]`: each of several has double brackets"));
    }
    let (what, allowed) = message.split_once(", expected ")?;
    if !what.starts_with("unknown ") {
        return None;
    }
    let allowed = allowed.split('`').skip(1).step_by(2);
    let nearest = nearest(found.trim_matches('"'), allowed)?;
    Some(format!("did you mean `{nearest}`?"))
}

pub(crate) fn nearest<'a>(
    name: &str,
    candidates: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    const MAX_NAME: usize = 100;
    const MIN_SIMILARITY: f64 = 0.7;
    if name.len() > MAX_NAME {
        return None;
    }
    candidates
        .filter(|c| c.len() <= MAX_NAME)
        .map(|c| (strsim::normalized_damerau_levenshtein(name, c), c))
        .filter(|(similarity, _)| *similarity >= MIN_SIMILARITY)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, c)| c)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use allocation_counter::measure;
    use lodger_quota::Quota;
    use serde::Deserialize;
    use toml::de::DeTable;

    use super::{TableListFile, memory, parse_part};
    use crate::error::SceneFileErrorKind;

    #[derive(Deserialize)]
    struct Rows {
        row: Option<Vec<BTreeMap<String, u32>>>,
    }

    impl TableListFile for Rows {
        type Table = BTreeMap<String, u32>;
        const LIST: &'static str = "row";

        fn take_tables(&mut self) -> Option<Vec<Self::Table>> {
            self.row.take()
        }
    }

    #[test]
    fn a_part_is_one_table_of_the_list_and_nothing_else() {
        let text = |part: &str| format!("b = 1\n{part}");
        let read = |part| parse_part::<Rows>(&text(part), 6..text(part).len(), &Quota::default());
        let table = read("[[row]]\na = 2\n").expect("a table");
        assert_eq!(table.into_iter().collect::<Vec<_>>(), [("a".to_owned(), 2)]);
        for part in ["", "[[row]]\n[[row]]\n", "[[row]]\n[[other]]\n", "[[other]]\n", "row = []\n"]
        {
            let error = read(part).expect_err(part);
            assert!(matches!(error.kind(), SceneFileErrorKind::Toml), "{part}");
            assert_eq!(error.span(), Some(6..text(part).len()), "{part}");
        }
        assert_eq!(read("[row]\n").expect_err("no list").span(), Some(6..11));
    }

    #[track_caller]
    fn check(text: &str) {
        let peak = measure(|| drop(DeTable::parse(text))).bytes_max;
        let name = &text[..text.floor_char_boundary(40)];
        let paid = memory(text);
        assert!(peak <= paid, "{name}: {peak} bytes for {}, of which {paid} are paid", text.len());
    }

    fn many(count: usize, one: impl Fn(usize) -> String) -> String {
        (0..count).map(one).collect()
    }

    #[test]
    fn memory_covers_the_parser_for_valid_text() {
        let deep = ".a".repeat(60);
        // Just above the powers of 2 at which lists double.
        for count in [1, 5, 100, 1025] {
            check(&many(count, |i| format!("k{i}=1\n")));
            check(&many(count, |i| format!("k{:06}=1\n", count - i)));
            check(&many(count, |i| format!("k{i}.b=1\n")));
            check(&many(count / 10, |i| format!("k{i}{deep}=1\n")));
            check(&many(count, |i| format!("[k{i}]\n")));
            check(&many(count / 10, |i| format!("[k{i}{deep}]\n")));
            check(&many(count, |i| format!("[k{i}]\na=1\n")));
            check(&many(count, |i| format!("\"\\u0061{i}\"=1\n")));
            for tables in ["[[a]]\n", "[[a]]\na=1\n", "[[a]]\n[a.b]\n"] {
                check(&tables.repeat(count));
            }
            for element in
                ["[],", "[1],", "[[]],", "1,", "{},", "{a=1},", "{a.a=1},", "'',", "1979-05-27,"]
            {
                check(&format!("x=[{}]", element.repeat(count)));
            }
            check(&format!("x={{{}}}", many(count, |i| format!("k{i}=1,"))));
            for inside in ["\\n", "n", "é", "\\\n", "\r\n", "."] {
                check(&format!("x=\"\"\"{}\"\"\"", inside.repeat(count)));
            }
        }
    }

    #[test]
    fn memory_covers_the_parser_for_invalid_text() {
        let pieces =
            "[ ] { } . = , \" ' #".split(' ').chain(["\n", " ", "a", "1", "+", "\r", "\\"]);
        let others = ["é", "\u{7f}", "\0", "\"\"\"", "a=1 a=1\n"];
        let pieces: Vec<&str> = pieces.chain(others).collect();
        for count in [1, 1025] {
            for piece in &pieces {
                for start in ["", "x=", "x=[", "x={", "[", "[[", "x=\"", "x='''", "x=[[1],"] {
                    check(&format!("{start}{}", piece.repeat(count)));
                }
            }
        }
        for a in &pieces[..14] {
            for b in &pieces[..14] {
                for c in &pieces[..14] {
                    check(&[*a, b, c].concat().repeat(300));
                }
            }
        }
    }
}
