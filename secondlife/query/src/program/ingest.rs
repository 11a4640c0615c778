//! `lodger grid ingest`.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{self, ExitCode};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use lodger_grid::dataset::DatasetWriter;
use lodger_grid::ingest::{
    IngestError, IngestOptions, IngestProgress, IngestSummary, SourceSpec, ingest,
};
use lodger_terminal::layout::{TableColumn, new_table, number};
use lodger_terminal::{
    Diagnostic, OutputFormat, OutputTarget, ProgressReport, QuotaArgs, RenderOptions, Severity,
    output, sanitize, sanitize_to, signals, with_default_threads,
};
use serde::Serialize;
use url::Url;

/// The exit code if assets or objects cannot be read.
const SOME_BAD: u8 = 1;
/// The exit code after Ctrl-C.
const STOPPED: u8 = 130;
/// Schemes of databases.
const DATABASES: [&str; 4] = ["mysql", "mariadb", "postgres", "postgresql"];

const EXIT_CODES: &str = "Exit codes: 0 success, 1 some assets or objects cannot be read (their rows contain the error), \
    2 usage or input, 130 stopped by Ctrl-C: the dataset is valid, and the same command continues.";

const EXAMPLES: &str = "\
Sources, in any number and combination:
  archives (.oar, .iar), folders with archives, unpacked archives, mesh assets, the XML of objects
  a folder of FSAssets: ab/cd/ef/0123/HASH, or OSGrid's abc/def/HASH
  mysql://USER@HOST/DATABASE or postgres://USER@HOST/DATABASE
  the tables fsassets, assets, prims, primshapes and primitems as CSV with their header

A database is only read, and a read-only account suffices. Its password is read from the environment variable \
LODGER_GRID_PASSWORD, so that no list of processes shows it. The table fsassets names files: give their folder \
as another source. Without the table, the folder is read alone, and the identifiers of its assets are unknown.

Complete data in the dataset is not read again: after Ctrl-C or a crash, the same command continues. Names and \
descriptions are personal data, and stored only with --with-names.

