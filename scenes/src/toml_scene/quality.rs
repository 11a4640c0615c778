//! The key `quality`: a number for each level, or the name of a curve.

use std::fmt;

use lodger_core::budget::{Quality, QualityCurve};
use serde::Deserialize;
use serde::de::value::SeqAccessDeserializer;
use serde::de::{Deserializer, Error, IntoDeserializer as _, SeqAccess, Visitor};

use crate::error::SceneFileError;
use crate::spans::Subject;

#[derive(Debug)]
pub(super) enum RawQuality {
    Table(Vec<f64>),
    Curve(QualityCurve),
}

impl RawQuality {
    /// The number of levels of a table.
    pub(super) fn levels(&self) -> Option<usize> {
        if let Self::Table(table) = self { Some(table.len()) } else { None }
    }
}

/// Reads a table of qualities.
pub(super) fn qualities(table: &[f64], owner: Subject) -> Result<Vec<Quality>, SceneFileError> {
    let error = |why| Err(SceneFileError::new(format!("`quality` {why}"), owner, "quality"));
    let is_wrong = |(_, value): &(usize, &f64)| Quality::new(**value).is_err();
    if let Some((lod, value)) = table.iter().enumerate().find(is_wrong) {
        return error(format!("is {value:?} at LOD {lod}, but must be from 0 to 1"));
    }
    match table.windows(2).enumerate().find(|(_, pair)| pair[1] < pair[0]) {
        Some((lod, pair)) => error(format!(
            "decreases from {:?} at LOD {lod} to {:?} at LOD {}, but higher LODs cannot be worse",
            pair[0],
            pair[1],
            lod + 1
        )),
        None => Ok(table.iter().filter_map(|value| Quality::new(*value).ok()).collect()),
    }
}

impl<'de> Deserialize<'de> for RawQuality {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(QualityVisitor)
    }
}

struct QualityVisitor;

impl<'de> Visitor<'de> for QualityVisitor {
    type Value = RawQuality;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of numbers or the name of a curve")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(seq)).map(RawQuality::Table)
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
        QualityCurve::deserialize(name.into_deserializer()).map(RawQuality::Curve)
    }
}
