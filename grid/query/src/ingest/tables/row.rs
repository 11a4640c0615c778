//! From the cells of a row to a record.

use std::borrow::Cow;

use uuid::Uuid;

use super::record::{AssetRecord, FsAssetRecord, MESH, OBJECT};

/// A value of a row: its bytes, of a text in UTF-8; `None` where it is null.
pub(super) type Value<'v> = Option<Cow<'v, [u8]>>;

/// The values of a row, in the order of the columns of its table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<'v>(pub(super) &'v [Value<'v>]);

impl<'v> Row<'v> {
    /// A value.
    pub(super) fn bytes(self, at: usize) -> Option<&'v [u8]> {
        self.0.get(at)?.as_deref()
    }

    /// A value as a text; what is no UTF-8 in it stands as `U+FFFD`.
    pub(super) fn text(self, at: usize) -> Option<Cow<'v, str>> {
        let bytes = self.bytes(at)?;
        // What is UTF-8 is seen sooner by the first.
        Some(str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed))
    }

    fn parsed<T>(
        self,
        at: usize,
        column: &str,
        what: &str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<T, String> {
        let text = self.text(at).ok_or_else(|| format!("`{column}` is missing"))?;
        // The text itself is not told: where a row is shifted, it may be a name.
        parse(text.trim()).ok_or_else(|| format!("`{column}` must be {what}"))
    }

    /// A UUID.
    pub(super) fn uuid(self, at: usize, column: &str) -> Result<Uuid, String> {
        self.parsed(at, column, "a UUID", |text| Uuid::try_parse(text).ok())
    }

    /// A UUID, if there is one and it is not nil.
    pub(super) fn somebody(self, at: usize) -> Option<Uuid> {
        let id = Uuid::try_parse(self.text(at)?.trim()).ok();
        id.filter(|id| !id.is_nil())
    }

    /// A whole number.
    pub(super) fn whole(self, at: usize, column: &str) -> Result<i64, String> {
        self.parsed(at, column, "a whole number", |text| text.parse().ok())
    }

    /// An asset type.
    fn kind(self, at: usize, column: &str) -> Result<i32, String> {
        self.parsed(at, column, "a whole number", |text| text.parse().ok())
    }

    /// A time in seconds; `None` where it is null, no number, or 0, which it is from the beginning.
    fn time(self, at: usize) -> Option<i64> {
        self.text(at)?.trim().parse().ok().filter(|time| *time != 0)
    }

    /// A name, if there is one.
    fn name(self, at: usize) -> Option<String> {
        self.text(at).filter(|name| !name.is_empty()).map(Cow::into_owned)
    }
}

/// The row of `fsassets` that it is.
pub(super) fn fs_asset(row: Row<'_>) -> Result<FsAssetRecord, String> {
    let id = row.uuid(0, "id")?;
    let of = |problem: String| format!("asset {id}: {problem}");
    let is_hash = |text: &str| text.len() == 64 && text.bytes().all(|c| c.is_ascii_hexdigit());
    let hash = |text: &str| is_hash(text).then(|| text.to_owned());
    let kind = row.kind(1, "type").map_err(of)?;
    let hash = match kind {
        MESH | OBJECT => row.parsed(2, "hash", "64 hexadecimal digits", hash).map_err(of)?,
        _ => row.text(2).unwrap_or_default().into_owned(),
    };
    Ok(FsAssetRecord {
        id,
        kind,
        hash,
        created: row.time(3),
        accessed: row.time(4),
        name: row.name(5),
        description: row.name(6),
    })
}

/// The row of `assets` that it is.
pub(super) fn asset(row: Row<'_>) -> Result<AssetRecord, String> {
    let id = row.uuid(0, "id")?;
    let of = |problem: String| format!("asset {id}: {problem}");
    let data = row.bytes(2).unwrap_or_default();
    Ok(AssetRecord {
        id,
        kind: row.kind(1, "assetType").map_err(of)?,
        data: within(data, "data").map_err(of)?.to_vec(),
        created: row.time(3),
        accessed: row.time(4),
        name: row.name(5),
        description: row.name(6),
    })
}

/// The most bytes of a blob: as many as an entry of an archive may have.
pub(super) fn largest_blob() -> usize {
    let bytes = lodger_opensim::archive::Limits::default().entry_bytes;
    usize::try_from(bytes).unwrap_or(usize::MAX)
}

/// The bytes, if they are not too many.
pub(super) fn within<'b>(bytes: &'b [u8], column: &str) -> Result<&'b [u8], String> {
    if bytes.len() <= largest_blob() {
        Ok(bytes)
    } else {
        Err(format!("`{column}` has more than {} bytes", largest_blob()))
    }
}
