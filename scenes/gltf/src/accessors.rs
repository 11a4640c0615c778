//! Reads elements of accessors from buffers.

use crate::buffers::{Buffers, FileQuota};
use crate::error::GltfFileError;
use crate::lenient::{Index, LenientUint};
use crate::raw::{Accessor, Arity, BufferView, Document, Sparse, SparsePart};

/// Units of work of an element of up to sixteen numbers.
const ELEMENT: u64 = 16;

/// The required type of an accessor's elements.
#[derive(Clone, Copy, Debug)]
pub struct AccessorSpec {
    /// The number of components of an element.
    pub arity: Arity,
    /// The allowed component types.
    pub components: &'static [Component],
    /// The end of a message after *is not of the type*.
    pub requirement: &'static str,
    /// Whether a sparse accessor may have no buffer view; its other elements are then 0.
    pub may_be_zeros: bool,
}

/// Reads elements of accessors from buffers.
pub struct AccessorReader<'a> {
    document: &'a Document<'a>,
    buffers: Buffers<'a>,
    /// The quota that the reader charges.
    pub file_quota: &'a FileQuota<'a>,
}

/// An iterator over elements of `N` numbers each.
pub struct Elements<'b, const N: usize> {
    /// `None` if all elements that are not sparse are 0.
    base: Option<ElementBytes<'b>>,
    sparse: Option<SparseElements<'b>>,
    next: usize,
    count: usize,
}

#[derive(Clone, Copy)]
struct ElementBytes<'b> {
    bytes: &'b [u8],
    stride: usize,
    component: Component,
    normalized: bool,
}

struct SparseElements<'b> {
    indices: ElementBytes<'b>,
    values: ElementBytes<'b>,
    next: usize,
    count: usize,
}

impl<'a> AccessorReader<'a> {
    /// Creates a reader of a document's accessors.
    pub fn new(
        document: &'a Document<'a>,
        buffers: Buffers<'a>,
        file_quota: &'a FileQuota<'a>,
    ) -> Self {
        Self { document, buffers, file_quota }
    }

    /// Returns the declared number of elements.
    ///
    /// # Errors
    /// The accessor does not exist.
    pub fn count(&self, index: Index) -> Result<u64, GltfFileError> {
        let accessor = self.accessor(index)?;
        Ok(accessor.count.map_or(0, |count| count.0))
    }

    /// Whether an accessor has a buffer view or sparse elements.
    #[must_use]
    pub fn has_data(&self, index: Index) -> bool {
        let accessor = self.document.accessors.get(index.get());
        accessor.is_some_and(|accessor| accessor.buffer_view.is_some() || accessor.sparse.is_some())
    }

