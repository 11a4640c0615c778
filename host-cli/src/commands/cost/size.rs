//! The size of the report of a file, which is counted and charged before the report is made.

use std::fmt;

use lodger_allowance::{Allowance, Spent};
use lodger_input::needs_more;
use lodger_opensim::pricing::GroupBy;
use lodger_terminal::{output, raise};

use super::args::{CostArgs, Format};
use super::report::{Rows, csv};

/// The report of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct OutputOptions {
    format: Format,
    by: Option<GroupBy>,
    parts: bool,
    has_resource: bool,
}

impl OutputOptions {
    /// The options of the command line.
    pub(super) fn of(args: &CostArgs) -> Self {
        Self {
            format: args.format.unwrap_or(Format::Table),
            by: args.by,
            parts: args.parts,
            has_resource: args.simulator.is_some(),
        }
    }

    /// Charges the rows of a file, which take `kept` bytes of memory, and their bytes in the result. Too
    /// many are refused in words that name the options to leave out.
    ///
    /// # Errors
    /// [`Spent::Crowded`].
    pub(super) fn charge(
        self,
        rows: &Rows,
        kept: u64,
        allowance: &Allowance,
    ) -> Result<Result<(), String>, Spent> {
        let memory = allowance.left().saturating_sub(kept);
        // Written twice: here, to be counted, and as the result.
        let written = self.written(rows, memory.min(allowance.work_left() / 2));
        let charged = allowance.work(written.saturating_mul(2));
        match charged.and_then(|()| allowance.rows(kept.saturating_add(written))) {
            Ok(()) => Ok(Ok(())),
            Err(Spent::Crowded) => Err(Spent::Crowded),
            Err(spent) => Ok(Err(self.refusal(spent))),
        }
    }

    /// The bytes of the rows in the result, or more than `most`. A table has one line for a row, whose
    /// bytes are those of its memory.
    fn written(self, rows: &Rows, most: u64) -> u64 {
        output::count_bytes(most, |out| {
            rows.view(self.by, |rows| match self.format {
                Format::Table => Ok(()),
                Format::Csv => csv::report(rows, (self.parts, self.has_resource), out),
                Format::Json => Ok(serde_json::to_writer_pretty(out, &rows)?),
            })
        })
    }

    fn refusal(self, spent: Spent) -> String {
        let large = self.parts.then(|| "--parts".to_owned());
        let large = large.or_else(|| self.by.map(|by| format!("--by {by}")));
        let large = large.or_else(|| match self.format {
            Format::Table => None,
            Format::Json => Some("--format json".to_owned()),
            Format::Csv => Some("--format csv".to_owned()),
        });
        let Some(option) = large else { return needs_more(spent) };
        let its = format_args!("its report with {option}");
        let needs = fmt::from_fn(|f| spent.about(&its, f));
        format!("{needs}: {}, or leave out {option}", raise(spent))
    }
}
