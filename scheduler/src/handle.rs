use std::collections::VecDeque;
use std::fmt;
use std::num::{NonZeroU16, NonZeroU32, NonZeroU64};
use std::sync::atomic::{AtomicU32, Ordering};

use lodger_core::budget::MAX_ACTORS;

/// The tag of a scene and its clones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct SceneTag(NonZeroU16);

impl SceneTag {
    /// Returns the next tag; tags repeat after 65 535.
    pub(crate) fn next() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed) % u32::from(u16::MAX);
        let tag = u16::try_from(number).unwrap_or(0).saturating_add(1);
        Self(NonZeroU16::new(tag).unwrap_or(NonZeroU16::MIN))
    }
}

/// A slot, its generation and the scene: 24, 24 and 16 bits, from the highest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct SlotHandle(NonZeroU64);

impl SlotHandle {
    pub(crate) const MAX_GENERATION: u32 = (1 << 24) - 1;

    pub(crate) fn new(slot: u32, generation: u32, scene: SceneTag) -> Self {
        let place = u64::from(slot) << 40 | u64::from(generation) << 16;
        Self(NonZeroU64::from(scene.0) | place)
    }

    fn from_bits(bits: u64) -> Option<Self> {
        (bits & 0xffff != 0).then_some(NonZeroU64::new(bits)?).map(Self)
    }

    #[allow(clippy::cast_possible_truncation)] // 24 bits remain
    pub(crate) const fn slot(self) -> u32 {
        (self.0.get() >> 40) as u32
    }

    #[allow(clippy::cast_possible_truncation)] // 24 bits remain
    pub(crate) const fn generation(self) -> u32 {
        (self.0.get() >> 16) as u32 & Self::MAX_GENERATION
    }

    #[allow(clippy::cast_possible_truncation)] // keeps the low 16 bits
    pub(crate) fn is_of(self, scene: SceneTag) -> bool {
        self.0.get() as u16 == scene.0.get()
    }
}

impl fmt::Debug for SlotHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}@{}", self.slot(), self.generation(), self.0.get() & 0xffff)
    }
}

/// The handle of an actor: 8 bytes, also in an `Option`. It becomes stale when the actor is despawned.
///
/// Stale handles are always detected: a slot is retired after 16.7 million generations. Handles of another
/// scene are detected unless a multiple of 65 535 scenes were made between the two. Handles are valid in
/// clones of the scene, where handles of later spawns are not distinguished.
///
/// Handles are ordered by slot.
///
/// # Examples
/// ```
/// # use lodger_scheduler::*;
/// # let (mut scene, near, _, cloth, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
/// scene.despawn(near)?;
/// let new = scene.spawn(cloth, Actor::at([1.0, 0.0, 0.0], 1.0, &[0, 400]))?;
/// assert_eq!((new.slot(), new == near), (near.slot(), false));
/// assert_eq!(scene.despawn(near), Err(SceneError::StaleActor));
/// # Ok::<(), SceneError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ActorId(pub(crate) SlotHandle);

impl ActorId {
    /// Returns the number of the actor's slot. Among equal benefits the lower slot is upgraded first.
    ///
    /// # Examples
    /// ```
    /// # let (_, near, far, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// assert_eq!([near.slot(), far.slot()], [0, 1]);
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    #[must_use]
    pub const fn slot(self) -> u32 {
        self.0.slot()
    }

    /// Returns the handle as a number that is never 0, valid in this process only. Store the actor's key
    /// instead.
    ///
    /// # Examples
    /// ```
    /// # let (.., far, _, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// assert_eq!(far.to_bits() >> 40, 1); // the slot
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    #[must_use]
    pub const fn to_bits(self) -> u64 {
        self.0.0.get()
    }

