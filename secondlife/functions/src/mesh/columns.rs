//! Rows of mesh assets as Arrow arrays.

use std::sync::Arc;

use arrow::array::{
    ArrayRef, BinaryBuilder, BooleanBuilder, Float64Builder, Int32Builder, Int64Builder,
    StringBuilder,
};
use arrow::datatypes::{DataType, Field, Fields};
use lodger_core::cost::streaming::Lods;

use super::row::MeshRow;

/// Columns of [`MeshRow`]s; where there is no mesh, all are null.
#[derive(Debug, Default)]
pub struct MeshColumns {
    sizes: Lods<Int32Builder>,
    triangles: Lods<Int32Builder>,
    vertices: Lods<Int32Builder>,
    hull_vertices: Int32Builder,
    hull_estimated: BooleanBuilder,
    hulls: Int32Builder,
    hulls_vertices: Int32Builder,
    hull_cost: Float64Builder,
    decomposition_cost: Float64Builder,
    physics_triangles: Int32Builder,
    physics_mesh: BinaryBuilder,
    joints: Int32Builder,
    degenerate: Int32Builder,
    thin: Int32Builder,
    copied: Int32Builder,
    copied_bytes: Int64Builder,
    error: StringBuilder,
}

impl MeshColumns {
    /// The names and types of the columns, in their order. Every one may be null.
    #[must_use]
    pub fn fields() -> Fields {
        let whole = [
            "lowest",
            "low",
            "medium",
            "high",
            "lowest_triangles",
            "low_triangles",
            "medium_triangles",
            "high_triangles",
            "lowest_vertices",
            "low_vertices",
            "medium_vertices",
            "high_vertices",
            "hull_vertices",
        ];
        let rest = [
            ("hull_estimated", DataType::Boolean),
            ("hulls", DataType::Int32),
            ("hulls_vertices", DataType::Int32),
            ("hull_cost", DataType::Float64),
            ("decomposition_cost", DataType::Float64),
            ("physics_triangles", DataType::Int32),
            ("physics_mesh", DataType::Binary),
            ("joints", DataType::Int32),
            ("degenerate", DataType::Int32),
            ("thin", DataType::Int32),
            ("copied", DataType::Int32),
            ("copied_bytes", DataType::Int64),
            ("error", DataType::Utf8),
        ];
        let whole = whole.into_iter().map(|name| (name, DataType::Int32));
        whole.chain(rest).map(|(name, kind)| Field::new(name, kind, true)).collect()
    }

    /// Adds a row.
    pub fn push(&mut self, row: Option<&MeshRow>) {
        let Some(row) = row else { return self.push_none() };
        push_lods(&mut self.sizes, row.sizes.map(|sizes| sizes.map(Some)).unwrap_or_default());
        push_lods(&mut self.triangles, row.triangles);
        push_lods(&mut self.vertices, row.vertices);
        self.hull_vertices.append_option(row.hull_vertices);
        self.hull_estimated.append_option(row.hull_estimated);
        self.hulls.append_option(row.hulls);
        self.hulls_vertices.append_option(row.hulls_vertices);
        self.hull_cost.append_option(row.hull_cost);
        self.decomposition_cost.append_option(row.decomposition_cost);
        self.physics_triangles.append_option(row.physics_triangles);
        self.physics_mesh.append_option(row.physics_mesh.as_deref());
        self.joints.append_value(row.joints);
        self.degenerate.append_value(row.degenerate);
        self.thin.append_value(row.thin);
        self.copied.append_value(row.copied);
        self.copied_bytes.append_value(row.copied_bytes);
        self.error.append_option(row.error.as_deref());
    }

    fn push_none(&mut self) {
        push_lods(&mut self.sizes, Lods::default());
        push_lods(&mut self.triangles, Lods::default());
        push_lods(&mut self.vertices, Lods::default());
        for column in [
            &mut self.hull_vertices,
            &mut self.hulls,
            &mut self.hulls_vertices,
            &mut self.physics_triangles,
            &mut self.joints,
            &mut self.degenerate,
            &mut self.thin,
            &mut self.copied,
        ] {
            column.append_null();
        }
        self.hull_estimated.append_null();
        self.hull_cost.append_null();
        self.decomposition_cost.append_null();
        self.physics_mesh.append_null();
        self.copied_bytes.append_null();
        self.error.append_null();
    }

    /// The columns, in the order of [`fields`](Self::fields); nothing is left.
    pub fn finish(&mut self) -> Vec<ArrayRef> {
        let mut columns = Vec::with_capacity(Self::fields().len());
        for lods in [&mut self.sizes, &mut self.triangles, &mut self.vertices] {
            let Lods { lowest, low, medium, high } = lods;
            columns
                .extend([lowest, low, medium, high].map(|lod| Arc::new(lod.finish()) as ArrayRef));
        }
        columns.push(Arc::new(self.hull_vertices.finish()));
        columns.push(Arc::new(self.hull_estimated.finish()));
        columns.push(Arc::new(self.hulls.finish()));
        columns.push(Arc::new(self.hulls_vertices.finish()));
        columns.push(Arc::new(self.hull_cost.finish()));
        columns.push(Arc::new(self.decomposition_cost.finish()));
        columns.push(Arc::new(self.physics_triangles.finish()));
        columns.push(Arc::new(self.physics_mesh.finish()));
        for column in [&mut self.joints, &mut self.degenerate, &mut self.thin, &mut self.copied] {
            columns.push(Arc::new(column.finish()));
        }
        columns.push(Arc::new(self.copied_bytes.finish()));
        columns.push(Arc::new(self.error.finish()));
        columns
    }
}

fn push_lods(columns: &mut Lods<Int32Builder>, values: Lods<Option<i32>>) {
    columns.lowest.append_option(values.lowest);
    columns.low.append_option(values.low);
    columns.medium.append_option(values.medium);
    columns.high.append_option(values.high);
}
