//! What the tables of a database say, or their dumps.

use lodger_quota::{Quota, QuotaExceeded};
use uuid::Uuid;

use super::error::IngestError;
use super::feed::Feed;
use super::hash::Hash;
use super::rows::{self, Rows, blank};
use super::tables::{AssetRecord, FsAssetRecord, MESH, OBJECT, RezzedObject, Tables};
use super::tree::{self, NoBytes, Tree};
use super::work::{Job, Work};
use crate::dataset::{AssetKind, AssetRow, SourceKind};

/// Reads tables: `fsassets` with the files of some trees, `assets`, and what stands in regions.
pub(super) fn read(
    work: &mut Work<'_>,
    tables: &Tables,
    kind: SourceKind,
    trees: &[Tree],
) -> Result<(), IngestError> {
    let name = tables.name().to_owned();
    let present = tables.present();
    let counts = [present.fsassets, present.assets, present.objects];
    work.begin(&name, kind, Some(counts.into_iter().flatten().sum()))?;
    if present.fsassets.is_some() && !work.is_over() {
        fsassets(work, tables, &name, trees)?;
    }
    if present.assets.is_some() && !work.is_over() {
        assets(work, tables, &name)?;
    }
    if present.objects.is_some() && !work.is_over() {
        standing(work, tables, &name)?;
    }
    work.end()
}

/// What a row of either table says of an asset.
struct Stated {
    id: Uuid,
    /// Whether it has a row already, because its bytes could not be had.
    again: bool,
    kind: AssetKind,
    created: Option<i64>,
    accessed: Option<i64>,
    /// With `--with-names`.
    name: Option<String>,
    description: Option<String>,
}

impl Stated {
    fn row(&self, hash: Option<&Hash>) -> AssetRow {
        AssetRow {
            created: self.created,
            accessed: self.accessed,
            name: self.name.clone(),
            description: self.description.clone(),
            ..blank(Some(self.id), hash, self.kind)
        }
    }
}

/// The kind of an asset that counts, by its type.
fn kind_of(number: i32) -> Option<AssetKind> {
    match number {
        MESH => Some(AssetKind::Mesh),
        OBJECT => Some(AssetKind::Object),
        _ => None,
    }
}

/// An asset that a table names, and where its bytes are.
enum Asset<'t> {
    /// In files of a hash, as it stands there.
    Stored { stated: Stated, hash: String, trees: &'t [Tree], with_names: bool },
    /// In the row.
    Held { stated: Stated, data: Vec<u8>, with_names: bool },
    /// The row makes no sense.
    Fault(String),
}

impl Job for Asset<'_> {
    fn read(&self, quota: &Quota) -> Result<Rows, QuotaExceeded> {
        match self {
            Self::Stored { stated, hash: text, trees, with_names } => {
                let Some(hash) = Hash::parse(text) else {
                    return Ok(Rows::bad(stated.row(None), "its hash is no SHA-256"));
                };
                match tree::read(trees, &hash, quota) {
                    Ok(bytes) => {
                        let key = stated.id.to_string();
                        rows::read(stated.row(Some(&hash)), &bytes, &key, *with_names, quota)
                    }
                    Err(NoBytes::Because(problem)) => {
                        Ok(Rows::bad(stated.row(Some(&hash)), problem))
                    }
                    Err(NoBytes::QuotaExceeded(spent)) => Err(spent),
                }
            }
            Self::Held { stated, data, with_names } => {
                let row = stated.row(Some(&Hash::of(data)));
                if data.is_empty() {
                    return Ok(Rows::bad(row, "it has 0 bytes"));
                }
                rows::read(row, data, &stated.id.to_string(), *with_names, quota)
            }
            Self::Fault(problem) => Ok(Rows::bad(blank(None, None, AssetKind::Mesh), problem)),
        }
    }

    fn refused(&self, spent: QuotaExceeded) -> Rows {
        match self {
            Self::Stored { stated, hash, .. } => {
                Rows::bad(stated.row(Hash::parse(hash).as_ref()), spent.to_string())
            }
            Self::Held { stated, data, .. } => {
                Rows::bad(stated.row(Some(&Hash::of(data))), spent.to_string())
            }
            Self::Fault(_) => Rows::bad(blank(None, None, AssetKind::Mesh), spent.to_string()),
        }
    }

    fn is_again(&self) -> bool {
        match self {
            Self::Stored { stated, .. } | Self::Held { stated, .. } => stated.again,
            Self::Fault(_) => false,
        }
    }
}