    /// Returns the elements of an accessor, after checking that all lie within its buffers.
    ///
    /// # Errors
    /// An error that names the wrong accessor or buffer, and [`QuotaExceeded`](lodger_quota::QuotaExceeded).
    pub fn elements<const N: usize>(
        &self,
        index: Index,
        wanted: AccessorSpec,
    ) -> Result<Elements<'_, N>, GltfFileError> {
        let accessor = self.accessor(index)?;
        let number = index.get();
        let component = accessor.component_type.and_then(|code| Component::from_code(code.0));
        let component = component
            .filter(|component| {
                accessor.arity == wanted.arity && wanted.components.contains(component)
            })
            .ok_or_else(|| wrong_type(number, wanted.requirement))?;
        let count = accessor.count.unwrap_or_default();
        let found = ElementKind { accessor: number, component, normalized: accessor.normalized };
        let base = match accessor.buffer_view {
            Some(view) => Some(self.numbers::<N>(found, view, accessor.byte_offset, count)?),
            None if accessor.sparse.is_some() && wanted.may_be_zeros => None,
            None => return Err(GltfFileError::new(format!("accessor {number} has no data"))),
        };
        let count = length(count).unwrap_or(usize::MAX);
        let sparse = accessor.sparse.as_deref();
        let sparse = sparse.map(|sparse| self.sparse::<N>(found, sparse, count)).transpose()?;
        self.charge(count as u64)?;
        Ok(Elements { base, sparse, next: 0, count })
    }

    /// Returns the bytes of a buffer view; `None` if they cannot be read.
    #[must_use]
    pub fn view(&self, index: Index) -> Option<&[u8]> {
        let view = self.document.buffer_views.get(index.get())?;
        part_of(self.buffers.bytes(view.buffer.get()).ok()?, view)
    }

    /// Returns the buffers.
    #[must_use]
    pub const fn buffers(&self) -> &Buffers<'a> {
        &self.buffers
    }

    fn accessor(&self, index: Index) -> Result<&'a Accessor, GltfFileError> {
        let found = self.document.accessors.get(index.get());
        found.ok_or_else(|| GltfFileError::new(format!("there is no accessor {}", index.get())))
    }

    /// Charges the work of reading elements.
    ///
    /// # Errors
    /// [`QuotaExceeded`](lodger_quota::QuotaExceeded).
    pub fn charge(&self, elements: u64) -> Result<(), GltfFileError> {
        Ok(self.file_quota.charge_work(elements.saturating_mul(ELEMENT))?)
    }

    fn sparse<const N: usize>(
        &self,
        found: ElementKind,
        sparse: &Sparse,
        elements: usize,
    ) -> Result<SparseElements<'_>, GltfFileError> {
        const INDICES: [Component; 3] = [Component::U8, Component::U16, Component::U32];
        let accessor = found.accessor;
        let component = sparse.indices.component_type.and_then(|c| Component::from_code(c.0));
        let component = component
            .filter(|component| INDICES.contains(component))
            .ok_or_else(|| wrong_type(accessor, "that sparse indices have"))?;
        let SparsePart { buffer_view, byte_offset, .. } = sparse.indices;
        let of_indices = ElementKind { component, normalized: false, ..found };
        let indices = self.numbers::<1>(of_indices, buffer_view, byte_offset, sparse.count)?;
        let SparsePart { buffer_view, byte_offset, .. } = sparse.values;
        let values = self.numbers::<N>(found, buffer_view, byte_offset, sparse.count)?;
        let count = length(sparse.count).ok_or_else(|| wrong_sparse(accessor))?;
        self.charge(count as u64)?;
        let sparse = SparseElements { indices, values, next: 0, count };
        let places = || (0..count).map(|at| sparse.index(at));
        let is_rising = places().zip(places().skip(1)).all(|(a, b)| a < b);
        if is_rising && places().next_back().is_none_or(|last| last < elements) {
            Ok(sparse)
        } else {
            Err(wrong_sparse(accessor))
        }
    }

    /// Checks that all elements lie within the buffer view and its buffer.
    fn numbers<const N: usize>(
        &self,
        ElementKind { accessor, component, normalized }: ElementKind,
        view: Index,
        offset: LenientUint,
        count: LenientUint,
    ) -> Result<ElementBytes<'_>, GltfFileError> {
        let number = view.get();
        let view = self.document.buffer_views.get(number);
        let view = view.ok_or_else(|| {
            let place = format!("accessor {accessor} is in buffer view {number}");
            GltfFileError::new(format!("{place}, which does not exist"))
        })?;
        let buffer = view.buffer.get();
        let is_compressed = view.extensions.as_ref().is_some_and(|all| all.meshopt.is_some());
        if is_compressed && self.buffers.is_missing(buffer) {
            return Err(GltfFileError::compressed("EXT_meshopt_compression"));
        }
        let bytes = self.buffers.bytes(buffer)?;
        let size = N * component.size();
        let stride = length(view.byte_stride).filter(|&stride| stride > 0).unwrap_or(size);
        let within = part_of(bytes, view).and_then(|bytes| {
            let bytes = bytes.get(length(offset)?..)?;
            let needed = match length(count)?.checked_sub(1) {
                Some(before) => before.checked_mul(stride)?.checked_add(size)?,
                None => 0,
            };
            bytes.get(..needed)
        });
        let bytes = within.ok_or_else(|| {
            let place = format!("accessor {accessor} ends beyond buffer {buffer}");
            GltfFileError::new(format!("{place}, or its part of it"))
        })?;
        Ok(ElementBytes { bytes, stride, component, normalized })
    }
}

#[derive(Clone, Copy)]
struct ElementKind {
    accessor: usize,
    component: Component,
    normalized: bool,
}

fn wrong_type(accessor: usize, wanted: &str) -> GltfFileError {
    GltfFileError::new(format!("accessor {accessor} is not of the type {wanted}"))
}

fn wrong_sparse(accessor: usize) -> GltfFileError {
    GltfFileError::new(format!("the sparse indices of accessor {accessor} do not rise within it"))
}

fn part_of<'b>(bytes: &'b [u8], view: &BufferView) -> Option<&'b [u8]> {
    bytes.get(length(view.byte_offset)?..)?.get(..length(view.byte_length)?)
}

fn length(whole: LenientUint) -> Option<usize> {
    usize::try_from(whole.0).ok()
}

