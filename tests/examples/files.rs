//! Makes the files of `docs/files`, except the TOML files, for `cargo xtask files`.
//!
//! ```text
//! cargo run -p lodger-tests --example files
//! ```

#[path = "../tests/files/made.rs"]
mod made;
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
