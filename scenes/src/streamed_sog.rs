//! Splats in Streamed SOG: every leaf of the tree is an actor whose work is splats.
//!
//! The format is `PlayCanvas`'s, "The Streamed SOG Format", version 1, in the user manual of its engine; files
//! that are older than a version are of the same shape. Only what is needed is looked at, and nothing is
//! recursive: a first walk over the tree finds what errors are measured by, a second one spawns.

mod leaves;
mod tokens;

#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::sync::Arc;

use lodger_core::budget::Quality;
use lodger_core::error::Quantity;
use lodger_core::units::{BenefitValue, UnitCost};
use lodger_gltf::{JsonError, ellipsized};
use lodger_quota::Quota;
use lodger_scheduler::{Actor, Module};
use serde::de::IgnoredAny;

use crate::builder::{Builder, Levels};
use crate::error::{Error, ErrorKind, Warning};
use crate::numbers::{narrow, place};
use crate::place::Subject;
use crate::scene_file::{LadderSource, SceneFile};
use crate::settings::{FilePolicy, Limits, PolicyName, Settings};
use crate::unit::Unit;
use leaves::{Leaf, Rung, leaves};
use tokens::{Kind, Token, Tokens};

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
/// The version that is read; files without one are older and of the same shape.
const VERSION: f64 = 1.0;
/// Levels are counted in a byte.
const MOST_LEVELS: usize = 256;

impl SceneFile {
    /// Reads the index of a Streamed SOG (`lod-meta.json`): every leaf is an actor of one module, whose money
    /// counts splats. It is decided by the optimal policy unless the settings say another, and needs a budget
    /// and a view from them.
    ///
    /// - *Levels* are those that a leaf has; [`NamedActor::file_levels`](crate::NamedActor::file_levels) says which, as the file counts them
    ///   from the finest. Fewer than others is fine. One that is empty, or costs as much as a finer one, is
    ///   left out, and so is a leaf without any.
    /// - *Quality* is what a level takes away of the error of the leaf's coarsest, as a part of the most that
    ///   any leaf can lose: a unit of benefit times quality is the same error anywhere. Where not all leaves
    ///   say their errors, or the file denies them, errors are the logarithm of how many splats the finest
    ///   level has for each one.
    /// - *Spheres* are around the boxes of leaves.
    ///
    /// # Errors
    /// [`ErrorKind::QuotaExceeded`], [`ErrorKind::NoBudget`], [`ErrorKind::NoCamera`], those of [`Settings`], and errors
    /// with their place for what is no such index, and for a leaf that is beyond what a scene computes with.
    ///
    /// # Examples
    /// ```
    /// use lodger_quota::{Quota, QuotaLimits};
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
    /// let (limits, quota) = (Limits::default(), Quota::new(QuotaLimits::default()));
    /// let mut file = SceneFile::from_streamed_sog(&text, &settings, limits, &quota)?;
    /// file.scene.tick();
    /// let work: Vec<_> = file.actors.iter().map(|leaf| file.scene.work(leaf.id)).collect();
    /// assert_eq!(work, [Some(&[5, 10][..]); 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_streamed_sog(
        text: &str,
        settings: &Settings,
        limits: Limits,
        quota: &Quota,
    ) -> Result<Self, Error> {
        check_json(text, quota)?;
        let head = read_head(text)?;
        let unit = Unit::Named(UNIT.into());
        let budget = settings.budget_in(&unit)?.ok_or_else(no_budget)?;
        let policy = FilePolicy::unsaid(PolicyName::Optimal);
        let kept = (limits.warnings, quota);
        let mut builder = Builder::new((budget, unit), policy, settings, kept)?;
        let index = Index { text, head, quota };
        let measure = index.measure()?;
        if measure.by_count > 0 && measure.by_errors > 0 && !head.denies_errors {
            let (leaves, of) = (measure.by_errors, measure.leaves());
            let consequence = "quality goes by the counts of splats";
            let message = format!("only {leaves} of {of} leaves have `errors`: {consequence}");
            builder.warn(Warning::new(message, Subject::File));
        }
        index.spawn_all(&mut builder, &measure)?;
        builder.look_from(settings.view)?;
        Ok(builder.file)
    }
}

/// Refuses what is no JSON. All else that reads the text relies on that.
fn check_json(text: &str, quota: &Quota) -> Result<(), Error> {
    quota.charge_work(WORK.saturating_mul(text.len() as u64))?;
    let opening = text.bytes().filter(|byte| matches!(byte, b'{' | b'[')).count();
    let _reserved = quota.reserve(BRACKET.saturating_mul(opening as u64))?;
    match serde_json::from_str::<IgnoredAny>(text) {
        Ok(_) => Ok(()),
        Err(error) => {
            let error = JsonError::new(error);
            let message = format!("this index of a Streamed SOG is broken: {error}");
            Err(Error::of_file(message).caused_by(error))
        }
    }
}

fn no_budget() -> Error {
    Error::new("the scene has no `budget`", Subject::File, "budget").of_kind(ErrorKind::NoBudget)
}

/// A mistake at a token.
fn wrong(message: impl Into<String>, at: Token) -> Error {
    Error::of_file(message).at(Some(at.span()))
}

