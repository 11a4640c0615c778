//! Rows of the table `parts`.

use std::fmt;
use std::sync::Arc;

use arrow::array::{
    ArrayRef, BooleanBuilder, Float64Builder, Int32Builder, RecordBatch, StringBuilder,
};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use arrow::error::ArrowError;
use lodger_core::cost::physics::ShapeType;
use lodger_core::cost::streaming::Lods;
use lodger_opensim::archive::Shape;
use uuid::Uuid;

use super::shown::append_shown;

/// How the streaming cost of a part is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartKind {
    /// From the sizes of its mesh.
    Mesh,
    /// From assumed sizes, up to 1.0.
    Plain,
    /// From assumed sizes, up to 2.0.
    Sculpted,
    /// Nobody states it; it counts 0.
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

/// A part of an object: one row of the table `parts`.
#[derive(Clone, Debug, PartialEq)]
pub struct PartRow {
    /// The object that it is of, unique within its source: the identifier of the root part of one that stands in a
    /// region; of one in an inventory that of its asset, with `#2` behind it for the second of several in one asset;
    /// where there is no identifier, or it was there before, the path of its entry with a number behind `#`.
    pub object: Arc<str>,
    /// 1 for the root, then as linked.
    pub part: i32,
    /// Only with `--with-names`.
    pub name: Option<String>,
    /// Whose it is now; `None` in an inventory's asset.
    pub owner: Option<Uuid>,
    /// Who made it.
    pub creator: Option<Uuid>,
    /// The region that it stands in: its identifier, or the name of its archive or of its folder in an archive of
    /// several; `None` in an inventory.
    pub region: Option<Arc<str>>,
    /// Metres along its own axes.
    pub scale: [f64; 3],
    /// How its streaming cost is found.
    pub kind: PartKind,
    /// What it looks like: `mesh`, `box`, `sphere`, …, `tree`, `grass`.
    pub shape: Shape,
    /// What it collides as.
    pub shape_type: ShapeType,
    /// Whether its object moves by physics.
    pub physical: bool,
    /// Whether the mesh of its object's root is animated.
    pub animated: bool,
    /// The scripts in it.
    pub scripts: i32,
    /// The sizes in bytes that are assumed of a prim that shows no mesh; 0 of a plant.
    pub sizes: Option<Lods<i32>>,
    /// The physics cost, before any penalty, of a part that shows no mesh.
    pub physics: Option<f64>,
    /// The box around its object along the root's axes, in metres.
    pub object_size: [f64; 3],
}

impl PartRow {
    /// The mesh that it shows.
    #[must_use]
    pub const fn mesh(&self) -> Option<Uuid> {
        match self.shape {
            Shape::Mesh(id) => Some(id),
            _ => None,
        }
    }
}

/// Rows of the table `parts`, as columns: `source`, `object`, `part`, `name`, `owner`, `creator`, `region`, `x`, `y`,
/// `z`, `kind`, `shape`, `shape_type`, `physical`, `animated`, `scripts`, `mesh`, `lowest`, `low`, `medium`, `high`,
/// `physics`, `object_x`, `object_y`, `object_z`.
#[derive(Debug, Default)]
pub struct PartColumns {
    rows: usize,
    source: StringBuilder,
    object: StringBuilder,
    part: Int32Builder,
    name: StringBuilder,
    owner: StringBuilder,
    creator: StringBuilder,
    region: StringBuilder,
    scale: [Float64Builder; 3],
    kind: StringBuilder,
    shape: StringBuilder,
    shape_type: StringBuilder,
    physical: BooleanBuilder,
    animated: BooleanBuilder,
    scripts: Int32Builder,
    mesh: StringBuilder,
    sizes: Lods<Int32Builder>,
    physics: Float64Builder,
    object_size: [Float64Builder; 3],
}

