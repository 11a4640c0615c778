use lodger_grid::query::{QueryError, QuerySession};

use super::{Region, options, query, wait, whole};

fn query_error(sql: &str) -> QueryError {
    let (_, folder) = Region::dataset(1, 5, 100);
    query(folder.path(), &options(), sql).expect_err(sql)
}

#[test]
fn a_dataset_is_only_read() {
    for (sql, word) in [
        ("CREATE TABLE mine AS SELECT 1", "CREATE"),
        ("CREATE EXTERNAL TABLE mine STORED AS CSV LOCATION '/etc/passwd'", "CREATE"),
        ("create view mine as select 1", "CREATE"),
        ("INSERT INTO parts SELECT * FROM parts", "INSERT"),
        ("COPY assets TO 'stolen.csv'", "COPY"),
        ("SET datafusion.execution.batch_size = 1", "SET"),
        ("DROP TABLE assets", "DROP"),
        ("DELETE FROM assets", "DELETE"),
        ("UPDATE assets SET id = ''", "UPDATE"),
        ("EXPLAIN ANALYZE INSERT INTO parts SELECT * FROM parts", "EXPLAIN"),
        ("BEGIN TRANSACTION", "BEGIN"),
        ("PREPARE p AS SELECT 1", "PREPARE"),
    ] {
        let error = query_error(sql);
        assert!(error.to_string().contains(&format!("only read: {word}")), "{sql}: {error}");
        assert!(error.help[0].contains("SELECT"), "{:?}", error.help);
    }
}

#[test]
fn unknown_names_are_errors_with_the_known_names() {
    for (sql, problem, help) in [
        (
            "SELECT * FROM asset",
            "there is no table `asset`",
            "assets, parts; views: uses, prices, objects",
        ),
        ("SELECT weight FROM parts", "there is no column `weight`", "shape_type"),
        ("SELECT land_impac(1, 2, 3)", "there is no function `land_impac`", "land_impact"),
    ] {
        let error = query_error(sql);
        assert_eq!(error.to_string(), problem, "{sql}");
        assert!(error.help[0].contains(help), "{sql}: {:?}", error.help);
    }
}

#[test]
fn errors_are_one_line() {
    for (sql, part) in [
        ("SELEC 1", "SELEC"),
        ("SELECT", "Expected"),
        ("SELECT 1; SELECT 2", "one statement"),
        ("", "one statement"),
        ("SELECT streaming_cost(1, 1, 1, 1, 1, 1, 1, 'mine')", "mine"),
        ("SELECT CAST('x' AS INT) FROM parts", "x"),
        ("SELECT * FROM '/etc/passwd'", "no table"),
        ("SELECT sum(owner) FROM parts", "sum"),
    ] {
        let error = query_error(sql).to_string();
        assert!(error.contains(part), "{sql}: {error}");
        assert!(!error.contains('\n') && error.len() < 2_000, "{sql}: {error}");
        for wrapper in ["DataFusion error", "Error during planning", "External error", "backtrace"]
        {
            assert!(!error.contains(wrapper), "{sql}: {error}");
        }
    }
}

#[test]
fn a_missing_dataset_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let empty = folder.path().to_str().expect("a name");
    let missing = format!("{empty}/missing");
    for (dataset, part) in [
        (empty, "lodger-grid.json"),
        (&*missing, "No such file"),
        ("ftp://host/grid", "file:// or s3://"),
        ("s3://", "cannot read the dataset"),
    ] {
        let opened = wait(QuerySession::open(dataset, &options()));
        let error = opened.err().expect(dataset).to_string();
        assert!(error.contains(part), "{dataset}: {error}");
    }
}

#[test]
fn a_url_of_this_machine_is_a_dataset() {
    let folder = tempfile::tempdir().expect("a folder");
    let odd = folder.path().join("a # b?ü %20");
    Region::random(2, 5).write(&odd, 100);
    let url = url::Url::from_file_path(&odd).expect("a path").to_string();
    for dataset in [url.as_str(), odd.to_str().expect("a name")] {
        let result = query(dataset, &options(), "SELECT count(*) AS count FROM objects");
        assert_eq!(whole(&result.expect("a result"), "count"), [Some(5)], "{dataset}");
    }
}

#[test]
fn a_file_that_is_missing_is_an_error_and_not_fewer_rows() {
    for table in ["assets", "parts"] {
        let (_, folder) = Region::dataset(6, 60, 20);
        let file = folder.path().join(table).join("00000.parquet");
        std::fs::remove_file(&file).expect("a file");
        let sql = format!("SELECT count(*) FROM {table}");
        let error = query(folder.path(), &options(), &sql).expect_err("a file is missing");
        assert!(error.message.starts_with("a file of the dataset is missing: "), "{error}");
        assert!(error.message.ends_with(&format!("{table}/00000.parquet")), "{error}");
        assert!(error.help[0].contains("copy all"), "{:?}", error.help);
    }
}

#[cfg(unix)]
#[test]
fn links_in_the_path_of_a_dataset_are_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let [dataset, link] = ["there/dataset", "link"].map(|name| folder.path().join(name));
    Region::random(2, 5).write(&dataset, 100);
    std::os::unix::fs::symlink(&dataset, &link).expect("a link");
    let opened = |name: &std::path::Path| {
        let session = wait(QuerySession::open(name.to_str().expect("a name"), &options()));
        session.expect("a dataset").local_folder().expect("a folder").to_owned()
    };
    assert_eq!(opened(&link), link);
    let real = dataset.canonicalize().expect("a folder");
    assert_eq!(
        opened(&link.join("../dataset")),
        real,
        "the folder above is that of the link's target"
    );
}

#[test]
fn too_little_memory_is_an_error() {
    let (_, folder) = Region::dataset(3, 400, 100_000);
    let options = lodger_grid::query::QueryOptions { memory: 1 << 14, ..options() };
    let result = query(folder.path(), &options, "SELECT * FROM objects");
    let error = result.expect_err("16 KiB are not enough");
    assert_eq!(error.message, "the query needs more memory than allowed");
    assert!(error.help[0].contains("--memory"));
}
