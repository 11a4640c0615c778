//! Runs case after case until the time is over: the known ones of each class, then random ones.

use std::collections::HashMap;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};
use std::thread;
use std::time::{Duration, Instant};

use super::case::{Case, Form};
use super::class::{Class, Known};
use super::compare::{self, Rows};
use super::invariant::{Broken, Violation, check};
use super::keep::keep;
use super::limits::limits;
use super::process::{End, Ground, NO_DISK, Outcome};
use super::random::Random;
use super::report::Report;
use super::shrink::{Budget, shrink};

/// How often a violation of one name is kept.
const KEPT: u64 = 3;
/// How often one is shrunk, at most.
const TRIES: u32 = 400;
/// The part of the whole time that one may be shrunk: a sixtieth.
const SHARE: u32 = 60;

/// How a case ended, and what it broke.
type Tried = (Outcome, Vec<Violation>);

/// A run over classes.
#[derive(Debug)]
pub(super) struct Campaign<'c> {
    pub(super) ground: Ground,
    pub(super) classes: Vec<&'c Class>,
    pub(super) seed: u64,
    pub(super) time: Duration,
    pub(super) workers: usize,
    /// Whether known cases are run.
    pub(super) known: bool,
    /// Whether known cases are run that take long.
    pub(super) heavy: bool,
    /// Whether lodger-board is there.
    pub(super) board: bool,
    pub(super) keep: PathBuf,
    pub(super) report: Mutex<Report>,
    /// What the rows of the good files are alone, by the command line.
    pub(super) alone: Mutex<HashMap<Vec<OsString>, Rows>>,
    /// Held by all who run, and alone by who measures again.
    pub(super) quiet: RwLock<()>,
}