    /// Makes a handle from [`to_bits`](Self::to_bits); `None` for 0 and other numbers of no scene. An invented
    /// handle is detected like a stale one.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (.., far, _, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// assert_eq!(ActorId::from_bits(far.to_bits()), Some(far));
    /// assert_eq!(ActorId::from_bits(0), None);
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn from_bits(bits: u64) -> Option<Self> {
        SlotHandle::from_bits(bits).map(Self)
    }
}

/// The handle of a view: 8 bytes, also in an `Option`. It becomes stale when the view is removed, which
/// is detected as for an [`ActorId`].
///
/// # Examples
/// ```
/// # use lodger_scheduler::*;
/// # let (mut scene, .., camera) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
/// let second = scene.add_view(View::from_position([0.0, 5.0, 0.0])?)?;
/// scene.remove_view(camera)?;
/// assert_eq!((scene.view(camera), scene.views().count()), (None, 1));
/// # Ok::<(), SceneError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ViewId(pub(crate) SlotHandle);

impl ViewId {
    /// Returns the handle as a number that is never 0; see [`ActorId::to_bits`].
    ///
    /// # Examples
    /// ```
    /// # let (.., camera) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// assert_ne!(camera.to_bits(), 0);
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    #[must_use]
    pub const fn to_bits(self) -> u64 {
        self.0.0.get()
    }

    /// Makes a handle from [`to_bits`](Self::to_bits); see [`ActorId::from_bits`].
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (.., camera) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// assert_eq!(ViewId::from_bits(camera.to_bits()), Some(camera));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn from_bits(bits: u64) -> Option<Self> {
        SlotHandle::from_bits(bits).map(Self)
    }
}

/// The handle of a module: 4 bytes, also in an `Option`. It never becomes stale, because modules stay. A
/// handle of another scene is detected as for an [`ActorId`].
///
/// # Examples
/// ```
/// # use lodger_scheduler::*;
/// # let (scene, .., cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
/// let other = Scene::<f32>::new(Budget::UNLIMITED);
/// assert_eq!((scene.module_len(cloth), other.module_len(cloth)), (Some(2), None));
/// # Ok::<(), SceneError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ModuleId(NonZeroU32);

impl ModuleId {
    pub(crate) fn new(index: u16, scene: SceneTag) -> Self {
        Self(NonZeroU32::from(scene.0) | u32::from(index) << 16)
    }

    /// Returns the number of the module in its scene, from 0, in the order in which modules were added.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// let hair = Module::new("hair", UnitCost::from_ns(20.0)?).benefit_value(BenefitValue::from_ms(1.0)?);
    /// assert_eq!(scene.add_module(hair)?.index(), 1);
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    #[allow(clippy::cast_possible_truncation)] // 16 bits remain
    pub const fn index(self) -> u16 {
        (self.0.get() >> 16) as u16
    }

    #[allow(clippy::cast_possible_truncation)] // keeps the low 16 bits
    pub(crate) fn is_of(self, scene: SceneTag) -> bool {
        self.0.get() as u16 == scene.0.get()
    }

    /// Returns the handle as a number that is never 0; see [`ActorId::to_bits`].
    ///
    /// # Examples
    /// ```
    /// # let (.., cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// assert_ne!(cloth.to_bits(), 0);
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    #[must_use]
    pub const fn to_bits(self) -> u32 {
        self.0.get()
    }

    /// Makes a handle from [`to_bits`](Self::to_bits); see [`ActorId::from_bits`].
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (.., cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// assert_eq!(ModuleId::from_bits(cloth.to_bits()), Some(cloth));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn from_bits(bits: u32) -> Option<Self> {
        (bits & 0xffff != 0).then_some(NonZeroU32::new(bits)?).map(Self)
    }
}

impl fmt::Debug for ModuleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ModuleId({}@{})", self.index(), self.0.get() & 0xffff)
    }
}

