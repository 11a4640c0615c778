//! Rows of weights with their sum.

use clap::builder::styling::Style;
use comfy_table::{Attribute, Cell, Row, Table};
use lodger_core::cost::Provenance;
use lodger_input::figures;
use lodger_opensim::pricing::Total;
use lodger_terminal::layout::{Column, empty, number};
use lodger_terminal::{Look, count, hint};

/// How many rows are shown unless all are asked for.
const MOST_SHOWN: usize = 20;
/// A name may wrap, but not take the table with it.
const TALLEST_ROW: usize = 2;

/// A row: what begins it, its weights, and what limits it.
#[derive(Debug)]
pub(super) struct Priced {
    pub(super) cells: Vec<Cell>,
    pub(super) price: Total,
    /// How far the streaming weight and the physics weight can be trusted.
    pub(super) trust: Trust,
    pub(super) by: String,
}

/// How far a streaming weight and a physics weight can be trusted.
pub(super) type Trust = [Provenance; 2];

/// The least certain of the weights of several rows.
pub(super) fn least_certain(rows: impl IntoIterator<Item = Trust>) -> Trust {
    let worse = |[a, b]: Trust, [c, d]: Trust| [a.max(c), b.max(d)];
    rows.into_iter().reduce(worse).unwrap_or([Provenance::Exact; 2])
}

/// Some rows and their sum, and how many there are besides; the server weight only if asked for. What no
/// document states is marked.
pub(super) fn priced(
    mut columns: Vec<Column<'_>>,
    rows: Vec<Priced>,
    (mut total, sum, trust): (Vec<Cell>, &Total, Trust),
    (more, noun): (usize, &str),
    (with_server, look): (bool, Look),
) -> String {
    let shown = if with_server { 3 } else { 2 };
    columns.extend(["Streaming", "Physics", "Server"][..shown].iter().copied().map(Column::Number));
    columns.push(Column::Number("Impact"));
    let with_resource = sum.resource.is_some();
    columns.extend(["SRC", "RRC"].into_iter().filter(|_| with_resource).map(Column::Number));
    let is_limited = rows.iter().any(|row| !row.by.is_empty());
    columns.extend(is_limited.then_some(Column::Words("Limited by")));
    let costs = |of: &Total| {
        let resource = of.resource.map_or([0.0; 2], |costs| [costs.simulator, costs.region]);
        [of.streaming, of.physics, of.server, resource[0], resource[1]]
    };
    let prices = || rows.iter().map(|row| &row.price).chain([sum]);
    let decimals =
        [0, 1, 2, 3, 4].map(|which| figures::weights(prices().map(|of| costs(of)[which])));
    let resource = |of: &Total| {
        let cells = costs(of).into_iter().zip(decimals).skip(3).filter(|_| with_resource);
        cells.map(|(cost, column)| number(format!("~{}", column.show(cost)))).collect::<Vec<_>>()
    };
    let weights = |of: &Total, [streaming, physics]: Trust| {
        let marks = [mark(streaming), mark(physics), ""];
        let cells = costs(of).into_iter().zip(decimals).zip(marks);
        let cells = cells.map(|((cost, column), mark)| format!("{mark}{}", column.show(cost)));
        cells.take(shown).map(number).collect::<Vec<_>>()
    };
    let mut table = empty(look, &columns);
    for Priced { mut cells, price, trust, by } in rows {
        cells.extend(weights(&price, trust));
        cells.push(number(price.land_impact.to_string()).add_attribute(Attribute::Bold));
        cells.extend(resource(&price));
        cells.extend(is_limited.then(|| Cell::new_owned(by)));
        let mut row = Row::from(cells);
        row.max_height(TALLEST_ROW);
        table.add_row(row);
    }
    total.extend(weights(sum, trust));
    total.push(number(sum.land_impact.to_string()));
    total.extend(resource(sum));
    table.add_row(total.into_iter().map(|cell| cell.add_attribute(Attribute::Bold)));
    let constants = if with_resource { Provenance::Estimated } else { Provenance::Exact };
    with_rest(&table, more, noun, look) + &legend(trust.map(|of| of.max(constants)), look)
}

/// What stands before a weight that no document states.
fn mark(provenance: Provenance) -> &'static str {
    match provenance {
        Provenance::Exact | Provenance::Documented => "",
        Provenance::Estimated => "~",
        Provenance::Unknown => "?",
    }
}

/// What the marks of a table mean.
fn legend(trust: Trust, look: Look) -> String {
    match trust.into_iter().max() {
        Some(Provenance::Estimated) => hint("~ estimated", look),
        Some(Provenance::Unknown) => hint("~ estimated; ? of what no document says anything", look),
        _ => String::new(),
    }
}

/// How many of so many rows are shown.
pub(super) fn shown(rows: usize, all: bool) -> usize {
    if all { rows } else { MOST_SHOWN.min(rows) }
}

/// A table, and how many rows there are besides.
pub(super) fn with_rest(table: &Table, more: usize, noun: &str, look: Look) -> String {
    table.trim_fmt() + "\n" + &rest(more, noun, look)
}

/// How many there are besides what is shown.
pub(super) fn rest(more: usize, noun: &str, look: Look) -> String {
    if more == 0 {
        return String::new();
    }
    let line = format!("… and {} more; --all shows all", count(more, noun));
    look.paint(Style::new().dimmed(), &line) + "\n"
}
