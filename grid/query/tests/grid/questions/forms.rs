//! The program: forms of answers, files, exit codes.

use std::path::Path;
use std::process::{Command, Output};

use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::sample::Region;

fn grid() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    Region::by_chance(4, 60).write(&folder.path().join("grid"), 50);
    folder
}

fn lodger_grid(folder: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lodger-grid"));
    command.current_dir(folder).args(words).output().expect("it starts")
}

fn told(output: &Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("text");
    (output.status.code().expect("an exit code"), text(&output.stdout), text(&output.stderr))
}

#[test]
fn an_answer_comes_in_every_form() {
    let folder = grid();
    let sql = "SELECT object, land_impact, owner FROM objects WHERE land_impact IS NOT NULL ORDER BY object LIMIT 3";
    let ask = |words: &[&str]| {
        told(&lodger_grid(folder.path(), &[&["sql", sql, "grid"], words].concat()))
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
        let (code, stdout, stderr) = told(&output);
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
    let ask = |format| told(&lodger_grid(folder.path(), &["sql", sql, "grid", "--format", format]));
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
        let ask = |format: &[&str]| told(&lodger_grid(folder.path(), &[words, format].concat()));
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
        assert_eq!(told(&output).0, 0);
        let svg = std::fs::read_to_string(folder.path().join("plot.svg")).expect("a picture");
        assert!(svg.starts_with("<svg") && svg.contains(text), "{svg}");
    }
}

#[test]
fn what_cannot_be_written_is_refused_first() {
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
        let (code, stdout, stderr) = told(&lodger_grid(folder.path(), words));
        assert_eq!((code, stdout.as_str()), (2, ""), "{words:?}: {stderr}");
        assert!(stderr.contains("error"), "{words:?}: {stderr}");
    }
    assert_eq!(std::fs::read(&manifest).expect("a manifest"), before);
    let left: Vec<_> = std::fs::read_dir(folder.path()).expect("a folder").collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

#[test]
fn an_answer_that_breaks_off_leaves_no_file() {
    let folder = grid();
    let sql =
        "SELECT CAST(CASE WHEN value < 40000 THEN '1' ELSE 'x' END AS INT) FROM range(0, 50000)";
    let words = ["sql", sql, "grid", "--format", "csv", "--output", "answer.csv"];
    let (code, _, stderr) = told(&lodger_grid(folder.path(), &words));
    assert_eq!(code, 2, "{stderr}");
    assert!(stderr.contains("x"), "{stderr}");
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
