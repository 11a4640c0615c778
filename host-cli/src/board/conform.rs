//! `lodger board conform`: does a board decide as this computer does?

use comfy_table::{Cell, Color};
use lodger_board::{Step, Tally, Verdict as Compared};
use lodger_wire::conform::{Backend, Mismatch};

use super::args::ConformArgs;
use super::bars::Bars;
use super::follow::{Following, INTERRUPTED, News, block_on};
use super::json::{Line, Said};
use super::out::Out;
use super::{Target, program, refused, targets};
use crate::diagnostic::{Diagnostic, Severity};
use crate::show::Look;
use crate::show::layout::{Column, empty, number, tinted};
use crate::{FINDINGS, USAGE_OR_INPUT, Verdict};

/// So many differences of a board are shown; the rest is counted.
const SHOWN: u32 = 3;

/// Runs the command.
pub(super) fn run(args: &ConformArgs) -> Result<Verdict, Diagnostic> {
    let program = program(&args.program)?;
    let targets = targets(&args.which, Some(&program))?;
    let mut asking = Asking::new(&targets, args);
    block_on(async {
        let works = targets.iter().map(|target| {
            let choice = target.choice.clone();
            lodger_board::conform(choice, program.clone(), args.vectors, !args.no_flash)
        });
        let works = works.collect::<Result<Vec<_>, _>>().map_err(|error| refused(&error))?;
        let mut following = Following::new(works)?;
        while let Some(news) = following.next().await {
            match news {
                News::Step(board, Step::Event(event)) => asking.event(board, &event)?,
                News::Step(board, Step::Done(outcome)) => asking.end(board, outcome)?,
                News::Interrupted => {}
                News::Impatient => std::process::exit(INTERRUPTED.into()),
            }
            if asking.out.is_closed() {
                following.stop();
            }
        }
        asking.close()?;
        let code = if following.is_interrupted() { INTERRUPTED } else { asking.code };
        Ok(Verdict::Code(code))
    })
}

/// Boards that are asked.
struct Asking<'a> {
    targets: &'a [Target],
    questions: u64,
    bars: Bars,
    out: Out,
    /// For each board, how many answers came, and how many of them differ.
    answers: Vec<(u64, u32)>,
    tallies: Vec<(usize, Tally)>,
    code: u8,
}

impl<'a> Asking<'a> {
    fn new(targets: &'a [Target], args: &ConformArgs) -> Self {
        Self {
            targets,
            questions: u64::from(args.vectors) * Backend::ALL.len() as u64,
            bars: Bars::new(targets.iter().map(|target| target.prefix.as_str())),
            out: Out::new(&args.shown),
            answers: vec![(0, 0); targets.len()],
            tallies: Vec::new(),
            code: 0,
        }
    }

    fn event(&mut self, board: usize, event: &Compared) -> Result<(), Diagnostic> {
        let differs = match event {
            Compared::Flashing(progress) if self.out.json => {
                return self.out.object(&Line::new(self.probe(board), (*progress).into()));
            }
            Compared::Flashing(progress) => {
                self.bars.flashing(board, *progress);
                return Ok(());
            }
            Compared::Same(_) => None,
            Compared::Differs(mismatch) => Some(mismatch),
        };
        let Some((asked, differ)) = self.answers.get_mut(board) else { return Ok(()) };
        *asked += 1;
        self.bars.show(board, "comparing answers", *asked, self.questions);
        let Some(mismatch) = differs else { return Ok(()) };
        *differ += 1;
        self.code = self.code.max(FINDINGS);
        if *differ <= SHOWN { self.differs(board, mismatch) } else { Ok(()) }
    }

    fn differs(&mut self, board: usize, mismatch: &Mismatch) -> Result<(), Diagnostic> {
        let Mismatch { request, device, host } = mismatch;
        let words = |words: &[u32]| words.iter().map(|word| format!("{word:08x}")).collect();
        let (device, host): (Vec<String>, Vec<String>) = (words(device), words(host));
        let backend = request.backend.name();
        let question = format!("{:x?}", request.question);
        if self.out.json {
            let said = Said::Mismatch { backend, question, board: device, host };
            return self.out.object(&Line::new(self.probe(board), said));
        }
        let message = format!("{}an answer in {backend} differs", self.targets[board].prefix);
        let help = format!("board {}\nhost  {}\n{question}", device.join(" "), host.join(" "));
        let told = Diagnostic::new(Severity::Warning, message).help(help);
        self.bars.suspend(|| told.print());
        Ok(())
    }

    fn end(
        &mut self,
        board: usize,
        outcome: Result<Vec<Tally>, lodger_board::Error>,
    ) -> Result<(), Diagnostic> {
        self.bars.done(board);
        let tallies = match outcome {
            Ok(tallies) => tallies,
            Err(error) => {
                self.code = self.code.max(USAGE_OR_INPUT);
                self.bars.suspend(|| refused(&error).print());
                return Ok(());
            }
        };
        for tally in tallies {
            if self.out.json {
                let Tally { backend, asked: vectors, differ } = tally;
                let said = Said::Compared { backend: backend.name(), vectors, differ };
                self.out.object(&Line::new(self.probe(board), said))?;
            }
            self.tallies.push((board, tally));
        }
        Ok(())
    }

    fn close(&mut self) -> Result<(), Diagnostic> {
        if self.out.json || self.tallies.is_empty() {
            return Ok(());
        }
        let table = table(self.targets, &self.tallies, self.out.look);
        self.out.line(&table)
    }

    fn probe(&self, board: usize) -> &'a str {
        self.targets.get(board).map_or("", |target| &target.probe)
    }
}

fn table(targets: &[Target], tallies: &[(usize, Tally)], look: Look) -> String {
    let numbers = ["Vectors", "Differ"].map(Column::Number);
    let columns = [&["Board", "Probe", "Backend"].map(Column::Words)[..], &numbers].concat();
    let mut table = empty(look, &columns);
    for (board, Tally { backend, asked, differ }) in tallies {
        let Some(target) = targets.get(*board) else { continue };
        let name = target.choice.board.map_or(target.choice.chip.as_str(), |row| &row.name);
        let colour = if *differ == 0 { Color::Green } else { Color::Red };
        table.add_row([
            Cell::new(name),
            Cell::new(&target.probe),
            Cell::new(backend.name()),
            number(asked.to_string()),
            tinted(number(differ.to_string()), Some(colour)),
        ]);
    }
    table.trim_fmt()
}

#[cfg(test)]
mod tests {
    use lodger_board::Selection;

    use super::*;

    #[test]
    fn the_table_has_a_row_for_each_number_type() {
        let selection =
            Selection { chip: Some("nRF51822_xxAA".to_owned()), ..Selection::default() };
        let choice = selection.choose(None).expect("a chip");
        let target = Target { probe: "0d28:0204".to_owned(), prefix: String::new(), choice };
        let tally = |backend, differ| (0, Tally { backend, asked: 500, differ });
        let tallies = [tally(Backend::F32, 0), tally(Backend::Fixed, 2)];
        let text = table(&[target], &tallies, Look { width: 80, colour: false });
        let rows: Vec<Vec<_>> =
            text.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(rows[2], ["nRF51822_xxAA", "0d28:0204", Backend::F32.name(), "500", "0"]);
        assert_eq!(rows[3], ["nRF51822_xxAA", "0d28:0204", Backend::Fixed.name(), "500", "2"]);
    }
}
