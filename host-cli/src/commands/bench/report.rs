use std::io::{self, Write};

use clap::builder::styling::Style;
use comfy_table::{Cell, Row as Line};
use lodger_terminal::layout::{TableColumn, number};
use lodger_terminal::plot::{Growth, GrowthCurve, growth};
use lodger_terminal::{Diagnostic, RenderOptions, count, percent, sanitize, wrapped, write_table};
use serde::{Serialize, Serializer};

use super::suite::{BenchCase, CaseStats, Measurement, SampleStats, three_decimals};
use super::workload::{BenchPolicy, WorkloadChange};

/// The report of a benchmark; its JSON has schema 1.
#[derive(Clone, Debug, Serialize)]
pub(super) struct BenchReport {
    schema: u32,
    actors: u32,
    threads: usize,
    cpu: String,
    rounds: u32,
    seconds: f64,
    /// Medians; null for a case that was not measured.
    ns_per_actor: NamedValues<Option<f64>>,
    spread: NamedValues<SampleStats>,
    ratios: NamedValues<f64>,
    incremental: Vec<Incremental>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sweep: Option<Vec<SweepSize>>,
}

#[derive(Clone, Debug, Serialize)]
struct SweepSize {
    actors: u32,
    rounds: u32,
    seconds: f64,
    ns_per_actor: NamedValues<Option<f64>>,
    spread: NamedValues<SampleStats>,
}

/// The time of a frame with few changes.
#[derive(Clone, Debug, Serialize)]
struct Incremental {
    policy: &'static str,
    /// Moved actors: nothing, one in a hundred in runs of 64 rows, or scattered.
    changed: &'static str,
    ns_per_actor: f64,
    setting_ns_per_actor: f64,
    /// The ratio to the time of a tick of the same policy with a moving eye.
    of_full_tick: f64,
}

#[derive(Clone, Debug)]
struct NamedValues<T>(Vec<(String, T)>);

impl<T: Copy> NamedValues<T> {
    fn value(&self, name: &str) -> Option<T> {
        self.0.iter().find(|(other, _)| other == name).map(|(_, value)| *value)
    }
}

impl<T: Serialize> Serialize for NamedValues<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

const OF_INCREMENTAL: WorkloadChange = WorkloadChange::Runs;

impl BenchReport {
    pub(super) fn new(
        measured: &[Measurement],
        threads: usize,
        cpu: String,
        is_sweep: bool,
    ) -> Option<Self> {
        let last = measured.last()?;
        let SweepSize { actors, rounds, seconds, ns_per_actor, spread } = size(last);
        Some(Self {
            schema: 1,
            actors,
            threads,
            cpu,
            rounds,
            seconds,
            ratios: ratios(&ns_per_actor),
            ns_per_actor,
            spread,
            incremental: incremental(last),
            sweep: is_sweep.then(|| measured.iter().map(size).collect()),
        })
    }

    pub(super) fn table(&self, style: RenderOptions, out: &mut dyn Write) -> io::Result<()> {
        let Self { cpu, rounds, seconds, .. } = self;
        let head = format!(
            "{}, {}, {}: {} in {seconds:.0} s.",
            count(self.actors as usize, "actor"),
            count(self.threads, "thread"),
            sanitize(cpu),
            count(*rounds as usize, "round"),
        );
        writeln!(out, "{head}\n")?;
        if let Some(sizes) = &self.sweep {
            sweep(sizes, style, out)?;
            writeln!(out)?;
        }
        figures(self, style, out)?;
        if !self.incremental.is_empty() {
            writeln!(out)?;
            let rows = || self.incremental.iter().map(incremental_line);
            write_table(style, &INCREMENTAL, rows, out)?;
        }
        let what = "Medians, means and the slowest frame; half of all samples are between the quartiles. A \
                    memory pass reads and writes the data of every tick, and decides nothing. Optimal: without local search. Steady, \
                    and all below it: with hysteresis. Moved: one actor in a hundred.";
        writeln!(out, "{}", style.paint(Style::new().dimmed(), &wrapped(what, style)))
    }

