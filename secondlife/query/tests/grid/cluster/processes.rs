//! Schedulers and executors, which are gone when the test is.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tempfile::{NamedTempFile, TempDir};

/// A process, killed when it is dropped.
pub(super) struct Node {
    child: Child,
    /// The line by which it says that it is ready.
    said: String,
    /// What it logs, where it was told to.
    log: NamedTempFile,
}

impl Node {
    /// Starts one and waits until it is ready.
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

    /// What one says on stderr that cannot start.
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

    /// Sends a signal, and waits for the exit code.
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

/// A scheduler and executors, each with a folder of its own.
pub(super) struct Cluster {
    scheduler: Node,
    executors: Vec<(Node, TempDir)>,
    address: String,
    /// What each executor may hold.
    memory: &'static str,
}

impl Cluster {
    /// Starts a scheduler and so many executors, with one task each, and waits until the scheduler knows them.
    pub(super) fn start(executors: usize) -> Self {
        Self::with_memory(executors, "512MiB")
    }

    /// The same, with so much memory for each executor.
    pub(super) fn with_memory(executors: usize, memory: &'static str) -> Self {
        let args = ["--port", "0", "--executor-timeout", "8", "--log", "ballista_scheduler=info"];
        let scheduler = Node::start(&[&["scheduler"][..], &args].concat());
        let address = scheduler.said.strip_prefix("scheduler at ").expect("an address").to_owned();
        let mut cluster = Self { scheduler, executors: Vec::new(), address, memory };
        (0..executors).for_each(|_| cluster.add());
        cluster
    }

    /// `HOST:PORT` of the scheduler.
    pub(super) fn address(&self) -> &str {
        &self.address
    }

    /// Starts one more executor.
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

    /// Waits until an executor has written rows.
    pub(super) async fn wait_for_work(&self, executor: usize) {
        while files_below(self.executors[executor].1.path()) == 0 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Kills an executor, which is not there any more; the last one takes its number.
    pub(super) fn kill(&mut self, executor: usize) {
        self.executors[executor].0.kill();
        self.executors.swap_remove(executor);
    }

    /// Waits until the scheduler has logged something.
    pub(super) async fn wait_for_log(&self, said: &str) {
        let log = || fs::read(self.scheduler.log.path()).expect("a log");
        while !String::from_utf8_lossy(&log()).contains(said) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Kills the scheduler.
    pub(super) fn kill_scheduler(&mut self) {
        self.scheduler.kill();
    }

    /// Sends a signal to an executor, and waits for its exit code.
    pub(super) fn ask_executor(&mut self, executor: usize, signal: &str) -> Option<i32> {
        self.executors[executor].0.ask(signal)
    }

    /// Sends a signal to the scheduler, and waits for its exit code.
    pub(super) fn ask_scheduler(&mut self, signal: &str) -> Option<i32> {
        self.scheduler.ask(signal)
    }

    /// The folders that executors left.
    pub(super) fn left_behind(&self) -> usize {
        let entries = |folder: &TempDir| fs::read_dir(folder.path()).expect("a folder").count();
        self.executors.iter().map(|(_, folder)| entries(folder)).sum()
    }
}

/// Files that have something in them.
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
