//! The joints of a rigged mesh.

use std::borrow::Cow;

use crate::error::{Error, Problem};
use crate::fields;
use crate::llsd::{Map, Value};

/// The joints that a mesh hangs on.
///
/// Matrices have 16 numbers, row by row, for points as row vectors: the translation comes last.
/// Lengths are in metres. Nothing here costs anything; it is kept as it is.
///
/// Source: Second Life wiki, Mesh/Mesh Asset Format, skin block.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Skin<'a> {
    /// `joint_names`: the names that the weights' joints stand for.
    pub joint_names: Vec<Cow<'a, str>>,
    /// `bind_shape_matrix`: from unit space to that of the joints.
    pub bind_shape_matrix: Option<[f64; 16]>,
    /// `inverse_bind_matrix`: one for each joint.
    pub inverse_bind_matrix: Vec<[f64; 16]>,
    /// `alt_inverse_bind_matrix`: joint positions that replace those of the avatar; may be absent.
    pub alt_inverse_bind_matrix: Vec<[f64; 16]>,
    /// `pelvis_offset`: metres.
    pub pelvis_offset: Option<f64>,
    /// `lock_scale_if_joint_position`: whether replaced joints ignore the avatar's shape.
    pub lock_scale_if_joint_position: Option<bool>,
}

impl<'a> Skin<'a> {
    /// Decodes a skin. Numbers are not looked at, and lists may differ in length, as they do in files.
    ///
    /// # Errors
    /// [`Problem::WrongType`].
    pub fn from_value(value: &Value<'a>) -> Result<Self, Error> {
        let map = value.as_map().ok_or(Problem::WrongType { field: "skin", expected: "a map" })?;
        let matrices = |name| fields::lists(map, name, "an array of arrays of 16 reals");
        Ok(Self {
            joint_names: fields::strings(map, "joint_names")?.unwrap_or_default(),
            bind_shape_matrix: fields::reals(map, "bind_shape_matrix", "an array of 16 reals")?,
            inverse_bind_matrix: matrices("inverse_bind_matrix")?.unwrap_or_default(),
            alt_inverse_bind_matrix: matrices("alt_inverse_bind_matrix")?.unwrap_or_default(),
            pelvis_offset: fields::real(map, "pelvis_offset")?,
            lock_scale_if_joint_position: fields::boolean(map, "lock_scale_if_joint_position")?,
        })
    }

    /// The map that [`from_value`](Self::from_value) reads.
    #[must_use]
    pub fn to_value(&self) -> Value<'_> {
        let list = |matrix: &[f64; 16]| -> Value { matrix.map(Value::Real).into_iter().collect() };
        let lists = |matrices: &[[f64; 16]]| -> Value { matrices.iter().map(list).collect() };
        let names = self.joint_names.iter().map(|name| Value::from(&**name));
        let mut map = Map::new();
        if !self.alt_inverse_bind_matrix.is_empty() {
            map.insert("alt_inverse_bind_matrix", lists(&self.alt_inverse_bind_matrix));
        }
        if let Some(matrix) = &self.bind_shape_matrix {
            map.insert("bind_shape_matrix", list(matrix));
        }
        map.insert("inverse_bind_matrix", lists(&self.inverse_bind_matrix));
        map.insert("joint_names", names.collect::<Value>());
        if let Some(lock) = self.lock_scale_if_joint_position {
            map.insert("lock_scale_if_joint_position", lock);
        }
        if let Some(offset) = self.pelvis_offset {
            map.insert("pelvis_offset", offset);
        }
        Value::Map(map)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_skin_comes_back() {
        let skin = Skin {
            joint_names: vec!["mPelvis".into(), "mTorso".into()],
            bind_shape_matrix: Some([0.5; 16]),
            inverse_bind_matrix: vec![[1.0; 16], [2.0; 16]],
            alt_inverse_bind_matrix: vec![[3.0; 16]],
            pelvis_offset: Some(-0.1),
            lock_scale_if_joint_position: Some(true),
        };
        assert_eq!(Skin::from_value(&skin.to_value()).unwrap(), skin);
        let bare = Skin::default();
        assert_eq!(Skin::from_value(&bare.to_value()).unwrap(), bare);
    }

    #[test]
    fn a_matrix_has_sixteen_numbers() {
        let short: Value = [1.0; 15].map(Value::Real).into_iter().collect();
        let map: Map = [("bind_shape_matrix", short)].into_iter().collect();
        let error = Skin::from_value(&map.into()).unwrap_err();
        assert!(matches!(error.problem(), Problem::WrongType { field: "bind_shape_matrix", .. }));
    }
}
