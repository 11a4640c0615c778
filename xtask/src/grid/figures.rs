//! `cargo xtask grid-figures`: what lodger-grid takes for a whole grid, beside what is asked of it.
//!
//! What is read stays in the page cache: the files are read once before anything is timed. Where the system lets us empty
//! that, reading and ingest are timed once more with it empty, as it is before the first ingest of a store that is larger
//! than memory. Time depends on the machine and who else is on it, so it is printed and never judged; only totals that
//! differ are a failure.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Args;
use serde_json::Value;

use super::MANIFEST;
use crate::boards::{target_folder, unfit};
use crate::failure::Failure;
use crate::steps::Steps;
use crate::watch::{Spent, watch};

/// How large the grid is.
#[derive(Args)]
pub(crate) struct Figures {
    /// Mesh assets, all different, of at most 3 KiB.
    #[arg(long, default_value_t = 1_000_000)]
    assets: u64,
    /// Objects in regions, of three parts each in the mean.
    #[arg(long, default_value_t = 300_000)]
    objects: u64,
    /// What all chance is made from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// The partitions for which totals must be the same.
const PARTITIONS: [&str; 3] = ["1", "2", "8"];
/// How often each question is asked.
const TIMES: u32 = 3;
/// The part of the rate of reading alone that ingest is asked for.
const PART_OF_RATE: f64 = 0.2;

/// What empties caches on Linux when 3 is written into it (its `Documentation/admin-guide/sysctl/vm.rst`).
const DROP_CACHES: &str = "/proc/sys/vm/drop_caches";

/// Sums of integers over all objects.
const TOTALS: &str = "SELECT count(*) AS objects, sum(prims) AS parts, sum(streaming_millionths) AS streaming, \
    sum(physics_millionths) AS physics, sum(server_millionths) AS server, sum(land_impact) AS land_impact \
    FROM objects";

/// A figure beside what is asked of it.
struct Row {
    name: String,
    spent: Spent,
    note: String,
}

/// The programs, and the folders that they work in.
struct Bench {
    program: PathBuf,
    maker: PathBuf,
    grid: PathBuf,
    dataset: PathBuf,
    /// Where what a program says is put, to be looked at.
    said: PathBuf,
}

/// Builds, makes the grid, measures and prints.
pub(crate) fn run(steps: &mut Steps, options: &Figures) -> Result<(), Failure> {
    let target = target_folder(steps)?;
    let build = steps.cargo(&format!("build --release --locked {MANIFEST} --package lodger-grid"));
    let build = build.args("--bin lodger-grid --example grid_figures --target-dir");
    steps.run("build lodger-grid", &build.arg(target.to_string_lossy()))?;
    let release = target.join("release");
    let folder = target.join("grid-figures");
    let Figures { assets, objects, seed } = options;
    let name = format!("{assets}-{objects}-{seed}");
    let bench = Bench {
        program: release.join("lodger-grid"),
        maker: release.join("examples/grid_figures"),
        grid: folder.join(&name),
        dataset: folder.join(format!("{name}.dataset")),
        said: folder.join(format!("{name}.said")),
    };
    if !bench.grid.is_dir() {
        steps.work("make a grid", || bench.make(options))?;
    }
    steps.work("warm the page cache", || bench.read())?;
    let (files, alone) = steps.work("read all files alone", || bench.read())?;
    let ingest = steps.work("ingest", || bench.ingest())?;
    let mut rows = Vec::from(told("from memory", files, alone, ingest));
    for report in ["top", "waste"] {
        for _ in 0..TIMES {
            let spent = steps.work(report, || bench.report(report))?;
            let note = "under 5 s on two cores, under 1024 MiB".to_owned();
            rows.push(Row { name: report.to_owned(), spent, note });
        }
    }
    rows.extend(steps.work("totals", || bench.totals())?);
    if forget_files() {
        let (files, alone) = steps.work("read all files alone from disk", || bench.read())?;
        forget_files();
        let ingest = steps.work("ingest from disk", || bench.ingest())?;
        rows.extend(told("from disk", files, alone, ingest));
    } else {
        eprintln!(
            "nothing is read from disk: only root may empty the page cache, and only on Linux"
        );
    }
    println!("{:28} {:>9} {:>9}  ", "", "seconds", "peak MiB");
    for row in &rows {
        println!("{}", line(row));
    }
    Ok(())
}

/// Empties the page cache and what is known of folders. Whether the system lets us.
fn forget_files() -> bool {
    // Pages that are not written yet would stay.
    let is_synced = Command::new("sync").status().is_ok_and(|status| status.success());
    is_synced && fs::write(DROP_CACHES, "3").is_ok()
}

/// What reading and ingest took, and the one as a part of the other.
fn told(from: &str, files: u64, alone: f64, ingest: Spent) -> [Row; 2] {
    #[allow(clippy::cast_precision_loss)] // so many files are below 2^53
    let rate = |seconds: f64| files as f64 / seconds;
    let part = alone / ingest.seconds;
    let reading = Row {
        name: format!("reading alone, {from}"),
        spent: Spent { seconds: alone, mebibytes: None },
        note: format!("{:.0} files a second", rate(alone)),
    };
    let note = format!(
        "{:.0} files a second, {part:.2} of that: at least {PART_OF_RATE}; under 1024 MiB",
        rate(ingest.seconds)
    );
    [reading, Row { name: format!("ingest, {from}"), spent: ingest, note }]
}

impl Bench {
    /// Makes the grid beside its place, so that one that is there is whole.
    fn make(&self, options: &Figures) -> Result<(), Failure> {
        let unfinished = self.grid.with_extension("unfinished");
        clear(&unfinished)?;
        let mut make = Command::new(&self.maker);
        make.arg("make").arg(&unfinished);
        for (option, value) in
            [("--assets", options.assets), ("--objects", options.objects), ("--seed", options.seed)]
        {
            make.arg(option).arg(value.to_string());
        }
        watch(make.stdin(Stdio::null()))?;
        fs::rename(&unfinished, &self.grid).map_err(|error| unfit(&self.grid, &error))
    }

