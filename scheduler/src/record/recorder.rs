//! Recording of ticks.

use std::io::{self, Write};

use lodger_core::Real;
use lodger_core::budget::{Carryover, PreviousLevel};

use super::frames::Packer;
use super::tick::{LoggedDecision, LoggedRequest, LoggedTick, ModuleSnapshot, UnitCosts};
use super::{MAGIC, SCHEMA};
use crate::module_data::ModuleSettings;
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
/// use lodger_scheduler::record::{Recorder, Replay};
/// use lodger_scheduler::{Actor, BenefitValue, Budget, Module, Scene, UnitCost, View};
///
/// let mut scene = Scene::<f32>::new(Budget::from_ms(2.0)?);
/// scene.add_view(View::from_position([0.0; 3])?)?;
/// let module = Module::new("cloth", UnitCost::from_ns(500.0)?, BenefitValue::from_ms(3.0)?);
/// let cloth = scene.add_module(module)?;
/// let cape = scene.spawn(cloth, Actor::at([9.0, 0.0, 0.0], 1.0, &[0, 400, 2_000]))?;
///
/// let mut recorder = Recorder::new(Vec::new())?;
/// for step in 0_u8..10 {
///     scene.set_position(cape, [9.0 - f32::from(step), 0.0, 0.0])?;
///     recorder.tick(&mut scene)?;
/// }
/// let log = recorder.finish()?;
///
/// let mut replay = Replay::new(&log[..])?;
/// while let Some(tick) = replay.tick()? {
///     assert_eq!(tick.difference, None);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Recorder<W: Write> {
    write: W,
    packer: Packer,
    ticks: u64,
    failed: bool,
    carryover: Carryover,
    modules: Vec<ModuleSnapshot>,
    last: Vec<Vec<PreviousLevel>>,
}

impl<W: Write> Recorder<W> {
    /// Begins a log.
    ///
    /// # Errors
    /// The errors of writing.
    pub fn new(mut write: W) -> io::Result<Self> {
        write.write_all(MAGIC)?;
        write.write_all(&SCHEMA.to_le_bytes())?;
        Ok(Self {
            write,
            packer: Packer::new(),
            ticks: 0,
            failed: false,
            carryover: Carryover::default(),
            modules: Vec::new(),
            last: Vec::new(),
        })
    }

    /// Returns the number of ticks that were written.
    #[must_use]
    pub fn ticks(&self) -> u64 {
        self.ticks
    }

    /// Ticks the scene, and writes the tick. Not every tick of a scene must be recorded.
    ///
    /// # Errors
    /// The errors of writing; the scene has ticked nevertheless, and the log is valid up to the tick before.
    /// Later calls fail.
    pub fn tick<'s, N: Real>(&mut self, scene: &'s mut Scene<N>) -> io::Result<Plan<'s, N>> {
        let carryover = scene.data.carryover;
        self.last.resize_with(scene.data.modules.len(), Vec::new);
        for (last, module) in self.last.iter_mut().zip(&scene.data.modules) {
            last.clear();
            last.extend(module.previous());
        }
        scene.tick();
        if self.failed {
            return Err(failed());
        }
        // Later ticks would be differences to a missing one.
        self.failed = true;
        self.write(&mut scene.data, carryover)?;
        self.failed = false;
        Ok(scene.plan())
    }

    fn write(&mut self, scene: &mut SceneData, carryover: Carryover) -> io::Result<()> {
        self.modules.resize_with(scene.modules.len(), ModuleSnapshot::default);
        let rows = self.modules.iter_mut().zip(&self.last).zip(&mut scene.modules);
        let modules = rows.map(|((shadow, last), module)| {
            let ModuleSettings { unit_cost: applied, raw_unit_cost: raw, .. } = module.settings;
            let costs = UnitCosts { applied, raw };
            shadow.log(&module.module_view(), last, costs)
        });
        let tick = LoggedTick {
            request: LoggedRequest::new(&scene.outcome.request, scene.moves.len()),
            carryover: (self.carryover != carryover).then(|| carryover.into()),
            modules: modules.collect(),
            decision: LoggedDecision::from(&scene.outcome.decision),
        };
        self.carryover = scene.carryover;
        let bytes = postcard::to_allocvec(&tick).map_err(io::Error::other)?;
        self.write.write_all(self.packer.frame(&bytes)?)?;
        self.ticks += 1;
        if self.ticks.is_multiple_of(FLUSHED_EACH) { self.write.flush() } else { Ok(()) }
    }

    /// Ends the log, and returns the writer.
    ///
    /// # Errors
    /// The errors of writing, now or before.
    pub fn finish(mut self) -> io::Result<W> {
        if self.failed {
            return Err(failed());
        }
        self.write.write_all(self.packer.frame(&[])?)?;
        self.write.flush()?;
        Ok(self.write)
    }
}

fn failed() -> io::Error {
    io::Error::other("the log has failed before")
}
