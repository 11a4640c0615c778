//! What can be asked for.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use lodger_core::cost::streaming::Rules;
use lodger_grid::report::TopBy;
use lodger_terminal::{Diagnostic, Target};

/// A question in SQL.
#[derive(Debug, clap::Args)]
#[command(after_long_help = SQL_HELP)]
pub(crate) struct SqlArgs {
    /// The question; the tables are `assets` and `parts`, the views `uses`, `prices` and `objects`.
    #[arg(value_name = "SQL")]
    pub(crate) sql: String,
    /// The rules by which the views `prices` and `objects` count.
    #[arg(long, value_enum, default_value_t = RulesArg::Viewer)]
    pub(crate) rules: RulesArg,
    #[command(flatten)]
    pub(crate) query: QueryArgs,
}

const SQL_HELP: &str = "\
Examples:
  lodger grid sql \"SELECT kind, count(*), sum(bytes) FROM assets GROUP BY kind\" grid
  lodger grid sql \"SELECT region, sum(land_impact) FROM objects GROUP BY region\" grid --format csv
  lodger grid sql \"SELECT * FROM prices\" grid --format parquet --output prices.parquet
  lodger grid sql \"DESCRIBE objects\" grid

A dataset is only read: CREATE, INSERT, COPY and SET are refused. A table shows the first 1000 rows; the other formats \
have all.";

/// What to rank.
#[derive(Debug, clap::Args)]
pub(crate) struct TopArgs {
    /// What is ranked by its land impact.
    #[arg(long, value_enum, default_value_t = ByArg::Object)]
    pub(crate) by: ByArg,
    /// How many are listed.
    #[arg(long, default_value_t = 20, value_name = "N")]
    pub(crate) limit: u32,
    /// The rules of the streaming cost.
    #[arg(long, value_enum, default_value_t = RulesArg::Viewer)]
    pub(crate) rules: RulesArg,
    /// A picture too: how many objects have which land impact.
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) plot: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) query: QueryArgs,
}

/// Which waste to look for.
#[derive(Debug, clap::Args)]
pub(crate) struct WasteArgs {
    /// How many are listed of each finding.
    #[arg(long, default_value_t = 5, value_name = "N")]
    pub(crate) limit: u32,
    /// A picture too: the bytes of all meshes by LOD.
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) plot: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) query: QueryArgs,
}

/// Which rules to compare.
#[derive(Debug, clap::Args)]
pub(crate) struct WhatifArgs {
    /// The rules that would hold.
    #[arg(long, value_enum)]
    pub(crate) rules: RulesArg,
    /// The rules that hold now.
    #[arg(long, value_enum, default_value_t = RulesArg::Viewer)]
    pub(crate) against: RulesArg,
    /// How many objects, and how many owners, are listed.
    #[arg(long, default_value_t = 20, value_name = "N")]
    pub(crate) limit: u32,
    #[command(flatten)]
    pub(crate) query: QueryArgs,
}

/// What every question is asked with.
#[derive(Debug, clap::Args)]
pub(crate) struct QueryArgs {
    /// A folder that `lodger grid ingest` made, or its URL: file:// or s3://.
    #[arg(value_name = "DATASET")]
    pub(crate) dataset: String,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
    #[command(flatten)]
    pub(crate) places: Places,
}

/// Who works it out, and with what.
#[derive(Debug, clap::Args)]
pub(crate) struct EngineArgs {
    /// Into how many parts the work is cut; as many as there are processors, if nobody says.
    #[arg(long, value_name = "N")]
    pub(crate) partitions: Option<NonZeroUsize>,
    /// What the work may hold in memory, in MiB; beyond that it writes to the temporary folder.
    #[arg(long, value_name = "MIB", default_value = "640")]
    pub(crate) memory: NonZeroUsize,
    /// Send the work to the scheduler of a cluster, which has to see the dataset under the same name.
    #[arg(long, value_name = "HOST:PORT")]
    pub(crate) cluster: Option<String>,
}

/// In which form the answer comes, and where to.
#[derive(Debug, clap::Args)]
pub(crate) struct Places {
    /// The form of the answer.
    #[arg(long, value_enum, default_value_t = FormatArg::Table)]
    pub(crate) format: FormatArg,
    /// A file for the answer, which is written as a whole or not at all; else it goes to stdout.
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

impl Places {
    /// Where the answer goes.
    pub(crate) fn target(&self) -> Target<'_> {
        Target::of(self.output.as_deref())
    }

    /// Refuses what could not be written, before anything is read.
    pub(crate) fn check(&self, plot: Option<&Path>) -> Result<(), Diagnostic> {
        if self.format == FormatArg::Parquet && self.output.is_none() {
            return Err(Diagnostic::error("Parquet is nothing for a terminal")
                .help("name a file with --output FILE"));
        }
        match plot.and_then(Path::extension) {
            Some(ending) if ending.eq_ignore_ascii_case("svg") => Ok(()),
            _ if plot.is_none() => Ok(()),
            _ => {
                Err(Diagnostic::error("a plot is an SVG")
                    .help("give --plot a file that ends in .svg"))
            }
        }
    }
}

/// Forms of answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatArg {
    /// For eyes.
    Table,
    /// One document of JSON.
    Json,
    /// Comma-separated values.
    Csv,
    /// A file of Parquet.
    Parquet,
}

/// Rules of the streaming cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RulesArg {
    /// Those of the wiki's document.
    Wiki,
    /// Those of viewers.
    Viewer,
    /// Those of the grid.
    Grid,
}

impl RulesArg {
    /// As SQL says it.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Wiki => Rules::WIKI.name,
            Self::Viewer => Rules::VIEWER.name,
            Self::Grid => Rules::GRID.name,
        }
    }
}

/// What is ranked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ByArg {
    /// Each object.
    Object,
    /// All objects of an owner.
    Owner,
    /// All objects of a region.
    Region,
    /// All objects whose root somebody made.
    Creator,
}

impl From<ByArg> for TopBy {
    fn from(by: ByArg) -> Self {
        match by {
            ByArg::Object => Self::Object,
            ByArg::Owner => Self::Owner,
            ByArg::Region => Self::Region,
            ByArg::Creator => Self::Creator,
        }
    }
}
