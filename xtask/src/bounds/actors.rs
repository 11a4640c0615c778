//! A scene in TOML with a million actors: 82 MB of text.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use crate::boards::unfit;
use crate::failure::Failure;

const ACTORS: u32 = 1_000_000;
const HEAD: &str = "budget_ms = 16.6\n[[view]]\neye = [0, 1.7, 0]\n[[module]]\nname = \"m\"\n\
                    unit_cost_ms = 0.00001\nbenefit_value = 1\n";

/// Writes the scene.
pub(super) fn write(path: &Path) -> Result<(), Failure> {
    try_write(path).map_err(|error| unfit(path, &error))
}

fn try_write(path: &Path) -> std::io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    file.write_all(HEAD.as_bytes())?;
    for number in 0..ACTORS {
        let (x, z, work) = (number % 97, number % 89, 4 + number % 64);
        write!(
            file,
            "[[actor]]\nname=\"actor {number}\"\nmodule=\"m\"\nposition=[{x},0,{z}]\nradius=1\n\
             work=[0,{work}]\n"
        )?;
    }
    file.flush()
}
