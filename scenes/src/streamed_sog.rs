//! Splats in Streamed SOG: every leaf of the tree is an actor whose work is splats.
//!
//! Source: *The Streamed SOG Format*, version 1, in the manual of the `PlayCanvas` engine. A first pass over the tree
//! scans errors, a second one spawns.

use std::collections::HashSet;
use std::sync::Arc;

use leaves::{Leaf, LeafLevel, leaves};
use lodger_core::budget::Quality;
use lodger_core::error::Quantity;
use lodger_core::units::{BenefitValue, UnitCost};
use lodger_gltf::{JsonError, ellipsized};
use lodger_quota::Quota;
use lodger_scheduler::{Actor, Module};
use serde::de::IgnoredAny;
use tokens::{JsonToken, TokenKind, Tokenizer};

use crate::builder::{ActorLevels, Builder};
use crate::error::{SceneFileError, SceneFileErrorKind, Warning};
use crate::numbers::{CostUnit, narrow, place};
use crate::scene_file::{
    FilePolicy, LadderSource, PolicyName, SceneFile, SceneLimits, SceneOverrides,
};
use crate::spans::Subject;

mod leaves;
mod tokens;

#[cfg(test)]
mod tests;

const UNIT: &str = "splat";
const MODULE: &str = "splats";
/// A cost of 1 for a splat, in 2⁻³².
const UNIT_COST: UnitCost = UnitCost::from_bits(1 << 32).expect("it is above 0");
/// Units of work for each byte: 4 to validate the JSON, and 4 for each of two passes.
const WORK: u64 = 3 * 4;
/// Bytes of a bracket while JSON is validated, in a list that doubles.
const BRACKET: u64 = 3;
/// Older files have no version and the same form.
const VERSION: f64 = 1.0;
const MAX_LEVELS: usize = 256;

impl SceneFile {
    /// Reads the index of a Streamed SOG (`lod-meta.json`): every leaf is an actor of one module, with costs in
    /// splats. `overrides` must have a budget and a view; the default policy is the optimal one.
    ///
    /// - *Levels*: [`NamedActor::file_levels`](crate::NamedActor::file_levels) has their numbers in the file, which
    ///   counts from the finest. Empty levels, levels that cost as much as a finer one, and leaves without levels are
    ///   skipped.
    /// - *Quality* is the error that a level removes from the leaf's coarsest level, as a share of the largest error
    ///   of all leaves. Without errors, or with `"lodErrors": false`, the error of a level is ln(finest splats / its
    ///   splats).
    /// - *Spheres* enclose the boxes of leaves.
    ///
    /// # Errors
    /// [`QuotaExceeded`](SceneFileErrorKind::QuotaExceeded), [`NoBudget`](SceneFileErrorKind::NoBudget),
    /// [`NoCamera`](SceneFileErrorKind::NoCamera), the errors of [`SceneOverrides`], and errors with spans for an
    /// invalid index, and for a leaf beyond the range of a scene.
    ///
    /// # Examples
    /// ```
    /// use lodger_quota::Quota;
    /// use lodger_core::units::Budget;
    /// use lodger_scenes::{SceneLimits, SceneFile, SceneOverrides};
    /// use lodger_scheduler::View;
    ///
    /// // Two equal leaves of 10 or 5 splats share 15 splats: the first one gets 10.
    /// let leaf = r#"{"bound": {"min": [0, 0, 0], "max": [1, 1, 1]},
    ///     "lods": {"0": {"count": 10}, "1": {"count": 5}}}"#;
    /// let text = format!(r#"{{"lodLevels": 2, "tree": {{"children": [{leaf}, {leaf}]}}}}"#);
    /// let overrides = SceneOverrides {
    ///     units: Some(Budget::from_ns(15)),
    ///     view: Some(View::from_position([0.0, 0.0, 9.0])?),
    ///     ..SceneOverrides::default()
    /// };
    /// let (limits, quota) = (SceneLimits::default(), Quota::default());
    /// let mut file = SceneFile::from_streamed_sog(&text, &overrides, limits, &quota)?;
    /// file.scene.tick();
    /// let work: Vec<_> = file.actors.iter().map(|leaf| file.scene.work(leaf.id)).collect();
    /// assert_eq!(work, [Some(&[5, 10][..]); 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_streamed_sog(
        text: &str,
        overrides: &SceneOverrides,
        limits: SceneLimits,
        quota: &Quota,
    ) -> Result<Self, SceneFileError> {
        check_json(text, quota)?;
        let header = read_header(text)?;
        let unit = CostUnit::Named(UNIT.into());
        let budget = overrides.budget_in(&unit)?.ok_or_else(no_budget)?;
        let policy = FilePolicy::unsaid(PolicyName::Optimal);
        let kept = (limits.warnings, quota);
        let mut builder = Builder::new((budget, unit), policy, overrides, kept)?;
        let index = SogIndex { text, header, quota };
        let scan = index.scan_errors()?;
        if scan.by_count > 0 && scan.by_errors > 0 && !header.denies_errors {
            let (leaves, of) = (scan.by_errors, scan.leaves());
            let consequence = "quality goes by the counts of splats";
            let message = format!("only {leaves} of {of} leaves have `errors`: {consequence}");
            builder.warn(Warning::new(message, Subject::File));
        }
        index.spawn_all(&mut builder, &scan)?;
        builder.add_view(overrides.view)?;
        Ok(builder.file)
    }
}