/// The error of a call that leaves the scene unchanged.
///
/// # Examples
/// ```
/// # use lodger_scheduler::*;
/// # let (mut scene, _, far, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
/// scene.despawn(far)?;
/// let error = scene.set_position(far, [0.0; 3]);
/// assert_eq!(error, Err(SceneError::StaleActor));
/// assert_eq!(SceneError::StaleActor.to_string(), "the actor is no longer in this scene");
/// # Ok::<(), SceneError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SceneError {
    /// A value is invalid.
    Invalid(lodger_core::ValueError),
    /// The actor was despawned.
    StaleActor,
    /// The actor belongs to another scene.
    ForeignActor,
    /// The view was removed.
    StaleView,
    /// The view belongs to another scene.
    ForeignView,
    /// The module was added to a clone of the scene, or its handle is invented.
    NoSuchModule,
    /// The module belongs to another scene.
    ForeignModule,
    /// The managed module of this name has no benefit value, which proportional policies need.
    NoBenefitValue(Box<str>),
}

impl SceneError {
    /// Returns the invalid value, if that is the error.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, _, far, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// use lodger_core::error::Quantity;
    ///
    /// let invalid = scene.set_radius(far, -1.0).err().and_then(|error| error.value_error());
    /// assert_eq!(invalid.map(|error| error.quantity()), Some(Quantity::Radius));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub const fn value_error(&self) -> Option<lodger_core::ValueError> {
        match self {
            Self::Invalid(error) => Some(*error),
            _ => None,
        }
    }

    /// Whether the handle outlived its actor or view.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, _, far, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.despawn(far)?;
    /// assert!(scene.despawn(far).is_err_and(SceneError::is_stale));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn is_stale(self) -> bool {
        matches!(self, Self::StaleActor | Self::StaleView)
    }

    /// Whether the handle belongs to another scene.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (.., far, _, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// let mut other = Scene::<f32>::new(Budget::UNLIMITED);
    /// assert!(other.despawn(far).is_err_and(SceneError::is_foreign));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn is_foreign(self) -> bool {
        matches!(self, Self::ForeignActor | Self::ForeignView | Self::ForeignModule)
    }
}

impl From<lodger_core::ValueError> for SceneError {
    fn from(error: lodger_core::ValueError) -> Self {
        Self::Invalid(error)
    }
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Invalid(error) => return error.fmt(f),
            Self::StaleActor => "the actor is no longer in this scene",
            Self::ForeignActor => "the actor is in another scene",
            Self::StaleView => "the view is no longer in this scene",
            Self::ForeignView => "the view is in another scene",
            Self::NoSuchModule => "there is no such module in this scene",
            Self::ForeignModule => "the module is in another scene",
            Self::NoBenefitValue(name) => {
                return write!(
                    f,
                    "module `{name}` has no benefit value, which proportional policies need: set one, or use the optimal policy"
                );
            }
        })
    }
}

impl std::error::Error for SceneError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Invalid(error) => Some(error),
            _ => None,
        }
    }
}

#[derive(Debug, Clone)]
struct Slot<T> {
    generation: u32,
    value: Option<T>,
}

/// At most [`MAX_ACTORS`] values.
#[derive(Debug, Clone)]
pub(crate) struct Slots<T> {
    entries: Vec<Slot<T>>,
    /// The empty slots, in the order in which they were released.
    free: VecDeque<u32>,
    /// The number of slots without generations left.
    retired: usize,
}

impl<T> Default for Slots<T> {
    fn default() -> Self {
        Self { entries: Vec::new(), free: VecDeque::new(), retired: 0 }
    }
}

impl<T> Slots<T> {
    pub(crate) fn len(&self) -> usize {
        self.entries.len() - self.free.len() - self.retired
    }

    /// Returns the number of values that can still be inserted.
    pub(crate) fn remaining(&self) -> usize {
        (MAX_ACTORS as usize).saturating_sub(self.entries.len()) + self.free.len()
    }

    /// Reserves memory for the insertion and removal of `values` more values.
    pub(crate) fn reserve(&mut self, values: usize) {
        let new = values.saturating_sub(self.free.len());
        self.entries.reserve(new);
        self.free.reserve(self.entries.len() + new - self.free.len());
    }