impl Campaign<'_> {
    /// Runs until the time is over, and all known cases in any event.
    pub(super) fn run(&self) -> io::Result<()> {
        let end = Instant::now() + self.time;
        let known: Vec<_> = self.known().collect();
        self.classes.iter().for_each(|class| lock(&self.report).begin(class.name));
        let (next_known, next) = (AtomicUsize::new(0), AtomicU64::new(0));
        thread::scope(|scope| {
            let work = |worker| {
                while let Some((class, number, it)) =
                    known.get(next_known.fetch_add(1, Ordering::Relaxed))
                {
                    self.one(class, it.case(), &format!("known-{number}"), worker)?;
                }
                while Instant::now() < end {
                    let turn = next.fetch_add(1, Ordering::Relaxed);
                    let random: Vec<_> =
                        self.classes.iter().filter_map(|it| Some((it, it.random?))).collect();
                    let Ok(place) = usize::try_from(turn % random.len().max(1) as u64) else {
                        break;
                    };
                    let Some((class, make)) = random.get(place) else { break };
                    let number = turn / random.len() as u64;
                    let case = make(&mut Random::of_case(self.seed, class.name, number));
                    self.one(class, case, &number.to_string(), worker)?;
                }
                Ok(())
            };
            let workers: Vec<_> =
                (0..self.workers).map(|it| scope.spawn(move || work(it))).collect();
            workers.into_iter().try_for_each(|worker| match worker.join() {
                Ok(done) => done,
                Err(_) => Err(io::Error::other("a worker panicked")),
            })
        })
    }

    /// The known cases with their numbers, each in its class.
    fn known(&self) -> impl Iterator<Item = (&Class, usize, &Known)> {
        let all = self.classes.iter().flat_map(|class| {
            class.known.iter().enumerate().map(move |(number, it)| (*class, number, it))
        });
        all.filter(|(_, _, it)| self.known && (self.heavy || !it.heavy))
    }

    /// Runs a case; what it breaks is looked at again, made smaller and kept.
    fn one(&self, class: &Class, case: Case, number: &str, worker: usize) -> io::Result<()> {
        let needs_root =
            case.denied.threads || case.denied.privileges || case.denied.disk.is_some();
        if case.board && !self.board || needs_root && !self.ground.root {
            lock(&self.report).left_out(class.name);
            return Ok(());
        }
        let (outcome, violations) = {
            let _shared = self.quiet.read().unwrap_or_else(PoisonError::into_inner);
            self.try_case(class, &case, worker)?
        };
        if case.denied.disk.is_some() && outcome.end == End::Code(NO_DISK) {
            lock(&self.report).left_out(class.name);
            return Ok(());
        }
        lock(&self.report).case(class.name);
        if violations.is_empty() {
            return Ok(());
        }
        self.failed(class, case, (outcome, violations), number, worker)
    }

    /// Counts what a case broke; what is new is looked at closely, with nobody else running.
    fn failed(
        &self,
        class: &Class,
        case: Case,
        first: Tried,
        number: &str,
        worker: usize,
    ) -> io::Result<()> {
        let known =
            |it: &Violation| lock(&self.report).seen(class.name, &case.name, it.broken) >= KEPT;
        if first.1.iter().all(known) {
            for violation in &first.1 {
                lock(&self.report).broken(class.name, &case.name, violation);
            }
            return Ok(());
        }
        let _alone = self.quiet.write().unwrap_or_else(PoisonError::into_inner);
        let again = self.try_case(class, &case, worker)?;
        // Time depends on who else runs; all else was wrong, if only once.
        let comes_again = |it: &Violation| again.1.iter().any(|other| other.broken == it.broken);
        let lasting = |it: &&Violation| it.broken != Broken::Time || comes_again(it);
        let violations: Vec<_> = first.1.iter().filter(lasting).cloned().collect();
        let new = violations.iter().find(|it| !known(it)).or(violations.first());
        let Some(main) = new.cloned() else { return Ok(()) };
        for violation in &violations {
            lock(&self.report).broken(class.name, &case.name, violation);
        }
        let sometimes = if comes_again(&main) { "" } else { " (only sometimes)" };
        eprintln!("\n{}: {}{sometimes}", class.name, case.name);
        for violation in &violations {
            eprintln!("  {violation}");
        }
        let (small, (outcome, found)) = if comes_again(&main) {
            self.shrunk(class, case, again, main.broken, worker)
        } else {
            (case, first)
        };
        self.kept(class, &small, &outcome, &found, number)
    }

    fn kept(
        &self,
        class: &Class,
        case: &Case,
        outcome: &Outcome,
        violations: &[Violation],
        number: &str,
    ) -> io::Result<()> {
        let folder = self.keep.join(format!("{}-{number}", class.name));
        keep(&folder, case, outcome, violations)?;
        let size = case.sized.map(|it| format!(", made of the number {}", it.number));
        eprintln!("  kept in {}{}", folder.display(), size.unwrap_or_default());
        Ok(())
    }

    /// A smaller case that breaks the same, and what it came to.
    fn shrunk(
        &self,
        class: &Class,
        case: Case,
        mut last: Tried,
        main: Broken,
        worker: usize,
    ) -> (Case, Tried) {
        let budget = Budget { tries: TRIES, until: Instant::now() + self.time / SHARE };
        let small = shrink(case, budget, &mut |smaller| {
            let tried = self.try_case(class, smaller, worker).ok();
            let fails = tried.filter(|(_, found)| found.iter().any(|it| it.broken == main));
            fails.map(|failure| last = failure).is_some()
        });
        (small, last)
    }

    /// Runs a case in all the ways that it asks for: how it ended first, and what it broke.
    fn try_case(&self, class: &Class, case: &Case, worker: usize) -> io::Result<Tried> {
        let mut limits = limits(class.name, case.input_bytes());
        limits.seconds = limits.seconds.max(case.seconds);
        let outcome = self.ground.run(case, &limits, worker)?;
        lock(&self.report).ran(class.name, &outcome);
        let mut violations = check(case, &limits, &outcome);
        violations.extend(compare::silently_lost(case, &outcome));
        let shows_rows = matches!(case.form(), Form::Json | Form::Csv)
            && case.is_free()
            && case.outputs.is_empty();
        if !case.good.is_empty() && shows_rows && violations.is_empty() {
            let alone = self.alone(class, case, worker)?;
            violations.extend(compare::lost(case, &alone, &outcome));
        }
        if case.threads && violations.is_empty() {
            let [one, four] = ["1", "4"].map(|count| {
                let mut case = case.clone();
                case.env.push(("RAYON_NUM_THREADS", count.to_owned()));
                self.ground.run(&case, &limits, worker)
            });
            violations.extend(compare::differing(&one?, &four?));
        }
        Ok((outcome, violations))
    }

    fn alone(&self, class: &Class, case: &Case, worker: usize) -> io::Result<Rows> {
        let alone = case.of_good_alone();
        let mut key: Vec<OsString> = alone.arguments().map(Into::into).collect();
        key.extend(alone.inputs.iter().map(|input| input.path.clone()));
        if let Some(rows) = lock(&self.alone).get(&key) {
            return Ok(rows.clone());
        }
        let outcome = self.ground.run(&alone, &limits(class.name, 0), worker)?;
        let rows = compare::rows(&alone, &outcome.stdout);
        lock(&self.alone).insert(key, rows.clone());
        Ok(rows)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
