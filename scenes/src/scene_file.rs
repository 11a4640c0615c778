//! A scene that was read, and what its file calls the things in it.

use std::fmt;
use std::sync::Arc;

use lodger_scheduler::{ActorId, ModuleId, Scene};

use crate::error::Warning;
use crate::unit::Unit;

/// A scene that was read: ready to tick, and what its file calls the things in it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct SceneFile {
    /// The scene, with all its views, modules and actors.
    pub scene: Scene<f32>,
    /// What its money counts.
    pub unit: Unit,
    /// The modules, in file order; names are unique.
    pub modules: Vec<NamedModule>,
    /// The actors, in file order; names are unique.
    pub actors: Vec<NamedActor>,
    /// What is odd but possible.
    pub warnings: Vec<Warning>,
    /// How many more warnings there were than the limit.
    pub more_warnings: usize,
}

/// A module, and what its file calls it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct NamedModule {
    /// Its handle in the scene.
    pub id: ModuleId,
    /// Its name.
    pub name: Arc<str>,
}

/// An actor, and what its file calls it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct NamedActor {
    /// Its handle in the scene.
    pub id: ActorId,
    /// The module that it belongs to.
    pub module: ModuleId,
    /// Its name.
    pub name: Arc<str>,
    /// Where its levels come from; those of a TOML scene are the file's own.
    pub ladder: LadderSource,
    /// For each of its levels, what the file calls it, if that counts in another way.
    pub file_levels: Option<Arc<[u8]>>,
}

impl SceneFile {
    /// A scene without modules and actors.
    pub(crate) fn new(scene: Scene<f32>, unit: Unit) -> Self {
        Self {
            scene,
            unit,
            modules: Vec::new(),
            actors: Vec::new(),
            warnings: Vec::new(),
            more_warnings: 0,
        }
    }
}

/// The shares of a mesh's triangles, in thousandths, that are assumed for LOD 0 to 4 where a glTF file
/// has no levels; at 0 the mesh is not drawn.
///
/// # Examples
/// ```
/// assert_eq!(lodger_scenes::ASSUMED_SHARES, [0, 15, 60, 250, 1000]);
/// ```
pub const ASSUMED_SHARES: [u16; 5] = [0, 15, 60, 250, 1000];

/// Where the levels of an actor come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LadderSource {
    /// The file says them.
    File,
    /// They are [`ASSUMED_SHARES`] of the triangles, as the file has only the highest.
    Assumed,
}

/// `file` or `assumed`.
impl fmt::Display for LadderSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::File => "file",
            Self::Assumed => "assumed",
        })
    }
}
