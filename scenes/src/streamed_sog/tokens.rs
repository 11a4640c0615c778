//! The tokens of a text that is known to be JSON, one by one, however deep its values are.

use std::borrow::Cow;
use std::ops::Range;

/// A token; commas and colons are none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// `{`
    Object,
    /// `[`
    List,
    /// `}` or `]`
    End,
    /// A text, with its quotation marks.
    Text,
    /// A number.
    Number,
    /// `true`, `false` or `null`.
    Word,
}

/// A token, and where it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Token {
    pub(super) fn span(self) -> Range<usize> {
        self.start..self.end
    }
}

/// A text that is known to be JSON, and how far it was read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tokens<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Tokens<'t> {
    /// The tokens from a place on.
    pub(super) const fn from(text: &'t str, at: usize) -> Self {
        Self { text, at }
    }

    /// The next token; `None` at the end of the text.
    pub(super) fn next(&mut self) -> Option<Token> {
        let bytes = self.text.as_bytes();
        let between = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b',' | b':');
        let start = self.at + bytes[self.at..].iter().take_while(|byte| between(byte)).count();
        let rest = &bytes[start..];
        let is_scalar =
            |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
        let (kind, len) = match rest.first()? {
            b'{' => (Kind::Object, 1),
            b'[' => (Kind::List, 1),
            b'}' | b']' => (Kind::End, 1),
            b'"' => (Kind::Text, text_len(rest)),
            first => {
                let is_word = first.is_ascii_alphabetic();
                let len = rest.iter().take_while(|byte| is_scalar(byte)).count().max(1);
                (if is_word { Kind::Word } else { Kind::Number }, len)
            }
        };
        self.at = start + len;
        Some(Token { kind, start, end: self.at })
    }

    /// The next key of an object, and the first token of its value; `None` at the end of the object.
    pub(super) fn entry(&mut self) -> Option<(Token, Token)> {
        let key = self.next().filter(|token| token.kind == Kind::Text)?;
        Some((key, self.next()?))
    }

    /// The first token of the next element of a list; `None` at the end of the list.
    pub(super) fn element(&mut self) -> Option<Token> {
        self.next().filter(|token| token.kind != Kind::End)
    }

    /// Reads the rest of a value, of which the first token was read.
    pub(super) fn skip(&mut self, first: Token) {
        let mut depth = 0_usize;
        let mut token = Some(first);
        while let Some(Token { kind, .. }) = token {
            match kind {
                Kind::Object | Kind::List => depth += 1,
                Kind::End => depth = depth.saturating_sub(1),
                Kind::Text | Kind::Number | Kind::Word => {}
            }
            token = if depth > 0 { self.next() } else { None };
        }
    }

    /// A token as it is written.
    pub(super) fn written(&self, token: Token) -> &'t str {
        self.text.get(token.span()).unwrap_or_default()
    }

    /// What a text says.
    pub(super) fn said(&self, token: Token) -> Cow<'t, str> {
        let written = self.written(token);
        if written.contains('\\') {
            serde_json::from_str(written).map_or(Cow::Borrowed(""), Cow::Owned)
        } else {
            Cow::Borrowed(written.trim_matches('"'))
        }
    }

    /// A number that is finite.
    pub(super) fn number(&self, token: Token) -> Option<f64> {
        let number = self.written(token).parse().ok().filter(|number: &f64| number.is_finite());
        number.filter(|_| token.kind == Kind::Number)
    }
}

/// The bytes of a text with its quotation marks.
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
    use super::{Kind, Tokens};

    #[test]
    fn values_of_any_depth_are_skipped() {
        let deep = "[".repeat(100_000) + &"]".repeat(100_000);
        let text = format!("{{\"a\\u0062\\\"\": {deep} , \"b\":-1.5e3,\"c\":null}}");
        let mut tokens = Tokens::from(&text, 0);
        assert_eq!(tokens.next().map(|token| token.kind), Some(Kind::Object));
        let (key, value) = tokens.entry().expect("an entry");
        assert_eq!((&*tokens.said(key), value.kind), ("ab\"", Kind::List));
        tokens.skip(value);
        let (key, value) = tokens.entry().expect("an entry");
        assert_eq!((&*tokens.said(key), tokens.number(value)), ("b", Some(-1_500.0)));
        let (_, value) = tokens.entry().expect("an entry");
        assert_eq!((value.kind, tokens.number(value)), (Kind::Word, None));
        assert!(tokens.entry().is_none() && tokens.next().is_none());
    }
}