fn check_json(text: &str, quota: &Quota) -> Result<(), SceneFileError> {
    quota.charge_work(WORK.saturating_mul(text.len() as u64))?;
    let opening = text.bytes().filter(|byte| matches!(byte, b'{' | b'[')).count();
    let _reserved = quota.reserve(BRACKET.saturating_mul(opening as u64))?;
    match serde_json::from_str::<IgnoredAny>(text) {
        Ok(_) => Ok(()),
        Err(error) => {
            let error = JsonError::new(error);
            let message = format!("this index of a Streamed SOG is broken: {error}");
            Err(SceneFileError::for_file(message).caused_by(error))
        }
    }
}

fn no_budget() -> SceneFileError {
    SceneFileError::new("the scene has no `budget`", Subject::File, "budget")
        .of_kind(SceneFileErrorKind::NoBudget)
}

fn wrong(message: impl Into<String>, at: JsonToken) -> SceneFileError {
    SceneFileError::for_file(message).at(Some(at.span()))
}

fn must_be(key: &str, expected: &str, at: JsonToken) -> SceneFileError {
    wrong(format!("`{key}` must be {expected}"), at)
}

fn repeated(key: &str, at: JsonToken) -> SceneFileError {
    wrong(format!("`{key}` is there twice"), at)
}

struct SogIndex<'a> {
    text: &'a str,
    header: SogHeader,
    quota: &'a Quota,
}

#[derive(Default)]
struct ErrorScan {
    by_errors: usize,
    by_count: usize,
    /// The largest error that the levels of a leaf remove, in the file's unit.
    max_removed: f64,
    /// Splats of the finest levels of all leaves.
    splats: u64,
}

impl ErrorScan {
    const fn leaves(&self) -> usize {
        self.by_errors + self.by_count
    }
}

impl SogIndex<'_> {
    fn leaves(
        &self,
        visit: impl FnMut(Leaf<'_>) -> Result<(), SceneFileError>,
    ) -> Result<(), SceneFileError> {
        let tokens = Tokenizer::from(self.text, self.header.tree);
        leaves(tokens, self.header.levels, self.quota, visit)
    }

    fn scan_errors(&self) -> Result<ErrorScan, SceneFileError> {
        let mut scan = ErrorScan::default();
        let (mut max_by_errors, mut max_by_count) = (0.0, 0.0);
        let mut levels = Vec::new();
        let removed = |levels: &[LeafLevel], max: f64| match levels {
            [coarsest, .., finest] => max.max(coarsest.error - finest.error),
            _ => max,
        };
        self.leaves(|leaf| {
            leaf.levels(false, &mut levels)?;
            let Some(finest) = levels.last() else { return Ok(()) };
            scan.splats = scan.splats.saturating_add(finest.splats.into());
            max_by_count = removed(&levels, max_by_count);
            if leaf.has_errors && !self.header.denies_errors {
                leaf.levels(true, &mut levels)?;
                max_by_errors = removed(&levels, max_by_errors);
                scan.by_errors += 1;
            } else {
                scan.by_count += 1;
            }
            Ok(())
        })?;
        scan.max_removed = if scan.by_count == 0 { max_by_errors } else { max_by_count };
        Ok(scan)
    }

    fn spawn_all(&self, builder: &mut Builder<'_>, scan: &ErrorScan) -> Result<(), SceneFileError> {
        // The target of a leaf that fills the view is all splats.
        let value = BenefitValue::from_ns(u32::try_from(scan.splats).unwrap_or(u32::MAX));
        let module = Module::new(MODULE, UNIT_COST).benefit_value(value);
        let module = builder.add_module(MODULE, Ok(module), |error| {
            SceneFileError::refused(Subject::File, format_args!("module `{MODULE}`"), error)
        })?;
        builder.reserve(module, scan.leaves())?;
        let mut lists = LevelLists::default();
        let (mut levels, mut number) = (Vec::new(), 0_usize);
        self.leaves(|leaf| {
            leaf.levels(scan.by_count == 0, &mut levels)?;
            let name = format!("leaf {number}");
            number += 1;
            if levels.is_empty() {
                return Ok(());
            }
            let (work, qualities) = to_ladder(&levels, scan.max_removed);
            let shared = builder.actor_name(&name)?;
            let (centre, radius) = leaf.bound.sphere();
            let actor = narrow(radius, Quantity::Radius).and_then(|radius| {
                Ok(Actor::at(place(centre)?, radius, &work).qualities(&qualities))
            });
            let ladder = ActorLevels {
                work: &work,
                qualities: Some(&qualities),
                range: None,
                source: LadderSource::File,
                in_file: Some(lists.share(&levels)),
            };
            builder.spawn(module, shared, actor, ladder, |_, error| {
                SceneFileError::refused(Subject::File, name, error).at(Some(leaf.token.span()))
            })
        })
    }
}

