//! What `cargo xtask grid-figures` measures with: `make` makes a grid by chance, as it stands on the disks of one who runs
//! it, and `read` reads its files and does nothing else.
//!
//! ```text
//! FOLDER/fsassets/ab/cd/ef/0123/HASH   the mesh assets, all different
//! FOLDER/fsassets.csv                  the table of them
//! FOLDER/prims.csv                     objects that stand in regions, and most of whose parts show such a mesh
//! FOLDER/primshapes.csv                their shapes
//! FOLDER/primitems.csv                 what is in them
//! ```
//!
//! The same seed makes the same bytes, on any number of threads.
#![forbid(unsafe_code)]

mod chance;
mod identity;
mod layout;
mod make;
mod mesh;
mod objects;
mod read;

use std::error::Error;
use std::path::PathBuf;

use clap::{Parser, Subcommand};

/// A grid by chance, and how long its files take to be read.
#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Make a grid in a folder that is empty or not there.
    Make {
        /// The folder.
        folder: PathBuf,
        #[command(flatten)]
        size: make::Size,
    },
    /// Read all files of the table of a grid, with all threads, and say how long that took, as JSON.
    Read {
        /// The folder.
        folder: PathBuf,
    },
}

fn main() -> Result<(), Box<dyn Error>> {
    match Cli::parse().task {
        Task::Make { folder, size } => make::grid(&folder, &size),
        Task::Read { folder } => {
            println!("{}", serde_json::to_string(&read::grid(&folder)?)?);
            Ok(())
        }
    }
}
