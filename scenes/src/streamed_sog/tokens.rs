//! The tokens of valid JSON, without recursion.

use std::borrow::Cow;
use std::ops::Range;

/// The kind of a token; commas and colons are skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// `{`
    Object,
    /// `[`
    List,
    /// `}` or `]`
    End,
    /// A string with its quotation marks.
    Text,
    Number,
    /// `true`, `false` or `null`.
    Word,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct JsonToken {
    pub(super) kind: TokenKind,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl JsonToken {
    pub(super) fn span(self) -> Range<usize> {
        self.start..self.end
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Tokenizer<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Tokenizer<'t> {
    pub(super) const fn from(text: &'t str, at: usize) -> Self {
        Self { text, at }
    }

    /// The next token; `None` at the end of the text.
    pub(super) fn next(&mut self) -> Option<JsonToken> {
        let bytes = self.text.as_bytes();
        let between = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b',' | b':');
        let start = self.at + bytes[self.at..].iter().take_while(|byte| between(byte)).count();
        let rest = &bytes[start..];
        let is_scalar =
            |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
        let (kind, len) = match rest.first()? {
            b'{' => (TokenKind::Object, 1),
            b'[' => (TokenKind::List, 1),
            b'}' | b']' => (TokenKind::End, 1),
            b'"' => (TokenKind::Text, text_len(rest)),
            first => {
                let is_word = first.is_ascii_alphabetic();
                let len = rest.iter().take_while(|byte| is_scalar(byte)).count().max(1);
                (if is_word { TokenKind::Word } else { TokenKind::Number }, len)
            }
        };
        self.at = start + len;
        Some(JsonToken { kind, start, end: self.at })
    }

    /// The next key of an object, and the first token of its value; `None` at the end of the object.
    pub(super) fn entry(&mut self) -> Option<(JsonToken, JsonToken)> {
        let key = self.next().filter(|token| token.kind == TokenKind::Text)?;
        Some((key, self.next()?))
    }

    /// The first token of the next element of a list; `None` at the end of the list.
    pub(super) fn element(&mut self) -> Option<JsonToken> {
        self.next().filter(|token| token.kind != TokenKind::End)
    }

    /// Skips the rest of a value after its first token.
    pub(super) fn skip(&mut self, first: JsonToken) {
        let mut depth = 0_usize;
        let mut token = Some(first);
        while let Some(JsonToken { kind, .. }) = token {
            match kind {
                TokenKind::Object | TokenKind::List => depth += 1,
                TokenKind::End => depth = depth.saturating_sub(1),
                TokenKind::Text | TokenKind::Number | TokenKind::Word => {}
            }
            token = if depth > 0 { self.next() } else { None };
        }
    }

    pub(super) fn written(&self, token: JsonToken) -> &'t str {
        self.text.get(token.span()).unwrap_or_default()
    }

    /// The unescaped value of a string.
    pub(super) fn string(&self, token: JsonToken) -> Cow<'t, str> {
        let written = self.written(token);
        if written.contains('\\') {
            serde_json::from_str(written).map_or(Cow::Borrowed(""), Cow::Owned)
        } else {
            Cow::Borrowed(written.trim_matches('"'))
        }
    }

    pub(super) fn number(&self, token: JsonToken) -> Option<f64> {
        let number = self.written(token).parse().ok().filter(|number: &f64| number.is_finite());
        number.filter(|_| token.kind == TokenKind::Number)
    }
}

/// The length of a string in bytes, with its quotation marks.
fn text_len(bytes: &[u8]) -> usize {
    let mut end = 1;
    while let Some(&byte) = bytes.get(end) {
        match byte {
            b'"' => return end + 1,
            b'\\' => end += 2,
            _ => end += 1,
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::{TokenKind, Tokenizer};

    #[test]
    fn values_of_any_depth_are_skipped() {
        let deep = "[".repeat(100_000) + &"]".repeat(100_000);
        let text = format!("{{\"a\\u0062\\\"\": {deep} , \"b\":-1.5e3,\"c\":null}}");
        let mut tokens = Tokenizer::from(&text, 0);
        assert_eq!(tokens.next().map(|token| token.kind), Some(TokenKind::Object));
        let (key, value) = tokens.entry().expect("an entry");
        assert_eq!((&*tokens.string(key), value.kind), ("ab\"", TokenKind::List));
        tokens.skip(value);
        let (key, value) = tokens.entry().expect("an entry");
        assert_eq!((&*tokens.string(key), tokens.number(value)), ("b", Some(-1_500.0)));
        let (_, value) = tokens.entry().expect("an entry");
        assert_eq!((value.kind, tokens.number(value)), (TokenKind::Word, None));
        assert!(tokens.entry().is_none() && tokens.next().is_none());
    }
}