/// Equal lists are shared, and charged with the ladder.
#[derive(Default)]
struct LevelLists(HashSet<Arc<[u8]>>);

impl LevelLists {
    fn share(&mut self, levels: &[LeafLevel]) -> Arc<[u8]> {
        let numbers: Vec<u8> = levels.iter().map(|level| level.number).collect();
        if let Some(known) = self.0.get(&*numbers) {
            return Arc::clone(known);
        }
        let numbers: Arc<[u8]> = numbers.into();
        self.0.insert(Arc::clone(&numbers));
        numbers
    }
}

fn to_ladder(levels: &[LeafLevel], max: f64) -> (Vec<u32>, Vec<Quality>) {
    let worst = levels.first().map_or(0.0, |level| level.error);
    let quality = |level: &LeafLevel| {
        let removed = if max > 0.0 { (worst - level.error) / max } else { 0.0 };
        let quality = Quality::new(removed.min(1.0)).unwrap_or_default();
        // A removed error is never rounded to a quality of 0.
        if removed > 0.0 { quality.max(Quality::from_bits(1)) } else { quality }
    };
    (levels.iter().map(|level| level.splats).collect(), levels.iter().map(quality).collect())
}

#[derive(Clone, Copy, Debug)]
struct SogHeader {
    levels: usize,
    /// Whether `lodErrors` is false, so that errors are ignored.
    denies_errors: bool,
    tree: usize,
}

/// Whether a text has the key `lodLevels`, which glTF does not have; the text may be invalid.
pub(crate) fn is_index(text: &str) -> bool {
    let mut tokens = Tokenizer::from(text, 0);
    if tokens.next().is_none_or(|token| token.kind != TokenKind::Object) {
        return false;
    }
    while let Some((key, value)) = tokens.entry() {
        if tokens.string(key) == "lodLevels" {
            return true;
        }
        tokens.skip(value);
    }
    false
}

fn read_header(text: &str) -> Result<SogHeader, SceneFileError> {
    let mut tokens = Tokenizer::from(text, 0);
    let _open = tokens.next();
    let (mut levels, mut denies_errors, mut tree) = (None, None, None);
    while let Some((key, value)) = tokens.entry() {
        let is_new = match &*tokens.string(key) {
            "version" => check_version(&tokens, value).map(|()| true)?,
            "lodLevels" => levels.replace(level_count(&tokens, value)?).is_none(),
            "lodErrors" => denies_errors.replace(tokens.written(value) == "false").is_none(),
            "tree" => tree.replace(value.start).is_none(),
            _ => true,
        };
        if !is_new {
            return Err(repeated(&ellipsized(&tokens.string(key)), value));
        }
        tokens.skip(value);
    }
    let missing = |key| SceneFileError::for_file(format!("`{key}` is missing"));
    Ok(SogHeader {
        levels: levels.ok_or_else(|| missing("lodLevels"))?,
        denies_errors: denies_errors.unwrap_or_default(),
        tree: tree.ok_or_else(|| missing("tree"))?,
    })
}

fn check_version(tokens: &Tokenizer<'_>, value: JsonToken) -> Result<(), SceneFileError> {
    if tokens.number(value).is_some_and(|version| version <= VERSION) {
        return Ok(());
    }
    let found = ellipsized(tokens.written(value));
    Err(wrong(format!("this is a Streamed SOG of version {found}; lodger reads version 1"), value))
}

fn level_count(tokens: &Tokenizer<'_>, value: JsonToken) -> Result<usize, SceneFileError> {
    let levels = tokens.written(value).parse().ok();
    levels.filter(|levels| (1..=MAX_LEVELS).contains(levels)).ok_or_else(|| {
        let expected = "a whole number of levels from 1 to 256";
        must_be("lodLevels", expected, value)
    })
}
