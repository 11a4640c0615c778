//! Costs for eyes.

mod detail;
mod headline;
mod lines;
mod listing;
mod objects;
mod parts;
mod plot;
mod rows;
mod sweep;
mod target;

use super::report::Report;
use lodger_terminal::Look;

pub(super) use plot::plot;
pub(super) use sweep::sweep;
pub(super) use target::target;

/// One mesh in detail, or many rows.
pub(super) fn report(report: &Report, all: bool, look: Look) -> String {
    match (&report.files[..], report.objects.len() + report.errors.len()) {
        ([file], 0) => detail::detail(file, &report.notes, look),
        _ => listing::listing(report, all, look),
    }
}
