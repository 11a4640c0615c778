//! What was measured, as scripts read it.

use serde::{Serialize, Serializer};

use crate::contest::Contender;
use crate::measure::{Figures, Measured};
use crate::policy::PolicyName;
use crate::still::Change;

/// What JSON promises.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    pub(crate) schema: u32,
    pub(crate) actors: u32,
    /// How many threads the scheduler may use.
    pub(crate) threads: usize,
    pub(crate) cpu: String,
    pub(crate) rounds: u32,
    pub(crate) seconds: f64,
    /// Medians; null for what was not measured.
    pub(crate) ns_per_actor: Rows<Option<f64>>,
    pub(crate) spread: Rows<Quartiles>,
    /// Of medians, by what is divided by what.
    pub(crate) ratios: Rows<f64>,
    pub(crate) incremental: Vec<Incremental>,
    /// The numbers of actors of a sweep, from the least.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sweep: Option<Vec<Size>>,
}

/// The figures of one of several numbers of actors.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Size {
    pub(crate) actors: u32,
    pub(crate) rounds: u32,
    pub(crate) seconds: f64,
    pub(crate) ns_per_actor: Rows<Option<f64>>,
    pub(crate) spread: Rows<Quartiles>,
}

/// How far samples spread, in nanoseconds an actor.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Quartiles {
    pub(crate) least: f64,
    pub(crate) lower_quartile: f64,
    pub(crate) upper_quartile: f64,
    pub(crate) samples: usize,
}

/// What a frame takes in which little has changed.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Incremental {
    pub(crate) policy: &'static str,
    /// Who has moved: nothing, one in a hundred in runs of 64 rows, or scattered.
    pub(crate) changed: &'static str,
    pub(crate) ns_per_actor: f64,
    /// What telling who has moved takes beside it.
    pub(crate) setting_ns_per_actor: f64,
    /// The part of a tick of the same policy while the eye walks.
    pub(crate) of_full_tick: f64,
}

/// Named values, in their order.
#[derive(Clone, Debug)]
pub(crate) struct Rows<T>(pub(crate) Vec<(String, T)>);

impl<T: Copy> Rows<T> {
    /// The value of that name.
    pub(crate) fn value(&self, name: &str) -> Option<T> {
        self.0.iter().find(|(other, _)| other == name).map(|(_, value)| *value)
    }
}

impl<T: Serialize> Serialize for Rows<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// Of which change the figure called `incremental` is; it is that of `Keep`.
const OF_INCREMENTAL: Change = Change::Runs;

impl Report {
    /// The report of one number of actors, or of those of a sweep, whose last one is told at length.
    #[must_use]
    pub fn new(measured: &[Measured], threads: usize, cpu: String, is_sweep: bool) -> Option<Self> {
        let last = measured.last()?;
        let ns_per_actor = ns_per_actor(last);
        Some(Self {
            schema: 1,
            actors: last.actors,
            threads,
            cpu,
            rounds: last.rounds,
            seconds: rounded(last.seconds),
            ratios: ratios(&ns_per_actor),
            spread: spread(last),
            incremental: incremental(last),
            ns_per_actor,
            sweep: is_sweep.then(|| measured.iter().map(size).collect()),
        })
    }
}

/// What a contender is called in reports; those of incremental frames have a list of their own.
fn key(contender: Contender) -> Option<String> {
    match contender {
        Contender::Incremental(PolicyName::Keep, OF_INCREMENTAL) => Some("incremental".to_owned()),
        Contender::Incremental(..) => None,
        contender => Some(contender.name()),
    }
}

fn size(measured: &Measured) -> Size {
    Size {
        actors: measured.actors,
        rounds: measured.rounds,
        seconds: rounded(measured.seconds),
        ns_per_actor: ns_per_actor(measured),
        spread: spread(measured),
    }
}

fn ns_per_actor(measured: &Measured) -> Rows<Option<f64>> {
    let figures = |contender| figures(measured, contender).map(|it| rounded(it.deciding.median));
    let all = Contender::of(&PolicyName::ALL, true).into_iter();
    Rows(all.filter_map(|contender| Some((key(contender)?, figures(contender)))).collect())
}

fn figures(measured: &Measured, contender: Contender) -> Option<Figures> {
    measured.figures.iter().find(|(other, _)| *other == contender).map(|(_, figures)| *figures)
}

fn spread(measured: &Measured) -> Rows<Quartiles> {
    let quartiles = |figures: &Figures| Quartiles {
        least: rounded(figures.deciding.least),
        lower_quartile: rounded(figures.deciding.lower_quartile),
        upper_quartile: rounded(figures.deciding.upper_quartile),
        samples: figures.deciding.samples,
    };
    let named = measured.figures.iter();
    Rows(named.filter_map(|(who, figures)| Some((key(*who)?, quartiles(figures)))).collect())
}

/// Each policy over the memory pass, each textbook over each policy, and other scenes over the usual one.
fn ratios(ns_per_actor: &Rows<Option<f64>>) -> Rows<f64> {
    let policies = || PolicyName::ALL.into_iter().map(PolicyName::key);
    let over_memory = policies().chain(["incremental"]).map(|policy| (policy, "memory_pass"));
    let textbooks = ["textbook_churned", "textbook", "textbook_columns"];
    let over_policy = policies().flat_map(|policy| textbooks.map(|textbook| (textbook, policy)));
    let ratio = |(over, under): (&str, &str)| {
        let value = |name| ns_per_actor.value(name).flatten();
        Some((format!("{over}/{under}"), rounded(value(over)? / value(under)?)))
    };
    let varied = ["keep_angular", "keep_eight_ladders"].map(|varied| (varied, "keep"));
    Rows(over_memory.chain(over_policy).chain(varied).filter_map(ratio).collect())
}

fn incremental(measured: &Measured) -> Vec<Incremental> {
    let row = |(contender, figures): &(Contender, Figures)| {
        let Contender::Incremental(policy, change) = *contender else { return None };
        let full = self::figures(measured, Contender::Ledger(policy))?;
        Some(Incremental {
            policy: policy.key(),
            changed: change.key(),
            ns_per_actor: rounded(figures.deciding.median),
            setting_ns_per_actor: rounded(figures.setting),
            of_full_tick: rounded(figures.deciding.median / full.deciding.median),
        })
    };
    measured.figures.iter().filter_map(row).collect()
}

/// To three decimals: no clock tells more.
fn rounded(number: f64) -> f64 {
    (number * 1e3).round() / 1e3
}
