use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use lodger_core::cost::streaming::StreamingRules;
use lodger_grid::report::TopBy;
use lodger_terminal::{Diagnostic, OutputTarget, arguments};

/// A query in SQL.
#[derive(Debug, clap::Args)]
#[command(after_long_help = SQL_HELP)]
pub(crate) struct SqlArgs {
    /// The query; the tables are `assets` and `parts`, the views `uses`, `prices` and `objects`.
    #[arg(value_name = "SQL")]
    pub(crate) sql: String,
    /// The rules of the views `prices` and `objects`.
    #[arg(long, value_parser = arguments::rules(), default_value = "viewer")]
    pub(crate) rules: StreamingRules,
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

/// A ranking.
#[derive(Debug, clap::Args)]
pub(crate) struct TopArgs {
    /// The groups that are ranked by land impact.
    #[arg(long, value_enum, default_value_t = TopBy::Object)]
    pub(crate) by: TopBy,
    /// The number of listed groups.
    #[arg(long, default_value_t = 20, value_name = "N")]
    pub(crate) limit: u32,
    /// The rules of the streaming cost.
    #[arg(long, value_parser = arguments::rules(), default_value = "viewer")]
    pub(crate) rules: StreamingRules,
    /// Also plot the distribution of land impacts.
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) plot: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) query: QueryArgs,
}

/// A search for waste.
#[derive(Debug, clap::Args)]
pub(crate) struct WasteArgs {
    /// The number of listed meshes for each finding.
    #[arg(long, default_value_t = 5, value_name = "N")]
    pub(crate) limit: u32,
    /// Also plot the bytes of all meshes by LOD.
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) plot: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) query: QueryArgs,
}

/// A comparison of rules.
#[derive(Debug, clap::Args)]
pub(crate) struct WhatifArgs {
    /// The new rules.
    #[arg(long, value_parser = arguments::rules())]
    pub(crate) rules: StreamingRules,
    /// The current rules.
    #[arg(long, value_parser = arguments::rules(), default_value = "viewer")]
    pub(crate) against: StreamingRules,
    /// The number of listed objects, and of listed owners.
    #[arg(long, default_value_t = 20, value_name = "N")]
    pub(crate) limit: u32,
    #[command(flatten)]
    pub(crate) query: QueryArgs,
}

/// Arguments of all queries.
#[derive(Debug, clap::Args)]
pub(crate) struct QueryArgs {
    /// A folder that `lodger grid ingest` made, or its URL: file:// or s3://.
    #[arg(value_name = "DATASET")]
    pub(crate) dataset: String,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
    #[command(flatten)]
    pub(crate) output: QueryOutputArgs,
}

/// The engine and its resources.
#[derive(Debug, clap::Args)]
pub(crate) struct EngineArgs {
    /// The number of partitions of a query; by default the number of processors.
    #[arg(long, value_name = "N")]
    pub(crate) partitions: Option<NonZeroUsize>,
    /// The memory of a query in MiB; larger data is written to the temporary folder.
    #[arg(long, value_name = "MIB", default_value = "640")]
    pub(crate) memory: NonZeroUsize,
    /// Run the query on the cluster of a scheduler, whose processes must find the dataset under the same name.
    #[arg(long, value_name = "HOST:PORT")]
    pub(crate) cluster: Option<String>,
}

/// Format and file of the result.
#[derive(Debug, clap::Args)]
pub(crate) struct QueryOutputArgs {
    /// The format of the result.
    #[arg(long, value_enum, default_value_t = QueryFormat::Table)]
    pub(crate) format: QueryFormat,
    /// A file for the result, which is written completely or not at all; the default is stdout.
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

impl QueryOutputArgs {
    pub(crate) fn target(&self) -> OutputTarget<'_> {
        OutputTarget::from_path(self.output.as_deref())
    }

    /// Rejects outputs that cannot be written, before anything is read.
    pub(crate) fn check(&self, plot: Option<&Path>) -> Result<(), Diagnostic> {
        if self.format == QueryFormat::Parquet && self.output.is_none() {
            return Err(Diagnostic::error("a terminal cannot show Parquet")
                .help("name a file with --output FILE"));
        }
        let is_svg = |plot: &Path| {
            plot.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("svg"))
        };
        if plot.is_some_and(|plot| !is_svg(plot)) {
            return Err(
                Diagnostic::error("a plot is an SVG").help("give --plot a file that ends in .svg")
            );
        }
        Ok(())
    }
}

/// Formats of results: those of other commands, and Parquet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum QueryFormat {
    /// For eyes.
    Table,
    /// One document of JSON.
    Json,
    /// Comma-separated values.
    Csv,
    /// A file of Parquet.
    Parquet,
}
