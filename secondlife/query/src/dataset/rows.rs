//! Rows of the tables `assets` and `parts`, and their Arrow columns.

use std::fmt;
use std::sync::Arc;

use arrow::array::{
    BooleanBuilder, Float64Builder, Int32Builder, Int64Builder, RecordBatch, StringBuilder,
    TimestampSecondBuilder,
};
use arrow::datatypes::{FieldRef, Schema, SchemaRef};
use arrow::error::ArrowError;
use lodger_core::cost::physics::{Motion, ShapeType};
use lodger_core::cost::prims::{SolidKind, SolidPrim};
use lodger_core::cost::streaming::PerLod;
use lodger_core::cost::{ObjectScale, PrimKind};
use lodger_functions::{MeshColumns, MeshRow, columns};
use lodger_opensim::archive::{Object, ObjectPart, PrimGeometry};
use lodger_opensim::pricing::linkset_size;
use uuid::Uuid;

/// The kind of an asset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AssetKind {
    /// A mesh: type 49 of `OpenSimulator`.
    #[default]
    Mesh,
    /// An object in an inventory: type 6.
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

/// A row of the table `assets`. The row of an unreadable asset has an [`error`](Self::error), and
/// stays until its bytes are found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AssetRow {
    /// The identifier, unique in a dataset; `None` if only the hash is known.
    pub id: Option<Uuid>,
    /// The SHA-256 of the bytes as 64 lower-case hexadecimal digits. For an asset store it is the
    /// hash in the table or in the name of the file, even if the bytes are missing or have another
    /// hash, which is an `error`.
    pub hash: Option<String>,
    /// The kind of the asset.
    pub kind: AssetKind,
    /// The number of uncompressed bytes; `None` if they are missing, and for an object in an
    /// archive.
    pub bytes: Option<i64>,
    /// The time of creation in seconds since 1970, if known.
    pub created: Option<i64>,
    /// The time of the last request in seconds since 1970, if known.
    pub accessed: Option<i64>,
    /// The name, only with `--with-names`.
    pub name: Option<String>,
    /// The description, only with `--with-names`.
    pub description: Option<String>,
    /// The content of a mesh that could be read.
    pub mesh: Option<MeshRow>,
    /// The reason that the asset could not be read, in one line. The column `error` contains it, or
    /// else the error of [`mesh`](Self::mesh).
    pub error: Option<String>,
}

impl AssetRow {
    /// Creates a row of a kind in which nothing else is known.
    #[must_use]
    pub fn new(kind: AssetKind) -> Self {
        Self { kind, ..Self::default() }
    }
}

columns! {
    struct StoreColumns(source: &str, row: &AssetRow) {
        required source: StringBuilder = source;
        nullable id: StringBuilder = row.id?;
        nullable hash: StringBuilder = row.hash.as_deref()?;
        required kind: StringBuilder = row.kind;
        nullable bytes: Int64Builder = row.bytes?;
        nullable created: TimestampSecondBuilder = row.created?;
        nullable accessed: TimestampSecondBuilder = row.accessed?;
        nullable name: StringBuilder = row.name.as_deref()?;
        nullable description: StringBuilder = row.description.as_deref()?;
    }
}

/// The columns of the table `assets`; the last columns are [`MeshColumns`].
#[derive(Debug, Default)]
pub struct AssetRowColumns {
    store: StoreColumns,
    mesh: MeshColumns,
}

impl AssetRowColumns {
    /// The schema of the table.
    #[must_use]
    pub fn schema() -> SchemaRef {
        let fields = [StoreColumns::fields(), MeshColumns::fields()];
        Arc::new(Schema::new(fields.iter().flatten().cloned().collect::<Vec<FieldRef>>()))
    }

    /// Appends a row of a source.
    pub fn append(&mut self, source: &str, row: &AssetRow) {
        self.store.append(source, row);
        match (&row.mesh, &row.error) {
            (mesh, None) => self.mesh.append(mesh.as_ref()),
            (mesh, Some(error)) => {
                let mut mesh = mesh.clone().unwrap_or_default();
                mesh.error = Some(error.clone());
                self.mesh.append(Some(&mesh));
            }
        }
    }

    /// Returns the rows, and empties the builders.
    ///
    /// # Errors
    ///
    /// None in practice: the columns match the schema.
    pub fn finish_batch(&mut self) -> Result<RecordBatch, ArrowError> {
        let columns = [self.store.finish(), self.mesh.finish()].concat();
        RecordBatch::try_new(Self::schema(), columns)
    }
}

/// The basis of the streaming cost of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartKind {
    /// The sizes of its mesh.
    Mesh,
    /// Assumed sizes, with a cost of at most 1.
    Plain,
    /// Assumed sizes, with a cost of at most 2.
    Sculpted,
    /// A cost of 0, as no source states the cost of a plant.
    Plant,
}

impl fmt::Display for PartKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Mesh => "mesh",
            Self::Plain => "plain",
            Self::Sculpted => "sculpted",
            Self::Plant => "plant",
        })
    }
}

