//! The elements of accessors, read from buffers.

use crate::buffers::Buffers;
use crate::component::Component;
use crate::error::DataError;
use crate::loose::{Index, Whole};
use crate::purse::Purse;
use crate::raw::{Accessor, Arity, BufferView, Document, Sparse, SparsePart};

/// The units of work that an element takes: up to sixteen numbers, each looked up.
const ELEMENT: u64 = 16;

/// What the elements of an accessor must be.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// How many numbers an element has.
    pub arity: Arity,
    /// Their types.
    pub components: &'static [Component],
    /// In words.
    pub said: &'static str,
    /// Whether those that are not sparse may be zeros without a byte behind them.
    pub may_be_zeros: bool,
}

/// The accessors of a file, with the buffers that they are in.
pub struct Data<'a> {
    document: &'a Document<'a>,
    buffers: Buffers<'a>,
    /// What pays for reading them.
    pub purse: &'a Purse<'a>,
}

/// The elements of an accessor, `N` numbers each.
pub struct Elements<'b, const N: usize> {
    /// None where all are 0 that are not among the sparse ones.
    base: Option<Numbers<'b>>,
    sparse: Option<SparseNumbers<'b>>,
    next: usize,
    count: usize,
}

/// Numbers in a buffer, `stride` bytes from element to element.
#[derive(Clone, Copy)]
struct Numbers<'b> {
    bytes: &'b [u8],
    stride: usize,
    component: Component,
    normalized: bool,
}

/// Elements of their own, by rising index.
struct SparseNumbers<'b> {
    indices: Numbers<'b>,
    values: Numbers<'b>,
    next: usize,
    count: usize,
}

impl<'a> Data<'a> {
    /// Data of which nothing is read yet.
    pub fn new(document: &'a Document<'a>, buffers: Buffers<'a>, purse: &'a Purse<'a>) -> Self {
        Self { document, buffers, purse }
    }

    /// How many elements an accessor says to have.
    ///
    /// # Errors
    /// [`DataError::NoSuchAccessor`].
    pub fn count(&self, index: Index) -> Result<u64, DataError> {
        let accessor = self.accessor(index)?;
        Ok(accessor.count.map_or(0, |count| count.0))
    }

    /// Whether an accessor has any data of its own.
    #[must_use]
    pub fn has_data(&self, index: Index) -> bool {
        let accessor = self.document.accessors.get(index.get());
        accessor.is_some_and(|accessor| accessor.buffer_view.is_some() || accessor.sparse.is_some())
    }

