//! Seconds and peak memory of lodger-grid on a whole grid, beside the goals.
//!
//! All files are read once before, so that they are in the page cache; as root on Linux, an empty cache is timed,
//! too. Only different totals are a failure.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::{ResourceUsage, Result, measure_run};

const PARTITIONS: [&str; 3] = ["1", "2", "8"];
const REPETITIONS: u32 = 3;
/// The goal of ingest, as a share of the rate of reading alone.
const SHARE_OF_RATE: f64 = 0.2;

/// Writing 3 to this file empties the caches of Linux (`Documentation/admin-guide/sysctl/vm.rst`).
const DROP_CACHES: &str = "/proc/sys/vm/drop_caches";

const TOTALS: &str = "SELECT count(*) AS objects, sum(prims) AS parts, sum(streaming_millionths) AS streaming, \
    sum(physics_millionths) AS physics, sum(server_millionths) AS server, sum(land_impact) AS land_impact \
    FROM objects";

struct Row {
    name: String,
    usage: ResourceUsage,
    note: String,
}

struct Bench {
    program: PathBuf,
    generator: PathBuf,
    grid: PathBuf,
    dataset: PathBuf,
    output: PathBuf,
}

pub(crate) fn run(target: &Path, [assets, objects, seed]: [&str; 3]) -> Result<()> {
    let (release, folder) = (target.join("release"), target.join("grid-figures"));
    let name = format!("{assets}-{objects}-{seed}");
    let bench = Bench {
        program: release.join("lodger-grid"),
        generator: release.join("examples/grid_figures"),
        grid: folder.join(&name),
        dataset: folder.join(format!("{name}.dataset")),
        output: folder.join(format!("{name}.output")),
    };
    if !bench.grid.is_dir() {
        eprintln!("makes a grid");
        bench.make([("--assets", assets), ("--objects", objects), ("--seed", seed)])?;
    }
    eprintln!("reads all files");
    bench.read()?;
    let (files, alone) = bench.read()?;
    eprintln!("ingests them");
    let mut rows = Vec::from(ingest_rows("from memory", files, alone, bench.ingest()?));
    for report in ["top", "waste"] {
        for _ in 0..REPETITIONS {
            let usage = bench.report(report)?;
            let note = "under 5 s on two cores, under 1024 MiB".to_owned();
            rows.push(Row { name: report.to_owned(), usage, note });
        }
    }
    rows.extend(bench.totals()?);
    if empty_page_cache() {
        eprintln!("reads and ingests from disk");
        let (files, alone) = bench.read()?;
        empty_page_cache();
        rows.extend(ingest_rows("from disk", files, alone, bench.ingest()?));
    } else {
        eprintln!("nothing is read from disk: only root on Linux may empty the page cache");
    }
    println!("{:28} {:>9} {:>9}  ", "", "seconds", "peak MiB");
    for row in &rows {
        println!("{}", line(row));
    }
    Ok(())
}

fn empty_page_cache() -> bool {
    // Pages that are not written yet would stay.
    let is_synced = Command::new("sync").status().is_ok_and(|status| status.success());
    is_synced && fs::write(DROP_CACHES, "3").is_ok()
}

fn ingest_rows(from: &str, files: u64, alone: f64, ingest: ResourceUsage) -> [Row; 2] {
    #[expect(clippy::cast_precision_loss, reason = "fewer than 2^53 files")]
    let rate = |seconds: f64| files as f64 / seconds;
    let part = alone / ingest.seconds;
    let reading = Row {
        name: format!("reading alone, {from}"),
        usage: ResourceUsage { seconds: alone, mebibytes: None },
        note: format!("{:.0} files a second", rate(alone)),
    };
    let note = format!(
        "{:.0} files a second, {part:.2} of that: at least {SHARE_OF_RATE}; under 1024 MiB",
        rate(ingest.seconds)
    );
    [reading, Row { name: format!("ingest, {from}"), usage: ingest, note }]
}

