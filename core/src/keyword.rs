//! Types that are displayed and parsed as keywords.

use core::fmt;

/// The error of parsing an unknown keyword.
///
/// # Examples
/// ```
/// use lodger_core::importance::DistanceImportance;
///
/// let unknown = "angle".parse::<DistanceImportance>().unwrap_err();
/// assert_eq!(unknown.to_string(), "expected `solid-angle` or `angular`");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct UnknownKeyword {
    expected: &'static [&'static str],
}

impl UnknownKeyword {
    pub(crate) const fn new(expected: &'static [&'static str]) -> Self {
        Self { expected }
    }

    /// Returns the keywords of the type.
    #[must_use]
    pub const fn expected(self) -> &'static [&'static str] {
        self.expected
    }
}

impl fmt::Display for UnknownKeyword {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected ")?;
        for (index, word) in self.expected.iter().enumerate() {
            f.write_str(match self.expected.len().wrapping_sub(index) {
                _ if index == 0 => "",
                1 => " or ",
                _ => ", ",
            })?;
            write!(f, "`{word}`")?;
        }
        Ok(())
    }
}

impl core::error::Error for UnknownKeyword {}

#[cfg(feature = "serde")]
pub(crate) struct KeywordVisitor<T> {
    keywords: &'static [&'static str],
    of: core::marker::PhantomData<T>,
}

#[cfg(feature = "serde")]
impl<T> KeywordVisitor<T> {
    pub(crate) const fn new(keywords: &'static [&'static str]) -> Self {
        Self { keywords, of: core::marker::PhantomData }
    }
}

#[cfg(feature = "serde")]
impl<T: core::str::FromStr<Err = UnknownKeyword>> serde::de::Visitor<'_> for KeywordVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("one of the words ")?;
        for (index, word) in self.keywords.iter().enumerate() {
            write!(f, "{}`{word}`", if index == 0 { "" } else { ", " })?;
        }
        Ok(())
    }

    fn visit_str<E: serde::de::Error>(self, word: &str) -> Result<T, E> {
        word.parse().map_err(|_| E::unknown_variant(word, self.keywords))
    }
}

/// Implements `ALL`, `Display`, `FromStr` and serde for an enum of keywords.
macro_rules! keywords {
    ($type:ident { $($variant:ident => $word:literal),+ $(,)? }) => {
        impl $type {
            /// Every value, in the order of the declaration.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            const KEYWORDS: &'static [&'static str] = &[$($word),+];
        }

        impl core::fmt::Display for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.pad(match self {
                    $(Self::$variant => $word,)+
                })
            }
        }

        impl core::str::FromStr for $type {
            type Err = $crate::keyword::UnknownKeyword;

            fn from_str(word: &str) -> Result<Self, Self::Err> {
                match word {
                    $($word => Ok(Self::$variant),)+
                    _ => Err($crate::keyword::UnknownKeyword::new(Self::KEYWORDS)),
                }
            }
        }

        #[cfg(feature = "serde")]
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        #[cfg(feature = "serde")]
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str($crate::keyword::KeywordVisitor::new(Self::KEYWORDS))
            }
        }
    };
}

pub(crate) use keywords;

#[cfg(test)]
mod tests {
    use std::string::ToString as _;

    use crate::budget::Leftovers;

    #[test]
    fn what_is_displayed_is_parsed() {
        for &leftovers in Leftovers::ALL {
            assert_eq!(leftovers.to_string().parse(), Ok(leftovers));
        }
        let unknown = "all".parse::<Leftovers>().unwrap_err();
        assert_eq!(unknown.expected().len(), Leftovers::ALL.len());
        assert_eq!(
            unknown.to_string(),
            "expected `keep`, `within-module`, `across-modules` or `whole-budget`"
        );
    }
}
