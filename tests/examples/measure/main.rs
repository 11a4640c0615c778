//! Measures release builds on large inputs: `cargo xtask bounds` and `cargo xtask grid-figures` build the programs and
//! run this.
//!
//! ```text
//! measure TARGET_FOLDER bounds
//! measure TARGET_FOLDER grid ASSETS OBJECTS SEED
//! ```

mod bounds;
mod grid;
mod region;
mod scenes;
mod watch;

use std::error::Error;
use std::path::Path;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [target, "bounds"] => bounds::run(&Path::new(target).join("release")),
        [target, "grid", assets, objects, seed] => {
            grid::run(Path::new(target), [assets, objects, seed])
        }
        _ => Err("usage: measure TARGET_FOLDER (bounds | grid ASSETS OBJECTS SEED)".into()),
    }
}
