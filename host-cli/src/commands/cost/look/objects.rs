//! Objects, the most expensive first, and their sums by owner or parcel.

use comfy_table::Cell;
use lodger_core::cost::Provenance;
use lodger_core::cost::land_impact::ObjectWeight;
use lodger_pricing::{Total, first_digits, have_own_names, whereabouts};
use lodger_terminal::Look;
use lodger_terminal::layout::{Column, name, number};

use super::super::report::{GroupRow, ObjectRow, Report};
use super::super::words::trusted;
use super::rows::{Priced, priced, shown};

/// The widest terminal on which the names of archives would crowd out the numbers.
const WIDE: usize = 100;
/// The narrowest on which there is room for both archives and places, or for owners.
const WIDEST: usize = 130;

/// What a table says of each object besides its name, weights and land impact.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a column of its own")]
struct Columns {
    archive: bool,
    place: bool,
    owner: bool,
    /// Prims and server weight, which give way where places are needed and there is no room.
    prims: bool,
}

impl Columns {
    fn of(report: &Report, rows: &[ObjectRow], look: Look) -> Self {
        let several = |differ: fn(&ObjectRow, &ObjectRow) -> bool| {
            report.objects.windows(2).any(|pair| differ(&pair[0], &pair[1]))
        };
        let archive = several(|a, b| a.file != b.file) && look.width >= WIDE;
        let has_room = look.width >= if archive { WIDEST } else { WIDE };
        let is_needed = !have_own_names(rows.iter().map(|row| &row.object));
        let owner = several(|a, b| a.object.owner != b.object.owner) && look.width >= WIDEST;
        Self { archive, place: has_room || is_needed, owner, prims: has_room || !is_needed }
    }
}

/// The objects of a report, as far as all are asked for.
pub(super) fn objects(report: &Report, all: bool, look: Look) -> String {
    let rows = &report.objects[..shown(report.objects.len(), all)];
    let mut with = Columns::of(report, rows, look);
    let most = if look.width >= WIDEST { 40 } else { 22 };
    let places = whereabouts(rows.iter().map(|row| &row.object), most);
    with.place &= places.iter().any(|place| !place.is_empty());
    let mut columns = vec![Column::Name("Object", 34)];
    columns.extend(with.archive.then_some(Column::Name("Archive", 20)));
    columns.extend(with.place.then_some(Column::Name("Where", 34)));
    columns.extend(with.owner.then_some(Column::Name("Owner", 10)));
    columns.extend(with.prims.then_some(Column::Number("Prims")));
    let cells = rows.iter().zip(&places).map(|(row, place)| {
        let mut cells = vec![name(&row.object.name)];
        cells.extend(with.archive.then(|| name(&row.file)));
        cells.extend(with.place.then(|| name(place)));
        let owner = || Cell::new(row.object.owner.map(first_digits).unwrap_or_default());
        cells.extend(with.owner.then(owner));
        cells.extend(with.prims.then(|| number(row.price.assessment.prims.to_string())));
        Priced { cells, price: Total::from(&row.price.assessment), by: why(row) }
    });
    let prims: u64 = report.objects.iter().map(|row| u64::from(row.price.assessment.prims)).sum();
    let mut total = vec![Cell::new("total")];
    total.resize(columns.len() - usize::from(with.prims), Cell::new(""));
    total.extend(with.prims.then(|| number(prims.to_string())));
    let more = (report.objects.len() - rows.len(), "object");
    let total = (total, &report.totals.objects);
    priced(columns, cells.collect(), total, more, (with.prims, look))
}

/// What limits an object, and how far that can be trusted.
pub(super) fn why(row: &ObjectRow) -> String {
    let (price, counted) = (&row.price, &row.price.assessment);
    let by = match counted.land_impact.limited_by {
        None => "prims".to_owned(),
        Some(ObjectWeight::Streaming) => trusted("streaming", price.streaming_provenance),
        Some(ObjectWeight::Physics) => trusted("physics", counted.physics_provenance),
        Some(ObjectWeight::Server) if price.streaming_provenance == Provenance::Unknown => {
            "server; streaming unknown".to_owned()
        }
        Some(ObjectWeight::Server) => "server".to_owned(),
    };
    if price.physical { format!("{by}, physical") } else { by }
}

/// The sums of the objects by owner or parcel.
pub(super) fn groups(report: &Report, by: &str, all: bool, look: Look) -> String {
    let groups = report.groups.as_deref().unwrap_or_default();
    let heading = if by == "owner" { "Owner" } else { "Parcel" };
    let columns = [Column::Name(heading, 45), Column::Number("Objects"), Column::Number("Prims")];
    let rows = groups[..shown(groups.len(), all)].iter().map(|GroupRow(group)| {
        let mut cells = vec![name(&group.label(&format!("no {by}")))];
        cells.push(number(group.total.count.to_string()));
        cells.push(number(group.prims.to_string()));
        Priced { cells, price: group.total, by: String::new() }
    });
    let prims: u64 = groups.iter().map(|GroupRow(group)| group.prims).sum();
    let objects = report.totals.objects.count.to_string();
    let total = vec![Cell::new("total"), number(objects), number(prims.to_string())];
    let more = (groups.len() - rows.len(), by);
    let total = (total, &report.totals.objects);
    priced(columns.to_vec(), rows.collect(), total, more, (true, look))
}
