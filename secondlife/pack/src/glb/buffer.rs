//! The binary buffer of a .glb file, its axes and its container.

use lodger_mesh_asset::AssetErrorKind;
use serde_json::{Map, Value, json};

/// Converts to Y up: (x, y, z) becomes (x, z, −y).
pub(crate) fn y_up<T: Copy + std::ops::Sub<Output = T> + Default>([x, y, z]: [T; 3]) -> [T; 3] {
    // Not −y, as the negative of 0 is −0.
    [x, z, T::default() - y]
}

/// Converts texture coordinates: V becomes −V.
pub(crate) fn tex_coord([u, v]: [f32; 2]) -> [f32; 2] {
    [u, 0.0 - v]
}

/// Converts an affine matrix to Y up. Rows for row vectors are glTF's columns for column vectors.
pub(crate) fn matrix(rows: &[f64; 16]) -> [f64; 16] {
    let row = |index: usize| y_up([rows[4 * index], rows[4 * index + 1], rows[4 * index + 2]]);
    // The former Y axis is −Z, and the former Z axis Y.
    let [x, y, z, t] = [row(0), row(2), row(1).map(|number| 0.0 - number), row(3)];
    [
        x[0], x[1], x[2], 0.0, //
        y[0], y[1], y[2], 0.0, //
        z[0], z[1], z[2], 0.0, //
        t[0], t[1], t[2], 1.0,
    ]
}

/// Source: glTF 2.0, 4.4, binary glTF layout.
const MAGIC: [u8; 4] = *b"glTF";
const VERSION: u32 = 2;
const JSON: [u8; 4] = *b"JSON";
const BINARY: [u8; 4] = *b"BIN\0";
const HEADER: usize = 12;
const CHUNK_HEADER: usize = 8;

/// Builds a .glb file; the length of the binary part must be a multiple of four.
///
/// # Errors
///
/// [`AssetErrorKind::TooLong`] from 2 GiB on, as for an asset.
pub(crate) fn glb(document: Map<String, Value>, binary: &[u8]) -> Result<Vec<u8>, AssetErrorKind> {
    let mut json = Value::Object(document).to_string().into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let length = HEADER + CHUNK_HEADER + json.len() + CHUNK_HEADER + binary.len();
    let signed = i32::try_from(length).map_err(|_| AssetErrorKind::TooLong)?;
    let mut file = Vec::with_capacity(length);
    file.extend(MAGIC);
    file.extend(VERSION.to_le_bytes());
    file.extend(signed.to_le_bytes());
    for (kind, bytes) in [(JSON, &json[..]), (BINARY, binary)] {
        let size = u32::try_from(bytes.len()).map_err(|_| AssetErrorKind::TooLong)?;
        file.extend(size.to_le_bytes());
        file.extend(kind);
        file.extend_from_slice(bytes);
    }
    Ok(file)
}

#[derive(Clone, Copy)]
pub(crate) struct AccessorKind {
    component: u32,
    shape: &'static str,
    target: Option<u32>,
}

/// Source: glTF 2.0, 3.6.2.2, accessor data types, and 5.11.5, `bufferView.target`.
const FLOAT: u32 = 5126;
const UNSIGNED_SHORT: u32 = 5123;
const UNSIGNED_BYTE: u32 = 5121;
const ARRAY_BUFFER: Option<u32> = Some(34_962);
const ELEMENT_ARRAY_BUFFER: Option<u32> = Some(34_963);

impl AccessorKind {
    pub(crate) const VEC3: Self = Self::new(FLOAT, "VEC3", ARRAY_BUFFER);
    pub(crate) const VEC2: Self = Self::new(FLOAT, "VEC2", ARRAY_BUFFER);
    pub(crate) const INDICES: Self = Self::new(UNSIGNED_SHORT, "SCALAR", ELEMENT_ARRAY_BUFFER);
    pub(crate) const JOINTS: Self = Self::new(UNSIGNED_BYTE, "VEC4", ARRAY_BUFFER);
    pub(crate) const WEIGHTS: Self = Self::new(FLOAT, "VEC4", ARRAY_BUFFER);
    pub(crate) const MATRICES: Self = Self::new(FLOAT, "MAT4", None);

    const fn new(component: u32, shape: &'static str, target: Option<u32>) -> Self {
        Self { component, shape, target }
    }
}

/// Accessors, each at a multiple of four bytes.
#[derive(Default)]
pub(crate) struct GlbBuffer {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl GlbBuffer {
    /// Adds `count` elements, little-endian; returns the index of their accessor.
    pub(crate) fn push(
        &mut self,
        kind: AccessorKind,
        count: usize,
        bytes: impl IntoIterator<Item = u8>,
    ) -> usize {
        let offset = self.bytes.len();
        self.bytes.extend(bytes);
        let mut view = json!({
            "buffer": 0, "byteOffset": offset, "byteLength": self.bytes.len() - offset,
        });
        if let Some(target) = kind.target {
            view["target"] = target.into();
        }
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let accessor = json!({
            "bufferView": self.views.len(), "componentType": kind.component, "count": count,
            "type": kind.shape,
        });
        self.views.push(view);
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    pub(crate) fn floats<const N: usize>(
        &mut self,
        kind: AccessorKind,
        lists: &[[f32; N]],
    ) -> usize {
        self.push(kind, lists.len(), lists.as_flattened().iter().flat_map(|x| x.to_le_bytes()))
    }

    pub(crate) fn positions(&mut self, positions: &[[f32; 3]]) -> usize {
        let bound = |pick: fn(f32, f32) -> f32| {
            let pick =
                |a: [f32; 3], b: &[f32; 3]| std::array::from_fn(|axis| pick(a[axis], b[axis]));
            positions.iter().fold(positions.first().copied().unwrap_or_default(), pick)
        };
        let index = self.floats(AccessorKind::VEC3, positions);
        let accessor = &mut self.accessors[index];
        accessor["min"] = json!(bound(f32::min));
        accessor["max"] = json!(bound(f32::max));
        index
    }

    pub(crate) fn finish(self) -> ([(&'static str, Value); 3], Vec<u8>) {
        let buffers = json!([{ "byteLength": self.bytes.len() }]);
        let entries = [
            ("accessors", self.accessors.into()),
            ("bufferViews", self.views.into()),
            ("buffers", buffers),
        ];
        (entries, self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn transform([x, y, z]: [f64; 3], m: &[f64; 16]) -> [f64; 3] {
        std::array::from_fn(|i| x * m[i] + y * m[4 + i] + z * m[8 + i] + m[12 + i])
    }

    #[test]
    #[expect(clippy::float_cmp, reason = "all numbers are small multiples of a quarter")]
    fn a_matrix_does_the_same_in_both_spaces() {
        let z_up = [
            0.0, 2.0, 0.5, 0.0, //
            -1.0, 0.25, 3.0, 0.0, //
            7.0, 0.0, -2.0, 0.0, //
            10.0, 20.0, 30.0, 1.0,
        ];
        for point in
            [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.5, -2.0, 4.0]]
        {
            assert_eq!(transform(y_up(point), &matrix(&z_up)), y_up(transform(point, &z_up)));
        }
    }
}
