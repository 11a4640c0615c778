//! The costs of a million rows from `lodger_opensim::pricing` and from SQL.

use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, AsArray, BinaryArray, BooleanArray, DictionaryArray, Float64Array, Int32Array,
    RecordBatch, StringArray,
};
use arrow::datatypes::{Float64Type, Int32Type, Int64Type};
use datafusion::datasource::MemTable;
use datafusion::prelude::{SessionConfig, SessionContext};
use lodger_core::cost::physics::{ConvexDecomposition, ShapeType};
use lodger_core::cost::prims::{SolidKind, SolidPrim};
use lodger_core::cost::streaming::{LinksetPart, PerLod, StreamingRules, capped};
use lodger_core::cost::{ObjectScale, PrimKind};
use lodger_functions::MeshRow;
use lodger_mesh_asset::AssetLimits;
use lodger_opensim::pricing::{MeshInputs, MeshUse, Pricer};
use lodger_testkit::SplitMix64;

use super::sample;

const ROWS: usize = 1_000_000;
const BATCH: usize = 8192;
const TOGETHER: usize = 64;
const SHAPES: [&str; 3] = ["prim", "convex-hull", "none"];
const SOLIDS: [SolidKind; 3] = [SolidKind::Box, SolidKind::Sculpt, SolidKind::Torus];

const COLUMNS: &str = "
    streaming, physics, prim, animated, hull, decomposition,
    land_impact(streaming, CASE WHEN physical THEN penalised(physics, x, y, z) ELSE physics END, server) AS li
FROM (SELECT *,
    streaming_cost(x, y, z, lowest, low, medium, high) AS streaming,
    physics_cost(shape_type, physical, x, y, z, hull_vertices, hulls, hulls_vertices, hull_cost,
        decomposition_cost, physics_mesh) AS physics,
    prim_cost(kind, x, y, z, prim_lowest, prim_low, prim_medium, prim_high, 'grid') AS prim,
    animated_cost(lowest, low, medium, high, physical, 'wiki') AS animated,
    hull_cost(hull_vertices) AS hull,
    decomposition_cost(hulls, hulls_vertices) AS decomposition,
    server_weight(1, scripts) AS server
FROM parts)";

struct Row {
    sides: [f64; 3],
    bytes: [i32; 4],
    mesh: usize,
    shape: usize,
    physical: bool,
    scripts: i32,
    solid: usize,
}

fn rows(count: usize, meshes: usize) -> Vec<Row> {
    let mut random = SplitMix64::new(0);
    let mut next = move |below: u32| u32::try_from(random.below(below.into())).unwrap();
    let mut row = |index: usize| Row {
        sides: [(); 3].map(|()| f64::from(next(20_000)) / 1e3),
        bytes: [400, 1500, 6000, 24_000].map(|most| i32::try_from(next(most)).unwrap() - 50),
        mesh: index / TOGETHER % meshes,
        shape: usize::try_from(next(3)).unwrap(),
        physical: next(3) == 0,
        scripts: i32::try_from(next(9)).unwrap(),
        solid: usize::try_from(next(3)).unwrap(),
    };
    (0..count).map(&mut row).collect()
}

fn primitive(row: &Row) -> SolidPrim {
    SolidPrim { solid: SOLIDS[row.solid], altered: row.physical }
}

fn words<'w>(words: impl Iterator<Item = &'w str>) -> ArrayRef {
    Arc::new(words.collect::<DictionaryArray<Int32Type>>())
}

fn batch(rows: &[Row], meshes: &[MeshRow]) -> RecordBatch {
    let reals = |of: &dyn Fn(&Row) -> Option<f64>| {
        Arc::new(rows.iter().map(of).collect::<Float64Array>()) as ArrayRef
    };
    let wholes = |of: &dyn Fn(&Row) -> Option<i32>| {
        Arc::new(rows.iter().map(of).collect::<Int32Array>()) as ArrayRef
    };
    let mesh = |row: &Row| &meshes[row.mesh];
    let keys: Int32Array = rows.iter().map(|row| i32::try_from(row.mesh).ok()).collect();
    let blocks: BinaryArray = meshes.iter().map(|mesh| mesh.physics_mesh.as_deref()).collect();
    let physical: BooleanArray = rows.iter().map(|row| Some(row.physical)).collect();
    let mut columns: Vec<(&str, ArrayRef)> = vec![
        ("shape_type", words(rows.iter().map(|row| SHAPES[row.shape]))),
        ("physical", Arc::new(physical)),
        ("hull_vertices", wholes(&|row| mesh(row).hull_vertices)),
        ("hulls", wholes(&|row| mesh(row).hulls)),
        ("hulls_vertices", wholes(&|row| mesh(row).hulls_vertices)),
        ("hull_cost", reals(&|row| mesh(row).hull_cost)),
        ("decomposition_cost", reals(&|row| mesh(row).decomposition_cost)),
        ("physics_mesh", Arc::new(DictionaryArray::try_new(keys, Arc::new(blocks)).unwrap())),
        ("scripts", wholes(&|row| Some(row.scripts))),
        ("kind", Arc::new(rows.iter().map(|row| Some(kind(row).0)).collect::<StringArray>())),
    ];
    for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
        columns.push((name, reals(&move |row| Some(row.sides[axis]))));
    }
    for (lod, name) in ["lowest", "low", "medium", "high"].into_iter().enumerate() {
        columns.push((name, wholes(&move |row| Some(row.bytes[lod]))));
    }
    for (lod, name) in
        ["prim_lowest", "prim_low", "prim_medium", "prim_high"].into_iter().enumerate()
    {
        columns.push((name, wholes(&move |row| Some(primitive(row).bytes().to_array()[lod]))));
    }
    RecordBatch::try_from_iter(columns).unwrap()
}

