//! `lodger grid ingest`.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{self, ExitCode};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use clap::ValueEnum;
use lodger_grid::dataset::Writer;
use lodger_grid::ingest::{IngestError, Options, SourceSpec, Step, Summary, ingest};
use lodger_terminal::layout::{Column, empty, number};
use lodger_terminal::{
    Diagnostic, Look, Progress, QuotaArgs, Severity, Target, clipped, on_threads, output, plain,
    signals,
};
use serde::Serialize;
use url::Url;

/// The exit code where some assets or objects cannot be read.
const SOME_BAD: u8 = 1;
/// The exit code after Ctrl-C.
const STOPPED: u8 = 130;
/// How URLs of databases begin.
const DATABASES: [&str; 4] = ["mysql", "mariadb", "postgres", "postgresql"];

const EXIT_CODES: &str = "Exit codes: 0 fine, 1 some assets or objects cannot be read (their rows say why), \
    2 usage or input, 130 stopped by Ctrl-C: the dataset is valid, and the same command goes on.";

const EXAMPLES: &str = "\
Sources, in any number and mixture:
  archives (.oar, .iar), folders with them, unpacked ones, mesh assets, the XML of objects
  a folder of FSAssets as it stands on disk: ab/cd/ef/0123/HASH or OSGrid's abc/def/HASH
  mysql://USER@HOST/DATABASE or postgres://USER@HOST/DATABASE
  the tables fsassets, assets, prims, primshapes and primitems as CSV, known by their header

A database is only read, and an account that may do no more suffices. Its password is taken from the \
environment variable LODGER_GRID_PASSWORD, so that it stands in no list of processes. The table fsassets \
names files: give their folder as one more source. Without the table, the folder is read by itself, and the \
identifiers of its assets stay unknown.

What is in the dataset and whole is not read again: after Ctrl-C or a crash, the same command goes on. Names and \
descriptions are personal data, and left out unless you say --with-names.

