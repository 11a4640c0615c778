//! Writes the seeds into the corpora of cargo-fuzz.

use std::{fs, io};

fn main() -> io::Result<()> {
    for (target, seeds) in lodger_fuzz::seeds::TARGETS {
        let folder = format!("corpus/{target}");
        fs::create_dir_all(&folder)?;
        for (index, seed) in seeds().iter().enumerate() {
            fs::write(format!("{folder}/seed-{index}"), seed)?;
        }
    }
    Ok(())
}