impl ElementBytes<'_> {
    /// Reads an element; numbers beyond the bytes are 0.
    fn get<const N: usize>(&self, element: usize) -> [f64; N] {
        let size = self.component.size();
        let start = element.saturating_mul(self.stride);
        std::array::from_fn(|number| {
            let bytes = self.bytes.get(start.saturating_add(number * size)..);
            let value = bytes.and_then(|bytes| self.component.read(bytes)).unwrap_or_default();
            if self.normalized { (value / self.component.full_scale()).max(-1.0) } else { value }
        })
    }
}

impl SparseElements<'_> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the number was an integer of at most 32 bits"
    )]
    fn index(&self, at: usize) -> usize {
        let [index] = self.indices.get::<1>(at);
        index as usize
    }
}

impl<const N: usize> Iterator for Elements<'_, N> {
    type Item = [f64; N];

    fn next(&mut self) -> Option<[f64; N]> {
        let at = self.next;
        if at >= self.count {
            return None;
        }
        self.next += 1;
        if let Some(sparse) = &mut self.sparse
            && sparse.next < sparse.count
            && sparse.index(sparse.next) == at
        {
            sparse.next += 1;
            return Some(sparse.values.get(sparse.next - 1));
        }
        Some(self.base.map_or([0.0; N], |base| base.get(at)))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.count - self.next;
        (left, Some(left))
    }
}

impl<const N: usize> ExactSizeIterator for Elements<'_, N> {}

/// The type of a component in a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Component {
    /// Signed, 8 bits.
    I8,
    /// Unsigned, 8 bits.
    U8,
    /// Signed, 16 bits.
    I16,
    /// Unsigned, 16 bits.
    U16,
    /// Unsigned, 32 bits.
    U32,
    /// Float, 32 bits.
    F32,
}

impl Component {
    /// Converts a code of glTF's `componentType`.
    #[must_use]
    pub fn from_code(code: u64) -> Option<Self> {
        Some(match code {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            _ => return None,
        })
    }

    /// Returns the size in bytes.
    #[must_use]
    pub const fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// Returns the number that means 1 in normalised integers.
    #[must_use]
    pub fn full_scale(self) -> f64 {
        match self {
            Self::I8 => f64::from(i8::MAX),
            Self::U8 => f64::from(u8::MAX),
            Self::I16 => f64::from(i16::MAX),
            Self::U16 => f64::from(u16::MAX),
            Self::U32 | Self::F32 => 1.0,
        }
    }

    /// Reads the number at the start of `bytes`; `None` if they are too short.
    #[must_use]
    pub fn read(self, bytes: &[u8]) -> Option<f64> {
        Some(match self {
            Self::I8 => f64::from(i8::from_le_bytes(*bytes.first_chunk()?)),
            Self::U8 => f64::from(*bytes.first()?),
            Self::I16 => f64::from(i16::from_le_bytes(*bytes.first_chunk()?)),
            Self::U16 => f64::from(u16::from_le_bytes(*bytes.first_chunk()?)),
            Self::U32 => f64::from(u32::from_le_bytes(*bytes.first_chunk()?)),
            Self::F32 => f64::from(f32::from_le_bytes(*bytes.first_chunk()?)),
        })
    }
}

/// The requirements of attributes.
pub mod accessor_specs {
    use super::AccessorSpec;
    use super::Component::{self, F32, I8, I16, U8, U16, U32};
    use crate::raw::Arity;

    const fn spec(
        arity: Arity,
        components: &'static [Component],
        requirement: &'static str,
    ) -> AccessorSpec {
        AccessorSpec { arity, components, requirement, may_be_zeros: true }
    }

    /// Positions, also of `KHR_mesh_quantization`.
    pub const POSITION: AccessorSpec =
        spec(Arity::Three, &[F32, I8, U8, I16, U16], "that positions have");
    /// Normals, also of `KHR_mesh_quantization`.
    pub const NORMAL: AccessorSpec = spec(Arity::Three, &[F32, I8, I16], "that normals have");
    /// Texture coordinates, also of `KHR_mesh_quantization`.
    pub const TEX_COORD: AccessorSpec =
        spec(Arity::Two, &[F32, I8, U8, I16, U16], "that texture coordinates have");
    /// Indices of a primitive.
    pub const INDICES: AccessorSpec = spec(Arity::One, &[U8, U16, U32], "that indices have");
    /// Joints of vertices.
    pub const JOINTS: AccessorSpec = spec(Arity::Four, &[U8, U16], "that joints have");
    /// Weights of joints.
    pub const WEIGHTS: AccessorSpec = spec(Arity::Four, &[F32, U8, U16], "that weights have");
    /// Inverse bind matrices.
    pub const MATRICES: AccessorSpec = spec(Arity::Sixteen, &[F32], "that matrices have");
}