fn must_be(key: &str, expected: &str, at: Token) -> Error {
    wrong(format!("`{key}` must be {expected}"), at)
}

fn repeated(key: &str, at: Token) -> Error {
    wrong(format!("`{key}` is there twice"), at)
}

/// An index that is JSON, and what stands at its top.
struct Index<'a> {
    text: &'a str,
    head: Head,
    quota: &'a Quota,
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
        leaves(tokens, self.head.levels, self.quota, see)
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

    fn spawn_all(&self, builder: &mut Builder<'_>, measure: &Measure) -> Result<(), Error> {
        // A leaf that fills the view may ask for all that there is.
        let value = BenefitValue::from_ns(u32::try_from(measure.splats).unwrap_or(u32::MAX));
        let module = Module::new(MODULE, UNIT_COST, value);
        let module = builder.add_module(MODULE, Ok(module), |error| {
            Error::refused(Subject::File, format_args!("module `{MODULE}`"), error)
        })?;
        builder.reserve(module, measure.leaves())?;
        let mut lists = LevelLists::default();
        let (mut rungs, mut number) = (Vec::new(), 0_usize);
        self.leaves(|leaf| {
            leaf.rungs(measure.by_count == 0, &mut rungs)?;
            let name = format!("leaf {number}");
            number += 1;
            if rungs.is_empty() {
                return Ok(());
            }
            let (work, qualities) = ladder(&rungs, measure.most);
            let shared = builder.actor_name(&name)?;
            let (centre, radius) = leaf.bound.sphere();
            let actor = narrow(radius, Quantity::Radius).and_then(|radius| {
                Ok(Actor::seen(place(centre)?, radius, &work).qualities(&qualities))
            });
            let levels = Levels {
                work: &work,
                qualities: Some(&qualities),
                range: None,
                source: LadderSource::File,
                in_file: Some(lists.of(&rungs)),
            };
            builder.spawn(module, shared, actor, levels, |_, error| {
                Error::refused(Subject::File, name, error).at(Some(leaf.token.span()))
            })
        })
    }
}

/// The levels that leaves have, as the file counts them; equal lists are kept once, and paid with the ladder.
#[derive(Default)]
struct LevelLists(HashSet<Arc<[u8]>>);

impl LevelLists {
    fn of(&mut self, rungs: &[Rung]) -> Arc<[u8]> {
        let levels: Vec<u8> = rungs.iter().map(|rung| rung.level).collect();
        if let Some(known) = self.0.get(&*levels) {
            return Arc::clone(known);
        }
        let levels: Arc<[u8]> = levels.into();
        self.0.insert(Arc::clone(&levels));
        levels
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

/// What an index says of the file as a whole.
#[derive(Clone, Copy, Debug)]
struct Head {
    /// How many levels leaves have at most.
    levels: usize,
    /// Whether it says that leaves have no errors, whatever they have.
    denies_errors: bool,
    /// Where the tree begins.
    tree: usize,
}

/// Whether a text is such an index, broken or not: an object with the key `lodLevels`, which no glTF has.
pub(crate) fn is_index(text: &str) -> bool {
    let mut tokens = Tokens::from(text, 0);
    if tokens.next().is_none_or(|token| token.kind != Kind::Object) {
        return false;
    }
    while let Some((key, value)) = tokens.entry() {
        if tokens.said(key) == "lodLevels" {
            return true;
        }
        tokens.skip(value);
    }
    false
}

/// Reads what stands at the top; the tree is passed over.
fn read_head(text: &str) -> Result<Head, Error> {
    let mut tokens = Tokens::from(text, 0);
    let _open = tokens.next();
    let (mut levels, mut denies_errors, mut tree) = (None, None, None);
    while let Some((key, value)) = tokens.entry() {
        let is_new = match &*tokens.said(key) {
            "version" => check_version(&tokens, value).map(|()| true)?,
            "lodLevels" => levels.replace(level_count(&tokens, value)?).is_none(),
            "lodErrors" => denies_errors.replace(tokens.written(value) == "false").is_none(),
            "tree" => tree.replace(value.start).is_none(),
            _ => true,
        };
        if !is_new {
            return Err(repeated(&ellipsized(&tokens.said(key)), value));
        }
        tokens.skip(value);
    }
    let missing = |key| Error::of_file(format!("`{key}` is missing"));
    Ok(Head {
        levels: levels.ok_or_else(|| missing("lodLevels"))?,
        denies_errors: denies_errors.unwrap_or_default(),
        tree: tree.ok_or_else(|| missing("tree"))?,
    })
}

fn check_version(tokens: &Tokens<'_>, value: Token) -> Result<(), Error> {
    if tokens.number(value).is_some_and(|version| version <= VERSION) {
        return Ok(());
    }
    let found = ellipsized(tokens.written(value));
    Err(wrong(format!("this is a Streamed SOG of version {found}; lodger reads version 1"), value))
}

fn level_count(tokens: &Tokens<'_>, value: Token) -> Result<usize, Error> {
    let levels = tokens.written(value).parse().ok();
    levels.filter(|levels| (1..=MOST_LEVELS).contains(levels)).ok_or_else(|| {
        let expected = "a whole number of levels from 1 to 256";
        must_be("lodLevels", expected, value)
    })
}
