use std::num::NonZeroUsize;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use arrow::util::pretty::pretty_format_batches;
use lodger_grid::query::{QueryError, QueryOptions, QuerySession};
use lodger_grid::report::{QueryReport, TopBy, top, waste, whatif};
use tempfile::TempDir;
use tokio::time::timeout;
use uuid::Uuid;

use super::fixtures::Cluster;
use crate::samples::{archive, ingest_paths, mesh, object};

const QUERIES: [&str; 8] = [
    "SELECT count(*), sum(bytes), count(error) FROM assets",
    "SELECT kind, count(*), sum(millionths(streaming)), sum(millionths(physics)) FROM prices
        GROUP BY kind ORDER BY kind",
    "SELECT count(*), sum(streaming_millionths), sum(physics_millionths), sum(server_millionths), sum(land_impact)
        FROM objects",
    "SELECT * FROM objects ORDER BY land_impact DESC NULLS LAST, object LIMIT 9",
    "SELECT id, lowest, high, physics_mesh FROM assets WHERE kind = 'mesh' ORDER BY id LIMIT 9",
    "SELECT a.id FROM assets a LEFT ANTI JOIN parts p ON p.mesh = a.id WHERE a.kind = 'mesh' ORDER BY a.id",
    "SELECT round(x * 1.25, 1), abs(-y), to_timestamp_seconds(part) FROM parts ORDER BY object, part LIMIT 9",
    "SELECT min(sqrt(x)), max(date_trunc('hour', to_timestamp_seconds(part * 3601))) FROM parts",
];

fn dataset() -> (TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("dataset");
    let regions: Vec<_> = (0..4).map(|n| region(folder.path(), n)).collect();
    let regions: Vec<&Path> = regions.iter().map(AsRef::as_ref).collect();
    ingest_paths(&regions, &out, lodger_grid::ingest::IngestOptions::default());
    (folder, out.to_str().expect("a path").to_owned())
}

fn region(folder: &Path, number: u32) -> std::path::PathBuf {
    let path = folder.join(format!("region{number}.oar"));
    let mut entries = vec![("archive.xml".to_owned(), b"<archive/>".to_vec())];
    for n in number * 20..number * 20 + 20 {
        let id = u128::from(n) + 1;
        entries.push((format!("assets/{}_mesh.llmesh", Uuid::from_u128(id)), mesh(n)));
        let shown = (n % 3 > 0).then_some(id + u128::from(n % 2));
        let text = object(id * 1_000, shown, (n % 5) as usize);
        entries.push((format!("objects/{n}.xml"), text.into_bytes()));
    }
    archive(&path, &entries);
    path
}

async fn answer(session: &QuerySession, question: &str) -> String {
    let (_, rows) =
        session.sql(question).await.unwrap_or_else(|error| panic!("{question}: {error}"));
    let rows: Vec<_> = rows.into_iter().filter(|rows| rows.num_rows() > 0).collect();
    pretty_format_batches(&rows).expect("a table").to_string()
}

fn options(partitions: usize, cluster: Option<&Cluster>) -> QueryOptions {
    QueryOptions {
        rules: "viewer",
        partitions: NonZeroUsize::new(partitions),
        memory: 256 << 20,
        cluster: cluster.map(|cluster| cluster.address().to_owned()),
    }
}

fn report_text(report: &QueryReport) -> String {
    let sections = [&report.totals].into_iter().chain(&report.lists);
    let tables: Vec<_> = sections
        .map(|section| {
            let table = pretty_format_batches(std::slice::from_ref(&section.rows));
            format!("{}\n{}", section.heading, table.expect("a table"))
        })
        .collect();
    format!("{}\n{:?}\n{:?}", tables.join("\n"), report.distribution, report.notes)
}

async fn reports(session: &QuerySession) -> Result<Vec<String>, QueryError> {
    let mut reports = Vec::new();
    for by in [TopBy::Object, TopBy::Owner, TopBy::Region, TopBy::Creator] {
        reports.push(report_text(&top(session, "viewer", by, 9).await?));
    }
    reports.push(report_text(&waste(session, 9).await?));
    reports.push(report_text(&whatif(session, "grid", "viewer", 9).await?));
    Ok(reports)
}

