//! The binary part of a file: elements, and the accessors that find them.

use serde_json::{Value, json};

/// What the elements of an accessor are.
#[derive(Clone, Copy)]
pub(super) struct Kind {
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

impl Kind {
    pub(super) const VEC3: Self = Self::new(FLOAT, "VEC3", ARRAY_BUFFER);
    pub(super) const VEC2: Self = Self::new(FLOAT, "VEC2", ARRAY_BUFFER);
    pub(super) const INDICES: Self = Self::new(UNSIGNED_SHORT, "SCALAR", ELEMENT_ARRAY_BUFFER);
    pub(super) const JOINTS: Self = Self::new(UNSIGNED_BYTE, "VEC4", ARRAY_BUFFER);
    pub(super) const WEIGHTS: Self = Self::new(FLOAT, "VEC4", ARRAY_BUFFER);
    pub(super) const MATRICES: Self = Self::new(FLOAT, "MAT4", None);

    const fn new(component: u32, shape: &'static str, target: Option<u32>) -> Self {
        Self { component, shape, target }
    }
}

/// Elements one after the other, each list beginning at a multiple of four bytes.
#[derive(Default)]
pub(super) struct Buffer {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Buffer {
    /// Adds so many elements, little-endian, and gives the index of their accessor.
    pub(super) fn push(
        &mut self,
        kind: Kind,
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

    /// Adds lists of floats.
    pub(super) fn floats<const N: usize>(&mut self, kind: Kind, lists: &[[f32; N]]) -> usize {
        self.push(kind, lists.len(), lists.as_flattened().iter().flat_map(|x| x.to_le_bytes()))
    }

    /// Adds positions, which have bounds.
    pub(super) fn positions(&mut self, positions: &[[f32; 3]]) -> usize {
        let bound = |pick: fn(f32, f32) -> f32| {
            let pick =
                |a: [f32; 3], b: &[f32; 3]| std::array::from_fn(|axis| pick(a[axis], b[axis]));
            positions.iter().fold(positions.first().copied().unwrap_or_default(), pick)
        };
        let index = self.floats(Kind::VEC3, positions);
        let accessor = &mut self.accessors[index];
        accessor["min"] = json!(bound(f32::min));
        accessor["max"] = json!(bound(f32::max));
        index
    }

    /// The arrays `accessors`, `bufferViews` and `buffers`, and the bytes.
    pub(super) fn finish(self) -> ([(&'static str, Value); 3], Vec<u8>) {
        let buffers = json!([{ "byteLength": self.bytes.len() }]);
        let entries = [
            ("accessors", self.accessors.into()),
            ("bufferViews", self.views.into()),
            ("buffers", buffers),
        ];
        (entries, self.bytes)
    }
}
