//! Splats in Streamed SOG: every leaf of the tree is an actor whose work is splats.
//!
//! The format is `PlayCanvas`'s, "The Streamed SOG Format", version 1, in the user manual of its engine; files
//! that are older than a version are of the same shape. Only what is needed is looked at, and nothing is
//! recursive: a first walk over the tree finds what errors are measured by, a second one spawns.

mod bound;
mod head;
mod leaf;
mod tokens;
mod tree;

#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::sync::Arc;

use lodger_allowance::Allowance;
use lodger_core::budget::Quality;
use lodger_core::error::Quantity;
use lodger_core::units::{BenefitValue, UnitCost};
use lodger_gltf::JsonError;
use lodger_scheduler::{Actor, Module, Scene, SceneError};
use serde::de::IgnoredAny;

use crate::error::{Error, ErrorKind};
use crate::ladder::LadderSource;
use crate::limits::Limits;
use crate::memory::Memory;
use crate::number::{narrow, place};
use crate::place::Subject;
use crate::policy::{PolicyName, Written};
use crate::scene_file::{NamedActor, NamedModule, SceneFile};
use crate::settings::Settings;
use crate::sog_error::SogError;
use crate::unit::Unit;
use crate::warning::{Warning, WarningKind};
use head::Head;
use leaf::{Leaf, Rung};
use tokens::{Token, Tokens};

pub(crate) use head::is_index;

/// What its money counts.
const UNIT: &str = "splat";
/// The one module of such a scene.
const MODULE: &str = "splats";
/// One splat for one, in 2⁻³².
const UNIT_COST: UnitCost = UnitCost::from_bits(1 << 32).expect("it is above 0");
/// Work for each byte: some 10 ns to see that it is JSON, and as much for each walk.
const WORK: u64 = 3 * 4;
/// For each bracket, while it is seen that it is JSON: a byte in a list that grows to twice its length.
const BRACKET: u64 = 3;
/// The bytes of levels that no other leaf has, beside one for each.
const LEVELS: u64 = 128;

impl SceneFile {
    /// Reads the index of a Streamed SOG (`lod-meta.json`): every leaf is an actor of one module, whose money
    /// counts splats. It is decided by the optimal policy unless the settings say another, and needs a budget
    /// and a view from them.
    ///
    /// - *Levels* are those that a leaf has; [`NamedActor::file_levels`] says which, as the file counts them
    ///   from the finest. Fewer than others is fine. One that is empty, or costs as much as a finer one, is
    ///   left out, and so is a leaf without any.
    /// - *Quality* is what a level takes away of the error of the leaf's coarsest, as a part of the most that
    ///   any leaf can lose: a unit of benefit times quality is the same error anywhere. Where not all leaves
    ///   say their errors, or the file denies them, errors are the logarithm of how many splats the finest
    ///   level has for each one.
    /// - *Spheres* are around the boxes of leaves.
    ///
    /// # Errors
    /// [`ErrorKind::Spent`], [`ErrorKind::Sog`] with its place, [`ErrorKind::NoBudget`],
    /// [`ErrorKind::NoCamera`], those of [`Settings`], and [`ErrorKind::Refused`] for a leaf that is beyond
    /// what a scene computes with.
    ///
    /// # Examples
    /// ```
    /// use lodger_allowance::{Allowance, Limits as Most};
    /// use lodger_core::units::Budget;
    /// use lodger_scenes::{Limits, SceneFile, Settings};
    /// use lodger_scheduler::View;
    ///
    /// // Two equal leaves of 10 or 5 splats, and 15 for both: the first one gets 10.
    /// let leaf = r#"{"bound": {"min": [0, 0, 0], "max": [1, 1, 1]},
    ///     "lods": {"0": {"count": 10}, "1": {"count": 5}}}"#;
    /// let text = format!(r#"{{"lodLevels": 2, "tree": {{"children": [{leaf}, {leaf}]}}}}"#);
    /// let settings = Settings {
    ///     units: Some(Budget::from_ns(15)),
    ///     view: Some(View::eye([0.0, 0.0, 9.0])?),
    ///     ..Settings::default()
    /// };
    /// let (limits, allowance) = (Limits::default(), Allowance::new(Most::default()));
    /// let mut file = SceneFile::from_streamed_sog(&text, &settings, limits, &allowance)?;
    /// file.scene.tick();
    /// let work: Vec<_> = file.actors.iter().map(|leaf| file.scene.work(leaf.id)).collect();
    /// assert_eq!(work, [Some(&[5, 10][..]); 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_streamed_sog(
        text: &str,
        settings: &Settings,
        limits: Limits,
        allowance: &Allowance,
    ) -> Result<Self, Error> {
        check_json(text, allowance)?;
        let head = head::read(text)?;
        let unit = Unit::Named(UNIT.into());
        let budget = settings.budget_in(&unit)?.ok_or_else(no_budget)?;
        let mut file = Self::new(Scene::new(budget), unit);
        let otherwise = PolicyName::Optimal;
        let written = Written { policy: None, leftovers: None, otherwise };
        file.scene.set_policy(settings.policy_for(written)?);
        let index = Index { text, head, allowance };
        let measure = index.measure()?;
        if measure.by_count > 0 && measure.by_errors > 0 && !head.denies_errors {
            let kind = WarningKind::FewErrors { leaves: measure.by_errors, of: measure.leaves() };
            file.warn(Warning::new(kind, Subject::File), limits.warnings);
        }
        index.spawn_all(&mut file, &measure)?;
        match settings.view {
            Some(view) => drop(file.scene.add_view(view).map_err(|error| {
                Error::refused(Subject::View(0), "view 1".to_owned(), error).about("eye")
            })?),
            None if file.actors.is_empty() => {}
            None => return Err(Error::of_file(ErrorKind::NoCamera)),
        }
        Ok(file)
    }
}