fn kind(row: &Row) -> (&'static str, PrimKind) {
    match primitive(row).kind() {
        PrimKind::Sculpted => ("sculpted", PrimKind::Sculpted),
        kind => ("plain", kind),
    }
}

fn expected(
    row: &Row,
    mesh: &mut MeshInputs,
    [viewer, wiki, grid]: &[Pricer; 3],
) -> ([Option<f64>; 6], i64) {
    let scale = ObjectScale::new(row.sides).unwrap();
    let shape: ShapeType = SHAPES[row.shape].parse().unwrap();
    let [lowest, low, medium, high] = row.bytes;
    mesh.sizes = PerLod { lowest, low, medium, high };
    let scripts = row.scripts.try_into().unwrap();
    let usage = MeshUse { scale, shape, physical: row.physical, scripts, ..MeshUse::default() };
    let price = viewer.mesh(mesh, &usage).unwrap();
    let prim = grid.prims().cost(scale.radius(), primitive(row).bytes());
    let part = if row.physical { LinksetPart::Root } else { LinksetPart::Child };
    let inputs = mesh.physics.as_ref().unwrap();
    let costs = [
        Some(price.assessment.streaming),
        Some(price.physics.cost),
        Some(capped(kind(row).1, prim)),
        Some(wiki.meshes().animated_cost(mesh.sizes, part)),
        Some(inputs.hull.cost()),
        inputs.decomposition.map(ConvexDecomposition::cost),
    ];
    (costs, price.assessment.land_impact.value.into())
}

async fn query(batches: &[RecordBatch], partitions: usize, sql: &str) -> Vec<RecordBatch> {
    let config = SessionConfig::new().with_target_partitions(partitions).with_batch_size(BATCH);
    let mut context = SessionContext::new_with_config(config);
    lodger_functions::register(&mut context).unwrap();
    let each = batches.len().div_ceil(partitions);
    let partitions = batches.chunks(each).map(<[_]>::to_vec).collect();
    let table = MemTable::try_new(batches[0].schema(), partitions).unwrap();
    context.register_table("parts", Arc::new(table)).unwrap();
    context.sql(sql).await.unwrap().collect().await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_million_rows_cost_the_same() {
    let files: Vec<_> = sample::all().into_iter().map(|(_, file)| file).collect();
    let meshes: Vec<_> =
        files.iter().map(|file| MeshRow::read(file, AssetLimits::default())).collect();
    let mut priced: Vec<_> =
        files.iter().map(|file| MeshInputs::read(file, AssetLimits::default()).unwrap()).collect();
    assert!(
        meshes.iter().any(|mesh| mesh.physics_mesh.is_some())
            && meshes.iter().any(|mesh| mesh.hulls.is_some())
    );
    let rules = [StreamingRules::VIEWER, StreamingRules::WIKI, StreamingRules::GRID]
        .map(|rules| Pricer::new(rules).unwrap());
    let rows = rows(ROWS, meshes.len());
    let batches: Vec<_> = rows.chunks(BATCH).map(|rows| batch(rows, &meshes)).collect();

    let mut totals = [0_i64; 7];
    let mut rows = rows.iter();
    for result in query(&batches, 1, &format!("SELECT {COLUMNS}")).await {
        let costs: Vec<_> =
            (0..6).map(|column| result.column(column).as_primitive::<Float64Type>()).collect();
        let impacts = result.column(6).as_primitive::<Int64Type>();
        for at in 0..result.num_rows() {
            let row = rows.next().unwrap();
            let (expected, impact) = expected(row, &mut priced[row.mesh], &rules);
            for (column, (costs, expected)) in costs.iter().zip(expected).enumerate() {
                let cost = costs.is_valid(at).then(|| costs.value(at));
                assert_eq!(
                    cost.map(f64::to_bits),
                    expected.map(f64::to_bits),
                    "column {column}: {cost:?}"
                );
                #[allow(clippy::cast_possible_truncation)] // far below 64 bits
                let millionths = expected.map_or(0, |cost| (cost * 1e6).round() as i64);
                totals[column] += millionths;
            }
            assert_eq!(impacts.value(at), impact);
            totals[6] += impact;
        }
    }
    assert!(rows.next().is_none(), "every row has a result");
    let sums = ["streaming", "physics", "prim", "animated", "hull", "decomposition"];
    let sums = sums.map(|cost| format!("sum(millionths({cost}))")).join(", ");
    for partitions in [1, 2, 8] {
        let sql = format!("SELECT {sums}, sum(li) FROM (SELECT {COLUMNS})");
        let result = query(&batches, partitions, &sql).await;
        let sum = |column: usize| result[0].column(column).as_primitive::<Int64Type>().value(0);
        assert_eq!(std::array::from_fn::<_, 7, _>(sum), totals, "{partitions} partitions");
    }
}
