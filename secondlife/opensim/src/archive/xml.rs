//! A cursor over XML elements by local name, and parsers of element texts. Predefined entities and character
//! references are resolved; any other entity is an error. Document types are skipped.

use std::borrow::Cow;

use quick_xml::errors::{IllFormedError, SyntaxError};
use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::{Error as XmlError, Reader};
use uuid::Uuid;

use crate::archive::error::{ArchiveErrorKind, ellipsized};

#[derive(Debug)]
pub(crate) struct XmlCursor<'x> {
    reader: Reader<&'x [u8]>,
    depth: usize,
    deepest: usize,
}

#[derive(Debug)]
enum XmlToken<'x> {
    Open(BytesStart<'x>),
    Text(Cow<'x, str>),
    Close,
    End,
}

/// Decodes a document; invalid UTF-8 becomes `U+FFFD`.
pub(crate) fn decoded(bytes: &[u8]) -> Result<Cow<'_, str>, ArchiveErrorKind> {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        Err(ArchiveErrorKind::invalid("it is UTF-16, and OpenSimulator writes UTF-8"))
    } else {
        Ok(String::from_utf8_lossy(bytes))
    }
}

impl<'x> XmlCursor<'x> {
    pub(crate) fn new(text: &'x str, deepest: usize) -> Self {
        let mut reader = Reader::from_str(text.trim_start_matches('\u{feff}'));
        reader.config_mut().expand_empty_elements = true;
        Self { reader, depth: 0, deepest }
    }

    pub(crate) fn root(&mut self) -> Result<String, ArchiveErrorKind> {
        loop {
            match self.next()? {
                XmlToken::Open(start) => return Ok(start.local_name().into_inner().to_owned()),
                XmlToken::Text(text) if text.trim().is_empty() => {}
                XmlToken::Text(_) | XmlToken::Close => {
                    return Err(self.broken("this is not XML"));
                }
                XmlToken::End => return Err(self.broken("there is nothing in it")),
            }
        }
    }

    /// Calls `visit` in each child with its name; `visit` must read the child to its end.
    pub(crate) fn children(
        &mut self,
        mut visit: impl FnMut(&mut Self, &str) -> Result<(), ArchiveErrorKind>,
    ) -> Result<(), ArchiveErrorKind> {
        loop {
            match self.next()? {
                XmlToken::Open(start) => visit(self, start.local_name().into_inner())?,
                XmlToken::Text(_) => {}
                XmlToken::Close | XmlToken::End => return Ok(()),
            }
        }
    }

    pub(crate) fn text(&mut self) -> Result<String, ArchiveErrorKind> {
        let mut text = String::new();
        self.leave(|piece| text.push_str(piece))?;
        Ok(text)
    }

    pub(crate) fn skip(&mut self) -> Result<(), ArchiveErrorKind> {
        self.leave(|_| {})
    }

    fn leave(&mut self, mut take: impl FnMut(&str)) -> Result<(), ArchiveErrorKind> {
        let outside = self.depth.saturating_sub(1);
        while self.depth > outside {
            match self.next()? {
                XmlToken::Text(piece) => take(&piece),
                XmlToken::Open(_) | XmlToken::Close | XmlToken::End => {}
            }
        }
        Ok(())
    }

    fn next(&mut self) -> Result<XmlToken<'x>, ArchiveErrorKind> {
        loop {
            let event = match self.reader.read_event() {
                Ok(event) => event,
                Err(error) => return Err(self.not_well_formed(error)),
            };
            return Ok(match event {
                Event::Start(_) if self.depth >= self.deepest => {
                    return Err(self.broken("its elements are nested too deeply"));
                }
                Event::Start(start) => {
                    self.depth += 1;
                    XmlToken::Open(start)
                }
                Event::End(_) => {
                    self.depth = self.depth.saturating_sub(1);
                    XmlToken::Close
                }
                Event::Text(text) => XmlToken::Text(text.into_inner()),
                Event::CData(text) => XmlToken::Text(text.into_inner()),
                Event::GeneralRef(entity) => XmlToken::Text(self.resolve(&entity)?),
                Event::Eof if self.depth > 0 => return Err(self.broken("it is cut short")),
                Event::Eof => XmlToken::End,
                Event::Empty(_)
                | Event::Comment(_)
                | Event::Decl(_)
                | Event::PI(_)
                | Event::DocType(_) => continue,
            });
        }
    }

    fn resolve(&self, entity: &BytesRef<'_>) -> Result<Cow<'x, str>, ArchiveErrorKind> {
        if entity.is_char_ref() {
            let character = entity.resolve_char_ref().ok().flatten();
            return Ok(character.unwrap_or(char::REPLACEMENT_CHARACTER).to_string().into());
        }
        match resolve_xml_entity(entity) {
            Some(text) => Ok(text.into()),
            None => Err(self.broken("it uses an entity, and entities are not expanded")),
        }
    }

    fn broken(&self, reason: &str) -> ArchiveErrorKind {
        ArchiveErrorKind::invalid(self.message(reason))
    }

    fn not_well_formed(&self, error: XmlError) -> ArchiveErrorKind {
        ArchiveErrorKind::Invalid {
            message: self.message(&syntax(&error)).into(),
            unquoted: Some(self.message(NOT_WELL_FORMED).into()),
            source: Some(error.into()),
        }
    }

    fn message(&self, reason: &str) -> String {
        format!("its XML cannot be read at byte {}: {reason}", self.reader.buffer_position())
    }
}

