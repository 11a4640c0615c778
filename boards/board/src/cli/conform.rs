//! `lodger board conform`: compares the results of boards with this computer's.

use comfy_table::{Cell, Color};
use lodger_board::{ConformCount, Event, TaskUpdate};
use lodger_terminal::layout::{TableColumn, colored, new_table, number};
use lodger_terminal::{Diagnostic, RenderOptions, Severity, sanitize};
use lodger_wire::conform::{Mismatch, NumberType};

use super::args::{BoardTarget, ConformArgs, open};
use super::json::{JsonEvent, JsonMismatch};
use super::output::{EventPrinter, FINDINGS};
use super::tasks::{BoardTasks, TaskListener, block_on};

const MAX_SHOWN: u32 = 3;

pub(crate) fn run(args: &ConformArgs) -> Result<u8, Diagnostic> {
    let (program, targets) = open(&args.on)?;
    let mut printer = ConformPrinter {
        printer: EventPrinter::new(&targets, Some(&args.on.program), &args.on.output),
        vectors: u64::from(args.vectors) * NumberType::ALL.len() as u64,
        responses: vec![(0, 0); targets.len()],
        counts: Vec::new(),
    };
    block_on(async {
        let mut tasks = BoardTasks::start(&targets, |board| {
            lodger_board::conform(board, program.clone(), args.vectors, !args.no_flash)
        })?;
        tasks.follow(&mut printer, None).await?;
        printer.close()?;
        Ok(printer.printer.code(tasks.is_interrupted()))
    })
}

struct ConformPrinter<'a> {
    printer: EventPrinter<'a>,
    vectors: u64,
    /// The numbers of responses and of differences of each board.
    responses: Vec<(u64, u32)>,
    counts: Vec<(usize, ConformCount)>,
}

impl TaskListener for ConformPrinter<'_> {
    fn update(
        &mut self,
        _: &BoardTasks,
        board: usize,
        update: TaskUpdate,
    ) -> Result<(), Diagnostic> {
        match update {
            TaskUpdate::Event(event) => self.event(board, &event),
            TaskUpdate::Done(outcome) => {
                self.printer.bars.done(board);
                outcome.map(drop).or_else(|error| self.printer.fail(board, &error))
            }
        }
    }

    fn note(&self, message: &str) {
        self.printer.note(message);
    }

    fn is_closed(&self) -> bool {
        self.printer.out.is_closed()
    }
}

impl ConformPrinter<'_> {
    fn event(&mut self, board: usize, event: &Event) -> Result<(), Diagnostic> {
        let mismatch = match event {
            Event::Compared(mismatch) => mismatch,
            Event::Count(count) => return self.count(board, *count),
            Event::Flashed(_) if !self.printer.out.json => return Ok(()),
            other => return self.printer.event(board, other),
        };
        let Some((responses, differ)) = self.responses.get_mut(board) else { return Ok(()) };
        *responses += 1;
        self.printer.bars.show(board, "comparing results", *responses, self.vectors);
        let Some(mismatch) = mismatch else { return Ok(()) };
        *differ += 1;
        if *differ <= MAX_SHOWN { self.differs(board, mismatch) } else { Ok(()) }
    }

    fn differs(&mut self, board: usize, mismatch: &Mismatch) -> Result<(), Diagnostic> {
        let report = JsonMismatch::from(mismatch);
        if self.printer.out.json {
            return self.printer.object(board, JsonEvent::Mismatch(report));
        }
        let message =
            format!("{}a result in {} differs", self.printer.prefix(board), report.backend);
        let warning = Diagnostic::new(Severity::Warning, message);
        let warning = help(&report).into_iter().fold(warning, Diagnostic::help);
        self.printer.bars.suspend(|| warning.print());
        Ok(())
    }

    fn count(&mut self, board: usize, count: ConformCount) -> Result<(), Diagnostic> {
        self.printer.raise_code(code(&count));
        self.counts.push((board, count));
        if !self.printer.out.json {
            return Ok(());
        }
        let (backend, vectors, differ) = (count.backend.to_string(), count.responses, count.differ);
        self.printer.object(board, JsonEvent::Compared { backend, vectors, differ })
    }

    fn close(&mut self) -> Result<(), Diagnostic> {
        let Self { printer, counts, .. } = self;
        if printer.out.json || counts.is_empty() {
            return Ok(());
        }
        let table = table(printer.targets, counts, printer.out.render);
        printer.out.line(&table)
    }
}