impl Bench {
    /// Makes the grid under another name first, so that an existing one is complete.
    fn make(&self, options: [(&str, &str); 3]) -> Result<()> {
        let unfinished = self.grid.with_extension("unfinished");
        clear(&unfinished)?;
        let mut make = Command::new(&self.generator);
        make.arg("make").arg(&unfinished);
        for (option, value) in options {
            make.arg(option).arg(value);
        }
        measure_run(make.stdin(Stdio::null()))?;
        Ok(fs::rename(&unfinished, &self.grid)?)
    }

    fn read(&self) -> Result<(u64, f64)> {
        let mut read = Command::new(&self.generator);
        self.run_program(read.arg("read").arg(&self.grid))?;
        let reading = self.json()?;
        match (reading["files"].as_u64(), reading["seconds"].as_f64()) {
            (Some(files), Some(seconds)) => Ok((files, seconds)),
            _ => Err("the generator printed no time".into()),
        }
    }

    fn ingest(&self) -> Result<ResourceUsage> {
        clear(&self.dataset)?;
        let mut ingest = Command::new(&self.program);
        ingest.arg("ingest");
        for source in ["fsassets.csv", "prims.csv", "primshapes.csv", "primitems.csv", "fsassets"] {
            ingest.arg(self.grid.join(source));
        }
        self.run_program(ingest.arg("--out").arg(&self.dataset))
    }

    fn report(&self, name: &str) -> Result<ResourceUsage> {
        self.run_program(Command::new(&self.program).arg(name).arg(&self.dataset))
    }

    fn totals(&self) -> Result<Vec<Row>> {
        let mut rows = Vec::new();
        let mut first: Option<String> = None;
        for partitions in PARTITIONS {
            let mut sql = Command::new(&self.program);
            sql.args(["sql", TOTALS]).arg(&self.dataset);
            let usage =
                self.run_program(sql.args(["--partitions", partitions, "--format", "json"]))?;
            let output = self.text()?;
            let before = first.get_or_insert_with(|| output.clone());
            if *before != output {
                let message = format!("totals of {partitions} partitions differ: {before}{output}");
                return Err(message.into());
            }
            let name = format!("totals, {partitions} partitions");
            rows.push(Row { name, usage, note: "the same".to_owned() });
        }
        println!("{}", first.unwrap_or_default().trim_end());
        Ok(rows)
    }

    fn run_program(&self, command: &mut Command) -> Result<ResourceUsage> {
        measure_run(command.stdin(Stdio::null()).stdout(File::create(&self.output)?))
    }

    fn text(&self) -> Result<String> {
        Ok(fs::read_to_string(&self.output)?)
    }

    fn json(&self) -> Result<Value> {
        Ok(serde_json::from_str(&self.text()?)?)
    }
}

fn clear(folder: &Path) -> Result<()> {
    if !folder.exists() {
        return Ok(());
    }
    Ok(fs::remove_dir_all(folder)?)
}

fn line(row: &Row) -> String {
    let ResourceUsage { seconds, mebibytes } = row.usage;
    let peak = mebibytes.map_or_else(String::new, |peak| format!("{peak:.1}"));
    format!("{:28} {seconds:9.2} {peak:>9}  {}", row.name, row.note)
}

#[cfg(test)]
mod tests {
    use super::{ingest_rows, line};
    use crate::ResourceUsage;

    #[test]
    fn ingest_is_a_share_of_reading() {
        let usage = ResourceUsage { seconds: 8.0, mebibytes: Some(512.25) };
        let [alone, ingest] = ingest_rows("from memory", 1_000, 2.0, usage);
        assert!(line(&alone).contains("500 files a second"));
        let ingest = line(&ingest);
        assert!(ingest.contains("125 files a second, 0.25 of that"), "{ingest}");
        assert!(ingest.contains("512.2"), "{ingest}");
    }
}
