//! `lodger board conform`: does a board decide as this computer does?

use comfy_table::{Cell, Color};
use lodger_probe::{Compared, Error, Step, Tally};
use lodger_terminal::layout::{Column, empty, number, tinted};
use lodger_terminal::{Diagnostic, Look, Severity, plain};
use lodger_wire::conform::{Backend, Mismatch};

use crate::args::ConformArgs;
use crate::bars::Bars;
use crate::exit::{FINDINGS, INTERRUPTED, USAGE_OR_INPUT};
use crate::follow::{Following, News, block_on};
use crate::json::{Line, Said};
use crate::out::Out;
use crate::target::{Target, open, refused};

/// So many differences of a board are shown; the rest is counted.
const SHOWN: u32 = 3;

/// Runs the command.
pub(crate) fn run(args: &ConformArgs) -> Result<u8, Diagnostic> {
    let (program, targets) = open(&args.on)?;
    let mut asking = Asking::new(&targets, args);
    block_on(async {
        let works = targets.iter().map(|target| {
            let choice = target.choice.clone();
            lodger_probe::conform(choice, program.clone(), args.vectors, !args.no_flash)
        });
        let works = works.collect::<Result<Vec<_>, _>>().map_err(|error| refused(&error))?;
        let mut following = Following::new(works)?;
        let told = follow(&mut following, &mut asking).await;
        following.settle(told).await?;
        asking.close()?;
        let code = if following.is_interrupted() { INTERRUPTED } else { asking.code };
        Ok(code)
    })
}

async fn follow(
    following: &mut Following<Compared, ()>,
    asking: &mut Asking<'_>,
) -> Result<(), Diagnostic> {
    while let Some(news) = following.next().await {
        match news {
            News::Step(board, Step::Event(event)) => asking.event(board, &event)?,
            News::Step(board, Step::Done(outcome)) => asking.end(board, outcome)?,
            News::Interrupted => asking.note(following.on_stopping()),
            News::Impatient => following.abandon(|note| asking.note(note)),
        }
        if asking.out.is_closed() {
            following.stop();
        }
    }
    Ok(())
}

/// Boards that are asked.
struct Asking<'a> {
    targets: &'a [Target],
    program: String,
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
        let out = Out::new(&args.on.shown);
        Self {
            targets,
            program: args.on.program.display().to_string(),
            questions: u64::from(args.vectors) * Backend::ALL.len() as u64,
            bars: Bars::new(targets, &out),
            out,
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
            Compared::Flashed(flashed) if self.out.json => {
                let (bytes, seconds) = (flashed.bytes, flashed.took.as_secs_f64());
                let said = Said::Flashed { program: &self.program, bytes, seconds };
                return self.out.object(&Line::new(self.probe(board), said));
            }
            Compared::Flashed(_) => return Ok(()),
            Compared::Tally(tally) => return self.tally(board, *tally),
            Compared::Same(_) => None,
            Compared::Differs(mismatch) => Some(mismatch),
        };
        let Some((asked, differ)) = self.answers.get_mut(board) else { return Ok(()) };
        *asked += 1;
        self.bars.show(board, "comparing answers", *asked, self.questions);
        let Some(mismatch) = differs else { return Ok(()) };
        *differ += 1;
        if *differ <= SHOWN { self.differs(board, mismatch) } else { Ok(()) }
    }

    fn differs(&mut self, board: usize, mismatch: &Mismatch) -> Result<(), Diagnostic> {
        let told = Told::new(mismatch);
        if self.out.json {
            return self.out.object(&Line::new(self.probe(board), told.said()));
        }
        let prefix = self.targets.get(board).map_or("", |target| &target.prefix);
        let message = format!("{prefix}an answer in {} differs", told.backend);
        let warning = Diagnostic::new(Severity::Warning, message);
        let told = told.help().into_iter().fold(warning, Diagnostic::help);
        self.bars.suspend(|| told.print());
        Ok(())
    }

    fn tally(&mut self, board: usize, tally: Tally) -> Result<(), Diagnostic> {
        self.code = self.code.max(code(&tally));
        self.tallies.push((board, tally));
        if !self.out.json {
            return Ok(());
        }
        let (backend, vectors, differ) = (tally.backend.to_string(), tally.asked, tally.differ);
        let said = Said::Compared { backend, vectors, differ };
        self.out.object(&Line::new(self.probe(board), said))
    }

    fn end(&mut self, board: usize, outcome: Result<(), Error>) -> Result<(), Diagnostic> {
        self.bars.done(board);
        let (Err(error), Some(target)) = (outcome, self.targets.get(board)) else { return Ok(()) };
        self.code = self.code.max(USAGE_OR_INPUT);
        self.bars.suspend(|| target.failed(&error).print());
        if self.out.json {
            self.out.object(&Line::new(&target.probe, (&error).into()))?;
        }
        Ok(())
    }

    fn note(&self, message: &str) {
        self.bars.suspend(|| Diagnostic::new(Severity::Note, message).print());
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

/// The exit code of what was compared.
fn code(tally: &Tally) -> u8 {
    if tally.differ > 0 { FINDINGS } else { 0 }
}

/// An answer that differs, in the words of a report.
struct Told {
    backend: String,
    question: String,
    board: Vec<String>,
    host: Vec<String>,
}

impl Told {
    fn new(Mismatch { request, device, host, .. }: &Mismatch) -> Self {
        let words = |words: &[u32]| words.iter().map(|word| format!("{word:08x}")).collect();
        Self {
            backend: request.backend.to_string(),
            question: format!("{:x?}", request.question),
            board: words(device),
            host: words(host),
        }
    }

    fn help(&self) -> [String; 3] {
        let (board, host) = (self.board.join(" "), self.host.join(" "));
        [format!("board {board}"), format!("host  {host}"), self.question.clone()]
    }

    fn said(self) -> Said<'static> {
        let Self { backend, question, board, host } = self;
        Said::Mismatch { backend, question, board, host }
    }
}

