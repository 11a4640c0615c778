//! What is kept of a file: actors, modules and their names.

use std::collections::HashSet;
use std::hash::{BuildHasher as _, Hash, RandomState};
use std::sync::Arc;

use lodger_allowance::{Allowance, Spent};
use lodger_scheduler::ModuleId;

use crate::scene_file::SceneFile;

/// The bytes of an actor: its row in the scene, what a tick needs beside it, and its names' places, all in
/// lists that grow to twice their length.
const ACTOR: u64 = 448;
/// The bytes of an actor for which room was made.
const RESERVED: u64 = 224;
/// The bytes of a module in the same way.
const MODULE: u64 = 4_096;
/// The bytes of a name beside its characters.
const NAME: u64 = 32;
/// The bytes of work that no other actor has, beside its levels.
const LADDER: u64 = 480;
/// The bytes of a level: its units, twice, and its cost, in lists that grow to twice their length.
const LEVEL: u64 = 40;

/// What is kept of a file, paid before it is kept.
pub(crate) struct Memory<'a> {
    allowance: &'a Allowance,
    random: RandomState,
    /// The hashes of all ladders.
    ladders: HashSet<u64>,
    /// How many actors there is room for.
    room: usize,
}

impl<'a> Memory<'a> {
    pub(crate) fn new(allowance: &'a Allowance) -> Self {
        Self { allowance, random: RandomState::new(), ladders: HashSet::new(), room: 0 }
    }

    /// A module with a name.
    pub(crate) fn module(&self, name: &str) -> Result<Arc<str>, Spent> {
        self.allowance.keep(MODULE + 2 * (NAME + name.len() as u64))?;
        Ok(name.into())
    }

    /// Makes room for all actors of a file, which then are in no list that grows.
    pub(crate) fn reserve(
        &mut self,
        file: &mut SceneFile,
        module: ModuleId,
        actors: usize,
    ) -> Result<(), Spent> {
        self.allowance.keep(RESERVED.saturating_mul(actors as u64))?;
        // More than a scene takes are refused when they are spawned.
        if file.scene.reserve(module, actors).is_ok() {
            file.actors.reserve_exact(actors);
            self.room = actors;
        }
        Ok(())
    }

    /// The name of an actor, and the actor without its ladder.
    pub(crate) fn actor(&mut self, name: &str) -> Result<Arc<str>, Spent> {
        let actor = if self.room > 0 { 0 } else { ACTOR };
        self.room = self.room.saturating_sub(1);
        self.allowance.keep(actor + NAME + name.len() as u64)?;
        Ok(name.into())
    }

    /// The ladder of an actor; those of equal actors are kept once. `levels` is how many there are in what
    /// tells ladders apart.
    pub(crate) fn ladder(&mut self, levels: usize, ladder: impl Hash) -> Result<(), Spent> {
        let hash = self.random.hash_one(ladder);
        if !self.ladders.contains(&hash) {
            self.allowance.keep(LADDER + LEVEL * levels as u64)?;
            self.ladders.insert(hash);
        }
        Ok(())
    }
}