fn code(count: &ConformCount) -> u8 {
    if count.differ > 0 { FINDINGS } else { 0 }
}

fn help(report: &JsonMismatch) -> [String; 3] {
    let (board, host) = (report.board.join(" "), report.host.join(" "));
    [format!("board {board}"), format!("host  {host}"), report.question.clone()]
}

fn table(
    targets: &[BoardTarget],
    counts: &[(usize, ConformCount)],
    render: RenderOptions,
) -> String {
    let numbers = ["Vectors", "Differ"].map(TableColumn::Number);
    let columns = [&["Board", "Probe", "Backend"].map(TableColumn::Words)[..], &numbers].concat();
    let mut table = new_table(render, &columns);
    for (board, ConformCount { backend, responses, differ }) in counts {
        let Some(target) = targets.get(*board) else { continue };
        let colour = if *differ == 0 { Color::Green } else { Color::Red };
        table.add_row([
            Cell::new(&target.board),
            Cell::new(sanitize(&target.probe)),
            Cell::new(backend),
            number(responses.to_string()),
            colored(number(differ.to_string()), Some(colour)),
        ]);
    }
    table.trim_fmt()
}

#[cfg(test)]
mod tests {
    use lodger_board::BoardSelection;
    use lodger_wire::conform::{TestVector, WireRequest};

    use super::*;

    #[test]
    fn a_difference_is_shown_in_full_and_is_a_finding() {
        let vector = TestVector::Arithmetic { operands: [1, 2] };
        let request = WireRequest { id: 7, backend: NumberType::Fixed, vector };
        let words = |word: u32| [word, 16].into_iter().collect();
        let mismatch = Mismatch::new(request, words(0xffff_0bad), words(3));
        assert_eq!(
            serde_json::to_value(JsonEvent::Mismatch(JsonMismatch::from(&mismatch))).expect("JSON"),
            serde_json::json!({"event": "mismatch", "backend": NumberType::Fixed.to_string(),
                "question": "Arithmetic { operands: [1, 2] }",
                "board": ["ffff0bad", "00000010"], "host": ["00000003", "00000010"]})
        );
        let help = help(&JsonMismatch::from(&mismatch));
        assert_eq!(help[..2], ["board ffff0bad 00000010", "host  00000003 00000010"]);
        let count = |differ| ConformCount { backend: NumberType::Fixed, responses: 9, differ };
        assert_eq!([0, 2].map(|differ| code(&count(differ))), [0, FINDINGS]);
    }

    #[test]
    fn the_table_has_a_row_for_each_number_type() {
        let selection =
            BoardSelection { chip: Some("nRF51822_xxAA".to_owned()), ..BoardSelection::default() };
        let board = selection.choose(None).expect("a chip");
        let target = BoardTarget { probe: "0d28:0204".to_owned(), prefix: String::new(), board };
        let count = |backend, differ| (0, ConformCount { backend, responses: 500, differ });
        let counts = [count(NumberType::F32, 0), count(NumberType::Fixed, 2)];
        let text = table(&[target], &counts, RenderOptions { width: 80, colour: false });
        let rows: Vec<Vec<_>> =
            text.lines().map(|line| line.split_whitespace().collect()).collect();
        let [f32, fixed] = [NumberType::F32, NumberType::Fixed].map(|backend| backend.to_string());
        assert_eq!(rows[2], ["nRF51822_xxAA", "0d28:0204", &f32, "500", "0"]);
        assert_eq!(rows[3], ["nRF51822_xxAA", "0d28:0204", &fixed, "500", "2"]);
    }
}
