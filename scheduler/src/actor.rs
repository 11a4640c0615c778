//! What a user says of an actor when it is spawned.

use lodger_core::benefit::State;
use lodger_core::budget::{Lod, LodControl};
use lodger_core::{Benefit, Real};

/// The handle of an actor in its scene. It goes stale when the actor is despawned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ActorId {
    pub(crate) slot: u32,
    pub(crate) generation: u32,
}

impl ActorId {
    /// The number of the actor's slot. Among actors of equal benefit the lower one is served first.
    #[must_use]
    pub const fn slot(self) -> u32 {
        self.slot
    }
}

/// Where the benefit of an actor comes from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Source<N> {
    /// It is computed, every tick.
    Seen {
        /// Position, age and speed.
        state: State<N>,
        /// The radius of the bounding sphere, in metres.
        radius: N,
    },
    /// It is given, as the benefit of APEX modules may be anything.
    Given(Benefit),
}

/// An actor to be spawned.
///
/// # Examples
/// ```
/// use lodger_scheduler::Actor;
///
/// let cape = Actor::seen([1.0_f32, 0.0, 2.0], 0.8).age(3.0).work(&[0, 400, 1_600]);
/// let crate_ = Actor::<f32>::given(lodger_core::Benefit::new(0.4_f32)?).work(&[1, 12]);
/// # Ok::<(), lodger_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Actor<'a, N> {
    pub(crate) source: Source<N>,
    pub(crate) work: &'a [u32],
    pub(crate) lod_range: Option<(u8, u8)>,
    pub(crate) control: LodControl,
}

impl<'a, N: Real> Actor<'a, N> {
    /// An actor whose benefit is computed: its position and radius in metres, age and speed 0.
    #[must_use]
    pub const fn seen(position: [N; 3], radius: N) -> Self {
        let state = State { position, age: N::ZERO, speed: N::ZERO };
        Self::from_source(Source::Seen { state, radius })
    }

    /// An actor whose benefit is given.
    #[must_use]
    pub const fn given(benefit: Benefit) -> Self {
        Self::from_source(Source::Given(benefit))
    }

    const fn from_source(source: Source<N>) -> Self {
        Self { source, work: &[], lod_range: None, control: LodControl::Automatic }
    }

    /// Its age in seconds. No meaning for a given benefit.
    #[must_use]
    pub fn age(mut self, seconds: N) -> Self {
        if let Source::Seen { state, .. } = &mut self.source {
            state.age = seconds;
        }
        self
    }

    /// Its speed in metres per second. No meaning for a given benefit.
    #[must_use]
    pub fn speed(mut self, metres_per_second: N) -> Self {
        if let Source::Seen { state, .. } = &mut self.source {
            state.speed = metres_per_second;
        }
        self
    }

    /// The units of work at LOD 0, 1, 2 and so on, in the unit that the module counts. At most 256
    /// levels; the work does not decrease.
    #[must_use]
    pub const fn work(mut self, units: &'a [u32]) -> Self {
        self.work = units;
        self
    }

    /// The lowest and the highest LOD that are valid. All levels are, unless this is called.
    #[must_use]
    pub const fn lod_range(mut self, lowest: u8, highest: u8) -> Self {
        self.lod_range = Some((lowest, highest));
        self
    }

    /// A LOD that the application chooses. Outside the range it is clamped.
    #[must_use]
    pub const fn forced(mut self, lod: Lod) -> Self {
        self.control = LodControl::Forced(lod);
        self
    }
}