Examples:
  lodger grid ingest regions/*.oar --out grid.dataset
  lodger grid ingest mysql://reader@db/opensim /srv/fsassets/data --out grid.dataset
  lodger grid ingest fsassets.csv /srv/fsassets/data --out grid.dataset
  lodger grid top grid.dataset

Exit codes: 0 fine, 1 some assets or objects cannot be read (their rows say why), 2 usage or input, 130 stopped \
by Ctrl-C: the dataset is valid, and the same command goes on. A second Ctrl-C ends at once.";

/// Sources and where they go.
#[derive(Debug, clap::Args)]
#[command(after_help = EXIT_CODES, after_long_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct Args {
    #[allow(clippy::doc_markdown)] // as help shows it
    /// Archives, folders, FSAssets, tables as CSV, or the URL of a database; --help says more
    #[arg(value_name = "SOURCE", required = true)]
    sources: Vec<OsString>,

    /// The folder of the dataset; it is made, or goes on growing
    #[arg(long, value_name = "DATASET")]
    out: PathBuf,

    /// Take in names and descriptions, which are personal data
    #[arg(long)]
    with_names: bool,

    /// Rows that a file of the dataset has at most; as many are read again after a crash
    #[arg(long, value_name = "ROWS", default_value_t = Writer::FILE_ROWS as u64,
        value_parser = clap::value_parser!(u64).range(1..=1 << 24))]
    file_rows: u64,

    /// How the summary is written
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,

    #[command(flatten)]
    quota: QuotaArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// For eyes
    Table,
    /// For programs: one document
    Json,
}

/// What was made, as JSON has it.
#[derive(Debug, Serialize)]
struct Report<'r> {
    schema: u32,
    dataset: String,
    /// Whether Ctrl-C ended it.
    stopped: bool,
    #[serde(flatten)]
    summary: &'r Summary,
}

/// Reads sources into a dataset.
pub(crate) fn run(args: &Args) -> Result<ExitCode, Diagnostic> {
    let sources = args.sources.iter().map(|source| spec(source)).collect::<Result<Vec<_>, _>>()?;
    let options = Options {
        with_names: args.with_names,
        limits: args.quota.limits(),
        file_rows: usize::try_from(args.file_rows).unwrap_or(Writer::FILE_ROWS),
    };
    let stop = stop_flag();
    let watch = Watch::default();
    let ask = || stop.load(Ordering::Relaxed);
    let work = || ingest(&sources, &args.out, options, &|step| watch.see(step), &ask);
    let made = on_threads(work)?;
    drop(watch);
    let summary = made.map_err(|error| told(&error))?;
    let stopped = ask();
    tell(args, &summary, stopped)?;
    Ok(match () {
        () if stopped => ExitCode::from(STOPPED),
        () if summary.bad > 0 => ExitCode::from(SOME_BAD),
        () => ExitCode::SUCCESS,
    })
}

/// What a word of the command line names. Nothing of a URL is repeated: a password may be in it.
fn spec(source: &OsStr) -> Result<SourceSpec, Diagnostic> {
    let Some((scheme, _)) = source.to_str().and_then(|text| text.split_once("://")) else {
        return Ok(SourceSpec::Path(source.into()));
    };
    if Path::new(source).exists() {
        return Ok(SourceSpec::Path(source.into()));
    }
    let help = "a database is mysql://USER@HOST/DATABASE or postgres://USER@HOST/DATABASE";
    if !DATABASES.contains(&scheme) {
        let message = format!("nothing is read from a URL of {}://", clipped(scheme, 20));
        return Err(Diagnostic::error(message).help(help));
    }
    let url = source.to_str().map(Url::parse);
    match url {
        Some(Ok(url)) => Ok(SourceSpec::Database(url)),
        _ => Err(Diagnostic::error(format!("a URL of {scheme}:// is not well formed")).help(help)),
    }
}

fn told(error: &IngestError) -> Diagnostic {
    Diagnostic::error(plain(&error.to_string()))
}

/// A flag that the first Ctrl-C sets; the second one ends the program.
fn stop_flag() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&stop);
    let heeded = signals::on_every_ending(move || {
        if asked.swap(true, Ordering::Relaxed) {
            process::exit(STOPPED.into());
        }
        let message = "stopping: what is whole is written; Ctrl-C again ends at once";
        Diagnostic::new(Severity::Note, message).print();
    });
    if let Err(error) = heeded {
        let message = format!("Ctrl-C will end this at once: {error}");
        Diagnostic::new(Severity::Warning, message).print();
    }
    stop
}

/// How far the work has come, source by source.
#[derive(Debug, Default)]
struct Watch(Mutex<Option<Progress>>);

impl Watch {
    fn see(&self, step: Step) {
        let mut progress = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match step {
            Step::Source { name, total } => {
                drop(progress.take());
                let begun = Progress::of_many(total);
                begun.say(clipped(&name, 60).into_owned());
                *progress = Some(begun);
            }
            Step::Done(count) => progress.iter().for_each(|progress| progress.advance(count)),
            _ => {}
        }
    }
}

fn tell(args: &Args, summary: &Summary, stopped: bool) -> Result<(), Diagnostic> {
    let dataset = args.out.display().to_string();
    match args.format {
        Format::Json => {
            output::write_json(Target::Stdout, &Report { schema: 1, dataset, stopped, summary })
        }
        Format::Table => {
            let text = text(&dataset, summary, stopped, Look::of(Target::Stdout));
            output::write(Target::Stdout, text.as_bytes())
        }
    }
}

fn text(dataset: &str, summary: &Summary, stopped: bool, look: Look) -> String {
    let mut table = empty(look, &[Column::Words("added"), Column::Number("rows")]);
    let rows = [
        ("assets", summary.assets),
        ("objects", summary.objects),
        ("  their parts", summary.parts),
        ("there before", summary.known),
        ("with an error, of those and of what was tried again", summary.bad),
        ("passed over: of no kind that counts", summary.passed_over),
    ];
    for (what, count) in rows {
        table.add_row([what.into(), number(count.to_string())]);
    }
    let mut text = format!("{}\n{}\n", plain(dataset), table.trim_fmt());
    if stopped {
        text += "Stopped: the same command goes on.\n";
    }
    if summary.bad > 0 {
        let name = plain(dataset);
        text += "What is wrong: lodger grid sql \"SELECT source, id, error FROM assets WHERE error IS NOT NULL\" ";
        text += &name;
        text += "\n";
    }
    text
}
