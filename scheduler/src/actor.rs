//! What a user says of an actor when it is spawned.

use std::ops::RangeInclusive;

use lodger_core::benefit::State;
use lodger_core::budget::{Lod, LodControl, Quality};
use lodger_core::{Benefit, Real};

/// An actor to be spawned.
///
/// Its work is the units at LOD 0, 1, 2 and so on, in the unit that the module counts: at most 256
/// levels, and the work does not decrease.
///
/// # Examples
/// ```
/// use lodger_scheduler::{Actor, Benefit, State};
///
/// let cape = Actor::seen([1.0_f32, 0.0, 2.0], 0.8, &[0, 400, 1_600]).key(17);
/// let state = State { position: [1.0_f32, 0.0, 2.0], age: 3.0, speed: 0.5 };
/// let spark = Actor::in_state(state, 0.8, &[0, 20, 80]).lod_range(1..=2);
/// let crate_ = Actor::<f32>::given(Benefit::new(0.4_f32)?, &[1, 12]);
/// # Ok::<(), lodger_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Actor<'a, N> {
    pub(crate) state: State<N>,
    pub(crate) radius: N,
    pub(crate) given: Option<Benefit>,
    pub(crate) work: &'a [u32],
    pub(crate) lod_range: Option<(u8, u8)>,
    pub(crate) qualities: Option<&'a [Quality]>,
    pub(crate) control: LodControl,
    pub(crate) visible: bool,
    pub(crate) key: u64,
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
        Self {
            state,
            radius,
            given: None,
            work,
            lod_range: None,
            qualities: None,
            control: LodControl::Automatic,
            visible: true,
            key: 0,
        }
    }

    /// An actor whose benefit is given, as that of APEX modules may be anything. It has no place
    /// until [`Scene::set_state`](crate::Scene::set_state) gives it one, and needs none.
    #[must_use]
    pub const fn given(benefit: Benefit, work: &'a [u32]) -> Self {
        Self::seen([N::ZERO; 3], N::ZERO, work).benefit(benefit)
    }

    /// Gives it its benefit, as [`Scene::set_benefit`](crate::Scene::set_benefit) does: its state is kept
    /// for when that is taken back.
    #[must_use]
    pub const fn benefit(mut self, benefit: Benefit) -> Self {
        self.given = Some(benefit);
        self
    }

    /// Sets which LODs are valid. All levels of the work are, unless this is called.
    #[must_use]
    pub const fn lod_range(mut self, range: RangeInclusive<u8>) -> Self {
        self.lod_range = Some((*range.start(), *range.end()));
        self
    }

    /// Sets how good each level is: as many as there are levels, valid or not, and not decreasing. Those
    /// of its module, unless this is called.
    #[must_use]
    pub const fn qualities(mut self, qualities: &'a [Quality]) -> Self {
        self.qualities = Some(qualities);
        self
    }

    /// Forces a LOD that the application chooses. Outside the range it is clamped.
    #[must_use]
    pub const fn forced(mut self, lod: Lod) -> Self {
        self.control = LodControl::Forced(lod);
        self
    }

    /// Sets whether anybody can see it; see [`Scene::set_visible`](crate::Scene::set_visible). It is
    /// visible unless this is called.
    #[must_use]
    pub const fn visible(mut self, visible: bool) -> Self {
        self.visible = visible;
        self
    }

    /// Gives it a number of the user's own, which plans and changes carry. It is 0 unless this is
    /// called, and several actors may have the same.
    #[must_use]
    pub const fn key(mut self, key: u64) -> Self {
        self.key = key;
        self
    }
}
