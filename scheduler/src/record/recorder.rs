use std::io::{self, Write};

use lodger_core::Real;
use lodger_core::budget::{Carryover, PreviousLevel};

use super::frames::Packer;
use super::tick::{LoggedDecision, LoggedRequest, LoggedTick, ModuleSnapshot, UnitCosts};
use super::{MAGIC, SCHEMA};
use crate::module_data::{ModuleData, ModuleSettings};
use crate::plan::Plan;
use crate::scene::Scene;
use crate::scene_data::SceneData;

/// The greatest number of ticks that are lost if a program ends without [`Recorder::finish`].
const FLUSHED_EACH: u64 = 32;

/// Writes the ticks of one scene; see [`record`](crate::record).
///
/// A log that was not [finished](Self::finish) can be read, but its last ticks may be missing.
///
/// # Examples
/// ```
/// # use lodger_scheduler::{*, record::*};
/// # let (mut scene, near, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
/// let mut recorder = Recorder::new(Vec::new())?;
/// for x in [2.0, 3.0, 4.0] {
///     scene.set_position(near, [x, 0.0, 0.0])?;
///     recorder.tick(&mut scene)?;
/// }
/// let log = recorder.finish()?;
///
/// let mut replay = Replay::new(&log[..])?;
/// for number in 0..3 {
///     let tick = replay.tick()?.ok_or(LogError::NotALog)?;
///     assert_eq!((tick.tick, tick.difference), (number, None));
/// }
/// assert_eq!(replay.tick()?, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Recorder<W: Write> {
    write: W,
    failed: bool,
    state: RecorderState,
}

/// All but the file, so that ticks are compiled once, not for each kind of file.
#[derive(Debug)]
struct RecorderState {
    packer: Packer,
    ticks: u64,
    carryover: Carryover,
    modules: Vec<ModuleSnapshot>,
    previous: Vec<Vec<PreviousLevel>>,
}

impl<W: Write> Recorder<W> {
    /// Begins a log.
    ///
    /// # Errors
    /// The errors of writing.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::{*, record::*};
    /// let log = Recorder::new(Vec::new())?.finish()?; // no tick
    /// assert_eq!((&log[..10], log.len()), (&b"lodger log"[..], 20));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(mut write: W) -> io::Result<Self> {
        write.write_all(MAGIC)?;
        write.write_all(&SCHEMA.to_le_bytes())?;
        let state = RecorderState {
            packer: Packer::new(),
            ticks: 0,
            carryover: Carryover::default(),
            modules: Vec::new(),
            previous: Vec::new(),
        };
        Ok(Self { write, failed: false, state })
    }

    /// Returns the number of ticks that were written.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::{*, record::*};
    /// # let (mut scene, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// let mut recorder = Recorder::new(Vec::new())?;
    /// recorder.tick(&mut scene)?;
    /// assert_eq!(recorder.ticks(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn ticks(&self) -> u64 {
        self.state.ticks
    }

    /// Ticks the scene, and writes the tick. A scene may also tick without being recorded.
    ///
    /// # Errors
    /// The errors of writing: the scene has ticked, the log is valid up to the tick before, and later calls
    /// fail.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::{*, record::*};
    /// # let (mut scene, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// let mut recorder = Recorder::new(Vec::new())?;
    /// assert_eq!(recorder.tick(&mut scene)?.assigned_ns(), 1_400_000);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tick<'s, N: Real>(&mut self, scene: &'s mut Scene<N>) -> io::Result<Plan<'s, N>> {
        let carryover = scene.data.carryover;
        self.state.keep_levels(&scene.data);
        scene.tick();
        if self.failed {
            return Err(failed());
        }
        // Later ticks would be differences to a missing one.
        self.failed = true;
        self.write.write_all(self.state.frame(&mut scene.data, carryover)?)?;
        self.state.ticks += 1;
        if self.state.ticks.is_multiple_of(FLUSHED_EACH) {
            self.write.flush()?;
        }
        self.failed = false;
        Ok(scene.plan())
    }

    /// Ends the log, and returns the writer.
    ///
    /// # Errors
    /// The errors of writing, now or before.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::{*, record::*};
    /// # let (mut scene, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// let mut recorder = Recorder::new(Vec::new())?;
    /// recorder.tick(&mut scene)?;
    /// let log = recorder.finish()?;
    /// assert_eq!(log[log.len() - 8..][..4], [0; 4]); // the end
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn finish(mut self) -> io::Result<W> {
        if self.failed {
            return Err(failed());
        }
        self.write.write_all(self.state.packer.frame(&[])?)?;
        self.write.flush()?;
        Ok(self.write)
    }
}

impl RecorderState {
    fn keep_levels(&mut self, scene: &SceneData) {
        self.previous.resize_with(scene.modules.len(), Vec::new);
        for (previous, module) in self.previous.iter_mut().zip(&scene.modules) {
            previous.clear();
            previous.extend(previous_levels(module));
        }
    }

    /// Returns the frame of the tick that the scene has decided.
    fn frame(&mut self, scene: &mut SceneData, carryover: Carryover) -> io::Result<&[u8]> {
        self.modules.resize_with(scene.modules.len(), ModuleSnapshot::default);
        let rows = self.modules.iter_mut().zip(&self.previous).zip(&mut scene.modules);
        let modules = rows.map(|((snapshot, previous), module)| {
            let ModuleSettings { unit_cost: applied, raw_unit_cost: raw, .. } = module.settings;
            let costs = UnitCosts { applied, raw };
            snapshot.log(&module.module_view(), previous, costs)
        });
        let tick = LoggedTick {
            request: LoggedRequest::new(&scene.outcome.request, scene.moves.len()),
            carryover: (self.carryover != carryover).then(|| carryover.into()),
            modules: modules.collect(),
            decision: LoggedDecision::from(&scene.outcome.decision),
        };
        self.carryover = scene.carryover;
        let mut bytes = postcard::to_allocvec(&tick).map_err(io::Error::other)?;
        if scene.outcome.request.is_cautious {
            let unmeasured = scene.modules.iter().zip(0..).filter(|(it, _)| it.is_unmeasured());
            let cautious: Vec<u16> = unmeasured.map(|(_, number)| number).collect();
            bytes = postcard::to_extend(&cautious, bytes).map_err(io::Error::other)?;
        }
        self.packer.frame(&bytes)
    }
}

/// Returns the previous levels of the automatic actors, before a tick.
fn previous_levels(module: &ModuleData) -> impl Iterator<Item = PreviousLevel> {
    let manual =
        |last: PreviousLevel| last.level().map_or(PreviousLevel::NONE, PreviousLevel::manual);
    let previous = (0..module.automatic()).map(|row| module.rows.previous(row));
    previous.map(move |last| if module.was_managed { last } else { manual(last) })
}

fn failed() -> io::Error {
    io::Error::other("the log has failed before")
}
