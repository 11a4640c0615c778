//! What `lodger bench` measures and says.
//!
//! [`scenery`] is the scene, the same for all; [`textbook`] decides as books have it, and [`still`] is a scene
//! in which little changes. A [`contest`] has everybody decide for the same, [`measure()`] takes the time.
//! [`Options`] are those of the command line, and [`run`] does what they ask for.
#![forbid(unsafe_code)]

pub mod contest;
mod machine;
mod measure;
mod options;
mod picture;
pub mod policy;
mod report;
pub mod scenery;
mod sizes;
pub mod still;
mod table;
pub mod textbook;

use std::time::Duration;

use lodger_scheduler::SceneError;
use lodger_terminal::{Diagnostic, Look, Progress, Target, output};

use contest::{Contender, Contest};
use options::Form;
use sizes::Memory;

pub use measure::{Figures, Measured, Spread, measure};
pub use options::Options;
pub use report::Report;

/// Measures what the options ask for, and writes it. It is to be called on as many threads as are measured.
///
/// # Errors
/// What does not fit into memory, and what cannot be written.
pub fn run(options: &Options) -> Result<(), Diagnostic> {
    let is_sweep = options.sweep.is_some();
    let contenders = Contender::of(&options.policies(), !is_sweep);
    let free = machine::free_memory();
    let memory = Memory { free, per_actor: machine::bytes_per_actor(&contenders) };
    let (sizes, warning) = if is_sweep {
        sizes::sweep(options.actors.unwrap_or(sizes::SWEPT), memory)?
    } else {
        let actors = options.actors.unwrap_or(sizes::ALONE);
        (vec![actors], sizes::alone(actors, memory)?)
    };
    if let Some(warning) = warning {
        warning.print();
    }
    let seconds = options.seconds.unwrap_or(if is_sweep { 10 } else { 40 });
    let measured = measure_all(&sizes, &contenders, seconds)?;
    let threads = rayon::current_num_threads();
    let report = Report::new(&measured, threads, machine::cpu(), is_sweep);
    // There is at least one size.
    let Some(report) = report else { return Ok(()) };
    if let Some(file) = &options.sweep {
        output::write(Target::File(file), picture::svg(&report)?.as_bytes())?;
    }
    let target = Target::of(options.output.as_deref());
    match options.format {
        Form::Json => output::write_json(target, &report),
        Form::Table => {
            output::write_with(target, |out| table::write(&report, Look::of(target), out))
        }
    }
}

/// Measures one number of actors after the other, each for about so many seconds.
fn measure_all(
    sizes: &[u32],
    contenders: &[Contender],
    seconds: u16,
) -> Result<Vec<Measured>, Diagnostic> {
    let refused = |error: SceneError| Diagnostic::error(format!("no such scene: {error}"));
    let progress = Progress::new(sizes.len() * usize::from(seconds), true);
    let mut measured = Vec::new();
    for &actors in sizes {
        progress.say(format!("{actors} actors: spawning them"));
        let mut contest = Contest::new(actors, contenders.to_vec()).map_err(refused)?;
        progress.say(format!("{actors} actors"));
        let mut told = 0;
        let mut tell = |elapsed: Duration| {
            while told < elapsed.as_secs().min(seconds.into()) {
                progress.done();
                told += 1;
            }
        };
        measured.push(measure(&mut contest, Duration::from_secs(seconds.into()), &mut tell));
        tell(Duration::MAX);
    }
    Ok(measured)
}

/// The examples of the README are compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
