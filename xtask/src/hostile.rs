//! `cargo xtask hostile`: the real release binary over bad input, with what must hold written once, in
//! [`invariant`] (and, where several runs are compared, in [`compare`]).
//!
//! A case is a folder of inputs, a command line, and what the system refuses. It runs in a process of its
//! own under limits of the system (data, CPU, open files, and where a case asks for it file size, threads
//! and a small disk), while its memory and time are watched. What a class may take is the one table of
//! [`limits`]. Each class begins with cases that are known to be hard and goes on by chance: files that are
//! right are made and then damaged so that most of their structure stays. With the same seed and class the
//! same cases come again. What breaks a promise is run once more, made smaller, and kept as a folder with a
//! script that runs it.
//!
//! # What it found
//!
//! Each of these is a known case, found on the build before allowances came (cfa212c):
//!
//! | class | case | broken |
//! |---|---|---|
//! | options | --sweep 5e-324..1e-300 --plot | memory |
//! | llsd | a block name of 1 MiB, in a table | time |
//! | tar | 200 uses of a mesh with a broken name of 1 MiB | memory |
//! | tar | a path of 16 000 bytes over 20 000 objects | memory |
//! | gltf | 400 nodes with one mesh name of 1 MB | memory |
//! | linksets | span misses of 1 000 objects with names of 400 bytes | memory |
//! | blocks | 10 million physics triangles, swept | time |
//! | blocks | 200 uses of 10 million physics triangles in as many sizes | time |
//! | options | --output onto an input: plainly, through links, a buffer, a scene; --plot onto an input | input changed |
//! | options | two outputs to one file by two paths | exit code 0 |
//! | options | a missing file, priced or linted | exit code 1 |
//! | places | board run of /dev/zero | memory |
//! | places | a FIFO in a folder | time |
//! | places | an empty folder, linted | exit code 1 |
//! | threads | no thread can start | panic, exit code 101 |
//! | threads | `RAYON_NUM_THREADS=1000000` | panic, exit code 101 |
//! | xml, toml, gltf, tar, places | names with U+061C | raw control character |
//! | toml | two actors of one name with a new line | forged line |
//! | xml, toml, gltf, places | names that are formulas, in CSV | formula in CSV |
//! | tar | a sparse entry of 5 extents, then an object | row lost, exit code 0 |
//! | disks | a result of which half a KiB may be written | SIGXFSZ, stray file |
//! | pipes | --help to a full disk | exit code 0 |
//! | toml | one million actors | memory |
//! | gzip | a scene that is a bomb | memory |
//! | resources | a GiB of zeros or of [, planned or linked | memory allocation failed |

mod campaign;
mod case;
mod class;
mod classes;
mod compare;
mod damage;
mod folder;
mod good;
mod hard;
mod input;
mod invariant;
mod keep;
mod limits;
mod make;
mod process;
mod random;
mod report;
mod shrink;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command as System;
use std::sync::{Mutex, RwLock};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::boards::{target_folder, unfit};
use crate::failure::Failure;
use crate::steps::Steps;
use campaign::Campaign;
use class::Class;
use classes::CLASSES;
use process::Ground;
use report::Report;

/// The class that needs `lodger-pack`, and so a build of C++.
const NEEDS_PACK: &str = "pack";
/// Runs of fewer seconds leave out the cases that take long, and the class that needs C++.
const HEAVY_FROM: u64 = 60;
/// The seconds of the short run.
const SHORT: u64 = 20;

/// What is run, and for how long.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// How long random cases are run. Known ones come first and are all run; those that take long only
    /// from 60 seconds on.
    #[arg(long, default_value_t = SHORT)]
    seconds: u64,
    /// The seed of the random cases; without it, another one each time.
    #[arg(long)]
    seed: Option<u64>,
    /// Only this class; more than once for several. Without it all, and `pack`, which needs C++, only from 60
    /// seconds on.
    #[arg(long)]
    class: Vec<String>,
    /// Only random cases.
    #[arg(long)]
    random: bool,
    /// The program, in place of the release build of lodger-cli; for `pack` with lodger-pack beside it.
    #[arg(long)]
    binary: Option<PathBuf>,
    /// A lodger-board to put beside it; without one, its cases are left out.
    #[arg(long)]
    board_binary: Option<PathBuf>,
    /// The folder for what fails; without it, `hostile` in the target folder.
    #[arg(long)]
    keep: Option<PathBuf>,
}

/// Runs what CI runs: 20 seconds of the cases that do not take long.
pub(crate) fn short(steps: &mut Steps) -> Result<(), Failure> {
    let options = Options {
        seconds: SHORT,
        seed: None,
        class: Vec::new(),
        random: false,
        binary: None,
        board_binary: None,
        keep: None,
    };
    run(steps, &options)
}

