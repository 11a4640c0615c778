//! The columns with an element for each ladder.

use core::fmt::Debug;

use lodger_core::budget::LadderSpan;

use crate::column::Column;

#[derive(Debug, Clone, Copy, Default)]
pub struct LadderBounds {
    pub(crate) top: u8,
    /// The highest valid level; the span has the lowest one.
    pub(crate) highest: u8,
}

impl LadderBounds {
    pub(crate) fn levels(self) -> u16 {
        u16::from(self.top).wrapping_add(1)
    }
}

/// The columns with an element for each ladder.
pub trait LadderColumns: Debug + Clone {
    const NEW: Self;

    fn entries(&self) -> &[LadderBounds];

    /// Returns the spans up to the caps of the modules.
    fn spans(&self) -> &[LadderSpan];

    fn columns(&mut self) -> (&mut [LadderBounds], &mut [LadderSpan]);
}

#[derive(Debug, Clone)]
pub struct LadderShapes<const LADDERS: usize> {
    entries: Column<LadderBounds, LADDERS>,
    spans: Column<LadderSpan, LADDERS>,
}

impl<const LADDERS: usize> LadderColumns for LadderShapes<LADDERS> {
    const NEW: Self = Self {
        entries: [LadderBounds { top: 0, highest: 0 }; LADDERS],
        spans: [LadderSpan::new(0, 0, 0); LADDERS],
    };

    fn entries(&self) -> &[LadderBounds] {
        &self.entries
    }

    fn spans(&self) -> &[LadderSpan] {
        &self.spans
    }

    fn columns(&mut self) -> (&mut [LadderBounds], &mut [LadderSpan]) {
        (&mut self.entries, &mut self.spans)
    }
}
