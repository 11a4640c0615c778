//! `prims`, `primshapes` and `primitems` as CSV, joined without a database.
//!
//! The files are sorted by nothing and may be large. Objects are cut into ranges of their identifiers, each small
//! enough to be held, and the files are read once for each range.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;
use uuid::Uuid;

use super::dump::{Dump, Line, each_row, shown};
use super::record::{Flow, RezzedObject, TableError};
use super::rezzed::{Group, PrimRow, shape};
use super::row::Row;
use super::sql::SCRIPT;

/// The ranges that identifiers are counted by: as many as 12 bits tell apart.
const RANGES: usize = 1 << 12;
/// About the bytes that a prim takes while it is held, with its places and its name.
const HELD: u64 = 448;
/// The bytes of prims that are held at once.
const ROOM: u64 = 512 << 20;

/// Objects that are put together side by side.
const TOGETHER: usize = 1024;

/// The three tables; `primitems` may be missing.
#[derive(Debug)]
pub(super) struct Joined {
    prims: Vec<Dump>,
    shapes: Vec<Dump>,
    items: Vec<Dump>,
    /// The ranges that are held at once, one after the other.
    passes: Vec<Range<usize>>,
    objects: u64,
}

/// The prims of a range.
#[derive(Debug, Default)]
struct Held {
    rows: Vec<PrimRow>,
    /// Which object each is of, and its place among the rows.
    objects: Vec<(Uuid, usize)>,
    /// The first place of each prim.
    places: HashMap<Uuid, usize>,
    /// The places of those that are there again, and the first ones of the same.
    again: Vec<(usize, usize)>,
}

impl Held {
    fn add(&mut self, object: Uuid, row: PrimRow) {
        let place = self.rows.len();
        let first = *self.places.entry(row.id).or_insert(place);
        if first < place {
            self.again.push((place, first));
        }
        self.objects.push((object, place));
        self.rows.push(row);
    }
}

impl Joined {
    /// Counts the prims, and decides what is held at once.
    pub(super) fn new(
        prims: Vec<Dump>,
        shapes: Vec<Dump>,
        items: Vec<Dump>,
        stop: &dyn Fn() -> bool,
    ) -> Result<Self, TableError> {
        Self::with_room(prims, shapes, items, ROOM, stop)
    }

    fn with_room(
        prims: Vec<Dump>,
        shapes: Vec<Dump>,
        items: Vec<Dump>,
        room: u64,
        stop: &dyn Fn() -> bool,
    ) -> Result<Self, TableError> {
        let mut joined = Self { prims, shapes, items, passes: Vec::new(), objects: 0 };
        let mut counts = vec![0_u64; RANGES];
        let mut objects = 0;
        let ids = |line: &Line<'_>| (uuid(line, 0), uuid(line, 1));
        each_row(&joined.prims, ids, |(id, group)| {
            objects += u64::from(group.is_some() && id == group);
            let range = group.and_then(|group| counts.get_mut(range_of(group)));
            if let Some(count) = range {
                *count += 1;
            }
            if stop() { Flow::Stop } else { Flow::Go }
        })?;
        joined.passes = passes(&counts, room / HELD);
        joined.objects = objects;
        let most = counts.iter().max().copied().unwrap_or_default();
        if most > 4 * room / HELD {
            let file = joined.prims.first().map(|dump| shown(dump.path())).unwrap_or_default();
            let what = format!(
                "{most} of its prims are of objects whose identifiers begin alike, and those are held together: \
                 that is more than {} MiB; read the region's database itself",
                (4 * room) >> 20
            );
            return Err(TableError::new(file, what));
        }
        Ok(joined)
    }

    /// How many roots there are.
    pub(super) const fn objects(&self) -> u64 {
        self.objects
    }

