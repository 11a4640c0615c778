//! Classes of hostile cases. A test runs a class with [`Class::run`]: all known cases that are not heavy and a few
//! random ones. Environment variables, set by `cargo xtask hostile`, select more:
//!
//! | variable | value |
//! |---|---|
//! | `LODGER_HOSTILE_SECONDS` | the time for random cases |
//! | `LODGER_HOSTILE_HEAVY` | `1`: heavy cases, too |
//! | `LODGER_HOSTILE_SEED` | the seed of the random cases |
//! | `LODGER_HOSTILE_RANDOM` | `1`: no known cases |
//! | `LODGER_HOSTILE_BINARY` | the program, in place of the one that the tests were built with |
//! | `LODGER_HOSTILE_BOARD` | a lodger-board, for cases that are left out without one |
//! | `LODGER_HOSTILE_KEEP` | the folder for cases that fail |

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::SplitMix64;
use crate::promises::{InvariantViolation, ROW_LOST, TIME, check_invariants};
use crate::run::{Case, Form, NO_DISK, RunEnd, RunLimits, RunOutput, TestFolder};
use crate::save_case::save_case;

const FEW: u64 = 8;
const MAX_KEPT: usize = 3;
const MIB: u64 = 1 << 20;
/// The memory limit of every run, 1.2 GiB.
const MAX_MEMORY: u64 = 1229 * MIB;
/// Inputs up to this size do not raise a limit.
const SMALL: u64 = MIB;
const SECONDS: f64 = 10.0;
const SECONDS_PER_MIB: f64 = 0.25;
/// The factor on time limits after which a run counts as hung, for builds without optimisation beside other tests.
const PATIENCE: f64 = 20.0;
const LISTS: [&str; 2] = ["files", "objects"];

#[derive(Clone, Copy, Debug)]
pub struct Class {
    pub name: &'static str,
    /// The memory limit of a run: MiB, and bytes for each byte of an input of more than 1 MiB.
    pub memory: (u64, u64),
    pub known: &'static [Known],
    pub random: Option<fn(&mut SplitMix64) -> Case>,
}

#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// A name that is unique in its class.
    pub name: &'static str,
    pub case: fn() -> Case,
    /// Whether it takes too much time for a run without settings.
    pub is_heavy: bool,
}

pub const fn known(name: &'static str, case: fn() -> Case) -> Known {
    Known { name, case, is_heavy: false }
}

/// The size of an expensive known case: a sixteenth in ordinary tests, as their programs are not optimised.
pub fn size(full: usize) -> usize {
    if setting("SECONDS").is_some() { full } else { full.div_ceil(16) }
}

pub const fn heavy(name: &'static str, case: fn() -> Case) -> Known {
    Known { name, case, is_heavy: true }
}

struct Campaign<'c> {
    class: &'c Class,
    program: PathBuf,
    board: Option<PathBuf>,
    is_root: bool,
    is_patient: bool,
    /// The rows of the good inputs without others, by command line.
    alone: BTreeMap<Vec<OsString>, Vec<String>>,
    cases: u64,
    left_out: u64,
    peak: u64,
    longest: (f64, String),
    failures: Vec<String>,
}

impl Class {
    /// Panics if a case broke a promise.
    #[track_caller]
    pub fn run(&self, program: &str) {
        let number = |name: &str| setting(name).and_then(|text| text.parse::<u64>().ok());
        let seconds = number("SECONDS");
        let seed = number("SEED").unwrap_or(1);
        let mut campaign = Campaign {
            class: self,
            program: setting("BINARY").map_or_else(|| program.into(), PathBuf::from),
            board: setting("BOARD").map(PathBuf::from),
            is_root: is_root(),
            is_patient: seconds.is_none(),
            alone: BTreeMap::new(),
            cases: 0,
            left_out: 0,
            peak: 0,
            longest: (0.0, String::new()),
            failures: Vec::new(),
        };
        if !is_set("RANDOM") {
            for known in self.known.iter().filter(|known| is_set("HEAVY") || !known.is_heavy) {
                campaign.run(known.name, (known.case)());
            }
        }
        let end = seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds));
        let goes_on = |number| end.map_or(number < FEW, |end| Instant::now() < end);
        let random = self.random.into_iter().flat_map(|make| (0..).map(move |it| (make, it)));
        for (make, number) in random.take_while(|&(_, number)| goes_on(number)) {
            let case = make(&mut SplitMix64::of_case(seed, self.name, number));
            campaign.run(&format!("random case {number} of seed {seed}"), case);
        }
        campaign.report();
    }

    fn limits(&self, input_bytes: u64) -> RunLimits {
        let (mebibytes, times) = self.memory;
        let counted = if input_bytes <= SMALL { 0 } else { input_bytes };
        let memory = (mebibytes * MIB).saturating_add(counted.saturating_mul(times));
        #[expect(clippy::cast_precision_loss, reason = "fewer than 2^53 bytes")]
        let input_mib = counted as f64 / MIB as f64;
        RunLimits { memory: memory.min(MAX_MEMORY), seconds: SECONDS + SECONDS_PER_MIB * input_mib }
    }
}

