use std::path::Path;
use std::process::{Command, Output};

use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::Region;
use super::findings::{mesh, written};
use crate::samples::{archive, ingest_paths, object};

fn grid() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    Region::random(4, 60).write(&folder.path().join("grid"), 50);
    folder
}

fn lodger_grid(folder: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lodger-grid"));
    command.current_dir(folder).args(words).output().expect("it starts")
}

fn parts_of(output: &Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("text");
    (output.status.code().expect("an exit code"), text(&output.stdout), text(&output.stderr))
}

#[test]
fn an_answer_comes_in_every_form() {
    let folder = grid();
    let sql = "SELECT object, land_impact, owner FROM objects WHERE land_impact IS NOT NULL ORDER BY object LIMIT 3";
    let ask = |words: &[&str]| {
        parts_of(&lodger_grid(folder.path(), &[&["sql", sql, "grid"], words].concat()))
    };
    let (code, table, stderr) = ask(&[]);
    assert_eq!((code, stderr.as_str()), (0, ""), "{table}");
    assert!(table.starts_with("object") && table.lines().count() == 5, "{table}");
    let (_, csv, _) = ask(&["--format", "csv"]);
    assert!(csv.starts_with("object,land_impact,owner\n") && csv.lines().count() == 4, "{csv}");
    let (_, json, _) = ask(&["--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["schema"], 1);
    assert_eq!(json["columns"][1], serde_json::json!({"name": "land_impact", "type": "Int64"}));
    assert_eq!(json["rows"].as_array().map(Vec::len), Some(3));
    let (code, stdout, _) = ask(&["--format", "parquet", "--output", "answer.parquet"]);
    assert_eq!((code, stdout.as_str()), (0, ""));
    let file = std::fs::File::open(folder.path().join("answer.parquet")).expect("a file");
    let reader =
        ParquetRecordBatchReaderBuilder::try_new(file).expect("Parquet").build().expect("rows");
    assert_eq!(reader.map(|batch| batch.expect("rows").num_rows()).sum::<usize>(), 3);
}

#[test]
fn any_type_can_be_shown() {
    let folder = grid();
    let sql = "SELECT named_struct('a', 1, 'b', [1, 2]) AS s, arrow_cast('x', 'Dictionary(Int32, Utf8)') AS d, \
               X'00ff' AS b, arrow_cast(0, 'Timestamp(Second, None)') AS t, NULL AS n, '=1+1' AS f, -2 AS m, 'two\nlines' AS l, true AS y";
    for format in ["table", "csv", "json"] {
        let output = lodger_grid(folder.path(), &["sql", sql, "grid", "--format", format]);
        let (code, stdout, stderr) = parts_of(&output);
        assert_eq!(code, 0, "{format}: {stderr}");
        assert!(stdout.contains("00ff") && stdout.contains("1970-01-01"), "{format}: {stdout}");
        if format == "csv" {
            assert!(stdout.contains(",'=1+1,-2,two␊lines,"), "{stdout}");
        }
    }
}

#[test]
fn many_rows_are_all_there_and_a_table_has_the_first() {
    let folder = grid();
    let sql = "SELECT value FROM range(0, 50000) ORDER BY value";
    let ask =
        |format| parts_of(&lodger_grid(folder.path(), &["sql", sql, "grid", "--format", format]));
    let (_, csv, _) = ask("csv");
    assert_eq!(csv.lines().count(), 50_001);
    assert!(csv.ends_with("49999\n"));
    let (_, json, _) = ask("json");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["rows"][49_999]["value"], 49_999);
    let (_, table, _) = ask("table");
    assert!(table.contains("first 1000 rows") && !table.contains(" 1000\n"), "{table}");
}

#[test]
fn reports_have_all_forms() {
    let folder = grid();
    for (words, list) in [
        (&["top", "grid"][..], "rows"),
        (&["top", "grid", "--by", "owner", "--rules", "grid"], "rows"),
        (&["waste", "grid"], "findings"),
        (&["whatif", "grid", "--rules", "grid"], "objects"),
    ] {
        let ask =
            |format: &[&str]| parts_of(&lodger_grid(folder.path(), &[words, format].concat()));
        let (code, table, stderr) = ask(&[]);
        assert_eq!((code, stderr.as_str()), (0, ""), "{words:?}: {table}");
        assert!(table.contains("source: region.oar"), "{table}");
        assert!(table.lines().all(|line| line.chars().count() <= 100), "{words:?}: {table}");
        let (_, json, _) = ask(&["--format", "json"]);
        let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        assert_eq!(
            (&json["schema"], json["report"].as_str()),
            (&serde_json::json!(1), words.first().copied())
        );
        assert_eq!(json["sources"][0]["name"], "region.oar");
        let rows = json[list].as_array().expect("a list").len();
        let (_, csv, _) = ask(&["--format", "csv"]);
        assert_eq!(csv.lines().count(), rows + 1, "{words:?}: {csv}");
        let (code, _, stderr) = ask(&["--format", "parquet", "--output", "report.parquet"]);
        assert_eq!(code, 0, "{stderr}");
    }
}

#[test]
fn plots_are_pictures() {
    let folder = grid();
    for (report, text) in [("top", "land impact of an object"), ("waste", "medium")] {
        let output = lodger_grid(folder.path(), &[report, "grid", "--plot", "plot.svg"]);
        assert_eq!(parts_of(&output).0, 0);
        let svg = std::fs::read_to_string(folder.path().join("plot.svg")).expect("a picture");
        assert!(svg.starts_with("<svg") && svg.contains(text), "{svg}");
    }
}

#[test]
fn unwritable_outputs_are_rejected_first() {
    let folder = grid();
    let manifest = folder.path().join("grid/lodger-grid.json");
    let before = std::fs::read(&manifest).expect("a manifest");
    for words in [
        &["top", "grid", "--format", "parquet"][..],
        &["top", "grid", "--plot", "plot.png"],
        &["top", "grid", "--output", "grid/lodger-grid.json"],
        &["top", "grid", "--output", "grid/new.txt"],
        &["top", "grid", "--output", "one.svg", "--plot", "one.svg"],
        &["sql", "SELECT 1", "grid", "--output", "grid/assets/00000.parquet"],
        &["sql", "SELECT 1", "grid", "--memory", "0"],
        &["sql", "SELECT nothing FROM parts", "grid", "--output", "answer.txt"],
        &["top", "missing"],
    ] {
        let (code, stdout, stderr) = parts_of(&lodger_grid(folder.path(), words));
        assert_eq!((code, stdout.as_str()), (2, ""), "{words:?}: {stderr}");
        assert!(stderr.contains("error"), "{words:?}: {stderr}");
    }
    assert_eq!(std::fs::read(&manifest).expect("a manifest"), before);
    let left: Vec<_> = std::fs::read_dir(folder.path()).expect("a folder").collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

#[test]
fn nothing_is_written_into_a_dataset_under_any_name() {
    let folder = grid();
    let dataset = folder.path().join("d sp");
    std::fs::rename(folder.path().join("grid"), &dataset).expect("a name");
    let file = dataset.join("assets/00000.parquet");
    let before = std::fs::read(&file).expect("a file");
    let url = url::Url::from_file_path(&dataset).expect("a path").to_string();
    assert!(url.contains("d%20sp"), "{url}");
    let link = folder.path().join("link");
    #[cfg(unix)]
    std::os::unix::fs::symlink(dataset.join("new.csv"), &link).expect("a link");
    let link = link.to_str().expect("a name");
    for (cwd, name, output) in [
        ("d sp", ".", "new.csv"),
        ("d sp", ".", "./new.csv"),
        ("d sp/assets", "..", "new.csv"),
        (".", url.as_str(), "d sp/assets/00000.parquet"),
        (".", url.as_str(), "d sp/new.csv"),
        #[cfg(unix)]
        (".", "d sp", link),
    ] {
        let words = ["sql", "SELECT 1", name, "--output", output];
        let (code, _, stderr) = parts_of(&lodger_grid(&folder.path().join(cwd), &words));
        assert_eq!(code, 2, "{words:?} in {cwd}");
        assert!(stderr.contains("--output"), "{words:?} in {cwd}: {stderr}");
        assert!(!dataset.join("new.csv").exists(), "{words:?} in {cwd}");
    }
    assert_eq!(std::fs::read(&file).expect("a file"), before);
    let (code, _, stderr) =
        parts_of(&lodger_grid(&dataset, &["sql", "SELECT 1", ".", "--output", "../new.csv"]));
    assert_eq!((code, folder.path().join("new.csv").exists()), (0, true), "{stderr}");
}

#[test]
fn texts_are_whole_and_plans_have_lines() {
    let folder = grid();
    let ask = |sql: &str| parts_of(&lodger_grid(folder.path(), &["sql", sql, "grid"])).1;
    let digits = "0123456789abcdef".repeat(4);
    let table = ask(&format!("SELECT '{digits}' AS hash"));
    assert!(table.contains(&digits) && !table.contains("Texts end"), "{table}");
    let table = ask("SELECT repeat('q', 401) AS long, 1 AS n");
    assert_eq!(table.matches('q').count(), 400, "{table}");
    assert!(table.contains('…') && table.contains("csv or json has all"), "{table}");
    let plan = ask("EXPLAIN SELECT object, count(*) FROM parts WHERE x > 1 GROUP BY object");
    assert!(plan.starts_with("logical_plan\n  Projection: "), "{plan}");
    assert!(plan.contains("\n      ") && plan.contains("\nphysical_plan\n"), "{plan}");
    assert!(!plan.contains('␊') && !plan.contains('…'), "{plan}");
    let plan = ask("EXPLAIN SELECT '\u{1b}[31m' || object FROM parts");
    assert!(plan.contains("␛[31m") && !plan.contains('\u{1b}'), "{plan}");
}

#[test]
fn each_finding_says_which_mesh_it_is() {
    let digits = "0123456789abcdef".repeat(4);
    let assets = [1, 2, 3].map(|number| mesh(number, &digits, 100, |mesh| mesh.copied = 1));
    let folder = written(&assets, &[]);
    let ask = |words: &[&str]| parts_of(&lodger_grid(folder.path(), words)).1;
    let json = ask(&["waste", ".", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let findings = json["findings"].as_array().expect("a list");
    let table = ask(&["waste", "."]);
    let bare: String = table.split_whitespace().collect();
    for finding in findings {
        let key = [&finding["id"], &finding["hash"]].into_iter().find_map(|key| key.as_str());
        let key = key.expect("a key");
        let begins = key.get(..40).is_some_and(|begin| bare.contains(begin));
        assert!(table.contains(key) || begins, "{key}\n{table}");
    }
    assert_eq!(findings.len(), 7, "{table}");
}

#[test]
fn no_two_columns_have_one_name_where_it_counts() {
    let folder = grid();
    let sql = "SELECT a.kind, b.kind FROM parts a JOIN parts b ON a.object = b.object LIMIT 1";
    for (format, code) in [("json", 2), ("parquet", 2), ("csv", 0)] {
        let words = ["sql", sql, "grid", "--format", format, "--output", "answer"];
        let (found, _, stderr) = parts_of(&lodger_grid(folder.path(), &words));
        assert_eq!(found, code, "{format}: {stderr}");
        assert_eq!(folder.path().join("answer").exists(), code == 0, "{format}");
        let is_rejected = stderr.contains("two columns are called `kind`") && stderr.contains("AS");
        assert_eq!(is_rejected, code == 2, "{format}: {stderr}");
    }
}

#[test]
fn functions_of_numbers_and_times_are_there() {
    let folder = grid();
    let sql = "SELECT round(2.567, 1) AS a, abs(-3) AS b, to_timestamp_seconds(86400) AS c";
    let (_, csv, stderr) =
        parts_of(&lodger_grid(folder.path(), &["sql", sql, "grid", "--format", "csv"]));
    assert_eq!(csv, "a,b,c\n2.6,3,1970-01-02T00:00:00\n", "{stderr}");
}

#[test]
fn several_sources_are_distinguished() {
    let folder = tempfile::tempdir().expect("a folder");
    let archives = [("east.oar", 8), ("west.oar", 9)].map(|(name, id)| {
        let path = folder.path().join(name);
        let entries =
            [("archive.xml", "<archive/>".to_owned()), ("objects/1.xml", object(id, None, 2))];
        let entries = entries.map(|(name, text)| (name.to_owned(), text.into_bytes()));
        archive(&path, &entries);
        path
    });
    let note = "objects of all sources are summed; one that several of them hold counts once";
    for (sources, several) in [(&archives[..1], false), (&archives, true)] {
        let dataset = folder.path().join("dataset");
        let sources: Vec<&Path> = sources.iter().map(AsRef::as_ref).collect();
        ingest_paths(&sources, &dataset, lodger_grid::ingest::IngestOptions::default());
        for words in [["top", "dataset"].as_slice(), &["whatif", "dataset", "--rules", "grid"]] {
            let table = parts_of(&lodger_grid(folder.path(), words)).1;
            let table = table.split_whitespace().collect::<Vec<_>>().join(" ");
            assert_eq!(table.contains(note), several, "{words:?}: {table}");
        }
        let table = parts_of(&lodger_grid(folder.path(), &["top", "dataset"])).1;
        let has_heading = table.lines().nth(1).is_some_and(|line| line.contains("Source"));
        assert_eq!(has_heading, several, "{table}");
    }
}

#[test]
fn an_answer_that_breaks_off_leaves_no_file() {
    let folder = grid();
    let sql =
        "SELECT CAST(CASE WHEN value < 40000 THEN '1' ELSE 'x' END AS INT) FROM range(0, 50000)";
    let words = ["sql", sql, "grid", "--format", "csv", "--output", "answer.csv"];
    let (code, _, stderr) = parts_of(&lodger_grid(folder.path(), &words));
    assert_eq!(code, 2, "{stderr}");
    assert!(stderr.contains('x'), "{stderr}");
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1);
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_with_130_and_leaves_nothing() {
    use std::time::Duration;

    lodger_terminal::signals::reset_for_children().expect("handlers");
    let folder = grid();
    let temporary = tempfile::tempdir().expect("a folder");
    let endless = "SELECT count(*) FROM range(0, 100000) a, range(0, 2000000000) b WHERE a.value * b.value = 7";
    let mut command = Command::new(env!("CARGO_BIN_EXE_lodger-grid"));
    command.current_dir(folder.path()).env("TMPDIR", temporary.path());
    command.args(["sql", endless, "grid", "--output", "answer.txt"]);
    let mut child = command.spawn().expect("it starts");
    while std::fs::read_dir(temporary.path()).expect("a folder").count() == 0 {
        assert!(child.try_wait().expect("a child").is_none(), "it ended by itself");
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(500));
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
    assert!(sent.success());
    assert_eq!(child.wait().expect("an end").code(), Some(130));
    assert_eq!(std::fs::read_dir(temporary.path()).expect("a folder").count(), 0);
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1);
}