    /// The time of all cases by size of a sweep, as SVG.
    pub(super) fn picture(&self) -> Result<String, Diagnostic> {
        let sizes = self.sweep.as_deref().unwrap_or_default();
        let curve = |key: &String| {
            let point = |size: &SweepSize| {
                Some((f64::from(size.actors), size.ns_per_actor.value(key).flatten()?))
            };
            GrowthCurve { name: name(key), points: sizes.iter().filter_map(point).collect() }
        };
        let keys = self.ns_per_actor.0.iter().filter(|(_, ns)| ns.is_some());
        let curves: Vec<_> = keys.map(|(key, _)| curve(key)).collect();
        let conditions = format!(
            "{}, {}; medians, with a moving eye",
            sanitize(&self.cpu),
            count(self.threads, "thread")
        );
        growth(&Growth {
            heading: "Time of a decision for an actor",
            conditions: &conditions,
            across: "actors",
            up: "ns an actor",
            curves: &curves,
        })
    }
}

fn key(case: BenchCase) -> Option<String> {
    match case {
        BenchCase::Incremental(BenchPolicy::Keep, OF_INCREMENTAL) => Some("incremental".to_owned()),
        BenchCase::Incremental(..) => None,
        case => Some(case.name()),
    }
}

fn size(measured: &Measurement) -> SweepSize {
    let median = |case| Some(three_decimals(stats_of(measured, case)?.deciding.median));
    let all = BenchCase::for_policies(&BenchPolicy::ALL, true).into_iter();
    let ns_per_actor = all.filter_map(|case| Some((key(case)?, median(case)))).collect();
    let stats = measured.stats.iter();
    let spread = stats.filter_map(|(case, stats)| Some((key(*case)?, stats.deciding))).collect();
    SweepSize {
        actors: measured.actors,
        rounds: measured.rounds,
        seconds: three_decimals(measured.seconds),
        ns_per_actor: NamedValues(ns_per_actor),
        spread: NamedValues(spread),
    }
}

fn stats_of(measured: &Measurement, case: BenchCase) -> Option<CaseStats> {
    measured.stats.iter().find(|(other, _)| *other == case).map(|(_, stats)| *stats)
}

/// Ratios of each policy to the memory pass, of textbook methods to each policy, and of other
/// scenes to the usual one.
fn ratios(ns_per_actor: &NamedValues<Option<f64>>) -> NamedValues<f64> {
    let policies = || BenchPolicy::ALL.into_iter().map(BenchPolicy::key);
    let steady = policies().map(|policy| format!("{policy}_steady"));
    let names: Vec<String> = policies().map(str::to_owned).chain(steady).collect();
    let names = || names.iter().map(String::as_str);
    let over_memory = names().chain(["incremental"]).map(|name| (name, "memory_pass"));
    let textbooks = ["textbook_churned", "textbook", "textbook_columns"];
    let over_policy = names().flat_map(|name| textbooks.map(|textbook| (textbook, name)));
    let ratio = |(over, under): (&str, &str)| {
        let value = |name| ns_per_actor.value(name).flatten();
        Some((format!("{over}/{under}"), three_decimals(value(over)? / value(under)?)))
    };
    let varied = ["keep_angular", "keep_eight_ladders"].map(|varied| (varied, "keep_steady"));
    let named = over_memory.chain(over_policy).chain(varied).filter_map(ratio).collect();
    NamedValues(named)
}

fn incremental(measured: &Measurement) -> Vec<Incremental> {
    let row = |(case, figures): &(BenchCase, CaseStats)| {
        let BenchCase::Incremental(policy, change) = *case else { return None };
        let full = stats_of(measured, BenchCase::Steady(policy))?;
        Some(Incremental {
            policy: policy.key(),
            changed: change.key(),
            ns_per_actor: three_decimals(figures.deciding.median),
            setting_ns_per_actor: three_decimals(figures.setting),
            of_full_tick: three_decimals(figures.deciding.median / full.deciding.median),
        })
    };
    measured.stats.iter().filter_map(row).collect()
}