/// Takes an asset that a table names unless it is known with its bytes, or of another kind.
fn stated(
    feed: &mut Feed<'_, '_, Asset<'_>>,
    (id, number): (Uuid, i32),
    times: (Option<i64>, Option<i64>),
    names: (Option<String>, Option<String>),
) -> Option<Stated> {
    let Some(kind) = kind_of(number) else {
        feed.work.passes_over();
        return None;
    };
    let again = feed.work.known.lacks(Some(id), None);
    if !again && !feed.work.known.take(id) {
        feed.work.is_known();
        return None;
    }
    let with_names = feed.work.options.with_names;
    let (created, accessed) = times;
    let (name, description) = if with_names { names } else { (None, None) };
    Some(Stated { id, again, kind, created, accessed, name, description })
}

fn fsassets(
    work: &mut Work<'_>,
    tables: &Tables,
    source: &str,
    trees: &[Tree],
) -> Result<(), IngestError> {
    let with_names = work.options.with_names;
    let mut feed = Feed::new(work, source);
    let read = tables.fsassets(&mut |row| match row {
        Err(problem) => feed.push(Asset::Fault(format!("fsassets: {problem}")), 0),
        Ok(record) => {
            let FsAssetRecord { id, kind, hash, created, accessed, name, description } = record;
            let names = (name, description);
            match stated(&mut feed, (id, kind), (created, accessed), names) {
                Some(stated) => feed.push(Asset::Stored { stated, hash, trees, with_names }, 0),
                None => feed.go(),
            }
        }
    });
    feed.finish()?;
    Ok(read?)
}

fn assets(work: &mut Work<'_>, tables: &Tables, source: &str) -> Result<(), IngestError> {
    let with_names = work.options.with_names;
    let mut feed = Feed::new(work, source);
    let read = tables.assets(&mut |row| match row {
        Err(problem) => feed.push(Asset::Fault(format!("assets: {problem}")), 0),
        Ok(record) => {
            let AssetRecord { id, kind, data, created, accessed, name, description } = record;
            let names = (name, description);
            let bytes = data.len();
            match stated(&mut feed, (id, kind), (created, accessed), names) {
                Some(stated) => feed.push(Asset::Held { stated, data, with_names }, bytes),
                None => feed.go(),
            }
        }
    });
    feed.finish()?;
    Ok(read?)
}

/// An object that stands in a region.
struct Standing {
    record: RezzedObject,
    with_names: bool,
}

impl Job for Standing {
    fn read(&self, quota: &Quota) -> Result<Rows, QuotaExceeded> {
        let RezzedObject { id, region, object } = &self.record;
        let object = match object {
            Ok(object) => object,
            Err(problem) => return Ok(self.bad(problem)),
        };
        let (key, region) = (id.to_string(), region.to_string());
        let parts = rows::parts(object, &key, Some(&region), self.with_names, quota)?;
        Ok(match parts {
            Ok(parts) => Rows { parts, objects: 1, ..Rows::default() },
            Err(problem) => self.bad(&problem),
        })
    }

    fn refused(&self, spent: QuotaExceeded) -> Rows {
        self.bad(&spent.to_string())
    }
}

impl Standing {
    fn bad(&self, problem: &str) -> Rows {
        let RezzedObject { id, region, .. } = &self.record;
        let problem = format!("the object {id} in the region {region}: {problem}");
        Rows::bad(blank(None, None, AssetKind::Object), problem)
    }
}

/// Each object that stands in a region is taken once, wherever it is found: identifiers of objects are one for each.
fn standing(work: &mut Work<'_>, tables: &Tables, source: &str) -> Result<(), IngestError> {
    let with_names = work.options.with_names;
    let mut feed = Feed::new(work, source);
    let read = tables.rezzed(&mut |record| {
        let Ok(object) = &record.object else {
            return feed.push(Standing { record, with_names }, 0);
        };
        if !feed.work.known.take_standing(record.id) {
            feed.work.is_known();
            return feed.go();
        }
        let bytes = size_of_val(object) * (object.linked.len() + 1);
        feed.push(Standing { record, with_names }, bytes)
    });
    feed.finish()?;
    Ok(read?)
}