/// Refuses what is no JSON. All else that reads the text relies on that.
fn check_json(text: &str, allowance: &Allowance) -> Result<(), Error> {
    allowance.work(WORK.saturating_mul(text.len() as u64))?;
    let opening = text.bytes().filter(|byte| matches!(byte, b'{' | b'[')).count();
    let _reserved = allowance.reserve(BRACKET.saturating_mul(opening as u64))?;
    match serde_json::from_str::<IgnoredAny>(text) {
        Ok(_) => Ok(()),
        Err(error) => Err(Error::sog(SogError::Json(JsonError::new(error)))),
    }
}

fn no_budget() -> Error {
    Error::new(ErrorKind::NoBudget, Subject::File, "budget")
}

/// A mistake at a token.
fn wrong(error: SogError, at: Token) -> Error {
    Error::sog(error).at(Some(at.span()))
}

/// An index that is JSON, and what stands at its top.
struct Index<'a> {
    text: &'a str,
    head: Head,
    allowance: &'a Allowance,
}

/// What a first walk finds.
#[derive(Default)]
struct Measure {
    /// Leaves whose errors are said, and the others.
    by_errors: usize,
    by_count: usize,
    /// The most that a leaf can lose of its error, in the file's measure.
    most: f64,
    /// The splats of all leaves at their finest.
    splats: u64,
}

impl Measure {
    const fn leaves(&self) -> usize {
        self.by_errors + self.by_count
    }
}

