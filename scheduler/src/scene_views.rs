//! The views of a tick, and the bits of the rows that each of them saw.

use lodger_core::Real;
use lodger_core::benefit::Sight;
use lodger_core::view::{Lens, View};

use crate::handle::SlotHandle;

/// The views of a scene as ticks use them.
#[derive(Debug, Clone, Default)]
pub(crate) struct SceneViews<N: Real> {
    pub(crate) positions: Vec<[N; 3]>,
    /// By the slot of the view.
    pub(crate) lenses: Vec<Option<Lens<N>>>,
    pub(crate) have_zoom: bool,
    pub(crate) have_frustum: bool,
}

impl<N: Real> SceneViews<N> {
    pub(crate) fn collect<'a>(&mut self, views: impl Iterator<Item = (SlotHandle, &'a View<N>)>) {
        self.positions.clear();
        self.lenses.clear();
        (self.have_zoom, self.have_frustum) = (false, false);
        for (handle, view) in views {
            let lens = view.lens();
            self.positions.push(view.position());
            self.lenses.resize(handle.slot() as usize, None);
            self.lenses.push(Some(lens));
            self.have_zoom |= lens.has_zoom();
            self.have_frustum |= lens.has_frustum();
        }
    }
}

/// A bit for each row and view: whether the view saw the actor in the last tick. It takes no memory until a frustum is
/// tested.
#[derive(Debug, Clone, Default)]
pub(crate) struct SightColumn {
    bytes: Vec<u8>,
    /// The number of bytes for each row.
    stride: usize,
}

impl SightColumn {
    /// Borrows the bits for views in the first slots; new bits are set.
    pub(crate) fn test(&mut self, rows: usize, views: usize) -> Sight<'_> {
        let stride = views.div_ceil(8);
        if stride != self.stride {
            let mut bytes = vec![u8::MAX; rows * stride];
            if self.stride > 0 {
                let kept = stride.min(self.stride);
                let rows = bytes.chunks_exact_mut(stride).zip(self.bytes.chunks_exact(self.stride));
                rows.for_each(|(new, old)| new[..kept].copy_from_slice(&old[..kept]));
            }
            *self = Self { bytes, stride };
        }
        Sight::Tested { bits: &mut self.bytes, stride }
    }

    /// Whether one of the views saw a row in the last test; true without a test.
    pub(crate) fn is_in_view<N: Real>(&self, row: usize, lenses: &[Option<Lens<N>>]) -> bool {
        let bytes = self.bytes.get(row * self.stride..(row + 1) * self.stride).unwrap_or_default();
        let is_set =
            |view: usize| bytes.get(view / 8).is_none_or(|byte| byte >> (view % 8) & 1 == 1);
        let mut views = lenses.iter().enumerate().filter(|(_, lens)| lens.is_some());
        bytes.is_empty() || views.any(|(view, _)| is_set(view))
    }

    /// Forgets the bits: all actors count as new in the next test.
    pub(crate) fn forget(&mut self) {
        if self.stride > 0 {
            *self = Self::default();
        }
    }

    /// Sets the bits of a new view.
    pub(crate) fn begin_view(&mut self, slot: u32) {
        let (byte, bit) = (slot as usize / 8, 1 << (slot % 8));
        if byte < self.stride {
            self.bytes.iter_mut().skip(byte).step_by(self.stride).for_each(|byte| *byte |= bit);
        }
    }

    pub(crate) fn push(&mut self) {
        self.bytes.resize(self.bytes.len() + self.stride, u8::MAX);
    }

    pub(crate) fn pop(&mut self) {
        self.bytes.truncate(self.bytes.len() - self.stride);
    }

    pub(crate) fn swap(&mut self, a: usize, b: usize) {
        for byte in 0..self.stride {
            self.bytes.swap(a * self.stride + byte, b * self.stride + byte);
        }
    }

    pub(crate) fn reserve(&mut self, rows: usize) {
        self.bytes.reserve(rows * self.stride);
    }
}
