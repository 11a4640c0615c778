//! Rows of an asset or object, and errors without personal data.

use lodger_functions::MeshRow;
use lodger_mesh_asset::AssetLimits as MeshLimits;
use lodger_opensim::archive::{ArchiveError, ArchiveLimits, Object, read_objects};
use lodger_opensim::files::{FileError, FileErrorKind, entry_id};
use lodger_quota::{Quota, QuotaExceeded};
use uuid::Uuid;

use super::tree::Hash;
use crate::dataset::{AssetKind, AssetRow, PartRow};

const MAX_ERROR: usize = 400;

#[derive(Debug, Default)]
pub(super) struct IngestedRows {
    pub(super) asset: Option<AssetRow>,
    pub(super) parts: Vec<PartRow>,
    pub(super) objects: u64,
    pub(super) is_skipped: bool,
}

impl IngestedRows {
    pub(super) fn is_missing_bytes(&self) -> bool {
        self.asset.as_ref().is_some_and(|asset| asset.bytes.is_none())
    }

    pub(super) fn skipped() -> Self {
        Self { is_skipped: true, ..Self::default() }
    }

    pub(super) fn bad(asset: AssetRow, error: impl Into<String>) -> Self {
        let error = Some(ellipsized(&error.into()));
        Self { asset: Some(AssetRow { error, ..asset }), ..Self::default() }
    }
}

/// The row of an asset of which only identifier and hash are known.
pub(super) fn empty(id: Option<Uuid>, hash: Option<&Hash>, kind: AssetKind) -> AssetRow {
    AssetRow { id, hash: hash.map(Hash::to_string), ..AssetRow::new(kind) }
}

pub(super) fn read(
    mut asset: AssetRow,
    bytes: &[u8],
    key: &str,
    with_names: bool,
    quota: &Quota,
) -> Result<IngestedRows, QuotaExceeded> {
    asset.bytes = i64::try_from(bytes.len()).ok();
    match asset.kind {
        AssetKind::Mesh => mesh(asset, bytes, quota),
        AssetKind::Object => objects(asset, bytes, key, with_names, quota),
    }
}

fn mesh(mut asset: AssetRow, bytes: &[u8], quota: &Quota) -> Result<IngestedRows, QuotaExceeded> {
    let limits = MeshLimits::default();
    let reserved = quota.reserve(limits.max_memory(bytes.len()))?;
    let mut mesh = MeshRow::read(bytes, limits);
    drop(reserved);
    mesh.error = mesh.error.as_deref().map(ellipsized);
    let kept = mesh.physics_mesh.as_ref().map_or(0, Vec::len) + size_of::<IngestedRows>();
    quota.charge_rows(kept as u64)?;
    asset.mesh = Some(mesh);
    Ok(IngestedRows { asset: Some(asset), ..IngestedRows::default() })
}

/// Reads the objects of an asset in an inventory, whose owner and region are unknown.
fn objects(
    mut asset: AssetRow,
    xml: &[u8],
    key: &str,
    with_names: bool,
    quota: &Quota,
) -> Result<IngestedRows, QuotaExceeded> {
    let found = match read_objects("", xml, ArchiveLimits::default(), quota) {
        Ok(found) => found,
        Err(error) => match error.quota_exceeded() {
            Some(exceeded) => return Err(exceeded),
            None => return Ok(IngestedRows::bad(asset, archive_error(&error, with_names))),
        },
    };
    let mut rows = IngestedRows::default();
    let errors = found.errors.iter().map(|error| archive_error(error, with_names));
    let mut errors: Vec<_> = errors.collect();
    for (number, object) in (1..).zip(&found.objects) {
        match part_rows(object, &numbered(key, number), None, with_names, quota)? {
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
        if more > 0 { ellipsized(&format!("{error}; and {more} more")) } else { ellipsized(error) }
    });
    rows.asset = Some(asset);
    Ok(rows)
}

pub(super) fn part_rows(
    object: &Object,
    key: &str,
    region: Option<&str>,
    with_names: bool,
    quota: &Quota,
) -> Result<Result<Vec<PartRow>, String>, QuotaExceeded> {
    let texts = key.len() + region.map_or(0, str::len);
    let bytes = object.parts().map(|part| size_of::<PartRow>() + part.name.len());
    quota.charge_rows((texts + bytes.sum::<usize>()) as u64)?;
    let parts = PartRow::from_object(object, key, region, with_names);
    Ok(parts.map_err(|error| format!("the object {key} cannot be priced: {error}")))
}

/// The key of the object with a number in its asset.
pub(super) fn numbered(key: &str, number: u64) -> String {
    if number == 1 { key.to_owned() } else { format!("{key}#{number}") }
}

fn ellipsized(error: &str) -> String {
    lodger_quota::ellipsized(error, MAX_ERROR).into_owned()
}

const FOLDERS: [&str; 5] = ["assets", "inventory", "landdata", "objects", "regions"];

/// Describes an error inside an archive. Without names, the message omits names of objects and
/// parts, paths of entries, and quoted texts.
pub(super) fn archive_error(error: &ArchiveError, with_names: bool) -> String {
    if with_names {
        return error.to_string();
    }
    let entry = error.entry().filter(|entry| !entry.is_empty());
    let entry = entry.map_or_else(String::new, |entry| format!("{}: ", entry_label(entry)));
    let part = error.part().map_or_else(String::new, |part| format!("part {}: ", part.number));
    format!("{entry}{part}{}", error.kind().unquoted())
}

pub(super) fn file_error(error: &FileError, with_names: bool) -> String {
    match error.kind() {
        FileErrorKind::Archive(inner) => {
            format!("`{}`: {}", error.name(), archive_error(inner, with_names))
        }
        _ => error.to_string(),
    }
}

pub(super) fn entry_error(error: &FileError, with_names: bool) -> String {
    if with_names {
        return error.to_string();
    }
    format!("{}: {}", entry_label(error.name()), error.kind())
}

/// The identifier of an entry, or else its folder.
fn entry_label(entry: &str) -> String {
    let is_in =
        |folder: &&str| entry.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    match (entry_id(entry), FOLDERS.iter().find(|folder| is_in(folder))) {
        (Some(id), _) => id.to_string(),
        (None, Some(folder)) => format!("an entry in {folder}"),
        (None, None) => "an entry".to_owned(),
    }
}