fn table(targets: &[Target], tallies: &[(usize, Tally)], look: Look) -> String {
    let numbers = ["Vectors", "Differ"].map(Column::Number);
    let columns = [&["Board", "Probe", "Backend"].map(Column::Words)[..], &numbers].concat();
    let mut table = empty(look, &columns);
    for (board, Tally { backend, asked, differ, .. }) in tallies {
        let Some(target) = targets.get(*board) else { continue };
        let colour = if *differ == 0 { Color::Green } else { Color::Red };
        table.add_row([
            Cell::new(&target.choice),
            Cell::new(plain(&target.probe)),
            Cell::new(backend),
            number(asked.to_string()),
            tinted(number(differ.to_string()), Some(colour)),
        ]);
    }
    table.trim_fmt()
}

#[cfg(test)]
mod tests {
    use lodger_probe::Selection;
    use lodger_wire::conform::{Question, Request};

    use super::*;

    #[test]
    fn an_answer_that_differs_is_told_in_full_and_is_a_finding() {
        let question = Question::Arithmetic { operands: [1, 2] };
        let request = Request { id: 7, backend: Backend::Fixed, question };
        let words = |word: u32| [word, 16].into_iter().collect();
        let mismatch = Mismatch::new(request, words(0xffff_0bad), words(3));
        assert_eq!(
            serde_json::to_value(Told::new(&mismatch).said()).expect("JSON"),
            serde_json::json!({"event": "mismatch", "backend": Backend::Fixed.to_string(),
                "question": "Arithmetic { operands: [1, 2] }",
                "board": ["ffff0bad", "00000010"], "host": ["00000003", "00000010"]})
        );
        let help = Told::new(&mismatch).help();
        assert_eq!(help[..2], ["board ffff0bad 00000010", "host  00000003 00000010"]);
        let tally = |differ| Tally::new(Backend::Fixed, 9, differ);
        assert_eq!([0, 2].map(|differ| code(&tally(differ))), [0, FINDINGS]);
    }

    #[test]
    fn the_table_has_a_row_for_each_number_type() {
        let selection =
            Selection { chip: Some("nRF51822_xxAA".to_owned()), ..Selection::default() };
        let choice = selection.choose(None).expect("a chip");
        let target = Target { probe: "0d28:0204".to_owned(), prefix: String::new(), choice };
        let tally = |backend, differ| (0, Tally::new(backend, 500, differ));
        let tallies = [tally(Backend::F32, 0), tally(Backend::Fixed, 2)];
        let text = table(&[target], &tallies, Look { width: 80, colour: false });
        let rows: Vec<Vec<_>> =
            text.lines().map(|line| line.split_whitespace().collect()).collect();
        let [f32, fixed] = [Backend::F32, Backend::Fixed].map(|backend| backend.to_string());
        assert_eq!(rows[2], ["nRF51822_xxAA", "0d28:0204", &f32, "500", "0"]);
        assert_eq!(rows[3], ["nRF51822_xxAA", "0d28:0204", &fixed, "500", "2"]);
    }
}
