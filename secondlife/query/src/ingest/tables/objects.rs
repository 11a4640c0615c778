//! Objects in regions, assembled from the rows of their prims.

use std::array;
use std::collections::BTreeSet;
use std::ops::ControlFlow::{self, Continue};
use std::sync::Arc;

use lodger_opensim::archive::{Object, PrimRecord, PrimShapeRecord};
use uuid::Uuid;

use super::records::{PRIM, RezzedObject, SHAPE, TableKind, TableRow, check_size};

/// The limit of prims of an object. Viewers and regions allow far fewer (256 and `LinksetPrims`).
const MAX_PRIMS: usize = 65_536;

#[derive(Clone, Debug)]
pub(super) struct PrimRow {
    pub(super) id: Uuid,
    pub(super) region: Uuid,
    /// `LinkNumber`: 0 or 1 for the root, then ascending.
    pub(super) link: i64,
    pub(super) prim: Result<PrimRecord, String>,
    /// `None` if `primshapes` has no row for it.
    pub(super) shape: Option<Result<PrimShapeRecord, String>>,
    pub(super) scripts: u32,
}

impl PrimRow {
    /// Parses a row of `prims`, and returns it with its object. An invalid row is part of its
    /// object too, so that the remaining prims do not count as the object.
    pub(super) fn read(row: TableRow<'_>) -> Result<(Uuid, Self), Box<RezzedObject>> {
        let region = row.optional_uuid(2).unwrap_or_default();
        let id = row.uuid(0, "UUID");
        let group = row.uuid(1, "SceneGroupID").map_err(|problem| {
            let id = id.clone().unwrap_or_default();
            Box::new(RezzedObject { id, region, object: Err(format!("prim {id}: {problem}")) })
        })?;
        let link = row.bytes(3).map_or(Ok(0), |_| row.integer(3, "LinkNumber"));
        let (id, link) = match (id, link) {
            (Ok(id), Ok(link)) => (id, link),
            (id, Err(problem)) => {
                return Ok((group, Self::unreadable(id.unwrap_or_default(), region, problem)));
            }
            (Err(problem), _) => {
                return Ok((group, Self::unreadable(Uuid::nil(), region, problem)));
            }
        };
        let prim = PrimRecord::parse(array::from_fn(|at| row.text(PRIM + at)));
        let prim = prim.map_err(|problem| problem.unquoted());
        Ok((group, Self { id, region, link, prim, shape: None, scripts: 0 }))
    }

    pub(super) fn unreadable(id: Uuid, region: Uuid, problem: String) -> Self {
        Self { id, region, link: 0, prim: Err(problem), shape: None, scripts: 0 }
    }
}

pub(super) fn shape(row: TableRow<'_>) -> Result<PrimShapeRecord, String> {
    let extra = row.bytes(1).map(|bytes| check_size(bytes, "ExtraParams")).transpose()?;
    let shape = PrimShapeRecord::parse(array::from_fn(|at| row.text(SHAPE + at)), extra);
    shape.map_err(|problem| problem.unquoted())
}

#[derive(Debug)]
pub(super) struct PrimGroup {
    id: Uuid,
    rows: Vec<PrimRow>,
    too_many: bool,
}

impl PrimGroup {
    fn new(id: Uuid) -> Self {
        Self { id, rows: Vec::new(), too_many: false }
    }

    pub(super) fn from_rows(id: Uuid, rows: impl IntoIterator<Item = PrimRow>) -> Self {
        let mut group = Self::new(id);
        rows.into_iter().for_each(|row| group.add(row));
        group
    }

    fn add(&mut self, row: PrimRow) {
        self.too_many |= self.rows.len() >= MAX_PRIMS;
        if !self.too_many {
            self.rows.push(row);
        }
    }

    /// Assembles the object. Its root is the prim with its identifier; `OpenSimulator` does not
    /// load an object without it (`MySQLSimulationData.LoadObjects`).
    pub(super) fn object(mut self, source: &Arc<str>) -> RezzedObject {
        let id = self.id;
        self.rows.sort_by_key(|row| (row.id != id, row.link, row.id));
        let region = self.rows.first().map(|row| row.region).unwrap_or_default();
        RezzedObject { id, region, object: self.assemble(source, region) }
    }

    fn assemble(self, source: &Arc<str>, region: Uuid) -> Result<Object, String> {
        if self.too_many {
            return Err(format!("it has more than {MAX_PRIMS} prims"));
        }
        let (group, mut prims) = (self.id, BTreeSet::new());
        let mut records = Vec::with_capacity(self.rows.len());
        for row in self.rows {
            let id = row.id;
            let with_id = |problem: String| format!("prim {id}: {problem}");
            if !prims.insert(id) {
                return Err(with_id("it is there twice".to_owned()));
            }
            let prim = row.prim.map_err(with_id)?;
            let shape = row.shape.unwrap_or_else(|| {
                Err(format!("it has no row in `{}`", TableKind::PrimShapes.name()))
            });
            let shape = shape.map_err(with_id)?;
            if records.is_empty() {
                if id != group {
                    return Err("its root is missing: OpenSimulator does not load it".to_owned());
                }
                if region.is_nil() {
                    return Err("`RegionUUID` is missing: it is in no region".to_owned());
                }
            }
            records.push((prim, shape, row.scripts));
        }
        let region = region.to_string().into();
        let object = Object::from_records(Arc::clone(source), group, region, records);
        object.ok_or_else(|| "it has no prims".to_owned())
    }
}

/// Assembles objects from rows that are sorted by object.
pub(super) struct ObjectAssembler<'e> {
    source: Arc<str>,
    each: &'e mut dyn FnMut(RezzedObject) -> ControlFlow<()>,
    group: Option<PrimGroup>,
}

impl<'e> ObjectAssembler<'e> {
    pub(super) fn new(
        source: &str,
        each: &'e mut dyn FnMut(RezzedObject) -> ControlFlow<()>,
    ) -> Self {
        Self { source: source.into(), each, group: None }
    }

    pub(super) fn orphan(&mut self, orphan: RezzedObject) -> ControlFlow<()> {
        (self.each)(orphan)
    }

    pub(super) fn add(&mut self, id: Uuid, row: PrimRow) -> ControlFlow<()> {
        let ends = self.group.as_ref().is_some_and(|group| group.id != id);
        let flow = if ends { self.finish() } else { Continue(()) };
        self.group.get_or_insert_with(|| PrimGroup::new(id)).add(row);
        flow
    }

    pub(super) fn finish(&mut self) -> ControlFlow<()> {
        match self.group.take() {
            Some(group) => (self.each)(group.object(&self.source)),
            None => Continue(()),
        }
    }
}
