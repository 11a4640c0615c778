//! Qualities and slopes of levels, and the state of the optimal policy.

use core::fmt::Debug;

use lodger_core::budget::{Carryover, OptimalityCertificate, Price, Quality, Slope};

use crate::column::{Column, close, open, set};

/// The columns of levels and the state that only the optimal policy reads, or nothing.
pub trait OptimalColumns: Debug + Clone {
    const NEW: Self;

    /// Adds the state of the optimal policy to the one that a tick carries over to the next.
    fn add_to(&self, _carryover: &mut Carryover) {}

    /// Keeps the state of the optimal policy after a tick.
    fn keep(&mut self, _carryover: &Carryover, _certificate: Option<OptimalityCertificate>) {}

    /// Returns the price and the certificate of the last tick, if its policy was the optimal one.
    fn certified(&self) -> Option<(Price, OptimalityCertificate)> {
        None
    }

    fn open(&mut self, _place: usize, _levels: usize) {}

    fn close(&mut self, _place: usize, _levels: usize) {}

    fn set_quality(&mut self, _place: usize, _quality: Quality) {}

    fn columns(&mut self) -> (&[Quality], &mut [Slope]) {
        (&[], &mut [])
    }
}

impl OptimalColumns for () {
    const NEW: Self = ();
}

#[derive(Debug, Clone)]
pub struct ValueColumns<const COSTS: usize> {
    qualities: Column<Quality, COSTS>,
    slopes: Column<Slope, COSTS>,
    /// 1 more than the bits of the price that the last tick carries over, or 0.
    next_bits: u32,
    has_certificate: bool,
    certificate: OptimalityCertificate,
}

impl<const COSTS: usize> OptimalColumns for ValueColumns<COSTS> {
    const NEW: Self = Self {
        qualities: [Quality::ZERO; COSTS],
        slopes: [Slope::NEVER; COSTS],
        next_bits: 0,
        has_certificate: false,
        certificate: OptimalityCertificate { value: 0, upper_bound: 0 },
    };

    fn add_to(&self, carryover: &mut Carryover) {
        carryover.price = self.price();
    }

    fn keep(&mut self, carryover: &Carryover, certificate: Option<OptimalityCertificate>) {
        self.next_bits = carryover.price.map_or(0, |price| price.bits().wrapping_add(1));
        self.has_certificate = certificate.is_some();
        self.certificate = certificate.unwrap_or_default();
    }

    fn certified(&self) -> Option<(Price, OptimalityCertificate)> {
        self.price().filter(|_| self.has_certificate).map(|price| (price, self.certificate))
    }

    fn open(&mut self, place: usize, levels: usize) {
        open(&mut self.qualities, place, levels);
        open(&mut self.slopes, place, levels);
    }

    fn close(&mut self, place: usize, levels: usize) {
        close(&mut self.qualities, place, levels);
        close(&mut self.slopes, place, levels);
    }

    fn set_quality(&mut self, place: usize, quality: Quality) {
        set(&mut self.qualities, place, quality);
    }

    fn columns(&mut self) -> (&[Quality], &mut [Slope]) {
        (&self.qualities, &mut self.slopes)
    }
}

impl<const COSTS: usize> ValueColumns<COSTS> {
    fn price(&self) -> Option<Price> {
        self.next_bits.checked_sub(1).map(Price::from_bits)
    }
}
