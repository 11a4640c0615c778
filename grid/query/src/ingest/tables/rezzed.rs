//! From the rows of prims to the objects that stand in regions.

use std::array;
use std::collections::BTreeSet;
use std::sync::Arc;

use lodger_opensim::archive::{Prim, PrimColumns, PrimShape, Prims, ShapeColumns};
use uuid::Uuid;

use super::layout::{Layout, PRIM, SHAPE};
use super::record::{Flow, RezzedObject};
use super::row::{Row, within};
use crate::ingest::unnamed;

/// The most prims of an object. Viewers and regions have far less (256 and `LinksetPrims`).
const MOST_PRIMS: usize = 65_536;

/// A row of `prims` with what is known of it from the other tables.
#[derive(Clone, Debug)]
pub(super) struct PrimRow {
    pub(super) id: Uuid,
    pub(super) region: Uuid,
    /// `LinkNumber`: 0 or 1 of the root, then counted up.
    pub(super) link: i64,
    pub(super) prim: Result<Prim, String>,
    /// `None` where `primshapes` has no row for it.
    pub(super) shape: Option<Result<PrimShape, String>>,
    pub(super) scripts: u32,
}

impl PrimRow {
    /// A row of `prims`, and the object that it is of. One that makes no sense is part of its object all the same, so
    /// that nobody takes the rest for the whole.
    pub(super) fn read(row: Row<'_>) -> Result<(Uuid, Self), Box<RezzedObject>> {
        let region = row.somebody(2).unwrap_or_default();
        let id = row.uuid(0, "UUID");
        let group = row.uuid(1, "SceneGroupID").map_err(|problem| {
            let id = id.clone().unwrap_or_default();
            Box::new(RezzedObject { id, region, object: Err(format!("prim {id}: {problem}")) })
        })?;
        let link = row.bytes(3).map_or(Ok(0), |_| row.whole(3, "LinkNumber"));
        let (id, link) = match (id, link) {
            (Ok(id), Ok(link)) => (id, link),
            (id, Err(problem)) => {
                return Ok((group, Self::unreadable(id.unwrap_or_default(), region, problem)));
            }
            (Err(problem), _) => {
                return Ok((group, Self::unreadable(Uuid::nil(), region, problem)));
            }
        };
        let columns = PrimColumns::new(array::from_fn(|at| row.text(PRIM + at)));
        let prim = columns.check().map_err(|problem| unnamed::problem(&problem));
        Ok((group, Self { id, region, link, prim, shape: None, scripts: 0 }))
    }

    /// A row of which no more can be read.
    pub(super) fn unreadable(id: Uuid, region: Uuid, problem: String) -> Self {
        Self { id, region, link: 0, prim: Err(problem), shape: None, scripts: 0 }
    }
}

/// The shape that a row of `primshapes` says.
pub(super) fn shape(row: Row<'_>) -> Result<PrimShape, String> {
    let extra = row.bytes(1).map(|bytes| within(bytes, "ExtraParams")).transpose()?;
    let columns = ShapeColumns::new(array::from_fn(|at| row.text(SHAPE + at)), extra);
    columns.check().map_err(|problem| unnamed::problem(&problem))
}

/// The prims of one object so far.
#[derive(Debug)]
pub(super) struct Group {
    id: Uuid,
    rows: Vec<PrimRow>,
    too_many: bool,
}

impl Group {
    /// None so far.
    fn new(id: Uuid) -> Self {
        Self { id, rows: Vec::new(), too_many: false }
    }

    /// These, in any order.
    pub(super) fn of(id: Uuid, rows: impl IntoIterator<Item = PrimRow>) -> Self {
        let mut group = Self::new(id);
        rows.into_iter().for_each(|row| group.add(row));
        group
    }

    /// One more, in any order.
    fn add(&mut self, row: PrimRow) {
        self.too_many |= self.rows.len() >= MOST_PRIMS;
        if !self.too_many {
            self.rows.push(row);
        }
    }

    /// The object. The root is the prim that has its identifier; without it `OpenSimulator` loads none
    /// (`MySQLSimulationData.LoadObjects`).
    pub(super) fn object(mut self, source: &Arc<str>) -> RezzedObject {
        let id = self.id;
        self.rows.sort_by_key(|row| (row.id != id, row.link, row.id));
        let region = self.rows.first().map(|row| row.region).unwrap_or_default();
        RezzedObject { id, region, object: self.put_together(source, region) }
    }

    fn put_together(
        self,
        source: &Arc<str>,
        region: Uuid,
    ) -> Result<lodger_opensim::archive::Object, String> {
        if self.too_many {
            return Err(format!("it has more than {MOST_PRIMS} prims"));
        }
        let (group, mut seen) = (self.id, BTreeSet::new());
        let mut object: Option<Prims> = None;
        for row in self.rows {
            let id = row.id;
            let of = |problem: String| format!("prim {id}: {problem}");
            if !seen.insert(id) {
                return Err(of("it is there twice".to_owned()));
            }
            let prim = row.prim.map_err(of)?;
            let shape = row.shape.unwrap_or_else(|| {
                Err(format!("it has no row in `{}`", Layout::PrimShapes.name()))
            });
            let shape = shape.map_err(of)?;
            match &mut object {
                Some(object) => object.link(prim, shape, row.scripts),
                None if id != group => {
                    return Err("its root is missing: OpenSimulator does not load it".to_owned());
                }
                None if region.is_nil() => {
                    return Err("`RegionUUID` is missing: it stands nowhere".to_owned());
                }
                None => {
                    let region = region.to_string().into();
                    let source = Arc::clone(source);
                    object = Some(Prims::new(source, id, region, prim, shape, row.scripts));
                }
            }
        }
        object.map(Prims::object).ok_or_else(|| "it has no prims".to_owned())
    }
}

/// Puts together the objects of rows that come sorted by their object.
pub(super) struct Grouping<'e> {
    source: Arc<str>,
    each: &'e mut dyn FnMut(RezzedObject) -> Flow,
    group: Option<Group>,
}

impl<'e> Grouping<'e> {
    /// Objects go to `each`.
    pub(super) fn new(source: &str, each: &'e mut dyn FnMut(RezzedObject) -> Flow) -> Self {
        Self { source: source.into(), each, group: None }
    }

    /// Something that belongs to no object.
    pub(super) fn lost(&mut self, lost: RezzedObject) -> Flow {
        (self.each)(lost)
    }

    /// The next row.
    pub(super) fn add(&mut self, id: Uuid, row: PrimRow) -> Flow {
        let ends = self.group.as_ref().is_some_and(|group| group.id != id);
        let flow = if ends { self.finish() } else { Flow::Go };
        self.group.get_or_insert_with(|| Group::new(id)).add(row);
        flow
    }

    /// No more rows.
    pub(super) fn finish(&mut self) -> Flow {
        match self.group.take() {
            Some(group) => (self.each)(group.object(&self.source)),
            None => Flow::Go,
        }
    }
}
