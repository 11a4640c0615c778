//! The functions in SQL: literals, nulls, errors of plans and documentation.

use std::fmt::Write as _;

use arrow::array::{Array, AsArray, RecordBatch};
use arrow::datatypes::{DataType, Float64Type, Int64Type};
use datafusion::prelude::SessionContext;
use lodger_core::cost::ObjectScale;
use lodger_core::cost::physics::{ConvexDecomposition, ConvexHull, penalised};
use lodger_core::cost::streaming::{PerLod, StreamingModel, StreamingRules};

use super::sample::{self, With};

fn context() -> SessionContext {
    let mut context = SessionContext::new();
    lodger_functions::register(&mut context).unwrap();
    context
}

async fn query(sql: &str) -> Result<RecordBatch, String> {
    let result = context().sql(sql).await.map_err(|error| error.to_string())?;
    let batches = result.collect().await.map_err(|error| error.to_string())?;
    Ok(batches.into_iter().next().unwrap())
}

async fn cost(call: &str) -> Option<f64> {
    let batch = query(&format!("SELECT {call}")).await.unwrap();
    assert_eq!(batch.schema().field(0).data_type(), &DataType::Float64, "{call}");
    let costs = batch.column(0).as_primitive::<Float64Type>();
    costs.is_valid(0).then(|| costs.value(0))
}

#[tokio::test]
async fn literals_of_any_type_are_taken() {
    let bytes = PerLod { lowest: 400, low: 900, medium: 2500, high: 9000 };
    let expected = |rules| StreamingModel::<f64>::new(rules).unwrap().cost(3.0_f64.sqrt(), bytes);
    let viewer = Some(expected(StreamingRules::VIEWER));
    assert_eq!(cost("streaming_cost(2, 2.0, '2'::double, 400, 900, 2500, 9000)").await, viewer);
    assert_eq!(
        cost("streaming_cost(2::decimal(9,2), 2, 2, 400::smallint, 900, 2500.7, 9000, 'viewer')")
            .await,
        viewer
    );
    let grid = Some(expected(StreamingRules::GRID));
    assert_eq!(
        cost("streaming_cost(2, 2, 2, 400, 900, 2500, 9000, arrow_cast('grid', 'Utf8View'))").await,
        grid
    );
    for null in [
        "streaming_cost(NULL, 2, 2, 400, 900, 2500, 9000)",
        "streaming_cost(2, 2, 2, 400, 900, 2500, 9000, NULL)",
        "streaming_cost(2, 2, 2, 400, 900, 2500, 3000000000)",
        "streaming_cost(-2, 2, 2, 400, 900, 2500, 9000)",
        "streaming_cost(2, 2, 'NaN'::double, 400, 900, 2500, 9000)",
        "hull_cost(257)",
        "hull_cost(0)",
        "hull_cost(-1)",
        "decomposition_cost(2, 1)",
        "prim_cost('mesh', 1, 1, 1, 0, 0, 0, 1)",
        "physics_cost('box', false, 1, 1, 1, 24, NULL, NULL, NULL, NULL, NULL)",
        "physics_cost('prim', false, 1, 1, 1, 24, NULL, NULL, NULL, NULL, X'00')",
        "decomposition_cost(1, 257)",
        "physics_cost('prim', false, 1, 1, 1, 24, 2, NULL, NULL, NULL, NULL)",
        "physics_cost('prim', false, 1, 1, 1, 24, 2, 9, -1, NULL, NULL)",
        "penalised(1, 16385, 1, 1)",
        "millionths('NaN'::double)::double",
        "server_weight(-1, 0)",
        "simulator_cost(0, 0, false, 'unofficial-2011')",
        "simulator_cost(1, 0, NULL, 'unofficial-2011')",
        "simulator_cost(1, 0, false, NULL)",
    ] {
        assert_eq!(cost(null).await, None, "{null}");
    }
}

#[tokio::test]
async fn values_are_those_of_the_formulas() {
    #[allow(clippy::cast_precision_loss)] // the nearest numbers are compared
    let [max, min] = [i64::MAX, i64::MIN].map(|number| number as f64);
    let box_345 = ObjectScale::new([3.0, 4.0, 5.0]).unwrap();
    for (call, expected) in [
        ("hull_cost(24)", 1.0),
        ("decomposition_cost(25, 300)", 13.0),
        ("decomposition_cost(25.9, 300.9)", 13.0),
        ("penalised(1.0, 3, 4, 5)", penalised(1.0, box_345)),
        ("server_weight(10, 3)", 5.5),
        ("server_weight(1, 9)", 1.0),
        ("simulator_cost(10, 1, false, 'unofficial-2011')", 10.0),
        ("simulator_cost(10, 0, true, 'unofficial-2011')", 10.0),
        ("simulator_cost(10, 0, false, '0.5,2,1,4')", 5.2),
        ("region_cost(5, 2.5)", 5.0),
        ("region_cost('NaN'::double, 2.5)", 2.5),
        ("land_impact(0.6, 1.6267, 0.5)::double", 2.0),
        ("land_impact('NaN'::double, 1.5, 0.5)::double", 2.0),
        ("land_impact(0, 0, 0)::double", 1.0),
        ("millionths(1.5)::double", 1_500_000.0),
        ("millionths(0.0000004)::double", 0.0),
        ("millionths(0.0000006)::double", 1.0),
        ("millionths(0.0078125)::double", 7_813.0),
        ("millionths(-0.0078125)::double", -7_813.0),
        ("millionths('Infinity'::double)::double", max),
        ("millionths(-1e300)::double", min),
        ("prim_cost('plant', 1, 1, 1, NULL, NULL, NULL, NULL)", 0.0),
        ("physics_cost('none', true, 1, 1, 1, 24, NULL, NULL, NULL, NULL, NULL)", 0.0),
        ("physics_cost('convex-hull', true, 1, 1, 1, 24, 2, 9, 0.5, 0.7, NULL)", 0.5),
        ("physics_cost('prim', true, 1, 1, 1, 24, 2, 9, 0.5, 0.7, NULL)", 0.7),
    ] {
        assert_eq!(cost(call).await, Some(expected), "{call}");
    }
}

