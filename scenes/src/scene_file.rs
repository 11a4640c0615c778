//! A scene that was read, and what its file calls the things in it.

use std::sync::Arc;

use lodger_scheduler::{ActorId, ModuleId, Scene};

use crate::ladder::LadderSource;
use crate::unit::Unit;
use crate::warning::Warning;

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

    /// Keeps a warning, unless there are `most` already.
    pub(crate) fn warn(&mut self, warning: Warning, most: usize) {
        if self.warnings.len() < most {
            self.warnings.push(warning);
        } else {
            self.more_warnings += 1;
        }
    }
}
