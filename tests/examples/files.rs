//! Makes the files to try in `docs/files` but for those in TOML; `cargo xtask files` calls it.
//!
//! ```text
//! cargo run -p lodger-tests --example files
//! ```

#[path = "../../grid/opensim/tests/archive/archive_files.rs"]
mod archive_files;
#[allow(dead_code)] // what tests of the program start from
#[path = "../../host-cli/tests/cli/assets.rs"]
mod assets;
#[path = "../tests/files/made.rs"]
mod made;
#[path = "../tests/files/meshes.rs"]
mod meshes;
#[path = "../tests/files/model.rs"]
mod model;

use std::fs;
use std::path::Path;

fn main() -> std::io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/files");
    fs::create_dir_all(&folder)?;
    for (name, bytes) in made::made() {
        println!("{name}: {} bytes", bytes.len());
        fs::write(folder.join(name), bytes)?;
    }
    Ok(())
}