#[tokio::test]
async fn hulls_cost_the_bits_of_core() {
    let sql =
        "SELECT value, hull_cost(value), decomposition_cost(value, 7 * value) FROM range(1, 257)";
    let batch = query(sql).await.unwrap();
    let [hull, hulls] = [1, 2].map(|at| batch.column(at).as_primitive::<Float64Type>());
    assert_eq!(batch.num_rows(), 256);
    for (row, count) in batch.column(0).as_primitive::<Int64Type>().values().iter().enumerate() {
        let count = u16::try_from(*count).unwrap();
        let decomposition = ConvexDecomposition::of_totals(count, u32::from(count) * 7).unwrap();
        let expected = [ConvexHull::new(count).unwrap().cost(), decomposition.cost()];
        assert_eq!([hull, hulls].map(|cost| cost.value(row).to_bits()), expected.map(f64::to_bits));
    }
}

#[tokio::test]
async fn invalid_arguments_are_errors_of_the_plan() {
    let rules = "streaming_cost(x, x, x, 0, 0, 0, 1, 'gird') FROM (VALUES (1.0)) AS t(x)";
    let plan = context().sql(&format!("SELECT {rules}")).await;
    let error = plan.unwrap_err().to_string();
    assert!(error.contains("'gird'") && error.contains("'wiki', 'viewer', 'grid'"), "{error}");
    for call in [
        "streaming_cost(1)",
        "simulator_cost(1, 0, false)",
        "hull_cost('many')",
        "hull_cost()",
        "mesh(1)",
        "land_impact(1, 2, true)",
    ] {
        let error = context().sql(&format!("SELECT {call}")).await.unwrap_err().to_string();
        let name = call.split('(').next().unwrap();
        assert!(error.contains(name), "{call}: {error}");
    }
    let set = "SELECT simulator_cost(1, 0, false, '1,2,3')";
    let error = context().sql(set).await.unwrap_err().to_string();
    assert!(error.contains("'1,2,3'") && error.contains("unofficial-2011"), "{error}");
    let each = "SELECT streaming_cost(1, 1, 1, 0, 0, 0, 1, rules) FROM (VALUES ('wiki'), ('none')) AS t(rules)";
    assert!(query(each).await.unwrap_err().contains("'none'"));
}

fn literal(bytes: &[u8]) -> String {
    let mut text = "X'".to_owned();
    for byte in bytes {
        write!(text, "{byte:02x}").unwrap();
    }
    text + "'"
}

#[tokio::test]
async fn a_mesh_is_a_struct_and_findings_can_be_unnested() {
    let file = sample::file(2, With { copied: true, mesh: true, ..With::default() });
    let sql = format!(
        "SELECT m['high'] > 0, m['copied'], m['error'] IS NULL FROM (SELECT mesh({}) AS m)",
        literal(&file)
    );
    let batch = query(&sql).await.unwrap();
    assert!(batch.column(0).as_boolean().value(0) && batch.column(2).as_boolean().value(0));
    let sql = format!(
        "SELECT f['code'] AS code, count(*) FROM (SELECT unnest(mesh_lint({})) AS f) GROUP BY 1 ORDER BY 1",
        literal(&file)
    );
    let batch = query(&sql).await.unwrap();
    let codes: Vec<_> = batch.column(0).as_string::<i32>().iter().flatten().collect();
    assert_eq!(codes, ["hull-missing", "same-as-next", "thin-triangle"]);
    assert_eq!(batch.column(1).as_primitive::<Int64Type>().values()[..], [1, 3, 10]);
    let bad =
        query("SELECT f['code'], f['text'] FROM (SELECT unnest(mesh_lint(X'89504e47')) AS f)")
            .await
            .unwrap();
    assert_eq!(bad.column(0).as_string::<i32>().value(0), "unreadable");
}

#[test]
fn every_function_is_documented() {
    let functions = lodger_functions::all();
    assert_eq!(functions.len(), 15);
    for function in functions {
        let documentation = function.documentation().unwrap();
        let arguments = documentation.arguments.as_ref().unwrap();
        assert!(documentation.syntax_example.starts_with(&format!(
            "{}({}",
            function.name(),
            arguments[0].0
        )));
        assert!(
            documentation.description.contains("ull where")
                || documentation.description.contains("null where")
        );
    }
}

#[tokio::test]
async fn examples_of_the_documentation_are_sql() {
    let context = context();
    context.sql("CREATE TABLE prices AS SELECT 1.5 AS streaming").await.unwrap();
    context.sql("CREATE TABLE assets AS SELECT X'00' AS data").await.unwrap();
    for function in lodger_functions::all() {
        let example = function.documentation().unwrap().sql_example.clone().unwrap();
        assert!(context.sql(&example).await.unwrap().collect().await.is_ok(), "{example}");
    }
}