impl Index<'_> {
    fn leaves(&self, see: impl FnMut(Leaf<'_>) -> Result<(), Error>) -> Result<(), Error> {
        let tokens = Tokens::from(self.text, self.head.tree);
        tree::leaves(tokens, self.head.levels, self.allowance, see)
    }

    /// Looks at all leaves.
    fn measure(&self) -> Result<Measure, Error> {
        let mut measure = Measure::default();
        let (mut most_by_errors, mut most_by_count) = (0.0, 0.0);
        let mut rungs = Vec::new();
        let removed = |rungs: &[Rung], most: f64| match rungs {
            [coarsest, .., finest] => most.max(coarsest.error - finest.error),
            _ => most,
        };
        self.leaves(|leaf| {
            leaf.rungs(false, &mut rungs)?;
            let Some(finest) = rungs.last() else { return Ok(()) };
            measure.splats = measure.splats.saturating_add(finest.splats.into());
            most_by_count = removed(&rungs, most_by_count);
            if leaf.has_errors && !self.head.denies_errors {
                leaf.rungs(true, &mut rungs)?;
                most_by_errors = removed(&rungs, most_by_errors);
                measure.by_errors += 1;
            } else {
                measure.by_count += 1;
            }
            Ok(())
        })?;
        measure.most = if measure.by_count == 0 { most_by_errors } else { most_by_count };
        Ok(measure)
    }

    fn spawn_all(&self, file: &mut SceneFile, measure: &Measure) -> Result<(), Error> {
        // A leaf that fills the view may ask for all that there is.
        let value = BenefitValue::from_ns(u32::try_from(measure.splats).unwrap_or(u32::MAX));
        let mut memory = Memory::new(self.allowance);
        let refused = |whose: String, error| Error::refused(Subject::File, whose, error);
        let module = file
            .scene
            .add_module(Module::new(MODULE, UNIT_COST, value))
            .map_err(|error| refused(format!("module `{MODULE}`"), error))?;
        file.modules.push(NamedModule { id: module, name: memory.module(MODULE)? });
        memory.reserve(file, module, measure.leaves())?;
        let mut lists = LevelLists { known: HashSet::new(), allowance: self.allowance };
        let (mut rungs, mut number) = (Vec::new(), 0_usize);
        self.leaves(|leaf| {
            leaf.rungs(measure.by_count == 0, &mut rungs)?;
            let name = format!("leaf {number}");
            number += 1;
            if rungs.is_empty() {
                return Ok(());
            }
            let (work, qualities) = ladder(&rungs, measure.most);
            let shared = memory.actor(&name)?;
            memory.ladder(2 * rungs.len(), (&work, &qualities))?;
            let levels = lists.of(&rungs)?;
            let (centre, radius) = leaf.bound.sphere();
            let spawned = narrow(radius, Quantity::Radius).and_then(|radius| {
                Ok(Actor::seen(place(centre)?, radius, &work).qualities(&qualities))
            });
            let id = spawned
                .map_err(SceneError::from)
                .and_then(|actor| file.scene.spawn(module, actor))
                .map_err(|error| refused(name, error).at(Some(leaf.token.span())))?;
            file.actors.push(NamedActor {
                id,
                module,
                name: shared,
                ladder: LadderSource::File,
                file_levels: Some(levels),
            });
            Ok(())
        })
    }
}

/// The levels that leaves have, as the file counts them; equal lists are kept once.
struct LevelLists<'a> {
    known: HashSet<Arc<[u8]>>,
    allowance: &'a Allowance,
}

impl LevelLists<'_> {
    fn of(&mut self, rungs: &[Rung]) -> Result<Arc<[u8]>, Error> {
        let levels: Vec<u8> = rungs.iter().map(|rung| rung.level).collect();
        if let Some(known) = self.known.get(&*levels) {
            return Ok(Arc::clone(known));
        }
        self.allowance.keep(LEVELS + levels.len() as u64)?;
        let levels: Arc<[u8]> = levels.into();
        self.known.insert(Arc::clone(&levels));
        Ok(levels)
    }
}

/// The work and the quality of each level.
fn ladder(rungs: &[Rung], most: f64) -> (Vec<u32>, Vec<Quality>) {
    let worst = rungs.first().map_or(0.0, |rung| rung.error);
    let quality = |rung: &Rung| {
        let removed = if most > 0.0 { (worst - rung.error) / most } else { 0.0 };
        let quality = Quality::new(removed.min(1.0)).unwrap_or_default();
        // However little it is, it is more than nothing.
        if removed > 0.0 { quality.max(Quality::from_bits(1)) } else { quality }
    };
    (rungs.iter().map(|rung| rung.splats).collect(), rungs.iter().map(quality).collect())
}
