//! How the time of an actor grows with their number, as a picture.

use lodger_plot::{Curve, Growth, growth};
use lodger_terminal::{Diagnostic, count, plain};

use crate::report::Report;
use crate::table::name;

/// The growth of everybody in a sweep as SVG.
pub(crate) fn svg(report: &Report) -> Result<String, Diagnostic> {
    let sizes = report.sweep.as_deref().unwrap_or_default();
    let curve = |key: &String| {
        let point = |size: &crate::report::Size| {
            Some((f64::from(size.actors), size.ns_per_actor.value(key).flatten()?))
        };
        Curve { name: name(key), points: sizes.iter().filter_map(point).collect() }
    };
    let keys = report.ns_per_actor.0.iter().filter(|(_, ns)| ns.is_some());
    let curves: Vec<_> = keys.map(|(key, _)| curve(key)).collect();
    let conditions = format!(
        "{}, {}; medians, while the eye walks",
        plain(&report.cpu),
        count(report.threads, "thread")
    );
    growth(&Growth {
        heading: "What deciding for an actor takes",
        conditions: &conditions,
        across: "actors",
        up: "ns an actor",
        curves: &curves,
    })
    .map_err(|error| Diagnostic::error(error.to_string()))
}
