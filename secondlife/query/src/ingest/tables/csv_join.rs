//! The tables `prims`, `primshapes` and `primitems` as CSV, joined without a database.
//!
//! The files may be large and have any order. Identifiers of objects are divided into ranges, each
//! small enough for memory, and the files are read once for each range.

use std::collections::HashMap;
use std::ops::ControlFlow::{self, Break, Continue};
use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;
use uuid::Uuid;

use super::csv_table::{CsvRow, CsvTable, display_path, each_row};
use super::objects::{PrimGroup, PrimRow, shape};
use super::records::{RezzedObject, TableRow};
use super::sql::SCRIPT;
use crate::ingest::options::IngestError;

/// The number of ranges of identifiers, by their first 12 bits.
const RANGES: usize = 1 << 12;
const PRIM_BYTES: u64 = 448;
const MAX_BYTES: u64 = 512 << 20;

const BATCH: usize = 1024;

/// The three tables; `primitems` is optional.
#[derive(Debug)]
pub(super) struct CsvJoin {
    prims: Vec<CsvTable>,
    shapes: Vec<CsvTable>,
    items: Vec<CsvTable>,
    /// Ranges whose prims are in memory in turn.
    passes: Vec<Range<usize>>,
    objects: u64,
}

#[derive(Debug, Default)]
struct LoadedPrims {
    rows: Vec<PrimRow>,
    objects: Vec<(Uuid, usize)>,
    first_rows: HashMap<Uuid, usize>,
    /// Repeated rows of prims, each with the first one.
    repeated: Vec<(usize, usize)>,
}

impl LoadedPrims {
    fn add(&mut self, object: Uuid, row: PrimRow) {
        let index = self.rows.len();
        let first = *self.first_rows.entry(row.id).or_insert(index);
        if first < index {
            self.repeated.push((index, first));
        }
        self.objects.push((object, index));
        self.rows.push(row);
    }
}

impl CsvJoin {
    pub(super) fn new(
        prims: Vec<CsvTable>,
        shapes: Vec<CsvTable>,
        items: Vec<CsvTable>,
        stop: &dyn Fn() -> bool,
    ) -> Result<Self, IngestError> {
        Self::with_memory(prims, shapes, items, MAX_BYTES, stop)
    }

    fn with_memory(
        prims: Vec<CsvTable>,
        shapes: Vec<CsvTable>,
        items: Vec<CsvTable>,
        memory: u64,
        stop: &dyn Fn() -> bool,
    ) -> Result<Self, IngestError> {
        let mut joined = Self { prims, shapes, items, passes: Vec::new(), objects: 0 };
        let mut counts = vec![0_u64; RANGES];
        let mut objects = 0;
        let ids = |line: &CsvRow<'_>| (uuid(line, 0), uuid(line, 1));
        let _ = each_row(&joined.prims, ids, |(id, group)| {
            objects += u64::from(group.is_some() && id == group);
            let range = group.and_then(|group| counts.get_mut(range_of(group)));
            if let Some(count) = range {
                *count += 1;
            }
            if stop() { Break(()) } else { Continue(()) }
        })?;
        joined.passes = passes(&counts, memory / PRIM_BYTES);
        joined.objects = objects;
        let max = counts.iter().max().copied().unwrap_or_default();
        if max > 4 * memory / PRIM_BYTES {
            let file =
                joined.prims.first().map(|table| display_path(table.path())).unwrap_or_default();
            let problem = format!(
                "{max} of its prims belong to objects whose identifiers begin alike, and need more than {} MiB \
                 together; read the region's database itself",
                (4 * memory) >> 20
            );
            return Err(IngestError::new(file, problem));
        }
        Ok(joined)
    }

    pub(super) const fn objects(&self) -> u64 {
        self.objects
    }

