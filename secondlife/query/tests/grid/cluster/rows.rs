//! Parts of objects, made up, and questions to them.

use std::fs::File;
use std::sync::Arc;

use arrow::array::{
    ArrayRef, BooleanArray, DictionaryArray, Float64Array, Int32Array, ListArray, RecordBatch,
    StringArray, StringViewArray, StructArray,
};
use arrow::datatypes::{DataType, Field, Int32Type};
use arrow::util::pretty::pretty_format_batches;
use datafusion::error::Result;
use datafusion::prelude::{ParquetReadOptions, SessionContext};
use parquet::arrow::ArrowWriter;
use tempfile::TempDir;

/// Questions whose answers have an order: functions of lodger, all kinds of plans, all kinds of columns.
pub(super) const QUESTIONS: [&str; 12] = [
    "SELECT kind, count(*), sum(millionths(streaming_cost(x, y, z, lowest, low, medium, high)))
        FROM parts GROUP BY kind ORDER BY kind",
    "SELECT sum(millionths(streaming_cost(x, y, z, lowest, low, medium, high, 'grid'))),
        sum(millionths(animated_cost(lowest, low, medium, high, physical))),
        sum(millionths(prim_cost('plain', x, y, z, lowest, low, medium, high))) FROM parts",
    "SELECT shape_type, sum(millionths(physics_cost(shape_type, physical, x, y, z, hull_vertices, hulls,
        hulls_vertices, NULL, NULL, NULL))) FROM parts GROUP BY shape_type ORDER BY shape_type",
    "SELECT object, land_impact(sum(streaming_cost(x, y, z, lowest, low, medium, high)), 0.5, 0.5) AS li
        FROM parts GROUP BY object ORDER BY li DESC, object LIMIT 7",
    "SELECT a.object, count(*) FROM parts a JOIN parts b ON a.part = b.part AND a.kind = b.kind
        WHERE b.part < 3 GROUP BY a.object ORDER BY a.object LIMIT 20",
    "SELECT object, part, row_number() OVER (PARTITION BY object ORDER BY part) AS n FROM parts
        ORDER BY object, part LIMIT 30",
    "SELECT count(*) FROM parts WHERE part NOT IN (SELECT part FROM parts WHERE x > 3)",
    "SELECT count(*) FROM parts WHERE x > (SELECT avg(x) FROM parts)",
    "SELECT box['wide'], count(DISTINCT object) FROM parts GROUP BY 1 ORDER BY 1",
    "SELECT tag, sum(n) FROM (SELECT unnest(tags) AS tag, 1 AS n FROM parts) GROUP BY tag ORDER BY tag",
    "SELECT name, word, min(part), max(array_length(tags)) FROM parts WHERE x IS NOT NULL
        GROUP BY name, word ORDER BY name, word",
    "SELECT * FROM parts WHERE part < 0",
];

/// A folder with Parquet files of the table `parts`.
pub(super) struct Parts {
    folder: TempDir,
}

impl Parts {
    /// Writes so many files of so many rows, always the same ones.
    pub(super) fn write(files: usize, rows: usize) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        for file in 0..files {
            let batch = batch(file * rows, rows);
            let out =
                File::create(folder.path().join(format!("{file:05}.parquet"))).expect("a file");
            let mut writer = ArrowWriter::try_new(out, batch.schema(), None).expect("a writer");
            writer.write(&batch).expect("rows");
            writer.close().expect("an end");
        }
        Self { folder }
    }

    /// Makes them known as `parts`.
    pub(super) async fn register(&self, context: &SessionContext) {
        let path = self.folder.path().to_str().expect("a path");
        let options = ParquetReadOptions::default();
        context.register_parquet("parts", path, options).await.expect("files");
    }
}

/// The answer as a table.
pub(super) async fn answer(context: &SessionContext, question: &str) -> Result<String> {
    let rows = context.sql(question).await?.collect().await?;
    let rows: Vec<_> = rows.into_iter().filter(|rows| rows.num_rows() > 0).collect();
    Ok(pretty_format_batches(&rows)?.to_string())
}

fn one_of(words: [&'static str; 3], number: i32) -> &'static str {
    words[usize::try_from(number % 3).expect("not negative")]
}

fn batch(first: usize, rows: usize) -> RecordBatch {
    let numbers: Vec<i32> = (first..first + rows).map(|n| i32::try_from(n).expect("few")).collect();
    let whole = |f: fn(i32) -> Option<i32>| -> ArrayRef {
        Arc::new(numbers.iter().map(|&n| f(n)).collect::<Int32Array>())
    };
    let real = |f: fn(i32) -> Option<f64>| -> ArrayRef {
        Arc::new(numbers.iter().map(|&n| f(n)).collect::<Float64Array>())
    };
    let text =
        |f: fn(i32) -> String| -> StringArray { numbers.iter().map(|&n| Some(f(n))).collect() };
    let words = text(|n| format!("a word that is longer than twelve bytes, {}", n % 5));
    let wide = Arc::new(numbers.iter().map(|n| Some(n % 3 == 0)).collect::<BooleanArray>());
    let field = Arc::new(Field::new("wide", DataType::Boolean, true));
    let tags = numbers.iter().map(|n| (n % 4 > 0).then(|| (0..n % 4).map(|tag| Some(tag * 10))));
    let kinds: DictionaryArray<Int32Type> =
        numbers.iter().map(|n| Some(one_of(["mesh", "plain", "sculpted"], *n))).collect();
    RecordBatch::try_from_iter_with_nullable([
        ("object", Arc::new(text(|n| format!("object {}", n / 7))) as ArrayRef, false),
        ("part", whole(|n| Some(n % 7)), false),
        ("row", whole(Some), false),
        ("kind", Arc::new(kinds), false),
        (
            "shape_type",
            Arc::new(text(|n| one_of(["prim", "convex-hull", "none"], n).to_owned())),
            false,
        ),
        (
            "physical",
            Arc::new(numbers.iter().map(|n| Some(n % 5 == 0)).collect::<BooleanArray>()),
            false,
        ),
        ("x", real(|n| (n % 11 > 0).then(|| f64::from(n % 977) / 61.0 + 0.01)), true),
        ("y", real(|n| Some(f64::from(n % 613) / 47.0 + 0.01)), false),
        ("z", real(|n| Some(f64::from(n % 389) / 31.0 + 0.01)), false),
        ("lowest", whole(|n| Some(n % 701 + 20)), true),
        ("low", whole(|n| Some(n % 1_709 + 40)), true),
        ("medium", whole(|n| Some(n % 4_001 + 80)), true),
        ("high", whole(|n| Some(n % 9_973 + 160)), true),
        ("hull_vertices", whole(|n| Some(n % 256 + 1)), true),
        ("hulls", whole(|n| (n % 2 == 0).then_some(n % 16 + 1)), true),
        ("hulls_vertices", whole(|n| (n % 2 == 0).then_some(n % 200 + 64)), true),
        (
            "name",
            Arc::new(
                numbers
                    .iter()
                    .map(|n| (n % 6 > 0).then(|| format!("name {}", n % 6)))
                    .collect::<StringViewArray>(),
            ),
            true,
        ),
        ("word", Arc::new(words), false),
        ("box", Arc::new(StructArray::from(vec![(field, wide as ArrayRef)])), false),
        ("tags", Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>(tags)), true),
    ])
    .expect("columns of one length")
}
