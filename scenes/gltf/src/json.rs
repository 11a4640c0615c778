//! Strings of unparsed JSON, and the path to a position in it.

use std::fmt::Write as _;

/// A step from a value to one that it contains.
enum Step<'a> {
    /// The key of an object, empty before the first colon.
    Key(&'a [u8]),
    Index(usize),
}

/// Returns the path of keys and indices to the value at the end of valid JSON that continues, for example
/// `accessors[0].count`; empty for the document itself.
pub(crate) fn path_at_end(json: &[u8]) -> String {
    let (mut steps, mut last) = (Vec::new(), &json[..0]);
    let mut rest = json;
    while let Some((&byte, behind)) = rest.split_first() {
        rest = behind;
        match byte {
            b'{' => steps.push(Step::Key(&[])),
            b'[' => steps.push(Step::Index(0)),
            b'}' | b']' => _ = steps.pop(),
            b'"' => {
                let (length, _) = string_length(rest);
                (last, rest) = (&rest[..length], rest.get(length + 1..).unwrap_or_default());
            }
            b':' => {
                if let Some(Step::Key(key)) = steps.last_mut() {
                    *key = last;
                }
            }
            b',' => match steps.last_mut() {
                Some(Step::Key(key)) => *key = &[],
                Some(Step::Index(index)) => *index += 1,
                None => {}
            },
            _ => {}
        }
    }
    let mut path = String::new();
    for step in steps {
        // Writing to a string does not fail.
        let _ = match step {
            Step::Key([]) => Ok(()),
            Step::Key(key) => {
                let dot = if path.is_empty() { "" } else { "." };
                write!(path, "{dot}{}", String::from_utf8_lossy(key))
            }
            Step::Index(index) => write!(path, "[{index}]"),
        };
    }
    path
}

/// The length of a string after its first quotation mark, and whether it has escapes and so is copied.
pub(crate) fn string_length(bytes: &[u8]) -> (usize, bool) {
    let (mut end, mut has_escapes) = (0, false);
    while let Some(&byte) = bytes.get(end) {
        match byte {
            b'"' => break,
            b'\\' => {
                has_escapes = true;
                end += 2;
            }
            _ => end += 1,
        }
    }
    (end.min(bytes.len()), has_escapes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::JsonError;
    use crate::raw::Document;

    /// Texts with one wrong value each.
    fn broken() -> Vec<String> {
        let valid = r#"{"asset": {"version": "2.0", "generator": "a \"quoted\" name, {"},
            "accessors": [{"componentType": 5126, "count": 3, "type": "VEC3"}],
            "extras": {"a": [1, [2, {"b": null}]], "c:d": "]"},
            "bufferViews": [{"buffer": 0, "byteLength": 36}, {"buffer": 0, "byteOffset": 4, "byteLength": 36}],
            "buffers": [{"byteLength": 36, "uri": "a.bin"}], "scene": 0, "scenes": [{"nodes": [0, 1]}],
            "meshes": [{"name": "m", "primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
            "nodes": [{"mesh": 0, "translation": [1, 2.5, 3]}, {"children": [0], "name": "n"}]}"#;
        let wrong = ["null", "true", "-1", "1.5", "\"text\"", "[]", "{}", "[[0]]", "{\"a\": 1}"];
        let is_end = |rest: &str| rest.starts_with([',', ']', '}']);
        let starts = (0..valid.len()).filter(|&at| valid.is_char_boundary(at) && at > 0);
        // Each number, and each text behind a colon.
        let values = starts.filter_map(|at| {
            let before = valid[..at].trim_end();
            let is_value = before.ends_with([':', '[', ',']) && !valid[at..].starts_with(' ');
            let length = match valid.as_bytes()[at] {
                b'"' if before.ends_with(':') => 1 + valid[at + 1..].find('"')? + 1,
                b'0'..=b'9' => (at..valid.len()).find(|&end| is_end(&valid[end..]))? - at,
                _ => return None,
            };
            is_value.then_some(at..at + length)
        });
        let replaced = values.flat_map(|at| {
            wrong.map(|wrong| format!("{}{wrong}{}", &valid[..at.start], &valid[at.end..]))
        });
        replaced.collect()
    }

    #[test]
    fn a_path_is_that_of_serde_path_to_error() {
        let mut found = 0;
        for json in broken() {
            let mut deserializer = serde_json::Deserializer::from_slice(json.as_bytes());
            let tracked = serde_path_to_error::deserialize::<_, Document<'_>>(&mut deserializer);
            let Err(error) = tracked else { continue };
            found += 1;
            let expected = error.path().to_string();
            let path = path_at_end(JsonError::new(error.into_inner()).read_part(json.as_bytes()));
            // It does not keep the keys that lodger reads by itself.
            match expected.strip_suffix('?') {
                Some(parent) => {
                    assert!(path.starts_with(parent) && path != parent, "{path}\n{json}");
                }
                None => assert_eq!(path, expected, "{json}"),
            }
        }
        assert!(found > 100, "{found}");
    }
}
