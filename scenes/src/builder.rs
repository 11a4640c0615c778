//! Builds a scene from the values of a file.

use std::collections::HashSet;
use std::hash::{BuildHasher as _, Hash, RandomState};
use std::sync::Arc;

use lodger_core::budget::Quality;
use lodger_core::units::Budget;
use lodger_gltf::ellipsized;
use lodger_quota::{Quota, QuotaExceeded};
use lodger_scheduler::{Actor, Module, ModuleId, Scene, SceneError, View};

use crate::error::{SceneFileError, SceneFileErrorKind, Warning};
use crate::numbers::CostUnit;
use crate::scene_file::{
    FilePolicy, LadderSource, NamedActor, NamedModule, SceneFile, SceneOverrides,
};
use crate::spans::Subject;

/// Bytes of an actor: its row, scratch memory of a tick and pointers to names, in lists that double.
const ACTOR: u64 = 448;
/// Bytes of an actor in reserved lists.
const RESERVED: u64 = 224;
const MODULE: u64 = 4_096;
/// Bytes of a name beside its characters.
const NAME: u64 = 32;
/// Bytes of a new ladder beside its levels, with the file's level numbers.
const LADDER: u64 = 480;
/// Bytes of a level: its units, twice, and its cost, in lists that double.
const LEVEL: u64 = 40;
const HASHED_NAME: u64 = size_of::<(u64, usize)>() as u64;

pub(crate) struct Builder<'a> {
    pub(crate) file: SceneFile,
    pub(crate) quota: &'a Quota,
    max_warnings: usize,
    random: RandomState,
    ladders: HashSet<u64>,
    /// Actors that are reserved and not yet spawned.
    reserved: usize,
}

pub(crate) struct ActorLevels<'l> {
    pub(crate) work: &'l [u32],
    /// `None` takes the qualities of the module.
    pub(crate) qualities: Option<&'l [Quality]>,
    pub(crate) range: Option<[u32; 2]>,
    pub(crate) source: LadderSource,
    /// The file's number of each level, if it differs.
    pub(crate) in_file: Option<Arc<[u8]>>,
}

