//! `streaming_cost` on ten million rows in memory, one partition and constant rules, against core's
//! loop over the same columns.
//!
//! `cargo bench -p lodger-functions --bench streaming_cost`, in `secondlife/query`; a number after
//! `--` sets the number of rows.

use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};

use arrow::array::{ArrayRef, AsArray, Float64Array, Int32Array, RecordBatch};
use arrow::datatypes::{DataType, Field, Float64Type, Int32Type, Schema, SchemaRef};
use datafusion::datasource::MemTable;
use datafusion::physical_plan::execute_stream;
use datafusion::prelude::{SessionConfig, SessionContext};
use futures::StreamExt as _;
use lodger_core::cost::ObjectScale;
use lodger_core::cost::streaming::{AssetColumns, PerLod, StreamingModel, StreamingRules};
use lodger_testkit::SplitMix64;

const ROWS: usize = 10_000_000;
const BATCH: usize = 8192;
const ROUNDS: usize = 7;
const SQL: &str =
    "SELECT streaming_cost(x, y, z, lowest, low, medium, high, 'viewer') AS cost FROM parts";

fn schema() -> SchemaRef {
    let sides = ["x", "y", "z"].map(|name| Field::new(name, DataType::Float64, false));
    let lods =
        ["lowest", "low", "medium", "high"].map(|name| Field::new(name, DataType::Int32, false));
    Arc::new(Schema::new(sides.into_iter().chain(lods).collect::<Vec<_>>()))
}

/// Draws parts of all sizes; one lower LOD in six is missing.
fn batches(rows: usize) -> Result<Vec<RecordBatch>, Box<dyn Error>> {
    let mut random = SplitMix64::new(0);
    let mut next = |below: u32| u32::try_from(random.below(below.into())).unwrap_or_default();
    let mut batches = Vec::new();
    for start in (0..rows).step_by(BATCH) {
        let length = BATCH.min(rows - start);
        let mut columns: Vec<ArrayRef> = Vec::new();
        for _ in 0..3 {
            let side = |_| f64::from(next(64_000)) / 1e3 + 0.01;
            columns.push(Arc::new((0..length).map(side).collect::<Float64Array>()));
        }
        for size in [300, 1000, 5000, 20_000] {
            let mut bytes =
                |_| if size < 20_000 && next(6) == 0 { 0 } else { size + next(size * 3) };
            let bytes = (0..length).map(|row| i32::try_from(bytes(row)).unwrap_or_default());
            columns.push(Arc::new(bytes.collect::<Int32Array>()));
        }
        batches.push(RecordBatch::try_new(schema(), columns)?);
    }
    Ok(batches)
}

/// Times core's loop with known radii.
fn by_core(
    batches: &[RecordBatch],
    radii: &[Vec<f64>],
    out: &mut [f64],
) -> Result<Duration, lodger_core::ValueError> {
    let streaming = StreamingModel::<f64>::new(StreamingRules::VIEWER)?;
    let start = Instant::now();
    for ((batch, radius), out) in batches.iter().zip(radii).zip(out.chunks_mut(BATCH)) {
        let lod = |column: usize| &batch.column(column).as_primitive::<Int32Type>().values()[..];
        let bytes = PerLod { lowest: lod(3), low: lod(4), medium: lod(5), high: lod(6) };
        streaming.costs(AssetColumns { radius, bytes }, out);
    }
    Ok(start.elapsed())
}

fn radii(batch: &RecordBatch) -> Result<Vec<f64>, lodger_core::ValueError> {
    let [x, y, z] =
        [0, 1, 2].map(|column| batch.column(column).as_primitive::<Float64Type>().values());
    let sides = x.iter().zip(y).zip(z).map(|((&x, &y), &z)| [x, y, z]);
    sides.map(|sides| Ok(ObjectScale::new(sides)?.radius())).collect()
}

/// Times the same query in SQL; `visit` gets each batch.
fn by_sql(
    runtime: &tokio::runtime::Runtime,
    context: &SessionContext,
    mut visit: impl FnMut(&RecordBatch),
) -> Result<Duration, Box<dyn Error>> {
    runtime.block_on(async {
        let plan = context.sql(SQL).await?.create_physical_plan().await?;
        let start = Instant::now();
        let mut result = execute_stream(plan, context.task_ctx())?;
        while let Some(batch) = result.next().await {
            visit(&batch?);
        }
        Ok(start.elapsed())
    })
}

/// Counts the costs from SQL with the same bits as core's costs.
fn equal(costs: &mut std::slice::Iter<'_, f64>, batch: &RecordBatch) -> usize {
    let result = batch.column(0).as_primitive::<Float64Type>().values();
    result.iter().zip(costs).filter(|(one, other)| one.to_bits() == other.to_bits()).count()
}

fn main() -> Result<(), Box<dyn Error>> {
    let rows = std::env::args().find_map(|word| word.parse().ok()).unwrap_or(ROWS);
    let batches = batches(rows)?;
    let radii: Vec<_> = batches.iter().map(radii).collect::<Result<_, _>>()?;
    let config = SessionConfig::new().with_target_partitions(1).with_batch_size(BATCH);
    let mut context = SessionContext::new_with_config(config);
    lodger_functions::register(&mut context)?;
    let table = MemTable::try_new(schema(), vec![batches.clone()])?;
    context.register_table("parts", Arc::new(table))?;
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;

    let mut costs = vec![0.0; rows];
    by_core(&batches, &radii, &mut costs)?;
    let (mut of_core, mut same) = (costs.iter(), 0);
    by_sql(&runtime, &context, |batch| same += equal(&mut of_core, batch))?;
    assert_eq!(same, rows, "the bits of core's costs");

    let (mut core, mut sql) = (Duration::MAX, Duration::MAX);
    for _ in 0..ROUNDS {
        core = core.min(by_core(&batches, &radii, &mut costs)?);
        let mut returned = 0;
        sql = sql.min(by_sql(&runtime, &context, |batch| returned += batch.num_rows())?);
        assert_eq!(returned, rows);
    }
    let ratio = sql.as_secs_f64() / core.as_secs_f64();
    println!(
        "{rows} rows, best of {ROUNDS}: core {core:.1?}, SQL {sql:.1?}, {ratio:.2} times core"
    );
    Ok(())
}
