use std::error::Error;
use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io::{BufWriter, Write as _};
use std::path::Path;

use clap::Args;
use rayon::prelude::*;
use sha2::{Digest as _, Sha256};

use crate::mesh;
use crate::objects::RegionTables;
use crate::{FILES, TABLE, folder};
use crate::{ThingKind, id};

const ASSETS_BATCH: u64 = 8192;
const OBJECTS_BATCH: u64 = 1024;

/// Size of a grid.
#[derive(Args)]
pub(crate) struct GridSize {
    #[arg(long, default_value_t = 1_000_000)]
    pub(crate) assets: u64,
    #[arg(long, default_value_t = 300_000)]
    pub(crate) objects: u64,
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
}

type BoxError = Box<dyn Error + Send + Sync>;

pub(crate) fn grid(into: &Path, size: &GridSize) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(into)?;
    if fs::read_dir(into)?.next().is_some() {
        return Err(format!("{}: the folder is not empty", into.display()).into());
    }
    assets(into, size).map_err(|error| -> Box<dyn Error> { error })?;
    objects(into, size)
}

fn assets(into: &Path, size: &GridSize) -> Result<(), BoxError> {
    let files = into.join(FILES);
    let mut table = csv::Writer::from_path(into.join(TABLE))?;
    table.write_record([
        "id",
        "name",
        "description",
        "type",
        "hash",
        "create_time",
        "access_time",
        "asset_flags",
    ])?;
    let (mut first, mut bytes) = (0, 0);
    while first < size.assets {
        let end = size.assets.min(first + ASSETS_BATCH);
        let made: Result<Vec<_>, _> =
            (first..end).into_par_iter().map(|number| asset(&files, size.seed, number)).collect();
        for (number, (hash, length)) in (first..end).zip(made?) {
            bytes += length;
            table.write_record([
                &id(size.seed, ThingKind::Mesh, number).to_string(),
                &format!("mesh {number}"),
                "",
                "49",
                &hash,
                &(1_400_000_000 + number * 300).to_string(),
                &(1_700_000_000 + number).to_string(),
                "0",
            ])?;
        }
        first = end;
    }
    table.flush()?;
    eprintln!("{} mesh assets, {bytes} bytes", size.assets);
    Ok(())
}

/// Writes an asset; returns its hash and bytes. A repeated hash is an error of the file system.
fn asset(files: &Path, seed: u64, number: u64) -> Result<(String, u64), BoxError> {
    let bytes = mesh::bytes(seed, number)?;
    let digest = Sha256::digest(&bytes);
    let mut hash = String::new();
    for byte in digest {
        write!(hash, "{byte:02X}")?;
    }
    let folder = folder(files, &hash);
    fs::create_dir_all(&folder)?;
    let file = folder.join(&hash);
    let mut file = OpenOptions::new().write(true).create_new(true).open(&file)?;
    file.write_all(&bytes)?;
    Ok((hash, u64::try_from(bytes.len())?))
}

fn objects(into: &Path, size: &GridSize) -> Result<(), Box<dyn Error>> {
    let open = |name: &str| File::create(into.join(name)).map(BufWriter::new);
    let mut files = [open("prims.csv")?, open("primshapes.csv")?, open("primitems.csv")?];
    let mut parts = 0;
    let header = RegionTables::header()?;
    write(&mut files, &header.finish()?)?;
    let chunks = size.objects.div_ceil(OBJECTS_BATCH);
    for first in (0..chunks).step_by(64) {
        let chunks = first..chunks.min(first + 64);
        let made: Result<Vec<_>, csv::Error> = chunks
            .into_par_iter()
            .map(|chunk| {
                let mut tables = RegionTables::new(size.seed, size.assets);
                let end = size.objects.min((chunk + 1) * OBJECTS_BATCH);
                for object in chunk * OBJECTS_BATCH..end {
                    tables.object(object)?;
                }
                Ok(tables)
            })
            .collect();
        for tables in made? {
            parts += tables.parts();
            write(&mut files, &tables.finish()?)?;
        }
    }
    for mut file in files {
        file.flush()?;
    }
    eprintln!("{} objects of {parts} parts", size.objects);
    Ok(())
}

fn write(files: &mut [BufWriter<File>; 3], texts: &[Vec<u8>; 3]) -> std::io::Result<()> {
    files.iter_mut().zip(texts).try_for_each(|(file, text)| file.write_all(text))
}