impl<'a> Builder<'a> {
    pub(crate) fn new(
        (budget, unit): (Budget, CostUnit),
        policy: FilePolicy,
        overrides: &SceneOverrides,
        (max_warnings, quota): (usize, &'a Quota),
    ) -> Result<Self, SceneFileError> {
        let mut scene = Scene::new(budget);
        scene.set_policy(overrides.policy_for(policy)?).expect("there is no module");
        let file = SceneFile::new(scene, unit);
        Ok(Self {
            file,
            quota,
            max_warnings,
            random: RandomState::new(),
            ladders: HashSet::new(),
            reserved: 0,
        })
    }

    pub(crate) fn warn(&mut self, warning: Warning) {
        if self.file.warnings.len() < self.max_warnings {
            self.file.warnings.push(warning);
        } else {
            self.file.more_warnings += 1;
        }
    }

    pub(crate) fn add_module(
        &mut self,
        name: &str,
        module: Result<Module<f32>, lodger_core::ValueError>,
        explain: impl FnOnce(SceneError) -> SceneFileError,
    ) -> Result<ModuleId, SceneFileError> {
        self.quota.charge_memory(MODULE + 2 * (NAME + name.len() as u64))?;
        let added = module.map_err(SceneError::from);
        let id = added.and_then(|module| self.file.scene.add_module(module)).map_err(explain)?;
        self.file.modules.push(NamedModule { id, name: name.into() });
        Ok(id)
    }

    /// Reserves memory for all actors of a file, so that no list doubles.
    pub(crate) fn reserve(&mut self, module: ModuleId, actors: usize) -> Result<(), QuotaExceeded> {
        self.quota.charge_memory(RESERVED.saturating_mul(actors as u64))?;
        // Spawning reports actors beyond the scene's maximum.
        if self.file.scene.reserve(module, actors).is_ok() {
            self.file.actors.reserve_exact(actors);
            self.reserved = actors;
        }
        Ok(())
    }

    /// Charges an actor without its levels, and returns its shared name.
    pub(crate) fn actor_name(&mut self, name: &str) -> Result<Arc<str>, QuotaExceeded> {
        let actor = if self.reserved > 0 { 0 } else { ACTOR };
        self.reserved = self.reserved.saturating_sub(1);
        self.quota.charge_memory(actor + NAME + name.len() as u64)?;
        Ok(name.into())
    }

    /// Spawns an actor, charging equal ladders once.
    pub(crate) fn spawn(
        &mut self,
        module: ModuleId,
        name: Arc<str>,
        actor: Result<Actor<'_, f32>, lodger_core::ValueError>,
        levels: ActorLevels<'_>,
        explain: impl FnOnce(&SceneFile, SceneError) -> SceneFileError,
    ) -> Result<(), SceneFileError> {
        let ActorLevels { work, qualities, range, source, in_file } = levels;
        self.charge_ladder(
            work.len() + qualities.map_or(0, <[_]>::len),
            (module, range, work, qualities, &in_file),
        )?;
        let spawned = actor.map_err(SceneError::from);
        let spawned = spawned.and_then(|actor| self.file.scene.spawn(module, actor));
        let id = spawned.map_err(|error| explain(&self.file, error))?;
        let actor = NamedActor { id, module, name, ladder: source, file_levels: in_file };
        self.file.actors.push(actor);
        Ok(())
    }

    fn charge_ladder(&mut self, levels: usize, ladder: impl Hash) -> Result<(), QuotaExceeded> {
        let hash = self.random.hash_one(ladder);
        if !self.ladders.contains(&hash) {
            self.quota.charge_memory(LADDER + LEVEL * levels as u64)?;
            self.ladders.insert(hash);
        }
        Ok(())
    }

    /// Adds the view; `None` is an error if there are actors.
    pub(crate) fn add_view(&mut self, view: Option<View<f32>>) -> Result<(), SceneFileError> {
        match view {
            Some(view) => {
                self.file
                    .scene
                    .add_view(view)
                    .map_err(|error| refused_view(0, error).with_key("eye"))?;
            }
            None if self.file.actors.is_empty() => {}
            None => {
                let missing =
                    SceneFileError::for_file("the scene has no camera to see its nodes from");
                return Err(missing.of_kind(SceneFileErrorKind::NoCamera));
            }
        }
        Ok(())
    }
}

pub(crate) fn refused_view(index: usize, error: impl Into<SceneError>) -> SceneFileError {
    SceneFileError::refused(Subject::View(index), format_args!("view {}", index + 1), error.into())
}

/// Rejects the first repeated name, without copying names.
pub(crate) fn check_unique<'n>(
    count: usize,
    name: impl Fn(usize) -> &'n str,
    (what, subject): (&'static str, fn(usize) -> Subject),
    quota: &Quota,
) -> Result<(), SceneFileError> {
    let _reserved = quota.reserve((count as u64).saturating_mul(HASHED_NAME))?;
    let random = RandomState::new();
    let mut hashes: Vec<_> =
        (0..count).map(|index| (random.hash_one(name(index)), index)).collect();
    hashes.sort_unstable();
    let equal_hashes = hashes.chunk_by(|a, b| a.0 == b.0).filter(|equal| equal.len() > 1);
    let repeated = equal_hashes.filter_map(|equal| {
        (1..equal.len()).find_map(|at| {
            let second = equal[at].1;
            let earlier = equal[..at].iter().rev().map(|&(_, first)| first);
            let mut same = earlier.filter(|&first| name(first) == name(second));
            Some((second, same.next()?))
        })
    });
    let Some((second, first)) = repeated.min() else { return Ok(()) };
    let name = ellipsized(name(second));
    let message = format!("there are two {what}s called `{name}`; names must be unique");
    Err(SceneFileError::new(message, subject(second), "name").with_first_use(subject(first)))
}

#[cfg(test)]
mod tests {
    use lodger_quota::{Quota, QuotaLimits};

    use super::check_unique;
    use crate::spans::Subject;

    #[test]
    fn comparing_names_is_charged() {
        let is_read = |memory| {
            let quota = Quota::new(QuotaLimits { memory, ..QuotaLimits::default() });
            let called = ("actor", Subject::Actor as fn(usize) -> Subject);
            check_unique(3, |index| ["a", "b", "c"][index], called, &quota).is_ok()
        };
        assert!(is_read(48) && !is_read(47));
    }
}
