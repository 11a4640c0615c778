//! Handles, statuses, constants and structs of the header.
#![allow(unsafe_code, reason = "the structs promise that any bytes are a value")]

use std::ffi::c_char;

use crate::memory::{In, Sized32};

pub use crate::error::Status;

/// The ABI version, which rises with incompatible changes.
pub const ABI_VERSION: u32 = 1;

/// A scene; 0 is none.
pub type SceneHandle = u32;
/// A module; 0 is none.
pub type ModuleHandle = u32;
/// A view; 0 is none.
pub type ViewHandle = u64;
/// An actor; 0 is none.
pub type ActorHandle = u64;

/// The columns of `lodger_actors_set`.
pub mod column {
    /// `float[3]`, relative to the origin.
    pub const POSITION: u32 = 0;
    /// `double[3]`, in the world.
    pub const POSITION_F64: u32 = 1;
    /// `float`, metres.
    pub const RADIUS: u32 = 2;
    /// `float`, seconds.
    pub const AGE: u32 = 3;
    /// `float`, metres per second.
    pub const SPEED: u32 = 4;
    /// `float`, overriding; below 0: computed.
    pub const BENEFIT: u32 = 5;
    /// `float`, a forced level; below 0: automatic.
    pub const FORCED: u32 = 6;
    /// `uint8_t`, 0 or 1.
    pub const VISIBLE: u32 = 7;
    /// `uint64_t`.
    pub const KEY: u32 = 8;
    /// `float`, a factor of the benefit.
    pub const PRIORITY: u32 = 9;
    /// `uint8_t`, 0 or 1; replaces the test of frusta for the actor's module.
    pub const IN_VIEW: u32 = 10;
}

/// A budget without a limit.
pub const UNLIMITED: u64 = u64::MAX;
/// The units of the last plan.
pub const ASSIGNED: u64 = u64::MAX;
/// A share that was not computed.
pub const UNKNOWN: u64 = u64::MAX;
/// No limit of a distance, an age or a speed.
pub const NO_LIMIT: f32 = -1.0;
/// A module without a cap.
pub const NO_CAP: u32 = 255;
/// The last level, as a highest level.
pub const ALL_LEVELS: u8 = 255;

/// Fractional levels are valid.
pub const MODULE_CONTINUOUS: u32 = 1;
/// All actors have their highest level.
pub const MODULE_UNMANAGED: u32 = 2;
/// The module has no benefit value.
pub const MODULE_NO_BENEFIT_VALUE: u32 = 4;
/// The first levels add the most quality.
pub const MODULE_DIMINISHING: u32 = 8;
/// Only the highest level has quality.
pub const MODULE_ALL_OR_NOTHING: u32 = 16;
/// The actor is invisible.
pub const ACTOR_INVISIBLE: u32 = 1;

/// `lodger_module_desc`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
#[allow(missing_docs)] // the header has them
pub struct ModuleDesc {
    pub size: u32,
    pub flags: u32,
    pub name: In<c_char>,
    pub qualities: In<f32>,
    pub levels: u32,
    pub overhead: u32,
    pub unit_cost_ns: f64,
    pub benefit_value_ns: u32,
    pub importance: u32,
    pub max_distance: f32,
    pub weight_distance: f32,
    pub weight_age: f32,
    pub weight_speed: f32,
    pub bias: f32,
    pub max_age: f32,
    pub max_speed: f32,
    pub lod_cap: u32,
}

impl Default for ModuleDesc {
    fn default() -> Self {
        Self {
            size: size_of_32::<Self>(),
            flags: 0,
            name: In::NULL,
            qualities: In::NULL,
            levels: 0,
            overhead: 0,
            unit_cost_ns: 1.0,
            benefit_value_ns: 1_000_000,
            importance: 0,
            max_distance: NO_LIMIT,
            weight_distance: 1.0,
            weight_age: 0.0,
            weight_speed: 0.0,
            bias: 0.0,
            max_age: NO_LIMIT,
            max_speed: NO_LIMIT,
            lod_cap: NO_CAP,
        }
    }
}

/// `lodger_actor_desc`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
#[allow(missing_docs)] // the header has them
pub struct ActorDesc {
    pub size: u32,
    pub flags: u32,
    pub work: In<u32>,
    pub qualities: In<f32>,
    pub levels: u32,
    pub reserved: u32,
    pub key: u64,
    pub position: [f64; 3],
    pub radius: f32,
    pub age: f32,
    pub speed: f32,
    pub benefit: f32,
    pub forced: f32,
    pub lowest: u8,
    pub highest: u8,
    pub reserved2: [u8; 2],
}

impl Default for ActorDesc {
    fn default() -> Self {
        Self {
            size: size_of_32::<Self>(),
            flags: 0,
            work: In::NULL,
            qualities: In::NULL,
            levels: 0,
            reserved: 0,
            key: 0,
            position: [0.0; 3],
            radius: 1.0,
            age: 0.0,
            speed: 0.0,
            benefit: -1.0,
            forced: -1.0,
            lowest: 0,
            highest: ALL_LEVELS,
            reserved2: [0; 2],
        }
    }
}

/// `lodger_report`.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[repr(C)]
#[allow(missing_docs)] // the header has them
pub struct SceneReport {
    pub size: u32,
    pub load: u32,
    pub budget_ns: u64,
    pub assigned_ns: u64,
    pub reserved_ns: u64,
    pub overcommit_ns: u64,
    pub scale: f64,
    pub headroom: f64,
    pub value: f64,
    pub upper_bound: f64,
    pub rounding_m: f64,
    pub actors: u64,
    pub quarantined: u64,
    pub changes: u64,
    pub switches: u64,
}

/// `lodger_module_report`.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[repr(C)]
#[allow(missing_docs)] // the header has them
pub struct ModuleReport {
    pub size: u32,
    pub managed: u32,
    pub actors: u64,
    pub assigned_ns: u64,
    pub target_ns: u64,
    pub units: u64,
    pub benefit: f64,
    pub unit_cost_ns: f64,
    pub raw_unit_cost_ns: f64,
    pub overhead: u32,
    pub lod_cap: u32,
}

/// `lodger_actor_report`.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[repr(C)]
#[allow(missing_docs)] // the header has them
pub struct ActorReport {
    pub size: u32,
    pub reason: u32,
    pub key: u64,
    pub share_ns: u64,
    pub benefit: f64,
    pub quality: f64,
    pub level: f64,
    pub cost_ns: u32,
    pub module: ModuleHandle,
}

/// `lodger_change`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[repr(C)]
#[allow(missing_docs)] // the header has them
pub struct LevelChangeRecord {
    pub actor: ActorHandle,
    pub key: u64,
    pub module: ModuleHandle,
    pub from: i16,
    pub to: u8,
    pub reserved: u8,
    pub fraction: u16,
    pub reserved2: [u16; 3],
}

// SAFETY: `repr(C)`, numbers and pointers, and the first field is the size.
unsafe impl Sized32 for ModuleDesc {}
// SAFETY: as above.
unsafe impl Sized32 for ActorDesc {}
// SAFETY: as above.
unsafe impl Sized32 for SceneReport {}
// SAFETY: as above.
unsafe impl Sized32 for ModuleReport {}
// SAFETY: as above.
unsafe impl Sized32 for ActorReport {}

#[allow(clippy::cast_possible_truncation)] // of structs of some hundred bytes
const fn size_of_32<T>() -> u32 {
    size_of::<T>() as u32
}