impl Campaign<'_> {
    fn run(&mut self, name: &str, case: Case) {
        let needs_root =
            case.denied.threads || case.denied.privileges || case.denied.disk.is_some();
        let program = if case.board { self.board.clone() } else { Some(self.program.clone()) };
        let Some(program) = program.filter(|_| self.is_root || !needs_root) else {
            self.left_out += 1;
            return;
        };
        let case = Case { name: name.to_owned(), ..case };
        let (output, mut violations) =
            self.try_case(&program, &case).unwrap_or_else(|error| panic!("{name}: {error}"));
        if case.denied.disk.is_some() && output.end == RunEnd::Code(NO_DISK) {
            self.left_out += 1;
            return;
        }
        self.cases += 1;
        if violations.iter().any(|it| it.promise == TIME) {
            // Time depends on other programs, so only a second violation counts.
            let again = self.try_case(&program, &case);
            let again = again.unwrap_or_else(|error| panic!("{name}: {error}")).1;
            let comes_again = again.iter().any(|it| it.promise == TIME);
            violations.retain(|it| it.promise != TIME || comes_again);
        }
        if !violations.is_empty() {
            self.fail(&case, &output, &violations);
        }
    }

    fn fail(&mut self, case: &Case, output: &RunOutput, violations: &[InvariantViolation]) {
        let class = self.class.name;
        let mut failure = format!("{class}: {}", case.name);
        for violation in violations {
            let _ = write!(failure, "\n  {violation}");
        }
        if self.failures.len() < MAX_KEPT {
            let folder = setting("KEEP")
                .map_or_else(|| env::temp_dir().join("lodger-hostile"), PathBuf::from);
            let folder = folder.join(format!("{class}-{}", self.failures.len()));
            let kept = save_case(&folder, output, violations);
            let kept =
                kept.map_or_else(|error| error.to_string(), |()| folder.display().to_string());
            let _ = write!(failure, "\n  kept in {kept}");
        }
        eprintln!("\n{failure}");
        self.failures.push(failure);
    }

    fn try_case(
        &mut self,
        program: &Path,
        case: &Case,
    ) -> io::Result<(RunOutput, Vec<InvariantViolation>)> {
        let mut limits = self.class.limits(case.input_bytes());
        limits.seconds = limits.seconds.max(case.seconds);
        limits.seconds *= if self.is_patient { PATIENCE } else { 1.0 };
        let run = |case: &Case| TestFolder::new(program).execute(case, limits);
        let output = run(case)?;
        self.peak = self.peak.max(output.peak);
        if output.seconds > self.longest.0 {
            self.longest = (output.seconds, case.name.clone());
        }
        let mut violations = check_invariants(&output);
        violations.extend(silently_lost(&output));
        let shows_rows = matches!(case.form(), Form::Json | Form::Csv)
            && case.is_free()
            && case.outputs().is_empty();
        if !case.good.is_empty() && shows_rows && violations.is_empty() {
            let alone = case.of_good_alone();
            let mut key = alone.args.clone();
            key.extend(alone.inputs.iter().map(|input| input.path.clone()));
            if !self.alone.contains_key(&key) {
                self.alone.insert(key.clone(), rows(&alone, &run(&alone)?.stdout));
            }
            let found = rows(&output.case, &output.stdout);
            violations.extend(lost(&self.alone[&key], &found));
        }
        if case.threads && violations.is_empty() {
            let [one, four] =
                ["1", "4"].map(|count| run(&case.clone().env("RAYON_NUM_THREADS", count)));
            violations.extend(differing(&one?, &four?));
        }
        Ok((output, violations))
    }

    #[expect(clippy::cast_precision_loss, reason = "printed")]
    fn report(&self) {
        let (cases, left_out, failures) = (self.cases, self.left_out, self.failures.len());
        println!(
            "{:10} {cases:7} cases, {failures} violations, {left_out} left out, at most {:.1} MiB and {:.2} s: {}",
            self.class.name,
            self.peak as f64 / MIB as f64,
            self.longest.0,
            self.longest.1
        );
        assert!(self.failures.is_empty(), "{}", self.failures.join("\n"));
    }
}

fn setting(name: &str) -> Option<String> {
    env::var(format!("LODGER_HOSTILE_{name}")).ok()
}

fn is_set(name: &str) -> bool {
    setting(name).as_deref() == Some("1")
}

