//! What an index says of the file as a whole.

use super::tokens::{Kind, Token, Tokens};
use super::wrong;
use crate::error::Error;
use crate::sog_error::SogError;
use lodger_gltf::clipped;

/// The version that is read; files without one are older and of the same shape.
const VERSION: f64 = 1.0;
/// Levels are counted in a byte.
const MOST_LEVELS: usize = 256;

/// What an index says of the file as a whole.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head {
    /// How many levels leaves have at most.
    pub(super) levels: usize,
    /// Whether it says that leaves have no errors, whatever they have.
    pub(super) denies_errors: bool,
    /// Where the tree begins.
    pub(super) tree: usize,
}

/// Whether a text is such an index, broken or not: an object with the key `lodLevels`, which no glTF has.
pub(crate) fn is_index(text: &str) -> bool {
    let mut tokens = Tokens::from(text, 0);
    if tokens.next().is_none_or(|token| token.kind != Kind::Object) {
        return false;
    }
    while let Some((key, value)) = tokens.entry() {
        if tokens.said(key) == "lodLevels" {
            return true;
        }
        tokens.skip(value);
    }
    false
}

/// Reads what stands at the top; the tree is passed over.
pub(super) fn read(text: &str) -> Result<Head, Error> {
    let mut tokens = Tokens::from(text, 0);
    let _open = tokens.next();
    let (mut levels, mut denies_errors, mut tree) = (None, None, None);
    while let Some((key, value)) = tokens.entry() {
        let is_new = match &*tokens.said(key) {
            "version" => check_version(&tokens, value).map(|()| true)?,
            "lodLevels" => levels.replace(level_count(&tokens, value)?).is_none(),
            "lodErrors" => denies_errors.replace(tokens.written(value) == "false").is_none(),
            "tree" => tree.replace(value.start).is_none(),
            _ => true,
        };
        if !is_new {
            let key = clipped(&tokens.said(key)).into_owned();
            return Err(wrong(SogError::Repeated { key }, value));
        }
        tokens.skip(value);
    }
    let missing = |key| Error::sog(SogError::Missing { key });
    Ok(Head {
        levels: levels.ok_or_else(|| missing("lodLevels"))?,
        denies_errors: denies_errors.unwrap_or_default(),
        tree: tree.ok_or_else(|| missing("tree"))?,
    })
}

fn check_version(tokens: &Tokens<'_>, value: Token) -> Result<(), Error> {
    if tokens.number(value).is_some_and(|version| version <= VERSION) {
        return Ok(());
    }
    let found = clipped(tokens.written(value)).into_owned();
    Err(wrong(SogError::Version { found }, value))
}

fn level_count(tokens: &Tokens<'_>, value: Token) -> Result<usize, Error> {
    let levels = tokens.written(value).parse().ok();
    levels.filter(|levels| (1..=MOST_LEVELS).contains(levels)).ok_or_else(|| {
        let expected = "a whole number of levels from 1 to 256";
        wrong(SogError::Wrong { key: "lodLevels", expected }, value)
    })
}