/// Runs cases until the time is over, and fails where one broke a promise.
pub(crate) fn run(steps: &mut Steps, options: &Options) -> Result<(), Failure> {
    let heavy = options.seconds >= HEAVY_FROM;
    let classes = chosen(&options.class, heavy)?;
    let packs = classes.iter().any(|class| class.name == NEEDS_PACK);
    let built = target_folder(steps)?;
    let binary = if let Some(binary) = &options.binary {
        binary.clone()
    } else {
        let build = steps.cargo("build --release --locked --package lodger-cli");
        steps.run("build lodger", &build)?;
        if packs {
            let build = steps.cargo("build --release --locked --package lodger-pack");
            steps.run("build lodger-pack", &build)?;
        }
        built.join("release/lodger")
    };
    let folder = tempfile::tempdir().map_err(|error| unfit(Path::new("a folder"), &error))?;
    folder::open_to_all(folder.path()).map_err(|error| unfit(folder.path(), &error))?;
    let pack = packs.then(|| binary.with_file_name("lodger-pack"));
    let beside =
        [(options.board_binary.as_deref(), "lodger-board"), (pack.as_deref(), "lodger-pack")];
    let program = install(folder.path(), &binary, beside)?;
    let campaign = Campaign {
        ground: Ground { program, folder: folder.path().to_owned(), root: is_root() },
        classes,
        seed: options.seed.unwrap_or_else(seed_of_now),
        time: Duration::from_secs(options.seconds),
        workers: thread::available_parallelism().map_or(1, Into::into),
        known: !options.random,
        heavy,
        board: options.board_binary.is_some(),
        keep: options.keep.clone().unwrap_or_else(|| built.join("hostile")),
        report: Mutex::new(Report::default()),
        alone: Mutex::new(HashMap::new()),
        quiet: RwLock::new(()),
    };
    eprintln!("seed {}: the same cases come again with --seed {0}", campaign.seed);
    steps.work("hostile", || judge(&campaign))
}

fn judge(campaign: &Campaign<'_>) -> Result<(), Failure> {
    campaign.run().map_err(|error| unfit(&campaign.ground.folder, &error))?;
    let report = campaign.report.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    print!("{report}");
    match report.violations() {
        0 => Ok(()),
        count => {
            let (seed, folder) = (campaign.seed, campaign.keep.display());
            let words = format!("{count} violations with --seed {seed}; some are kept in {folder}");
            Err(Failure::Unfit(words))
        }
    }
}

fn chosen(names: &[String], heavy: bool) -> Result<Vec<&'static Class>, Failure> {
    static ALL: [Class; CLASSES.len()] = CLASSES;
    if let Some(name) = names.iter().find(|name| !ALL.iter().any(|class| class.name == **name)) {
        let all: Vec<_> = ALL.iter().map(|class| class.name).collect();
        let words = format!("there is no class `{name}`; there are {}", all.join(", "));
        return Err(Failure::Unfit(words));
    }
    let is_usual = |class: &Class| names.is_empty() && (heavy || class.name != NEEDS_PACK);
    let is_chosen = |class: &&Class| is_usual(class) || names.iter().any(|it| it == class.name);
    Ok(ALL.iter().filter(is_chosen).collect())
}

/// Copies the programs, so that a build beside us changes nothing.
fn install(
    folder: &Path,
    binary: &Path,
    beside: [(Option<&Path>, &str); 2],
) -> Result<PathBuf, Failure> {
    let place = folder.join("bin");
    fs::create_dir(&place).map_err(|error| unfit(&place, &error))?;
    for (from, name) in [(Some(binary), "lodger")].into_iter().chain(beside) {
        let Some(from) = from else { continue };
        fs::copy(from, place.join(name)).map_err(|error| unfit(from, &error))?;
    }
    Ok(place.join("lodger"))
}

/// Whether we may become others and mount disks.
fn is_root() -> bool {
    let id = System::new("id").arg("-u").output();
    id.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

fn seed_of_now() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::from(now.subsec_nanos()) ^ now.as_secs()
}

#[cfg(test)]
mod tests {
    use super::{NEEDS_PACK, chosen};

    #[test]
    fn what_needs_cpp_is_in_long_runs_or_named() {
        for (names, heavy, is_in) in
            [(&[][..], false, false), (&[], true, true), (&["pack"], false, true)]
        {
            let names: Vec<_> = names.iter().map(|&name| String::from(name)).collect();
            let classes = chosen(&names, heavy).unwrap_or_default();
            assert!(!classes.is_empty());
            assert_eq!(classes.iter().any(|class| class.name == NEEDS_PACK), is_in);
        }
    }
}
