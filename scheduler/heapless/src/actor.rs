//! What a user says of an actor when it is spawned.

use core::ops::RangeInclusive;

use lodger_core::benefit::State;
use lodger_core::budget::Lod;
use lodger_core::{Benefit, Real};

/// An actor to be spawned.
///
/// Its work is the units at LOD 0, 1, 2 and so on, in the unit that the module counts: at most 256
/// levels, and the work does not decrease.
///
/// # Examples
/// ```
/// use lodger_heapless::{Actor, Benefit, State};
///
/// let cape = Actor::seen([1.0_f32, 0.0, 2.0], 0.8, &[0, 400, 1_600]);
/// let state = State { position: [1.0_f32, 0.0, 2.0], age: 3.0, speed: 0.5 };
/// let spark = Actor::in_state(state, 0.8, &[0, 20, 80]).lod_range(1..=2);
/// let voice = Actor::<f32>::given(Benefit::new(0.4_f32)?, &[1, 12]);
/// # Ok::<(), lodger_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Actor<'a, N> {
    pub(crate) state: State<N>,
    pub(crate) radius: N,
    pub(crate) given: Option<Benefit>,
    pub(crate) work: &'a [u32],
    pub(crate) lod_range: Option<(u8, u8)>,
    pub(crate) forced: Option<Lod>,
}

impl<'a, N: Real> Actor<'a, N> {
    /// An actor whose benefit is computed: its position and the radius of its bounding sphere in
    /// metres; age and speed are 0.
    #[must_use]
    pub const fn seen(position: [N; 3], radius: N, work: &'a [u32]) -> Self {
        Self::in_state(State { position, age: N::ZERO, speed: N::ZERO }, radius, work)
    }

    /// An actor whose benefit is computed, also from its age and its speed; the radius is in metres.
    #[must_use]
    pub const fn in_state(state: State<N>, radius: N, work: &'a [u32]) -> Self {
        Self { state, radius, given: None, work, lod_range: None, forced: None }
    }

    /// An actor whose benefit is given, as that of APEX modules may be anything. It has no place
    /// until [`Scene::set_state`](crate::Scene::set_state) gives it one, and needs none.
    #[must_use]
    pub const fn given(benefit: Benefit, work: &'a [u32]) -> Self {
        let mut actor = Self::seen([N::ZERO; 3], N::ZERO, work);
        actor.given = Some(benefit);
        actor
    }

    /// Sets which LODs are valid. All levels of the work are, unless this is called.
    #[must_use]
    pub const fn lod_range(mut self, range: RangeInclusive<u8>) -> Self {
        self.lod_range = Some((*range.start(), *range.end()));
        self
    }

    /// Forces a LOD that the application chooses: halves count up, and outside the range it is clamped.
    #[must_use]
    pub const fn forced(mut self, lod: Lod) -> Self {
        self.forced = Some(lod);
        self
    }
}