    /// Calls `each` with all objects, sorted by their identifiers, after prims without object.
    pub(super) fn rezzed(
        &self,
        source: &str,
        each: &mut dyn FnMut(RezzedObject) -> ControlFlow<()>,
    ) -> Result<(), IngestError> {
        let source: Arc<str> = source.into();
        for (number, pass) in self.passes.iter().enumerate() {
            let mut loaded = LoadedPrims::default();
            if self.load(pass, number == 0, &mut loaded, each)?.is_break() {
                return Ok(());
            }
            self.add_shapes_and_scripts(&mut loaded)?;
            let LoadedPrims { rows, mut objects, .. } = loaded;
            objects.par_sort_unstable();
            let object = |prims: &&[(Uuid, usize)]| {
                let rows = prims.iter().filter_map(|(_, index)| rows.get(*index).cloned());
                let id = prims.first().map(|(id, _)| *id).unwrap_or_default();
                PrimGroup::from_rows(id, rows).object(&source)
            };
            let mut groups = objects.chunk_by(|(one, _), (other, _)| one == other).peekable();
            while groups.peek().is_some() {
                let some: Vec<&[(Uuid, usize)]> = groups.by_ref().take(BATCH).collect();
                let objects: Vec<RezzedObject> = some.par_iter().map(object).collect();
                for object in objects {
                    if each(object).is_break() {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }

    /// Loads the prims of a range. Prims without object are reported in the first pass.
    fn load(
        &self,
        pass: &Range<usize>,
        first: bool,
        loaded: &mut LoadedPrims,
        each: &mut dyn FnMut(RezzedObject) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, IngestError> {
        let read = |line: &CsvRow<'_>| {
            let group = uuid(line, 1);
            group.map_or(first, |group| pass.contains(&range_of(group))).then(|| {
                let read = |row: Vec<_>| {
                    PrimRow::read(TableRow(&row)).map_err(|orphan| located(line, orphan))
                };
                line.values().map_or_else(|problem| unreadable(line, problem), read)
            })
        };
        each_row(&self.prims, read, |row: Option<Result<(Uuid, PrimRow), Box<RezzedObject>>>| {
            match row {
                Some(Ok((object, row))) => loaded.add(object, row),
                Some(Err(orphan)) => return each(*orphan),
                None => {}
            }
            Continue(())
        })
    }

    fn add_shapes_and_scripts(&self, loaded: &mut LoadedPrims) -> Result<(), IngestError> {
        let LoadedPrims { rows, first_rows, repeated, .. } = loaded;
        let index = |line: &CsvRow<'_>| first_rows.get(&uuid(line, 0)?).copied();
        let read = |line: &CsvRow<'_>| index(line).map(|index| (index, line.read(shape)));
        let _ = each_row(&self.shapes, read, |found| {
            if let Some((index, shape)) = found
                && let Some(row) = rows.get_mut(index)
            {
                row.shape = Some(shape);
            }
            Continue(())
        })?;
        let script = |line: &CsvRow<'_>| {
            let is_script = [1, 2].into_iter().any(|at| number(line, at) == Some(SCRIPT));
            index(line).filter(|_| is_script)
        };
        let _ = each_row(&self.items, script, |index| {
            if let Some(row) = index.and_then(|index| rows.get_mut(index)) {
                row.scripts = row.scripts.saturating_add(1);
            }
            Continue(())
        })?;
        for (index, first) in repeated {
            let first = rows.get(*first).map(|row| (row.shape.clone(), row.scripts));
            if let (Some(row), Some(first)) = (rows.get_mut(*index), first) {
                (row.shape, row.scripts) = first;
            }
        }
        Ok(())
    }
}

/// Returns an incomplete row as a part of its object, if the object is known.
fn unreadable(line: &CsvRow<'_>, problem: String) -> Result<(Uuid, PrimRow), Box<RezzedObject>> {
    let [id, region] = [0, 2].map(|at| uuid(line, at).unwrap_or_default());
    match uuid(line, 1) {
        Some(group) => Ok((group, PrimRow::unreadable(id, region, problem))),
        None => Err(Box::new(RezzedObject { id, region, object: Err(problem) })),
    }
}

fn located(line: &CsvRow<'_>, mut orphan: Box<RezzedObject>) -> Box<RezzedObject> {
    orphan.object = orphan.object.map_err(|problem| line.locate(&problem));
    orphan
}

fn uuid(line: &CsvRow<'_>, index: usize) -> Option<Uuid> {
    Uuid::try_parse_ascii(line.text(index)?.trim_ascii()).ok()
}

fn number(line: &CsvRow<'_>, index: usize) -> Option<i64> {
    std::str::from_utf8(line.text(index)?).ok()?.trim().parse().ok()
}

fn range_of(id: Uuid) -> usize {
    let (high, _) = id.as_u64_pair();
    usize::try_from(high >> 52).unwrap_or_default()
}

/// Combines ranges into passes of at most `max` prims, if possible.
fn passes(counts: &[u64], max: u64) -> Vec<Range<usize>> {
    let (mut passes, mut start, mut sum) = (Vec::new(), 0, 0);
    for (at, count) in counts.iter().enumerate() {
        if at > start && sum + count > max {
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

    use lodger_opensim::archive::{PrimRecord, PrimShapeRecord};

    use super::*;

    /// Writes tables of prims; one prim occurs twice, and one has no shape.
    fn tables(folder: &Path) -> [CsvTable; 3] {
        let id = |number: usize| Uuid::from_u128((number as u128 + 1) << 116);
        let mut prims =
            format!("UUID,SceneGroupID,RegionUUID,LinkNumber,{}\n", PrimRecord::COLUMNS.join(","));
        let mut shapes = format!("UUID,ExtraParams,{}\n", PrimShapeRecord::COLUMNS.join(","));
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
            CsvTable::open(&path).unwrap()
        })
    }

    #[test]
    fn objects_do_not_depend_on_the_memory() {
        let folder = tempfile::tempdir().unwrap();
        let found = |memory: u64| {
            let [prims, shapes, items] = tables(folder.path()).map(|table| vec![table]);
            let joined = CsvJoin::with_memory(prims, shapes, items, memory, &|| false).unwrap();
            let mut objects = Vec::new();
            joined
                .rezzed("tables", &mut |object| {
                    objects.push(object);
                    Continue(())
                })
                .unwrap();
            (joined.passes.len(), joined.objects(), objects)
        };
        let (passes, roots, objects) = found(MAX_BYTES);
        assert_eq!((passes, roots, objects.len()), (1, 68, 67));
        assert!(objects.is_sorted_by_key(|object| object.id));
        let wrong = objects.iter().filter_map(|object| object.object.as_ref().err());
        let wrong: Vec<_> = wrong.collect();
        assert!(wrong[0].ends_with("it is there twice"), "{wrong:?}");
        assert!(wrong[1].ends_with("it has no row in `primshapes`"), "{wrong:?}");
        assert_eq!(wrong.len(), 2);
        let first = objects[0].object.as_ref().unwrap();
        assert_eq!((first.linked.len(), first.scripts(), first.linked[1].scale[0]), (2, 3, 3.0));
        for memory in [3 * PRIM_BYTES, 50 * PRIM_BYTES] {
            let (passes, _, some) = found(memory);
            assert!(passes > 3);
            assert_eq!(some, objects);
        }
    }
}