    /// All objects, sorted by their identifiers; what belongs to none comes first.
    pub(super) fn rezzed(
        &self,
        source: &str,
        each: &mut dyn FnMut(RezzedObject) -> Flow,
    ) -> Result<(), TableError> {
        let source: Arc<str> = source.into();
        for (number, pass) in self.passes.iter().enumerate() {
            let mut held = Held::default();
            if self.hold(pass, number == 0, &mut held, each)? == Flow::Stop {
                return Ok(());
            }
            self.look(&mut held)?;
            let Held { rows, mut objects, .. } = held;
            objects.par_sort_unstable();
            let object = |places: &&[(Uuid, usize)]| {
                let rows = places.iter().filter_map(|(_, place)| rows.get(*place).cloned());
                let id = places.first().map(|(id, _)| *id).unwrap_or_default();
                Group::of(id, rows).object(&source)
            };
            let mut groups = objects.chunk_by(|(one, _), (other, _)| one == other).peekable();
            while groups.peek().is_some() {
                let some: Vec<&[(Uuid, usize)]> = groups.by_ref().take(TOGETHER).collect();
                let objects: Vec<RezzedObject> = some.par_iter().map(object).collect();
                for object in objects {
                    if each(object) == Flow::Stop {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }

    /// Holds the prims of a range. Those of no object are told in the first.
    fn hold(
        &self,
        pass: &Range<usize>,
        first: bool,
        held: &mut Held,
        each: &mut dyn FnMut(RezzedObject) -> Flow,
    ) -> Result<Flow, TableError> {
        let read = |line: &Line<'_>| {
            let group = uuid(line, 1);
            group.map_or(first, |group| pass.contains(&range_of(group))).then(|| {
                let read = |row: Vec<_>| PrimRow::read(Row(&row)).map_err(|lost| at(line, lost));
                line.values().map_or_else(|problem| unreadable(line, problem), read)
            })
        };
        each_row(&self.prims, read, |row: Option<Result<(Uuid, PrimRow), Box<RezzedObject>>>| {
            match row {
                Some(Ok((object, row))) => held.add(object, row),
                Some(Err(lost)) => return each(*lost),
                None => {}
            }
            Flow::Go
        })
    }

    /// Finds the shapes and the scripts of what is held.
    fn look(&self, held: &mut Held) -> Result<(), TableError> {
        let Held { rows, places, again, .. } = held;
        let place = |line: &Line<'_>| places.get(&uuid(line, 0)?).copied();
        let read = |line: &Line<'_>| place(line).map(|place| (place, line.read(shape)));
        each_row(&self.shapes, read, |found| {
            if let Some((place, shape)) = found
                && let Some(row) = rows.get_mut(place)
            {
                row.shape = Some(shape);
            }
            Flow::Go
        })?;
        let of_script = |line: &Line<'_>| {
            let is_script = [1, 2].into_iter().any(|at| number(line, at) == Some(SCRIPT));
            place(line).filter(|_| is_script)
        };
        each_row(&self.items, of_script, |place| {
            if let Some(row) = place.and_then(|place| rows.get_mut(place)) {
                row.scripts = row.scripts.saturating_add(1);
            }
            Flow::Go
        })?;
        for (place, first) in again {
            let first = rows.get(*first).map(|row| (row.shape.clone(), row.scripts));
            if let (Some(row), Some(first)) = (rows.get_mut(*place), first) {
                (row.shape, row.scripts) = first;
            }
        }
        Ok(())
    }
}

/// A row that is not whole: part of its object, if it says of which.
fn unreadable(line: &Line<'_>, problem: String) -> Result<(Uuid, PrimRow), Box<RezzedObject>> {
    let [id, region] = [0, 2].map(|at| uuid(line, at).unwrap_or_default());
    match uuid(line, 1) {
        Some(group) => Ok((group, PrimRow::unreadable(id, region, problem))),
        None => Err(Box::new(RezzedObject { id, region, object: Err(problem) })),
    }
}

fn at(line: &Line<'_>, mut lost: Box<RezzedObject>) -> Box<RezzedObject> {
    lost.object = lost.object.map_err(|problem| line.wrong(&problem));
    lost
}

fn uuid(line: &Line<'_>, at: usize) -> Option<Uuid> {
    Uuid::try_parse_ascii(line.text(at)?.trim_ascii()).ok()
}

fn number(line: &Line<'_>, at: usize) -> Option<i64> {
    std::str::from_utf8(line.text(at)?).ok()?.trim().parse().ok()
}

/// The range that an identifier is in; ranges are in the order of identifiers.
fn range_of(id: Uuid) -> usize {
    let (high, _) = id.as_u64_pair();
    usize::try_from(high >> 52).unwrap_or_default()
}

/// Ranges, as many together as are no more prims than `most`.
fn passes(counts: &[u64], most: u64) -> Vec<Range<usize>> {
    let (mut passes, mut start, mut sum) = (Vec::new(), 0, 0);
    for (at, count) in counts.iter().enumerate() {
        if at > start && sum + count > most {
            passes.push(start..at);
            (start, sum) = (at, 0);
        }
        sum += count;
    }
    passes.push(start..counts.len());
    passes
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;
    use std::fs;
    use std::path::Path;

    use lodger_opensim::archive::{PrimColumns, ShapeColumns};

    use super::*;

    /// The dumps of prims, each with its object; one of them is there twice, and one has no shape.
    fn dumps(folder: &Path) -> [Dump; 3] {
        let id = |number: usize| Uuid::from_u128((number as u128 + 1) << 116);
        let mut prims =
            format!("UUID,SceneGroupID,RegionUUID,LinkNumber,{}\n", PrimColumns::NAMES.join(","));
        let mut shapes = format!("UUID,ExtraParams,{}\n", ShapeColumns::NAMES.join(","));
        let mut items = "primID,assetType,invType\n".to_owned();
        for number in (0..200).chain([33]) {
            let (prim, object, region) = (id(number), id(number / 3 * 3), id(999));
            let link = number % 3;
            writeln!(prims, "{prim},{object},{region},{link},,,,0,9,9,20,0,0,{link},0,0,0,1,0")
                .unwrap();
            if number != 77 {
                let side = number + 1;
                writeln!(shapes, "{prim},,{side},1,1,9,0,0,100,100,0,0,0,16,0,0,0,0,0,0,0,0,1,0")
                    .unwrap();
            }
            writeln!(items, "{prim},10,10\n{prim},0,0").unwrap();
        }
        [("prims", prims), ("primshapes", shapes), ("primitems", items)].map(|(name, text)| {
            let path = folder.join(format!("{name}.csv"));
            fs::write(&path, text).unwrap();
            Dump::open(&path).unwrap()
        })
    }

    #[test]
    fn objects_are_the_same_however_many_are_held_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let found = |room: u64| {
            let [prims, shapes, items] = dumps(folder.path()).map(|dump| vec![dump]);
            let joined = Joined::with_room(prims, shapes, items, room, &|| false).unwrap();
            let mut objects = Vec::new();
            joined
                .rezzed("tables", &mut |object| {
                    objects.push(object);
                    Flow::Go
                })
                .unwrap();
            (joined.passes.len(), joined.objects(), objects)
        };
        let (passes, roots, objects) = found(ROOM);
        assert_eq!((passes, roots, objects.len()), (1, 68, 67));
        assert!(objects.is_sorted_by_key(|object| object.id));
        let wrong = objects.iter().filter_map(|object| object.object.as_ref().err());
        let wrong: Vec<_> = wrong.collect();
        assert!(wrong[0].ends_with("it is there twice"), "{wrong:?}");
        assert!(wrong[1].ends_with("it has no row in `primshapes`"), "{wrong:?}");
        assert_eq!(wrong.len(), 2);
        let first = objects[0].object.as_ref().unwrap();
        assert_eq!((first.linked.len(), first.scripts(), first.linked[1].scale[0]), (2, 3, 3.0));
        for room in [3 * HELD, 50 * HELD] {
            let (passes, _, some) = found(room);
            assert!(passes > 3);
            assert_eq!(some, objects);
        }
    }
}