fn is_root() -> bool {
    let id = std::process::Command::new("id").arg("-u").output();
    id.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

fn rows(case: &Case, stdout: &str) -> Vec<String> {
    let names: BTreeSet<_> = case.good.iter().map(|name| name.to_string_lossy()).collect();
    let mut rows = match case.form() {
        Form::Json => json_rows(stdout, |file| names.contains(file)),
        Form::Csv => csv_rows(stdout, |file| names.contains(file)),
        Form::Table | Form::Other => Vec::new(),
    };
    rows.sort_unstable();
    rows
}

fn json_rows(stdout: &str, is_good: impl Fn(&str) -> bool) -> Vec<String> {
    let document: Value = serde_json::from_str(stdout).unwrap_or_default();
    let rows = LISTS.iter().filter_map(|list| document[list].as_array()).flatten();
    rows.filter(|row| row["file"].as_str().is_some_and(&is_good)).map(Value::to_string).collect()
}

fn csv_rows(stdout: &str, is_good: impl Fn(&str) -> bool) -> Vec<String> {
    let mut reader = csv::Reader::from_reader(stdout.as_bytes());
    let headings = reader.headers().cloned().unwrap_or_default();
    let Some(place) = headings.iter().position(|heading| heading == "file") else {
        return Vec::new();
    };
    let records = reader.records().map_while(Result::ok);
    let good = records.filter(|record| record.get(place).is_some_and(&is_good));
    let row = |record: csv::StringRecord| {
        let cells =
            headings.iter().zip(&record).map(|(heading, cell)| format!("{heading}={cell:?}"));
        cells.collect::<Vec<_>>().join(" ")
    };
    good.map(row).collect()
}

/// A violation if good rows are missing or differ from a run without other inputs.
fn lost(alone: &[String], found: &[String]) -> Option<InvariantViolation> {
    if alone.is_empty() {
        let observed = "the good files have no rows, even alone".to_owned();
        return Some(InvariantViolation::new(ROW_LOST, observed));
    }
    let missing = alone.iter().find(|row| !found.contains(row));
    let (count, expected) = (found.len(), alone.len());
    let observed = match missing {
        Some(row) => {
            let row: String = row.chars().take(120).collect();
            format!("{count} of {expected} good rows, without {row}")
        }
        None if count > expected => format!("{count} rows of files that have {expected}"),
        None => return None,
    };
    Some(InvariantViolation::new(ROW_LOST, observed))
}

fn silently_lost(output: &RunOutput) -> Option<InvariantViolation> {
    let missing = output.case.objects.iter().find(|name| !output.stdout.contains(**name))?;
    let observed = format!("exit code 0 without the object {missing:?}");
    (output.end == RunEnd::Code(0)).then(|| InvariantViolation::new(ROW_LOST, observed))
}

fn differing(one: &RunOutput, four: &RunOutput) -> Option<InvariantViolation> {
    let observed = if one.end != four.end {
        format!("{:?} with one thread, {:?} with four", one.end, four.end)
    } else if one.stdout != four.stdout {
        format!("stdout differs from byte {}", first_difference(&one.stdout, &four.stdout))
    } else if one.stderr != four.stderr {
        format!("stderr differs from byte {}", first_difference(&one.stderr, &four.stderr))
    } else {
        return None;
    };
    Some(InvariantViolation::new("answer depends on threads", observed))
}

fn first_difference(a: &str, b: &str) -> usize {
    a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::{Class, MAX_MEMORY, MIB, csv_rows, json_rows, lost};

    #[test]
    fn limits_grow_with_the_input_up_to_a_maximum() {
        let of = |memory| Class { name: "any", memory, known: &[], random: None };
        let (usual, toml) = (of((256, 10)), of((64, 10)));
        assert_eq!(usual.limits(3000).memory, 256 * MIB);
        assert_eq!(usual.limits(2 * MIB).memory, 276 * MIB);
        assert_eq!(usual.limits(u64::MAX).memory, MAX_MEMORY);
        assert_eq!(toml.limits(82_000_000).memory, 64 * MIB + 820_000_000);
        assert!((toml.limits(40 * MIB).seconds - 20.0).abs() < 1e-9);
    }

    #[test]
    fn missing_and_changed_good_rows_are_found() {
        let [one, two, three] = ["1", "2", "3"].map(String::from);
        let alone = [one.clone(), two.clone()];
        assert_eq!(lost(&alone, &alone), None);
        assert!(lost(&alone, &[]).is_some());
        assert!(lost(&alone, &[one.clone(), three.clone()]).is_some());
        assert!(lost(&alone, &[one, two, three]).is_some());
        assert!(lost(&[], &[]).is_some());
    }

    #[test]
    fn rows_of_good_files_are_compared() {
        let is_good = |file: &str| file == "good.oar";
        let json = r#"{"files": [{"file": "bad", "cost": 1}], "objects": [{"file": "good.oar", "cost": 2}]}"#;
        assert_eq!(json_rows(json, is_good), [r#"{"cost":2,"file":"good.oar"}"#]);
        assert_eq!(json_rows("{}", is_good), [] as [&str; 0]);
        let row = ["file=\"good.oar\" cost=\"2\""];
        assert_eq!(csv_rows("file,cost\nbad,\ngood.oar,2\n", is_good), row);
    }
}
