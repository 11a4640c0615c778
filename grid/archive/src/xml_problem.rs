//! Why XML cannot be read.

use std::fmt;

use quick_xml::Error as XmlError;
use quick_xml::errors::{IllFormedError, SyntaxError};

use crate::clip::clipped;

/// Why XML cannot be read.
#[derive(Debug)]
#[non_exhaustive]
pub enum XmlProblem {
    /// There is no element in it.
    Empty,
    /// There is something before the first element.
    NotXml,
    /// Elements are nested deeper than [`Limits::nesting`](crate::Limits::nesting).
    TooDeep,
    /// It ends within an element.
    CutShort,
    /// It uses an entity of its own: those are not expanded.
    Entity,
    /// It breaks the rules of XML.
    Syntax(Box<dyn std::error::Error + Send + Sync>),
}

impl fmt::Display for XmlProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("there is nothing in it"),
            Self::NotXml => f.write_str("this is not XML"),
            Self::TooDeep => f.write_str("its elements are nested too deeply"),
            Self::CutShort => f.write_str("it is cut short"),
            Self::Entity => f.write_str("it uses an entity, and entities are not expanded"),
            Self::Syntax(error) => match error.downcast_ref() {
                Some(XmlError::IllFormed(error)) => ill_formed(error, f),
                Some(XmlError::Syntax(error)) => f.write_str(unclosed(*error)),
                _ => f.write_str("this is not well-formed XML"),
            },
        }
    }
}

fn ill_formed(error: &IllFormedError, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match error {
        IllFormedError::MismatchedEndTag { expected, found } => {
            write!(f, "`{}` is closed where `{}` is open", clipped(found), clipped(expected))
        }
        IllFormedError::UnmatchedEndTag(name) => {
            write!(f, "`{}` is closed, but was not opened", clipped(name))
        }
        IllFormedError::MissingEndTag(name) => write!(f, "`{}` is not closed", clipped(name)),
        IllFormedError::UnclosedReference => f.write_str("a `&` begins no entity; it is `&amp;`"),
        IllFormedError::DoubleHyphenInComment => f.write_str("there is `--` in a comment"),
        _ => f.write_str("this is not well-formed XML"),
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

impl std::error::Error for XmlProblem {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Syntax(error) => Some(&**error),
            _ => None,
        }
    }
}
