//! The measured programs of `cargo xtask grid-figures`: `make` generates a grid of random files and
//! tables, and `read` only reads its files.
//!
//! ```text
//! FOLDER/fsassets/ab/cd/ef/0123/HASH   the mesh assets, all different
//! FOLDER/fsassets.csv                  the table of the mesh assets
//! FOLDER/prims.csv                     objects in regions; most parts show one of the meshes
//! FOLDER/primshapes.csv                the shapes of the parts
//! FOLDER/primitems.csv                 the contents of the parts
//! ```
//!
//! The same seed generates the same bytes on any number of threads.
#![forbid(unsafe_code)]

mod make;
mod mesh;
mod objects;

use std::error::Error;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Parser, Subcommand};
use lodger_testkit::SplitMix64;
use rayon::prelude::*;
use serde::Serialize;
use uuid::Uuid;

/// Generates a grid, and times reading of its files.
#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    task: FigureTask,
}

#[derive(Subcommand)]
enum FigureTask {
    /// Generate a grid in an empty or new folder.
    Make {
        /// The folder.
        folder: PathBuf,
        #[command(flatten)]
        size: make::GridSize,
    },
    /// Read all files of the table of a grid with all threads, and print the time as JSON.
    Read {
        /// The folder.
        folder: PathBuf,
    },
}

fn main() -> Result<(), Box<dyn Error>> {
    match Cli::parse().task {
        FigureTask::Make { folder, size } => make::grid(&folder, &size),
        FigureTask::Read { folder } => {
            println!("{}", serde_json::to_string(&read_grid(&folder)?)?);
            Ok(())
        }
    }
}

/// A random number generator for each numbered thing.
#[derive(Clone, Debug)]
pub(crate) struct GridRandom(SplitMix64);

impl GridRandom {
    pub(crate) const fn new(seed: u64, kind: u64, number: u64) -> Self {
        Self(SplitMix64::new(mix(mix(seed ^ mix(kind)) ^ number)))
    }

    pub(crate) const fn next(&mut self) -> u64 {
        self.0.next_u64()
    }

    pub(crate) fn below(&mut self, end: u64) -> u64 {
        let wide = u128::from(self.next()) * u128::from(end);
        u64::try_from(wide >> 64).unwrap_or(0)
    }

    pub(crate) fn percent(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    #[allow(clippy::cast_precision_loss)] // 24 bits fit
    pub(crate) fn part(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1 << 24) as f32
    }

    pub(crate) fn between(&mut self, from: f32, to: f32) -> f32 {
        from + (to - from) * self.part()
    }
}

/// The finaliser of `SplitMix64`, a bijection.
const fn mix(number: u64) -> u64 {
    SplitMix64::new(number.wrapping_sub(0x9e37_79b9_7f4a_7c15)).next_u64()
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum ThingKind {
    Mesh = 1,
    Part = 2,
    Resident = 3,
    Region = 4,
    Item = 5,
}

pub(crate) fn id(seed: u64, kind: ThingKind, number: u64) -> Uuid {
    let mut random = GridRandom::new(seed, kind as u64, number);
    let (high, low) = (random.next(), random.next());
    Uuid::from_u64_pair(high, low)
}

pub(crate) const FILES: &str = "fsassets";
pub(crate) const TABLE: &str = "fsassets.csv";

/// Returns the folder of a file: the first 2, 2, 2 and 4 digits of its hash in upper case.
///
/// Source: `OpenSimulator`, `FSAssetService.cs` (`HashToPath`).
pub(crate) fn folder(files: &Path, hash: &str) -> PathBuf {
    let mut path = files.to_owned();
    let mut rest = hash;
    for digits in [2, 2, 2, 4] {
        let (part, after) = rest.split_at_checked(digits).unwrap_or((rest, ""));
        path.push(part);
        rest = after;
    }
    path
}

#[derive(Serialize)]
struct ReadResult {
    files: usize,
    bytes: u64,
    threads: usize,
    seconds: f64,
}

fn read_grid(from: &Path) -> Result<ReadResult, Box<dyn Error>> {
    let files = files(from)?;
    let start = Instant::now();
    let read = |buffer: &mut Vec<u8>, file: &PathBuf| {
        buffer.clear();
        let length = File::open(file).and_then(|mut file| file.read_to_end(buffer));
        length.map(|length| length as u64).map_err(|error| format!("{}: {error}", file.display()))
    };
    let bytes = files.par_iter().map_init(Vec::new, read).try_reduce(|| 0, |a, b| Ok(a + b))?;
    let seconds = start.elapsed().as_secs_f64();
    Ok(ReadResult { files: files.len(), bytes, threads: rayon::current_num_threads(), seconds })
}

fn files(from: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut table = csv::Reader::from_path(from.join(TABLE))?;
    let column = table.headers()?.iter().position(|name| name == "hash");
    let column = column.ok_or("fsassets.csv has no column hash")?;
    let mut paths = Vec::new();
    for row in table.records() {
        let row = row?;
        let hash = row.get(column).ok_or("a row without a hash")?;
        paths.push(folder(&from.join(FILES), hash).join(hash));
    }
    Ok(paths)
}