    /// Returns the empty slot that was released first, or else a new one; `None` if full.
    pub(crate) fn next(&self) -> Option<u32> {
        let new = u32::try_from(self.entries.len()).ok().filter(|&slot| slot < MAX_ACTORS);
        self.free.front().copied().or(new)
    }

    pub(crate) fn insert(&mut self, value: T, scene: SceneTag) -> Option<SlotHandle> {
        let slot = self.next()?;
        if self.free.pop_front().is_none() {
            self.entries.push(Slot { generation: 0, value: None });
        }
        let place = &mut self.entries[slot as usize];
        place.value = Some(value);
        Some(SlotHandle::new(slot, place.generation, scene))
    }

    pub(crate) fn get(&self, handle: SlotHandle) -> Option<&T> {
        let slot = self.entries.get(handle.slot() as usize)?;
        slot.value.as_ref().filter(|_| slot.generation == handle.generation())
    }

    pub(crate) fn get_mut(&mut self, handle: SlotHandle) -> Option<&mut T> {
        let slot = self.entries.get_mut(handle.slot() as usize)?;
        slot.value.as_mut().filter(|_| slot.generation == handle.generation())
    }

    pub(crate) fn remove(&mut self, handle: SlotHandle) -> Option<T> {
        self.get(handle)?;
        let slot = &mut self.entries[handle.slot() as usize];
        if slot.generation < SlotHandle::MAX_GENERATION {
            slot.generation += 1;
            self.free.push_back(handle.slot());
        } else {
            self.retired += 1;
        }
        slot.value.take()
    }

    pub(crate) fn at(&self, slot: u32, scene: SceneTag) -> Option<(SlotHandle, &T)> {
        let place = self.entries.get(slot as usize)?;
        Some((SlotHandle::new(slot, place.generation, scene), place.value.as_ref()?))
    }

    pub(crate) fn value_at(&self, slot: u32) -> Option<&T> {
        self.entries.get(slot as usize)?.value.as_ref()
    }

    pub(crate) fn at_mut(&mut self, slot: u32) -> Option<&mut T> {
        self.entries.get_mut(slot as usize)?.value.as_mut()
    }

    /// Returns all values with their handles, in the order of slots.
    pub(crate) fn iter(&self, scene: SceneTag) -> impl Iterator<Item = (SlotHandle, &T)> {
        let handles = self.entries.iter().zip(0..);
        handles.filter_map(move |(slot, index)| {
            Some((SlotHandle::new(index, slot.generation, scene), slot.value.as_ref()?))
        })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ActorLocation {
    pub(crate) module: u16,
    pub(crate) row: u32,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Ids<'a> {
    actors: &'a Slots<ActorLocation>,
    scene: SceneTag,
}

impl<'a> Ids<'a> {
    pub(crate) fn new(actors: &'a Slots<ActorLocation>, scene: SceneTag) -> Self {
        Self { actors, scene }
    }

    pub(crate) fn of(self, slots: &'a [u32]) -> impl Iterator<Item = ActorId> + use<'a> {
        let handles = slots.iter().filter_map(move |&slot| self.actors.at(slot, self.scene));
        handles.map(|(handle, _)| ActorId(handle))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_without_generations_left_is_not_used_again() {
        let scene = SceneTag::next();
        let mut slots = Slots::default();
        let first = slots.insert('a', scene).unwrap();
        slots.entries[0].generation = SlotHandle::MAX_GENERATION;
        let last = SlotHandle::new(0, SlotHandle::MAX_GENERATION, scene);
        assert_eq!((slots.get(first), slots.get(last)), (None, Some(&'a')));
        assert_eq!(slots.remove(last), Some('a'));
        let next = slots.insert('b', scene).unwrap();
        assert_eq!((next.slot(), slots.len()), (1, 1));
        assert_eq!(slots.get(last), None);
        assert_eq!(format!("{next:?}"), format!("1.0@{}", scene.0));
    }
}
