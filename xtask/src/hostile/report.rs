//! What a run of cases came to, class by class.

use std::collections::BTreeMap;
use std::fmt;

use super::invariant::{Broken, Violation};
use super::process::Outcome;

/// What was seen so far.
#[derive(Debug, Default)]
pub(super) struct Report {
    classes: BTreeMap<&'static str, Tally>,
}

/// What was seen of a class.
#[derive(Debug, Default)]
struct Tally {
    cases: u64,
    broken: BTreeMap<Broken, u64>,
    peak: u64,
    longest: f64,
    /// Violations by the case's name, so that one that comes a thousand times is kept once.
    known: BTreeMap<(String, Broken), u64>,
    /// Cases that this machine cannot run, by the reason.
    left_out: u64,
}

impl Report {
    /// A class, though nothing was seen of it yet.
    pub(super) fn begin(&mut self, class: &'static str) {
        self.classes.entry(class).or_default();
    }

    /// Counts a run.
    pub(super) fn ran(&mut self, class: &'static str, outcome: &Outcome) {
        let tally = self.classes.entry(class).or_default();
        tally.peak = tally.peak.max(outcome.peak);
        tally.longest = tally.longest.max(outcome.seconds);
    }

    /// Counts a case.
    pub(super) fn case(&mut self, class: &'static str) {
        self.classes.entry(class).or_default().cases += 1;
    }

    /// Counts a case that cannot be run here.
    pub(super) fn left_out(&mut self, class: &'static str) {
        self.classes.entry(class).or_default().left_out += 1;
    }

    /// Counts a violation of a case of that name.
    pub(super) fn broken(&mut self, class: &'static str, name: &str, violation: &Violation) {
        let tally = self.classes.entry(class).or_default();
        *tally.broken.entry(violation.broken).or_default() += 1;
        *tally.known.entry((name.to_owned(), violation.broken)).or_default() += 1;
    }

    /// How often a case of that name has broken that already.
    pub(super) fn seen(&self, class: &str, name: &str, broken: Broken) -> u64 {
        let known = self.classes.get(class).map(|tally| &tally.known);
        known.and_then(|known| known.get(&(name.to_owned(), broken))).copied().unwrap_or(0)
    }

    /// How many promises were broken.
    pub(super) fn violations(&self) -> u64 {
        self.classes.values().flat_map(|tally| tally.broken.values()).sum()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:10} {:>8} {:>9} {:>10}  violations",
            "class", "cases", "peak MiB", "longest s"
        )?;
        for (class, tally) in &self.classes {
            let Tally { cases, peak, longest, .. } = tally;
            write!(f, "{class:10} {cases:8} {:9.1} {longest:10.2}  ", mebibytes(*peak))?;
            let kinds: Vec<_> =
                tally.broken.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
            write!(f, "{}", if kinds.is_empty() { "0".to_owned() } else { kinds.join(", ") })?;
            if tally.left_out > 0 {
                write!(f, "; {} left out here", tally.left_out)?;
            }
            writeln!(f)?;
        }
        let cases: u64 = self.classes.values().map(|tally| tally.cases).sum();
        let peak = self.classes.values().map(|tally| tally.peak).max().unwrap_or_default();
        let longest = self.classes.values().map(|tally| tally.longest).fold(0.0, f64::max);
        let (peak, sum) = (mebibytes(peak), self.violations());
        writeln!(f, "{:10} {cases:8} {peak:9.1} {longest:10.2}  {sum}", "total")?;
        for (class, tally) in &self.classes {
            for ((name, kind), count) in &tally.known {
                writeln!(f, "  {class}: {name}: {kind} ({count})")?;
            }
        }
        Ok(())
    }
}

#[expect(clippy::cast_precision_loss, reason = "for eyes")]
fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}
