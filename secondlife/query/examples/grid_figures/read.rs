//! Reading, and nothing else.

use std::error::Error;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use rayon::prelude::*;
use serde::Serialize;

use crate::layout::{FILES, TABLE, folder};

/// What reading took.
#[derive(Serialize)]
pub(crate) struct Reading {
    files: usize,
    bytes: u64,
    threads: usize,
    /// Of the files alone; where they are was known before.
    seconds: f64,
}

/// Reads all files of the table, each as a whole.
pub(crate) fn grid(from: &Path) -> Result<Reading, Box<dyn Error>> {
    let files = files(from)?;
    let start = Instant::now();
    let read = |buffer: &mut Vec<u8>, file: &PathBuf| {
        buffer.clear();
        let length = File::open(file).and_then(|mut file| file.read_to_end(buffer));
        length.map(|length| length as u64).map_err(|error| format!("{}: {error}", file.display()))
    };
    let bytes = files.par_iter().map_init(Vec::new, read).try_reduce(|| 0, |a, b| Ok(a + b))?;
    let seconds = start.elapsed().as_secs_f64();
    Ok(Reading { files: files.len(), bytes, threads: rayon::current_num_threads(), seconds })
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