/// A row of the table `parts`: a part of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct PartRow {
    /// The key of the object, unique in a source: in a region, the identifier of the root part; in
    /// an inventory, the identifier of the asset, with `#2` for the second object of an asset.
    /// Without a unique identifier it is the entry's path with `#` and a number.
    pub object: Arc<str>,
    /// The number of the part: 1 for the root, then the link order.
    pub part: i32,
    /// The name, only with `--with-names`.
    pub name: Option<String>,
    /// The current owner; `None` in an asset of an inventory.
    pub owner: Option<Uuid>,
    /// Creator.
    pub creator: Option<Uuid>,
    /// The identifier of the region, or the name of its archive or of its folder in an archive of
    /// several regions; `None` in an inventory.
    pub region: Option<Arc<str>>,
    /// The sides in metres.
    pub scale: [f64; 3],
    /// The basis of the streaming cost.
    pub kind: PartKind,
    /// The shape: `mesh`, `box`, `sphere`, …, `tree`, `grass`.
    pub shape: PrimGeometry,
    /// The physics shape type.
    pub shape_type: ShapeType,
    /// Whether the object moves by physics.
    pub physical: bool,
    /// Whether the mesh of the object's root is animated.
    pub animated: bool,
    /// The number of scripts in the part.
    pub scripts: i32,
    /// The assumed bytes of the LODs of a prim without a mesh; 0 for a plant.
    pub sizes: Option<PerLod<i32>>,
    /// The physics cost, before any penalty, of a part without a mesh.
    pub physics: Option<f64>,
    /// The sides of the box around the object along the root's axes, in metres.
    pub object_size: [f64; 3],
}

columns! {
    /// The columns of the table `parts`.
    pub struct PartColumns(source: &str, row: &PartRow) {
        required source: StringBuilder = source;
        required object: StringBuilder = &row.object;
        required part: Int32Builder = row.part;
        nullable name: StringBuilder = row.name.as_deref()?;
        nullable owner: StringBuilder = row.owner?;
        nullable creator: StringBuilder = row.creator?;
        nullable region: StringBuilder = row.region.as_deref()?;
        required x: Float64Builder = row.scale[0];
        required y: Float64Builder = row.scale[1];
        required z: Float64Builder = row.scale[2];
        required kind: StringBuilder = row.kind;
        required shape: StringBuilder = row.shape;
        required shape_type: StringBuilder = row.shape_type;
        required physical: BooleanBuilder = row.physical;
        required animated: BooleanBuilder = row.animated;
        required scripts: Int32Builder = row.scripts;
        nullable mesh: StringBuilder = row.shape.mesh()?;
        nullable lowest: Int32Builder = row.sizes?.lowest;
        nullable low: Int32Builder = row.sizes?.low;
        nullable medium: Int32Builder = row.sizes?.medium;
        nullable high: Int32Builder = row.sizes?.high;
        nullable physics: Float64Builder = row.physics?;
        required object_x: Float64Builder = row.object_size[0];
        required object_y: Float64Builder = row.object_size[1];
        required object_z: Float64Builder = row.object_size[2];
    }
}

impl PartColumns {
    /// The schema of the table.
    #[must_use]
    pub fn schema() -> SchemaRef {
        Arc::new(Schema::new(Self::fields()))
    }

    /// Returns the rows, and empties the builders.
    ///
    /// # Errors
    ///
    /// None in practice: the columns match the schema.
    pub fn finish_batch(&mut self) -> Result<RecordBatch, ArrowError> {
        RecordBatch::try_new(Self::schema(), self.finish())
    }
}

impl PartRow {
    /// Returns the parts of an object, without costs that depend on rules or on a mesh. An object
    /// outside of regions has no owner.
    ///
    /// # Errors
    ///
    /// A part or the box around all parts is larger than core accepts.
    pub fn from_object(
        object: &Object,
        key: &str,
        region: Option<&str>,
        with_names: bool,
    ) -> Result<Vec<Self>, lodger_core::ValueError> {
        let object_size = linkset_size(object)?.sides();
        let (key, region): (Arc<str>, Option<Arc<str>>) = (key.into(), region.map(Into::into));
        let row = |(number, part): (i32, &ObjectPart)| {
            let (kind, sizes, physics) = shape_costs(part, object.physical())?;
            Ok(Self {
                object: Arc::clone(&key),
                part: number,
                name: with_names.then(|| part.name.to_string()),
                owner: object.owner.filter(|_| region.is_some()),
                creator: part.creator,
                region: region.clone(),
                scale: ObjectScale::new(part.scale)?.sides(),
                kind,
                shape: part.shape,
                shape_type: part.shape_type,
                physical: object.physical(),
                animated: object.root.animated,
                scripts: i32::try_from(part.scripts).unwrap_or(i32::MAX),
                sizes,
                physics,
                object_size,
            })
        };
        (1..).zip(object.parts()).map(row).collect()
    }
}

type ShapeCosts = (PartKind, Option<PerLod<i32>>, Option<f64>);

fn shape_costs(part: &ObjectPart, physical: bool) -> Result<ShapeCosts, lodger_core::ValueError> {
    let prim = match part.shape {
        PrimGeometry::Mesh(_) => return Ok((PartKind::Mesh, None, None)),
        PrimGeometry::Plant(_) => return Ok((PartKind::Plant, Some(PerLod::default()), Some(0.0))),
        PrimGeometry::Prim(prim) => prim,
        _ => SolidPrim { solid: SolidKind::Other, altered: false },
    };
    let kind = match prim.kind() {
        PrimKind::Sculpted => PartKind::Sculpted,
        _ => PartKind::Plain,
    };
    let motion = if physical { Motion::Physical } else { Motion::AT_REST };
    let physics = prim.body::<f64>()?.cost(part.shape_type, motion).cost;
    Ok((kind, Some(prim.bytes()), Some(physics)))
}
