//! Writing a program to a chip.

use std::collections::HashMap;
use std::time::Instant;

use probe_rs::flashing::{
    DownloadOptions, FlashError, FlashProgress, ProgressEvent, ProgressOperation,
};
use probe_rs::{MemoryInterface as _, Target};

use super::{HELP_WRONG_BOARD, Session};
use crate::error::{BoardError, is_of_the_probe};
use crate::event::{Event, FlashPhase, Flashed, ProgramProgress, SessionEnd};
use crate::program::{LoadSegment, Program, no_program};
use crate::task::Reporter;

impl Session {
    /// Writes a program, verifies it, and starts it.
    pub(super) fn flash(
        &mut self,
        program: &Program,
        reporter: &Reporter,
    ) -> Result<SessionEnd, BoardError> {
        if reporter.is_stopped() {
            return Ok(SessionEnd::Stopped);
        }
        let flashed = self.write(program, reporter)?;
        self.restart(Some(program))?;
        reporter.report(Event::Flashed(flashed));
        Ok(SessionEnd::Complete)
    }

    /// Writes a program, or checks that the chip has it.
    pub(super) fn prepare(
        &mut self,
        program: &Program,
        flash: bool,
        reporter: &Reporter,
    ) -> Result<(), BoardError> {
        if !flash {
            return self.check_written(program);
        }
        let flashed = self.write(program, reporter)?;
        reporter.report(Event::Flashed(flashed));
        Ok(())
    }

    /// Writes and verifies a program; leaves the core halted.
    fn write(&mut self, program: &Program, reporter: &Reporter) -> Result<Flashed, BoardError> {
        let begun = Instant::now();
        check_fit(self.attached.target(), program)?;
        let mut loader = self.attached.target().flash_loader();
        for LoadSegment { address, bytes, .. } in program.segments() {
            loader.add_data(*address, bytes).map_err(|error| self.not_flashed(error))?;
        }
        let mut sum = ProgressSum::new(|progress| reporter.report(Event::Flashing(progress)));
        let mut options = DownloadOptions::default();
        options.verify = true;
        options.progress = FlashProgress::new(|event| sum.take(&event));
        loader.commit(&mut self.attached, options).map_err(|error| self.not_flashed(error))?;
        sum.finish(program.size());
        Ok(Flashed { bytes: program.size(), took: begun.elapsed() })
    }

    /// Checks that the chip has this program; the core may run.
    fn check_written(&mut self, program: &Program) -> Result<(), BoardError> {
        check_fit(self.attached.target(), program)?;
        let probe = self.probe.clone();
        let mut core = self.core()?;
        for LoadSegment { address, bytes, .. } in
            program.segments().iter().filter(|it| it.is_constant)
        {
            let mut found = vec![0; bytes.len()];
            core.read(*address, &mut found)
                .map_err(|error| BoardError::during("read the program back", &probe, error))?;
            if found != *bytes {
                let program = program.path().display();
                let message =
                    format!("the board at {probe} holds another program than `{program}`");
                let help = "flash it first, or name the program that runs there";
                return Err(BoardError::new(message, help));
            }
        }
        Ok(())
    }

    fn not_flashed(&self, error: FlashError) -> BoardError {
        if is_of_the_probe(&error) {
            return BoardError::gone(&self.probe, true, error);
        }
        let message = format!("the program was not written through {}", self.probe);
        let help =
            "flash again; if it fails again, check the power of the board and try a lower --speed";
        BoardError::new(message, help).caused_by(error)
    }
}

fn check_fit(target: &Target, program: &Program) -> Result<(), BoardError> {
    if program.segments().is_empty() {
        return Err(no_program(program.path(), "it has nothing to write"));
    }
    for LoadSegment { address, bytes, .. } in program.segments() {
        let end = address + bytes.len() as u64;
        let mut next = *address;
        while next < end {
            let region = target.memory_region_by_address(next);
            next = region.map(|region| region.address_range().end).ok_or_else(|| {
                let (program, chip) = (program.path().display(), &target.name);
                let message =
                    format!("`{program}` does not fit: {chip} has no memory at {next:#010x}");
                BoardError::new(message, HELP_WRONG_BOARD)
            })?;
        }
    }
    Ok(())
}

const fn phase(operation: ProgressOperation) -> Option<FlashPhase> {
    match operation {
        ProgressOperation::Erase => Some(FlashPhase::Erase),
        ProgressOperation::Program => Some(FlashPhase::Program),
        ProgressOperation::Verify => Some(FlashPhase::Verify),
        ProgressOperation::Fill => None,
    }
}

struct ProgressSum<F> {
    each: F,
    totals: HashMap<FlashPhase, u64>,
    done: HashMap<FlashPhase, u64>,
}

impl<F: FnMut(ProgramProgress)> ProgressSum<F> {
    fn new(each: F) -> Self {
        Self { each, totals: HashMap::new(), done: HashMap::new() }
    }

    fn take(&mut self, event: &ProgressEvent) {
        match event {
            ProgressEvent::AddProgressBar { operation, total } => {
                if let Some(phase) = phase(*operation) {
                    *self.totals.entry(phase).or_default() += total.unwrap_or(0);
                }
            }
            ProgressEvent::Started(operation) => self.advance(*operation, 0),
            ProgressEvent::Progress { operation, size, .. } => self.advance(*operation, *size),
            _ => {}
        }
    }

    fn advance(&mut self, operation: ProgressOperation, size: u64) {
        let Some(phase) = phase(operation) else { return };
        let total = self.totals.get(&phase).copied().unwrap_or(0);
        let done = self.done.entry(phase).or_default();
        *done = (*done + size).min(total);
        (self.each)(ProgramProgress { phase, done: *done, total });
    }

    /// Reports RAM, for which probe-rs has no events.
    fn finish(mut self, size: u64) {
        if self.done.is_empty() {
            let phase = FlashPhase::Program;
            (self.each)(ProgramProgress { phase, done: size, total: size });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn progress_adds_up() {
        let mut heard = Vec::new();
        let mut sum = ProgressSum::new(|progress: ProgramProgress| {
            heard.push((progress.phase, progress.done));
        });
        let add = |operation, total| ProgressEvent::AddProgressBar { operation, total };
        let page =
            |operation, size| ProgressEvent::Progress { operation, size, time: Duration::ZERO };
        sum.take(&add(ProgressOperation::Erase, Some(2_048)));
        sum.take(&add(ProgressOperation::Program, Some(1_024)));
        sum.take(&ProgressEvent::Started(ProgressOperation::Erase));
        sum.take(&page(ProgressOperation::Erase, 1_024));
        sum.take(&page(ProgressOperation::Fill, 1_024));
        sum.take(&page(ProgressOperation::Erase, 9_999));
        sum.take(&ProgressEvent::Started(ProgressOperation::Program));
        sum.finish(77);
        let erase = |done| (FlashPhase::Erase, done);
        assert_eq!(heard, [erase(0), erase(1_024), erase(2_048), (FlashPhase::Program, 0)]);
    }

    #[test]
    fn ram_is_reported_once() {
        let mut heard = Vec::new();
        ProgressSum::new(|progress: ProgramProgress| heard.push(progress)).finish(77);
        assert_eq!(heard, [ProgramProgress { phase: FlashPhase::Program, done: 77, total: 77 }]);
    }
}
