//! Rows of the table `assets`.

use std::fmt;
use std::sync::Arc;

use arrow::array::{ArrayRef, Int64Builder, RecordBatch, StringBuilder, TimestampSecondBuilder};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef, TimeUnit};
use arrow::error::ArrowError;
use lodger_functions::{MeshColumns, MeshRow};
use uuid::Uuid;

use super::shown::append_shown;

/// What an asset is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssetKind {
    /// A mesh: type 49 of `OpenSimulator`.
    Mesh,
    /// An object as it lies in an inventory: type 6.
    Object,
}

impl fmt::Display for AssetKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Mesh => "mesh",
            Self::Object => "object",
        })
    }
}

/// An asset: one row of the table `assets`. A bad one has its [`error`](Self::error), and stays until its bytes can be had.
#[derive(Clone, Debug, PartialEq)]
pub struct AssetRow {
    /// Its identifier; `None` where only its hash is known. No two rows of a dataset have the same.
    pub id: Option<Uuid>,
    /// The SHA-256 of its bytes, 64 small hexadecimal digits. In an asset store it is what the table or the name of the
    /// file says: where such bytes are not there, or others are, the error tells. `None` where nobody says.
    pub hash: Option<String>,
    /// What it is.
    pub kind: AssetKind,
    /// Its bytes, uncompressed; `None` where they could not be had, and of an object in an archive.
    pub bytes: Option<i64>,
    /// When it was made, in seconds since 1970; `None` where nobody says.
    pub created: Option<i64>,
    /// When it was last asked for, in seconds since 1970; `None` where nobody says.
    pub accessed: Option<i64>,
    /// Only with `--with-names`.
    pub name: Option<String>,
    /// Only with `--with-names`.
    pub description: Option<String>,
    /// What is in it, of a mesh that could be read.
    pub mesh: Option<MeshRow>,
    /// Why it could not be read, in one line; where the [`mesh`](Self::mesh) has an error, that one is in the table.
    pub error: Option<String>,
}

/// Rows of the table `assets`, as columns: `source`, `id`, `hash`, `kind`, `bytes`, `created`, `accessed`, `name`,
/// `description`, and those of [`MeshColumns`], of which the last is `error`.
#[derive(Debug, Default)]
pub struct AssetColumns {
    rows: usize,
    source: StringBuilder,
    id: StringBuilder,
    hash: StringBuilder,
    kind: StringBuilder,
    bytes: Int64Builder,
    created: TimestampSecondBuilder,
    accessed: TimestampSecondBuilder,
    name: StringBuilder,
    description: StringBuilder,
    mesh: MeshColumns,
}

impl AssetColumns {
    /// The schema of the table.
    #[must_use]
    pub fn schema() -> SchemaRef {
        let time = DataType::Timestamp(TimeUnit::Second, None);
        let own = [
            ("source", DataType::Utf8, false),
            ("id", DataType::Utf8, true),
            ("hash", DataType::Utf8, true),
            ("kind", DataType::Utf8, false),
            ("bytes", DataType::Int64, true),
            ("created", time.clone(), true),
            ("accessed", time, true),
            ("name", DataType::Utf8, true),
            ("description", DataType::Utf8, true),
        ];
        let own = own.into_iter().map(|(name, kind, null)| Arc::new(Field::new(name, kind, null)));
        let mesh = MeshColumns::fields();
        Arc::new(Schema::new(own.chain(mesh.iter().cloned()).collect::<Vec<_>>()))
    }

    /// How many rows there are.
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.rows
    }

    /// Adds a row that was found in that source.
    pub fn push(&mut self, source: &str, row: &AssetRow) {
        self.rows += 1;
        self.source.append_value(source);
        append_shown(&mut self.id, row.id);
        self.hash.append_option(row.hash.as_deref());
        append_shown(&mut self.kind, Some(row.kind));
        self.bytes.append_option(row.bytes);
        self.created.append_option(row.created);
        self.accessed.append_option(row.accessed);
        self.name.append_option(row.name.as_deref());
        self.description.append_option(row.description.as_deref());
        match (&row.mesh, &row.error) {
            (mesh, None) => self.mesh.push(mesh.as_ref()),
            (mesh, Some(error)) => {
                let mut mesh = mesh.clone().unwrap_or_default();
                mesh.error = Some(error.clone());
                self.mesh.push(Some(&mesh));
            }
        }
    }

    /// The rows; none are left.
    ///
    /// # Errors
    /// None that could happen: the columns are those of the schema.
    pub fn finish(&mut self) -> Result<RecordBatch, ArrowError> {
        self.rows = 0;
        let own: [ArrayRef; 9] = [
            Arc::new(self.source.finish()),
            Arc::new(self.id.finish()),
            Arc::new(self.hash.finish()),
            Arc::new(self.kind.finish()),
            Arc::new(self.bytes.finish()),
            Arc::new(self.created.finish()),
            Arc::new(self.accessed.finish()),
            Arc::new(self.name.finish()),
            Arc::new(self.description.finish()),
        ];
        RecordBatch::try_new(Self::schema(), own.into_iter().chain(self.mesh.finish()).collect())
    }
}
