//! What comes of an asset or object.

use lodger_functions::MeshRow;
use lodger_mesh_asset::Limits as MeshLimits;
use lodger_opensim::archive::{Limits, Object, read_objects};
use lodger_quota::{Quota, QuotaExceeded};
use uuid::Uuid;

use super::hash::Hash;
use super::unnamed::in_archive;
use crate::dataset::{AssetKind, AssetRow, PartRow};

/// Characters of an error that are kept.
const LONGEST_ERROR: usize = 400;

/// What comes of an asset or object.
#[derive(Debug, Default)]
pub(super) struct Rows {
    /// Its own row, if it has one.
    pub(super) asset: Option<AssetRow>,
    /// The parts of its objects.
    pub(super) parts: Vec<PartRow>,
    /// How many objects these are of.
    pub(super) objects: u64,
    /// Whether it is of no kind that counts.
    pub(super) passed_over: bool,
}

impl Rows {
    /// Whether there should be bytes of an asset, and there are none.
    pub(super) fn lacks_bytes(&self) -> bool {
        self.asset.as_ref().is_some_and(|asset| asset.bytes.is_none())
    }

    /// What is of no kind that counts.
    pub(super) fn passed_over() -> Self {
        Self { passed_over: true, ..Self::default() }
    }

    /// An asset that cannot be read.
    pub(super) fn bad(asset: AssetRow, error: impl Into<String>) -> Self {
        let error = Some(clipped(error.into()));
        Self { asset: Some(AssetRow { error, ..asset }), ..Self::default() }
    }
}

/// An asset of which nothing is known yet.
pub(super) fn blank(id: Option<Uuid>, hash: Option<&Hash>, kind: AssetKind) -> AssetRow {
    AssetRow {
        id,
        hash: hash.map(Hash::to_string),
        kind,
        bytes: None,
        created: None,
        accessed: None,
        name: None,
        description: None,
        mesh: None,
        error: None,
    }
}

/// An asset with its bytes, by its kind. `key` is what its objects are called, if there are any.
pub(super) fn read(
    mut asset: AssetRow,
    bytes: &[u8],
    key: &str,
    with_names: bool,
    quota: &Quota,
) -> Result<Rows, QuotaExceeded> {
    asset.bytes = i64::try_from(bytes.len()).ok();
    match asset.kind {
        AssetKind::Mesh => mesh(asset, bytes, quota),
        AssetKind::Object => objects(asset, bytes, key, with_names, quota),
    }
}

fn mesh(mut asset: AssetRow, bytes: &[u8], quota: &Quota) -> Result<Rows, QuotaExceeded> {
    let limits = MeshLimits::default();
    let room = quota.reserve(limits.most_memory(bytes.len()))?;
    let mut mesh = MeshRow::of(bytes, limits);
    drop(room);
    mesh.error = mesh.error.map(clipped);
    let kept = mesh.physics_mesh.as_ref().map_or(0, Vec::len) + size_of::<Rows>();
    quota.charge_rows(kept as u64)?;
    asset.mesh = Some(mesh);
    Ok(Rows { asset: Some(asset), ..Rows::default() })
}

/// The objects of an asset in an inventory: neither owner nor region are known.
fn objects(
    mut asset: AssetRow,
    xml: &[u8],
    key: &str,
    with_names: bool,
    quota: &Quota,
) -> Result<Rows, QuotaExceeded> {
    let found = match read_objects("", xml, Limits::default(), quota) {
        Ok(found) => found,
        Err(error) => match error.spent() {
            Some(spent) => return Err(spent),
            None => return Ok(Rows::bad(asset, in_archive(&error, with_names))),
        },
    };
    let mut rows = Rows::default();
    let errors = found.errors.iter().map(|error| in_archive(error, with_names));
    let mut errors: Vec<_> = errors.collect();
    for (number, object) in (1..).zip(&found.objects) {
        match parts(object, &numbered(key, number), None, with_names, quota)? {
            Ok(parts) => {
                rows.parts.extend(parts);
                rows.objects += 1;
            }
            Err(error) => errors.push(error),
        }
    }
    let more = errors.len().saturating_sub(1);
    asset.error = errors.into_iter().next().map(|error| {
        let error = error.trim_start_matches(": ");
        clipped(if more > 0 { format!("{error}; and {more} more") } else { error.to_owned() })
    });
    rows.asset = Some(asset);
    Ok(rows)
}

/// The parts of an object, or why it has none.
pub(super) fn parts(
    object: &Object,
    key: &str,
    region: Option<&str>,
    with_names: bool,
    quota: &Quota,
) -> Result<Result<Vec<PartRow>, String>, QuotaExceeded> {
    let texts = key.len() + region.map_or(0, str::len);
    let bytes = object.parts().map(|part| size_of::<PartRow>() + part.name.len());
    quota.charge_rows((texts + bytes.sum::<usize>()) as u64)?;
    let parts = PartRow::of_object(object, key, region, with_names);
    Ok(parts.map_err(|error| format!("the object {key} cannot be priced: {error}")))
}

/// The key of the object of that number in its asset.
pub(super) fn numbered(key: &str, number: u64) -> String {
    if number == 1 { key.to_owned() } else { format!("{key}#{number}") }
}

fn clipped(error: String) -> String {
    match error.char_indices().nth(LONGEST_ERROR) {
        Some((end, _)) => format!("{}…", &error[..end]),
        None => error,
    }
}