const FIGURES: [(TableColumn<'_>, usize); 7] = [
    (TableColumn::Name("", 40), 0),
    (TableColumn::Number("ns an actor"), 0),
    (TableColumn::Number("half of all"), 90),
    (TableColumn::Number("mean"), 0),
    (TableColumn::Number("worst"), 0),
    (TableColumn::Number("ms a tick"), 80),
    (TableColumn::Number("memory passes"), 0),
];
const INCREMENTAL: [TableColumn<'_>; 5] = [
    TableColumn::Name("The eye stands still", 40),
    TableColumn::Name("moved", 30),
    TableColumn::Number("ns an actor"),
    TableColumn::Number("setting them"),
    TableColumn::Number("of a full tick"),
];

fn name(key: &str) -> String {
    match key {
        "textbook" => "textbook, boxed".to_owned(),
        "textbook_churned" => "textbook, boxed and churned".to_owned(),
        "textbook_columns" => "textbook, columns".to_owned(),
        "across_modules" => "across modules (default)".to_owned(),
        "keep_angular" => "keep, importance by angle".to_owned(),
        "keep_eight_ladders" => "keep, eight ladders".to_owned(),
        "keep_priority" => "keep, priorities".to_owned(),
        "keep_zoom" => "keep, zoom of 2".to_owned(),
        "incremental" => "keep, 1 % moved in runs".to_owned(),
        key => {
            let suffixes = [
                ("_steady", "steady"),
                ("_frustum", "frustum"),
                ("_jitter", "budget ± 2 %"),
                ("_halved", "budget halved"),
                ("_plane", "on a plane"),
            ];
            let suffix = suffixes.into_iter().find_map(|(suffix, name)| {
                Some(format!("{}, {name}", key.strip_suffix(suffix)?.replace('_', " ")))
            });
            suffix.unwrap_or_else(|| key.replace('_', " "))
        }
    }
}

fn figures(report: &BenchReport, style: RenderOptions, out: &mut dyn Write) -> io::Result<()> {
    let shown = FIGURES.iter().filter(|(_, narrowest)| *narrowest <= style.width);
    let columns: Vec<_> = shown.map(|(column, _)| *column).collect();
    let measured = report.ns_per_actor.0.iter().filter_map(|(key, ns)| Some((key, (*ns)?)));
    let row = |(key, ns): (&String, f64)| {
        let spread = |of: fn(SampleStats) -> String| {
            number(report.spread.value(key).map_or_else(String::new, of))
        };
        Line::from(columns.iter().map(|column| match column.heading() {
            "" => Cell::new(name(key)),
            "ns an actor" => number(figure(ns)),
            "half of all" => {
                spread(|it| format!("{}–{}", figure(it.lower_quartile), figure(it.upper_quartile)))
            }
            "mean" => spread(|it| figure(it.mean)),
            "worst" => spread(|it| figure(it.greatest)),
            "ms a tick" => number(figure(ns * f64::from(report.actors) / 1e6)),
            _ => {
                let pass = report.ns_per_actor.value("memory_pass").flatten();
                number(pass.map_or("–".to_owned(), |pass| figure(ns / pass)))
            }
        }))
    };
    write_table(style, &columns, || measured.clone().map(row), out)
}

fn incremental_line(row: &Incremental) -> Line {
    let changed = match row.changed {
        "runs" => "runs of 64",
        other => other,
    };
    Line::from(vec![
        Cell::new(name(row.policy)),
        Cell::new(changed),
        number(figure(row.ns_per_actor)),
        number(figure(row.setting_ns_per_actor)),
        number(percent(row.of_full_tick)),
    ])
}

fn sweep(sizes: &[SweepSize], style: RenderOptions, out: &mut dyn Write) -> io::Result<()> {
    let Some(first) = sizes.first() else { return Ok(()) };
    let keys: Vec<_> =
        first.ns_per_actor.0.iter().filter(|(_, ns)| ns.is_some()).map(|(key, _)| key).collect();
    let names: Vec<_> = keys.iter().map(|key| key.replace('_', " ")).collect();
    let columns: Vec<_> = std::iter::once(TableColumn::Number("actors"))
        .chain(names.iter().map(|name| TableColumn::Number(name)))
        .collect();
    let row = |size: &SweepSize| {
        let ns =
            |key: &&String| number(figure(size.ns_per_actor.value(key).flatten().unwrap_or(0.0)));
        Line::from(std::iter::once(number(size.actors.to_string())).chain(keys.iter().map(ns)))
    };
    write_table(style, &columns, || sizes.iter().map(row), out)
}

fn figure(number: f64) -> String {
    match number {
        number if number >= 99.95 => format!("{number:.0}"),
        number if number >= 9.995 => format!("{number:.1}"),
        number => format!("{number:.2}"),
    }
}