Examples:
  lodger grid ingest regions/*.oar --out grid.dataset
  lodger grid ingest mysql://reader@db/opensim /srv/fsassets/data --out grid.dataset
  lodger grid ingest fsassets.csv /srv/fsassets/data --out grid.dataset
  lodger grid top grid.dataset

Exit codes: 0 success, 1 some assets or objects cannot be read (their rows contain the error), 2 usage or input, \
130 stopped by Ctrl-C: the dataset is valid, and the same command continues. A second Ctrl-C ends at once.";

/// Sources and the dataset.
#[derive(Debug, clap::Args)]
#[command(after_help = EXIT_CODES, after_long_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct Args {
    #[allow(clippy::doc_markdown)] // as help shows it
    /// Archives, folders, FSAssets, tables as CSV, or the URL of a database; see --help
    #[arg(value_name = "SOURCE", required = true)]
    sources: Vec<OsString>,

    /// The folder of the dataset; it is created, or extended
    #[arg(long, value_name = "DATASET")]
    out: PathBuf,

    /// Store names and descriptions, which are personal data
    #[arg(long)]
    with_names: bool,

    /// Maximum rows of a file of the dataset; as many are read again after a crash
    #[arg(long, value_name = "ROWS", default_value_t = DatasetWriter::FILE_ROWS as u64,
        value_parser = clap::value_parser!(u64).range(1..=1 << 24))]
    file_rows: u64,

    /// Format of the summary
    #[arg(long, default_value = "table", value_parser = OutputFormat::table_or_json())]
    format: OutputFormat,

    #[command(flatten)]
    quota: QuotaArgs,
}

#[derive(Debug, Serialize)]
struct IngestReport<'r> {
    schema: u32,
    dataset: String,
    /// Whether Ctrl-C stopped it.
    stopped: bool,
    #[serde(flatten)]
    summary: &'r IngestSummary,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Diagnostic> {
    let sources = args.sources.iter().map(|source| spec(source)).collect::<Result<Vec<_>, _>>()?;
    let options = IngestOptions {
        with_names: args.with_names,
        limits: args.quota.limits(),
        file_rows: usize::try_from(args.file_rows).unwrap_or(DatasetWriter::FILE_ROWS),
    };
    let stop = stop_flag();
    let watch = ProgressWatch::default();
    let is_stopped = || stop.load(Ordering::Relaxed);
    let work =
        || ingest(&sources, &args.out, options, &|progress| watch.update(progress), &is_stopped);
    let made = with_default_threads(work)?;
    drop(watch);
    let summary =
        made.map_err(|error: IngestError| Diagnostic::error(sanitize(&error.to_string())))?;
    let stopped = is_stopped();
    report(args, &summary, stopped)?;
    Ok(match () {
        () if stopped => ExitCode::from(STOPPED),
        () if summary.bad > 0 => ExitCode::from(SOME_BAD),
        () => ExitCode::SUCCESS,
    })
}

/// Parses a source. Errors do not quote a URL, which may contain a password.
fn spec(source: &OsStr) -> Result<SourceSpec, Diagnostic> {
    let Some((scheme, _)) = source.to_str().and_then(|text| text.split_once("://")) else {
        return Ok(SourceSpec::Path(source.into()));
    };
    if Path::new(source).exists() {
        return Ok(SourceSpec::Path(source.into()));
    }
    let help = "a database is mysql://USER@HOST/DATABASE or postgres://USER@HOST/DATABASE";
    if !DATABASES.contains(&scheme) {
        let message = format!("URLs of {}:// are not supported", sanitize_to(scheme, 20));
        return Err(Diagnostic::error(message).help(help));
    }
    let url = source.to_str().map(Url::parse);
    match url {
        Some(Ok(url)) => Ok(SourceSpec::Database(url)),
        _ => Err(Diagnostic::error(format!("a URL of {scheme}:// is not well formed")).help(help)),
    }
}

/// A flag that the first Ctrl-C sets; the second one ends the program.
fn stop_flag() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    let handler = signals::on_each_termination(move || {
        if flag.swap(true, Ordering::Relaxed) {
            process::exit(STOPPED.into());
        }
        let message = "stopping: complete data is written; Ctrl-C again ends at once";
        Diagnostic::new(Severity::Note, message).print();
    });
    if let Err(error) = handler {
        let message = format!("Ctrl-C will end this at once: {error}");
        Diagnostic::new(Severity::Warning, message).print();
    }
    stop
}

#[derive(Debug, Default)]
struct ProgressWatch(Mutex<Option<ProgressReport>>);

impl ProgressWatch {
    fn update(&self, progress: IngestProgress) {
        let mut bar = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match progress {
            IngestProgress::Source { name, total } => {
                drop(bar.take());
                let begun = ProgressReport::of_many(total);
                begun.say(sanitize_to(&name, 60).into_owned());
                *bar = Some(begun);
            }
            IngestProgress::Done(count) => bar.iter().for_each(|bar| bar.advance(count)),
            _ => {}
        }
    }
}

fn report(args: &Args, summary: &IngestSummary, stopped: bool) -> Result<(), Diagnostic> {
    let dataset = args.out.display().to_string();
    match args.format {
        OutputFormat::Json => output::write_json(
            OutputTarget::Stdout,
            &IngestReport { schema: 1, dataset, stopped, summary },
        ),
        OutputFormat::Table | OutputFormat::Csv => {
            let text =
                text(&dataset, summary, stopped, RenderOptions::for_target(OutputTarget::Stdout));
            output::write(OutputTarget::Stdout, text.as_bytes())
        }
    }
}

fn text(dataset: &str, summary: &IngestSummary, stopped: bool, style: RenderOptions) -> String {
    let mut table = new_table(style, &[TableColumn::Words("added"), TableColumn::Number("rows")]);
    let rows = [
        ("assets", summary.assets),
        ("objects", summary.objects),
        ("  their parts", summary.parts),
        ("already known", summary.known),
        ("with an error, new or tried again", summary.bad),
        ("skipped: of another kind", summary.passed_over),
    ];
    for (label, count) in rows {
        table.add_row([label.into(), number(count.to_string())]);
    }
    let mut text = format!("{}\n{}\n", sanitize(dataset), table.trim_fmt());
    if stopped {
        text += "Stopped: the same command continues.\n";
    }
    if summary.bad > 0 {
        let name = sanitize(dataset);
        text += "Errors: lodger grid sql \"SELECT source, id, error FROM assets WHERE error IS NOT NULL\" ";
        text += &name;
        text += "\n";
    }
    text
}
