//! The options of `lodger simulate`.

use std::convert::Infallible;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// How a scene is simulated, and what is written of it.
#[derive(Args, Debug)]
pub struct Options {
    /// Where the camera goes: orbit, line, still, or a .toml file of waypoints
    #[arg(long, value_name = "PATH", default_value = "orbit", value_parser = way)]
    pub path: Way,

    /// How many frames, 60 a second; what is reported begins with frame 60
    #[arg(long, value_name = "N", default_value_t = 600, value_parser = clap::value_parser!(u64).range(61..=100_000))]
    pub(crate) frames: u64,

    /// How to divide the budget [default: what the scene says; optimal for the built-in scene]
    #[arg(long, value_name = "NAME", conflicts_with = "compare")]
    pub(crate) policy: Option<PolicyWord>,

    /// Whether a change must earn something
    #[arg(long, value_name = "WHETHER", default_value = "on")]
    pub(crate) stability: Switch,

    /// How much measured times vary, as a part of them
    #[arg(long, value_name = "X", default_value_t = 0.05, value_parser = part, allow_hyphen_values = true)]
    pub(crate) noise: f64,

    /// The part of the frames that take ten times as long
    #[arg(long, value_name = "X", default_value_t = 0.01, value_parser = part, allow_hyphen_values = true)]
    pub(crate) spike: f64,

    /// By which factor unit costs are wrong at first, up and down by turns; the scene's are the truth
    #[arg(long, value_name = "X", default_value_t = 3.0, value_parser = factor, allow_hyphen_values = true)]
    pub(crate) wrong: f64,

    /// What all chance is made from: the same seed gives the same bytes
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,

    /// Run so many seeds, from --seed on, and show the median of each number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000))]
    #[arg(conflicts_with_all = ["report", "record", "plot"])]
    pub(crate) seeds: Option<u64>,

    /// Run both policies and four ways in which engines decide today, on the same frames
    #[arg(long)]
    pub(crate) compare: bool,

    /// How to show the result
    #[arg(long, default_value = "table")]
    pub(crate) format: Form,

    /// Write to a file, as a whole or not at all
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Write a page that shows every frame: one file of HTML that needs no network
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<PathBuf>,

    /// Write what the ledger was asked and what it decided, for lodger replay
    #[arg(long, value_name = "FILE", conflicts_with = "compare")]
    pub record: Option<PathBuf>,

    /// Write the time of every frame as a picture
    #[arg(long, value_name = "FILE.svg")]
    pub plot: Option<PathBuf>,
}

/// Where the camera goes, as it is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// A circle half way to the border.
    Orbit,
    /// To and fro through the middle.
    Line,
    /// Nowhere.
    Still,
    /// By the waypoints of a file.
    File(PathBuf),
}

/// How a result is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// For eyes
    Table,
    /// One document, for scripts
    Json,
}

/// A policy by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PolicyWord {
    /// Shares by benefit and benefit value; leftovers are spent as the scene says
    Proportional,
    /// Proportional, leftovers are kept; with `--stability off`, the APEX LOD document to the letter
    Apex,
    /// The most benefit times quality that the budget buys
    Optimal,
}

/// Whether something is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Switch {
    /// The last answer stands unless a new one is better by so much
    On,
    /// Every frame by itself
    Off,
}

#[expect(clippy::unnecessary_wraps, reason = "clap asks for it")]
fn way(text: &str) -> Result<Way, Infallible> {
    Ok(match text {
        "orbit" => Way::Orbit,
        "line" => Way::Line,
        "still" => Way::Still,
        file => Way::File(file.into()),
    })
}

fn part(text: &str) -> Result<f64, &'static str> {
    number(text, 0.0, 1.0).ok_or("a part is expected, from 0 to 1")
}

fn factor(text: &str) -> Result<f64, &'static str> {
    number(text, 0.001, 1000.0).ok_or("a factor is expected, from 0.001 to 1000")
}

fn number(text: &str, least: f64, most: f64) -> Option<f64> {
    text.trim().parse().ok().filter(|number| (least..=most).contains(number))
}