const NOT_WELL_FORMED: &str = "this is not well-formed XML";

fn syntax(error: &XmlError) -> String {
    match error {
        XmlError::IllFormed(error) => ill_formed(error),
        XmlError::Syntax(error) => unclosed(*error).to_owned(),
        _ => NOT_WELL_FORMED.to_owned(),
    }
}

fn ill_formed(error: &IllFormedError) -> String {
    match error {
        IllFormedError::MismatchedEndTag { expected, found } => {
            format!("`{}` is closed where `{}` is open", ellipsized(found), ellipsized(expected))
        }
        IllFormedError::UnmatchedEndTag(name) => {
            format!("`{}` is closed, but was not opened", ellipsized(name))
        }
        IllFormedError::MissingEndTag(name) => format!("`{}` is not closed", ellipsized(name)),
        IllFormedError::UnclosedReference => "a `&` begins no entity; it is `&amp;`".to_owned(),
        IllFormedError::DoubleHyphenInComment => "there is `--` in a comment".to_owned(),
        _ => NOT_WELL_FORMED.to_owned(),
    }
}

const fn unclosed(error: SyntaxError) -> &'static str {
    match error {
        SyntaxError::UnclosedTag
        | SyntaxError::UnclosedSingleQuotedAttributeValue
        | SyntaxError::UnclosedDoubleQuotedAttributeValue => "it ends within a tag",
        SyntaxError::UnclosedComment => "a comment does not end",
        SyntaxError::UnclosedCData => "a `<![CDATA[` does not end",
        SyntaxError::UnclosedDoctype => "a `<!DOCTYPE` does not end",
        SyntaxError::UnclosedPI | SyntaxError::UnclosedXmlDecl => "a `<?` does not end",
        SyntaxError::InvalidBangMarkup => "there is a `<!` that begins nothing",
    }
}

pub(crate) fn wrong(field: &str, text: Option<&str>, expected: &str) -> ArchiveErrorKind {
    let Some(text) = text else {
        return ArchiveErrorKind::invalid(format!("`{field}` is missing"));
    };
    let message = format!("`{field}` is `{}`, but must be {expected}", ellipsized(text.trim()));
    ArchiveErrorKind::quoting(message, format!("`{field}` must be {expected}"))
}

pub(crate) fn number(field: &'static str, text: Option<&str>) -> Result<f64, ArchiveErrorKind> {
    parsed(text)
        .filter(|number: &f64| number.is_finite())
        .ok_or_else(|| wrong(field, text, "a finite number"))
}

pub(crate) fn length(field: &'static str, text: Option<&str>) -> Result<f64, ArchiveErrorKind> {
    parsed(text)
        .filter(|number: &f64| number.is_finite() && *number >= 0.0)
        .ok_or_else(|| wrong(field, text, "a finite number of at least 0"))
}

pub(crate) fn integer(field: &'static str, text: Option<&str>) -> Result<i64, ArchiveErrorKind> {
    parsed(text).ok_or_else(|| wrong(field, text, "an integer"))
}

pub(crate) fn truth(field: &'static str, text: Option<&str>) -> Result<bool, ArchiveErrorKind> {
    let is = |word: &str| text.is_some_and(|text| text.trim().eq_ignore_ascii_case(word));
    if is("true") || is("1") {
        Ok(true)
    } else if is("false") || is("0") {
        Ok(false)
    } else {
        Err(wrong(field, text, "`true` or `false`"))
    }
}

/// Parses a UUID; nil if the text is none, as in `OpenSimulator` (`Util.ReadUUID`).
pub(crate) fn identifier(text: &str) -> Uuid {
    Uuid::try_parse(text.trim()).unwrap_or_default()
}

pub(crate) fn non_nil(id: Uuid) -> Option<Uuid> {
    Some(id).filter(|id| !id.is_nil())
}

fn parsed<T: std::str::FromStr>(text: Option<&str>) -> Option<T> {
    text?.trim().parse().ok()
}