    /// The elements of an accessor, all of which are there.
    ///
    /// # Errors
    /// [`DataError`].
    pub fn elements<const N: usize>(
        &self,
        index: Index,
        wanted: Wanted,
    ) -> Result<Elements<'_, N>, DataError> {
        let accessor = self.accessor(index)?;
        let number = index.get();
        let component = accessor.component_type.and_then(|code| Component::from_code(code.0));
        let component = component
            .filter(|component| {
                accessor.arity == wanted.arity && wanted.components.contains(component)
            })
            .ok_or(DataError::Type { accessor: number, wanted: wanted.said })?;
        let count = accessor.count.unwrap_or_default();
        let found = Find { accessor: number, component, normalized: accessor.normalized };
        let base = match accessor.buffer_view {
            Some(view) => Some(self.numbers::<N>(found, view, accessor.byte_offset, count)?),
            None if accessor.sparse.is_some() && wanted.may_be_zeros => None,
            None => return Err(DataError::NoView { accessor: number }),
        };
        let count = length(count).unwrap_or(usize::MAX);
        let sparse = accessor.sparse.as_deref();
        let sparse = sparse.map(|sparse| self.sparse::<N>(found, sparse, count)).transpose()?;
        self.charge(count as u64)?;
        Ok(Elements { base, sparse, next: 0, count })
    }

    /// The bytes of a buffer view; none if they cannot be read.
    #[must_use]
    pub fn view(&self, index: Index) -> Option<&[u8]> {
        let view = self.document.buffer_views.get(index.get())?;
        part_of(self.buffers.bytes(view.buffer.get()).ok()?, view)
    }

    /// The buffers that they are in.
    #[must_use]
    pub const fn buffers(&self) -> &Buffers<'a> {
        &self.buffers
    }

    fn accessor(&self, index: Index) -> Result<&'a Accessor, DataError> {
        let found = self.document.accessors.get(index.get());
        found.ok_or(DataError::NoSuchAccessor(index.get()))
    }

    /// So many more elements are read.
    ///
    /// # Errors
    /// [`DataError::Spent`].
    pub fn charge(&self, elements: u64) -> Result<(), DataError> {
        Ok(self.purse.work(elements.saturating_mul(ELEMENT))?)
    }

    fn sparse<const N: usize>(
        &self,
        found: Find,
        sparse: &Sparse,
        elements: usize,
    ) -> Result<SparseNumbers<'_>, DataError> {
        const INDICES: [Component; 3] = [Component::U8, Component::U16, Component::U32];
        let accessor = found.accessor;
        let component = sparse.indices.component_type.and_then(|c| Component::from_code(c.0));
        let component = component
            .filter(|component| INDICES.contains(component))
            .ok_or(DataError::Type { accessor, wanted: "that sparse indices have" })?;
        let SparsePart { buffer_view, byte_offset, .. } = sparse.indices;
        let of_indices = Find { component, normalized: false, ..found };
        let indices = self.numbers::<1>(of_indices, buffer_view, byte_offset, sparse.count)?;
        let SparsePart { buffer_view, byte_offset, .. } = sparse.values;
        let values = self.numbers::<N>(found, buffer_view, byte_offset, sparse.count)?;
        let count = length(sparse.count).ok_or(DataError::Sparse { accessor })?;
        self.charge(count as u64)?;
        let sparse = SparseNumbers { indices, values, next: 0, count };
        let places = || (0..count).map(|at| sparse.index(at));
        let is_rising = places().zip(places().skip(1)).all(|(a, b)| a < b);
        if is_rising && places().next_back().is_none_or(|last| last < elements) {
            Ok(sparse)
        } else {
            Err(DataError::Sparse { accessor })
        }
    }

    /// The numbers of elements in a buffer view, all within it and within its buffer.
    fn numbers<const N: usize>(
        &self,
        Find { accessor, component, normalized }: Find,
        view: Index,
        offset: Whole,
        count: Whole,
    ) -> Result<Numbers<'_>, DataError> {
        let number = view.get();
        let view = self.document.buffer_views.get(number);
        let view = view.ok_or(DataError::NoSuchView { accessor, view: number })?;
        let buffer = view.buffer.get();
        let is_compressed = view.extensions.as_ref().is_some_and(|all| all.meshopt.is_some());
        if is_compressed && self.buffers.is_nowhere(buffer) {
            return Err(DataError::Compressed { extension: "EXT_meshopt_compression" });
        }
        let bytes = self.buffers.bytes(buffer);
        let bytes = bytes.map_err(|error| DataError::Buffer { index: buffer, error })?;
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
        let bytes = within.ok_or(DataError::TooLong { accessor, buffer })?;
        Ok(Numbers { bytes, stride, component, normalized })
    }
}

/// Whose numbers are looked for, and what they are.
#[derive(Clone, Copy)]
struct Find {
    accessor: usize,
    component: Component,
    normalized: bool,
}

fn part_of<'b>(bytes: &'b [u8], view: &BufferView) -> Option<&'b [u8]> {
    bytes.get(length(view.byte_offset)?..)?.get(..length(view.byte_length)?)
}

fn length(whole: Whole) -> Option<usize> {
    usize::try_from(whole.0).ok()
}

impl Numbers<'_> {
    /// An element that is there; numbers that are not are 0.
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

impl SparseNumbers<'_> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it was read from a whole number of at most 32 bits"
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
