//! `lodger replay`: whether the ticks of a log are decided as recorded.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::styling::AnsiColor;
use lodger_quota::QuotaExceeded;
use lodger_scheduler::record::{LogError, RecordLimits, Replay, ReplayDifference};
use lodger_terminal::{
    Diagnostic, ProgressReport, QuotaArgs, RenderOptions, ReportArgs, count, quota_exceeded,
};
use serde::Serialize;

use crate::diagnostics::{CommandStatus, check_outputs};

/// Options of the command.
#[derive(Args, Debug)]
pub(crate) struct ReplayArgs {
    /// A log of ticks; `-` reads one from stdin
    #[arg(value_name = "LOG")]
    log: PathBuf,

    #[command(flatten)]
    report: ReportArgs,

    #[command(flatten)]
    quota: QuotaArgs,
}

#[derive(Debug, Serialize)]
struct ReplayReport {
    schema: u32,
    log: String,
    ticks: u64,
    actors: usize,
    bytes: u64,
    identical: bool,
    difference: Option<ReplayMismatch>,
    flaw: Option<Flaw>,
}

/// The reason that a log without a difference is not identical.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Flaw {
    NoTicks,
    BytesAfterEnd,
}

/// The first difference to the log.
#[derive(Debug, Serialize)]
struct ReplayMismatch {
    tick: u64,
    what: String,
    logged: u64,
    decided: u64,
}

pub(crate) fn run(args: &ReplayArgs) -> Result<CommandStatus, Diagnostic> {
    check_outputs(&[("--output", args.report.output.as_deref())], std::slice::from_ref(&args.log))?;
    let name =
        if args.log == Path::new("-") { "<stdin>".into() } else { args.log.display().to_string() };
    let exceeded = |error| quota_exceeded(&format_args!("`{name}`"), error);
    let failed = |error: LogError| match error {
        LogError::Memory { limit, .. } => exceeded(QuotaExceeded::Memory { limit }),
        LogError::Work { limit, .. } => exceeded(QuotaExceeded::Work { limit }),
        error => Diagnostic::error(format!("`{name}`: {error}")).help(help(&error)),
    };
    let read = open(&args.log).map_err(|error| failed(error.into()))?;
    let lodger_quota::QuotaLimits { memory, work } = args.quota.limits();
    let report = replay(name.clone(), read, RecordLimits { memory, work }, &failed)?;
    args.report.write(&report, |style, out| out.write_all(text(&report, style).as_bytes()))?;
    Ok(CommandStatus::from_success(report.identical))
}

fn open(path: &Path) -> io::Result<Box<dyn Read>> {
    if path == Path::new("-") {
        return Ok(Box::new(io::stdin().lock()));
    }
    Ok(Box::new(File::open(path)?))
}

fn replay(
    log: String,
    read: impl Read,
    limits: RecordLimits,
    failed: &impl Fn(LogError) -> Diagnostic,
) -> Result<ReplayReport, Diagnostic> {
    let mut counted = CountingReader { read, bytes: 0 };
    let mut replay = Replay::new(&mut counted).map_err(failed)?.with_limits(limits);
    let progress = ProgressReport::new(0, true);
    progress.say(log.clone());
    let (mut ticks, mut actors, mut difference, mut flaw) = (0, 0, None, None);
    while difference.is_none() {
        let tick = match replay.tick() {
            Ok(Some(tick)) => tick,
            Ok(None) => break,
            Err(LogError::BytesAfterEnd { .. }) => {
                flaw = Some(Flaw::BytesAfterEnd);
                break;
            }
            Err(error) => return Err(failed(error)),
        };
        progress.more(1);
        progress.done();
        (ticks, actors) = (tick.tick + 1, actors.max(tick.actors));
        difference = tick.difference.map(|ReplayDifference { part, logged, decided, .. }| {
            ReplayMismatch { tick: tick.tick, what: part.to_string(), logged, decided }
        });
    }
    drop(progress);
    drop(replay);
    flaw = flaw.or((ticks == 0).then_some(Flaw::NoTicks));
    let identical = difference.is_none() && flaw.is_none();
    let bytes = counted.bytes;
    Ok(ReplayReport { schema: 1, log, ticks, actors, bytes, identical, difference, flaw })
}

/// A reader that counts its bytes.
struct CountingReader<R> {
    read: R,
    bytes: u64,
}

impl<R: Read> Read for CountingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.read.read(buffer)?;
        self.bytes += read as u64;
        Ok(read)
    }
}

fn help(error: &LogError) -> &'static str {
    match error {
        LogError::Io(_) => "give a log that can be read",
        LogError::NotALog => "give what `lodger simulate --record` or a recorder wrote",
        LogError::Schema { .. } => "replay it with the lodger that wrote it",
        _ => "record the log again; the ticks before it are identical",
    }
}

fn text(report: &ReplayReport, style: RenderOptions) -> String {
    let ticks = usize::try_from(report.ticks).unwrap_or(usize::MAX);
    let what = format!("{} of up to {}", count(ticks, "tick"), count(report.actors, "actor"));
    let bytes = report.bytes.checked_div(report.ticks).unwrap_or(0);
    let other = |word| style.paint(AnsiColor::Red.on_default().bold(), word);
    match (&report.difference, report.flaw) {
        (None, None) => {
            let same = style.paint(AnsiColor::Green.on_default().bold(), "Identical");
            format!("{same}: {what}, {bytes} bytes a tick\n")
        }
        (None, Some(Flaw::NoTicks)) => format!("{}: the log has no tick\n", other("Empty")),
        (None, Some(Flaw::BytesAfterEnd)) => {
            format!("{}: bytes follow the end of the log, after {what}\n", other("Not whole"))
        }
        (Some(ReplayMismatch { tick, what, logged, decided }), _) => format!(
            "{}: in tick {tick} {what} is {decided}, and the log says {logged}\n  the ticks before it are \
             identical\n",
            other("Different")
        ),
    }
}