    /// How many files there are, and the seconds that reading them took.
    fn read(&self) -> Result<(u64, f64), Failure> {
        let mut read = Command::new(&self.maker);
        self.ask(read.arg("read").arg(&self.grid))?;
        let reading = self.answer()?;
        match (reading["files"].as_u64(), reading["seconds"].as_f64()) {
            (Some(files), Some(seconds)) => Ok((files, seconds)),
            _ => Err(Failure::Unfit("reading alone was not told".to_owned())),
        }
    }

    fn ingest(&self) -> Result<Spent, Failure> {
        clear(&self.dataset)?;
        let mut ingest = Command::new(&self.program);
        ingest.arg("ingest");
        for source in ["fsassets.csv", "prims.csv", "primshapes.csv", "primitems.csv", "fsassets"] {
            ingest.arg(self.grid.join(source));
        }
        self.ask(ingest.arg("--out").arg(&self.dataset))
    }

    fn report(&self, name: &str) -> Result<Spent, Failure> {
        self.ask(Command::new(&self.program).arg(name).arg(&self.dataset))
    }

    /// Asks for totals. That they differ is the one thing that fails.
    fn totals(&self) -> Result<Vec<Row>, Failure> {
        let mut rows = Vec::new();
        let mut first: Option<String> = None;
        for partitions in PARTITIONS {
            let mut sql = Command::new(&self.program);
            sql.args(["sql", TOTALS]).arg(&self.dataset);
            let spent = self.ask(sql.args(["--partitions", partitions, "--format", "json"]))?;
            let said = self.text()?;
            let before = first.get_or_insert_with(|| said.clone());
            if *before != said {
                let words = format!("totals of {partitions} partitions differ: {before}{said}");
                return Err(Failure::Unfit(words));
            }
            let name = format!("totals, {partitions} partitions");
            rows.push(Row { name, spent, note: "the same".to_owned() });
        }
        println!("{}", first.unwrap_or_default().trim_end());
        Ok(rows)
    }

    /// Runs a program, and keeps what it says.
    fn ask(&self, command: &mut Command) -> Result<Spent, Failure> {
        let said = File::create(&self.said).map_err(|error| unfit(&self.said, &error))?;
        watch(command.stdin(Stdio::null()).stdout(said))
    }

    fn text(&self) -> Result<String, Failure> {
        fs::read_to_string(&self.said).map_err(|error| unfit(&self.said, &error))
    }

    fn answer(&self) -> Result<Value, Failure> {
        serde_json::from_str(&self.text()?).map_err(|error| unfit(&self.said, &error))
    }
}

/// Removes a folder with all that is in it, if it is there.
fn clear(folder: &Path) -> Result<(), Failure> {
    if !folder.exists() {
        return Ok(());
    }
    fs::remove_dir_all(folder).map_err(|error| unfit(folder, &error))
}

fn line(row: &Row) -> String {
    let Spent { seconds, mebibytes } = row.spent;
    let peak = mebibytes.map_or_else(String::new, |peak| format!("{peak:.1}"));
    format!("{:28} {seconds:9.2} {peak:>9}  {}", row.name, row.note)
}

#[cfg(test)]
mod tests {
    use super::{line, told};
    use crate::watch::Spent;

    #[test]
    fn ingest_is_told_as_a_part_of_reading() {
        let [alone, ingest] =
            told("from memory", 1_000, 2.0, Spent { seconds: 8.0, mebibytes: Some(512.25) });
        assert!(line(&alone).contains("500 files a second"));
        let ingest = line(&ingest);
        assert!(ingest.contains("125 files a second, 0.25 of that"), "{ingest}");
        assert!(ingest.contains("512.2"), "{ingest}");
    }
}
