//! Objects, the most expensive first, and their sums by owner or parcel.

use comfy_table::Cell;
use lodger_core::cost::Provenance;
use lodger_opensim::pricing::{Total, first_digits, whereabouts};
use lodger_terminal::layout::{Column, name, number};
use lodger_terminal::{Look, tail};

use super::super::report::{GroupRow, ObjectRow, Report};
use super::rows::{Priced, Trust, least_certain, priced, shown};

/// The narrowest terminal on which there is room for the names of archives, or for prims and server weight.
const WIDE: usize = 100;
/// The characters of an archive's name where it has no column.
const ARCHIVE: usize = 10;
/// The narrowest on which there is room for both archives and places, or for owners.
const WIDEST: usize = 130;
/// Sums by owner or parcel are not marked: some of what they sum is always estimated.
const SUMS: Trust = [Provenance::Documented; 2];

/// The objects of a report, as far as all are asked for. Where there is little room, prims and server
/// weight give way to the places, which tell objects of one name apart.
pub(super) fn objects(report: &Report, all: bool, look: Look) -> String {
    let several = |differ: fn(&ObjectRow, &ObjectRow) -> bool| {
        report.objects.windows(2).any(|pair| differ(&pair[0], &pair[1]))
    };
    let rows = &report.objects[..shown(report.objects.len(), all)];
    let most = if look.width >= WIDEST { 40 } else { 22 };
    let mut places = whereabouts(rows.iter().map(|row| &row.object), most);
    let archives = several(|a, b| a.file != b.file);
    let archive = archives && look.width >= WIDE;
    if archives && !archive {
        for (place, row) in places.iter_mut().zip(rows) {
            *place = format!("{}: {place}", tail(&row.file, ARCHIVE));
        }
    }
    let owner = look.width >= WIDEST && several(|a, b| a.object.owner != b.object.owner);
    let place = places.iter().any(|place| !place.is_empty());
    let prims = !place || look.width >= if archive { WIDEST } else { WIDE };
    let mut columns = vec![Column::Name("Object", 34)];
    columns.extend(archive.then_some(Column::Name("Archive", 20)));
    columns.extend(place.then_some(Column::Name("Where", 34)));
    columns.extend(owner.then_some(Column::Name("Owner", 10)));
    let mut total = vec![Cell::new("total")];
    total.resize(columns.len(), Cell::new(""));
    let sum: u64 = report.objects.iter().map(|row| u64::from(row.price.assessment.prims)).sum();
    total.extend(prims.then(|| number(sum.to_string())));
    columns.extend(prims.then_some(Column::Number("Prims")));
    let cells = rows.iter().zip(&places).map(|(row, at)| {
        let mut cells = vec![name(&row.object.name)];
        cells.extend(archive.then(|| name(&row.file)));
        cells.extend(place.then(|| name(at)));
        let of = || Cell::new(row.object.owner.map(first_digits).unwrap_or_default());
        cells.extend(owner.then(of));
        cells.extend(prims.then(|| number(row.price.assessment.prims.to_string())));
        let (price, trust) = (Total::from(&row.price.assessment), trust(row));
        Priced { cells, price, trust, by: why(row) }
    });
    let least = least_certain(report.objects.iter().map(trust));
    let more = (report.objects.len() - rows.len(), "object");
    priced(columns, cells.collect(), (total, &report.totals.objects, least), more, (prims, look))
}

fn trust(row: &ObjectRow) -> Trust {
    [row.price.streaming_provenance, row.price.assessment.physics_provenance]
}

/// What limits an object.
pub(super) fn why(row: &ObjectRow) -> String {
    let by = row.price.assessment.land_impact.limited_by;
    let by = by.map_or_else(|| "prims".to_owned(), |weight| weight.to_string());
    if row.price.physical { format!("{by}, physical") } else { by }
}

/// The sums of the objects by owner or parcel.
pub(super) fn groups(report: &Report, by: &str, all: bool, look: Look) -> String {
    let groups = report.groups.as_deref().unwrap_or_default();
    let heading = if by == "owner" { "Owner" } else { "Parcel" };
    let is_wide = look.width >= WIDE;
    let mut columns = vec![Column::Name(heading, 50), Column::Number("Objects")];
    columns.extend(is_wide.then_some(Column::Number("Prims")));
    let cells = |label: &str, objects: usize, prims: u64| {
        let mut cells = vec![name(label), number(objects.to_string())];
        cells.extend(is_wide.then(|| number(prims.to_string())));
        cells
    };
    let rows = groups[..shown(groups.len(), all)].iter().map(|GroupRow(group)| {
        let label = group.label(&format!("no {by}"));
        let cells = cells(&label, group.total.count, group.prims);
        Priced { cells, price: group.total, trust: SUMS, by: String::new() }
    });
    let prims = groups.iter().map(|GroupRow(group)| group.prims).sum();
    let sum = &report.totals.objects;
    let more = (groups.len() - rows.len(), by);
    let total = (cells("total", sum.count, prims), sum, SUMS);
    priced(columns, rows.collect(), total, more, (is_wide, look))
}
