//! Processes of a cluster, which end with the test, and rows to query.

use std::fs;
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use arrow::array::{
    ArrayRef, BooleanArray, DictionaryArray, Float64Array, Int32Array, ListArray, RecordBatch,
    StringArray, StringViewArray, StructArray,
};
use arrow::datatypes::{DataType, Field, Int32Type};
use arrow::util::pretty::pretty_format_batches;
use datafusion::error::Result;
use datafusion::prelude::{ParquetReadOptions, SessionContext};
use parquet::arrow::ArrowWriter;
use tempfile::{NamedTempFile, TempDir};

pub(super) struct Node {
    child: Child,
    said: String,
    /// Its log, if enabled.
    log: NamedTempFile,
}

impl Node {
    fn start(args: &[&str]) -> Self {
        #[cfg(unix)]
        lodger_terminal::signals::reset_for_children().expect("handlers");
        let log = tempfile::NamedTempFile::new().expect("a file");
        let mut command = command(args);
        if args.contains(&"--log") {
            command.stderr(log.reopen().expect("a file"));
        }
        let mut child = command.stdout(Stdio::piped()).spawn().expect("it starts");
        let mut said = String::new();
        let out = child.stdout.take().expect("its stdout");
        let mut node = Self { child, said: String::new(), log };
        BufReader::new(out).read_line(&mut said).expect("a line");
        assert!(!said.is_empty(), "it ended: {:?}", node.child.wait());
        said.trim_end().clone_into(&mut node.said);
        node
    }

    pub(super) fn fails(args: &[&str]) -> String {
        let output = command(args).output().expect("it starts");
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(output.stdout.is_empty(), "{output:?}");
        String::from_utf8(output.stderr).expect("UTF-8")
    }

    fn kill(&mut self) {
        self.child.kill().expect("it can be killed");
        self.child.wait().expect("it ends");
    }

    fn ask(&mut self, signal: &str) -> Option<i32> {
        let status = Command::new("kill").args([signal, &self.child.id().to_string()]).status();
        assert!(status.expect("there is a kill").success());
        self.child.wait().expect("it ends").code()
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lodger-grid"));
    command.args(args).stdin(Stdio::null()).env_remove("RUST_LOG");
    if let Ok(filter) = std::env::var("LODGER_TEST_LOG") {
        command.env("RUST_LOG", filter);
    }
    command
}

pub(super) struct Cluster {
    scheduler: Node,
    executors: Vec<(Node, TempDir)>,
    address: String,
    memory: &'static str,
}

impl Cluster {
    pub(super) fn start(executors: usize) -> Self {
        Self::with_memory(executors, "512MiB")
    }

    pub(super) fn with_memory(executors: usize, memory: &'static str) -> Self {
        let args = ["--port", "0", "--executor-timeout", "8", "--log", "ballista_scheduler=info"];
        let scheduler = Node::start(&[&["scheduler"][..], &args].concat());
        let address = scheduler.said.strip_prefix("scheduler at ").expect("an address").to_owned();
        let mut cluster = Self { scheduler, executors: Vec::new(), address, memory };
        (0..executors).for_each(|_| cluster.add());
        cluster
    }

    pub(super) fn address(&self) -> &str {
        &self.address
    }

    pub(super) fn add(&mut self) {
        let folder = tempfile::tempdir().expect("a folder");
        let place = folder.path().to_str().expect("a path");
        let mut args = vec!["executor", "--port", "0"];
        args.extend(["--tasks", "1", "--memory", self.memory]);
        args.extend(["--scheduler", &self.address, "--work-dir", place]);
        let executor = Node::start(&args);
        assert!(executor.said.ends_with(&format!("with 1 tasks for {}", self.address)));
        self.executors.push((executor, folder));
    }

    pub(super) async fn wait_for_work(&self, executor: usize) {
        while files_below(self.executors[executor].1.path()) == 0 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    pub(super) fn kill(&mut self, executor: usize) {
        self.executors[executor].0.kill();
        self.executors.swap_remove(executor);
    }

    pub(super) async fn wait_for_log(&self, said: &str) {
        let log = || fs::read(self.scheduler.log.path()).expect("a log");
        while !String::from_utf8_lossy(&log()).contains(said) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    pub(super) fn kill_scheduler(&mut self) {
        self.scheduler.kill();
    }

    pub(super) fn ask_executor(&mut self, executor: usize, signal: &str) -> Option<i32> {
        self.executors[executor].0.ask(signal)
    }

    pub(super) fn ask_scheduler(&mut self, signal: &str) -> Option<i32> {
        self.scheduler.ask(signal)
    }

    pub(super) fn left_behind(&self) -> usize {
        let entries = |folder: &TempDir| fs::read_dir(folder.path()).expect("a folder").count();
        self.executors.iter().map(|(_, folder)| entries(folder)).sum()
    }
}

fn files_below(folder: &Path) -> usize {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    entries
        .flatten()
        .map(|entry| match entry.metadata() {
            Ok(found) if found.is_dir() => files_below(&entry.path()),
            Ok(found) => usize::from(found.len() > 0),
            Err(_) => 0,
        })
        .sum()
}

pub(super) const QUERIES: [&str; 12] = [
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

pub(super) struct Parts {
    folder: TempDir,
}

impl Parts {
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

    pub(super) async fn register(&self, context: &SessionContext) {
        let path = self.folder.path().to_str().expect("a path");
        let options = ParquetReadOptions::default();
        context.register_parquet("parts", path, options).await.expect("files");
    }
}

pub(super) async fn run(context: &SessionContext, question: &str) -> Result<String> {
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