impl PartColumns {
    /// The schema of the table.
    #[must_use]
    pub fn schema() -> SchemaRef {
        let columns = [
            ("source", DataType::Utf8, false),
            ("object", DataType::Utf8, false),
            ("part", DataType::Int32, false),
            ("name", DataType::Utf8, true),
            ("owner", DataType::Utf8, true),
            ("creator", DataType::Utf8, true),
            ("region", DataType::Utf8, true),
            ("x", DataType::Float64, false),
            ("y", DataType::Float64, false),
            ("z", DataType::Float64, false),
            ("kind", DataType::Utf8, false),
            ("shape", DataType::Utf8, false),
            ("shape_type", DataType::Utf8, false),
            ("physical", DataType::Boolean, false),
            ("animated", DataType::Boolean, false),
            ("scripts", DataType::Int32, false),
            ("mesh", DataType::Utf8, true),
            ("lowest", DataType::Int32, true),
            ("low", DataType::Int32, true),
            ("medium", DataType::Int32, true),
            ("high", DataType::Int32, true),
            ("physics", DataType::Float64, true),
            ("object_x", DataType::Float64, false),
            ("object_y", DataType::Float64, false),
            ("object_z", DataType::Float64, false),
        ];
        let fields = columns.into_iter().map(|(name, kind, null)| Field::new(name, kind, null));
        Arc::new(Schema::new(fields.collect::<Vec<_>>()))
    }

    /// How many rows there are.
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.rows
    }

    /// Adds a row that was found in that source.
    pub fn push(&mut self, source: &str, row: &PartRow) {
        self.rows += 1;
        self.source.append_value(source);
        self.object.append_value(&row.object);
        self.part.append_value(row.part);
        self.name.append_option(row.name.as_deref());
        append_shown(&mut self.owner, row.owner);
        append_shown(&mut self.creator, row.creator);
        self.region.append_option(row.region.as_deref());
        for (column, side) in self.scale.iter_mut().zip(row.scale) {
            column.append_value(side);
        }
        append_shown(&mut self.kind, Some(row.kind));
        append_shown(&mut self.shape, Some(row.shape));
        append_shown(&mut self.shape_type, Some(row.shape_type));
        self.physical.append_value(row.physical);
        self.animated.append_value(row.animated);
        self.scripts.append_value(row.scripts);
        append_shown(&mut self.mesh, row.mesh());
        self.sizes.lowest.append_option(row.sizes.map(|sizes| sizes.lowest));
        self.sizes.low.append_option(row.sizes.map(|sizes| sizes.low));
        self.sizes.medium.append_option(row.sizes.map(|sizes| sizes.medium));
        self.sizes.high.append_option(row.sizes.map(|sizes| sizes.high));
        self.physics.append_option(row.physics);
        for (column, side) in self.object_size.iter_mut().zip(row.object_size) {
            column.append_value(side);
        }
    }

    /// The rows; none are left.
    ///
    /// # Errors
    /// None that could happen: the columns are those of the schema.
    pub fn finish(&mut self) -> Result<RecordBatch, ArrowError> {
        self.rows = 0;
        let mut columns: Vec<ArrayRef> = vec![
            Arc::new(self.source.finish()),
            Arc::new(self.object.finish()),
            Arc::new(self.part.finish()),
            Arc::new(self.name.finish()),
            Arc::new(self.owner.finish()),
            Arc::new(self.creator.finish()),
            Arc::new(self.region.finish()),
        ];
        columns.extend(self.scale.each_mut().map(|side| Arc::new(side.finish()) as ArrayRef));
        columns.push(Arc::new(self.kind.finish()));
        columns.push(Arc::new(self.shape.finish()));
        columns.push(Arc::new(self.shape_type.finish()));
        columns.push(Arc::new(self.physical.finish()));
        columns.push(Arc::new(self.animated.finish()));
        columns.push(Arc::new(self.scripts.finish()));
        columns.push(Arc::new(self.mesh.finish()));
        let Lods { lowest, low, medium, high } = &mut self.sizes;
        columns.extend([lowest, low, medium, high].map(|lod| Arc::new(lod.finish()) as ArrayRef));
        columns.push(Arc::new(self.physics.finish()));
        columns.extend(self.object_size.each_mut().map(|side| Arc::new(side.finish()) as ArrayRef));
        RecordBatch::try_new(Self::schema(), columns)
    }
}