#[tokio::test(flavor = "multi_thread")]
async fn reports_are_the_same_on_a_cluster() {
    let (_folder, dataset) = dataset();
    let cluster = Cluster::start(2);
    let here = QuerySession::open(&dataset, &options(1, None)).await.expect("a dataset");
    let expected = reports(&here).await.expect("reports");
    for partitions in [1, 8] {
        let there = QuerySession::open(&dataset, &options(partitions, Some(&cluster))).await;
        let found = reports(&there.expect("a dataset")).await.expect("reports");
        assert_eq!(found, expected, "in {partitions} partitions");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_missing_is_an_error_on_a_cluster_too() {
    let (_folder, dataset) = dataset();
    let cluster = Cluster::start(1);
    for table in ["assets", "parts"] {
        let file = Path::new(&dataset).join(table).join("00000.parquet");
        std::fs::remove_file(&file).expect("a file");
        let there =
            QuerySession::open(&dataset, &options(2, Some(&cluster))).await.expect("a dataset");
        for question in ["SELECT count(*) FROM", "SELECT * FROM"] {
            let answer = there.sql(&format!("{question} {table}")).await;
            let error = answer.expect_err("a file is missing").to_string();
            assert!(error.contains(&format!("{table}/00000.parquet not found")), "{error}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_without_rows_has_its_columns() {
    let (_folder, dataset) = dataset();
    let cluster = Cluster::start(0);
    let there = QuerySession::open(&dataset, &options(2, Some(&cluster))).await.expect("a dataset");
    let (schema, rows) = there.sql("SELECT id, bytes FROM assets WHERE false").await.expect("none");
    let names: Vec<_> = schema.fields().iter().map(|field| field.name().as_str()).collect();
    assert_eq!((names, rows.len()), (vec!["id", "bytes"], 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn local_features_are_rejected_at_once() {
    let (_folder, dataset) = dataset();
    let cluster = Cluster::start(0);
    let there = QuerySession::open(&dataset, &options(2, Some(&cluster))).await.expect("a dataset");
    for sql in ["EXPLAIN ANALYZE SELECT count(*) FROM parts", "SELECT * FROM range(0, 9)"] {
        let answer = timeout(Duration::from_secs(10), there.sql(sql)).await.expect(sql);
        let error = answer.expect_err(sql);
        assert!(error.to_string().contains("only in one process"), "{sql}: {error}");
    }
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn ctrl_c_ends_the_query_too() {
    let (folder, dataset) = dataset();
    let cluster = Cluster::start(1);
    lodger_terminal::signals::reset_for_children().expect("handlers");
    let sql = "SELECT count(*) FROM parts a CROSS JOIN parts b CROSS JOIN parts c CROSS JOIN parts d \
               CROSS JOIN parts e WHERE a.x + b.x + c.x + d.x + e.x = 77";
    let mut command = Command::new(env!("CARGO_BIN_EXE_lodger-grid"));
    command.args(["sql", sql, &dataset, "--cluster", cluster.address(), "--output", "answer"]);
    let mut child = command.current_dir(folder.path()).spawn().expect("it starts");
    let within = Duration::from_mins(1);
    timeout(within, cluster.wait_for_log("Job submitted")).await.expect("a query");
    // The client polls the number of its job.
    tokio::time::sleep(Duration::from_secs(2)).await;
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
    assert!(sent.success());
    assert_eq!(child.wait().expect("an end").code(), Some(130));
    timeout(within, cluster.wait_for_log("Job cancelled")).await.expect("an end of the query");
    assert!(!folder.path().join("answer").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn too_little_memory_of_an_executor_is_an_error() {
    let (_folder, dataset) = dataset();
    let cluster = Cluster::with_memory(1, "16MiB");
    let there = QuerySession::open(&dataset, &options(1, Some(&cluster))).await.expect("a dataset");
    let sql = "SELECT array_length(array_agg(n)) FROM \
               (SELECT unnest(generate_series(1, 1000000)) AS n FROM parts)";
    let error = there.sql(sql).await.expect_err("16 MiB are not enough");
    assert_eq!(error.message, "the query needs more memory than an executor has");
    assert!(error.help[0].contains("executors more with --memory"), "{:?}", error.help);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dataset_has_the_same_answers_on_a_cluster() {
    let (_folder, dataset) = dataset();
    let cluster = Cluster::start(2);
    let here = QuerySession::open(&dataset, &options(1, None)).await.expect("a dataset");
    for partitions in [1, 2, 8] {
        let options = options(partitions, Some(&cluster));
        let there = QuerySession::open(&dataset, &options).await.expect("a dataset");
        for question in QUERIES {
            let expected = answer(&here, question).await;
            let found = answer(&there, question).await;
            assert_eq!(found, expected, "{question}\nin {partitions} partitions");
        }
    }
}
