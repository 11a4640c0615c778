//! `cargo xtask hostile`: runs the tests of hostile cases for longer, with a release build.
//!
//! `campaign` in `lodger-testkit` names the variables that this command sets.

use std::env;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::error::TaskError;
use crate::steps::Steps;

const CLASSES: [&str; 13] = [
    "assets",
    "scenes",
    "toml",
    "options",
    "places",
    "signals",
    "pipes",
    "disks",
    "threads",
    "replay",
    "resources",
    "simulate",
    NEEDS_PACK,
];
/// The class that needs a C++ compiler.
const NEEDS_PACK: &str = "pack";
/// Seconds from which slow cases and [`NEEDS_PACK`] run too.
const HEAVY_FROM: u64 = 60;

/// The options of `cargo xtask hostile`.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct HostileOptions {
    /// How long to run random cases. The known cases run first; slow ones only from 60 seconds on.
    #[arg(long, default_value_t = 20)]
    seconds: u64,
    /// The seed of the random cases; without it, another one each time.
    #[arg(long)]
    seed: Option<u64>,
    /// Only this class; more than once for several. Without it all, and `pack`, which needs C++, only from 60
    /// seconds on.
    #[arg(long, value_parser = CLASSES)]
    class: Vec<String>,
    /// Only random cases.
    #[arg(long)]
    random: bool,
    /// The program, in place of the release build of lodger-cli; for `pack` with lodger-pack beside it.
    #[arg(long)]
    binary: Option<PathBuf>,
    /// A lodger-board for the cases that need one; without it, they are left out.
    #[arg(long)]
    board_binary: Option<PathBuf>,
    /// The folder for what fails; without it, `hostile` in the target folder.
    #[arg(long)]
    keep: Option<PathBuf>,
}

pub(crate) fn short(steps: &mut Steps) -> Result<(), TaskError> {
    run(steps, &HostileOptions { seconds: 10, random: true, ..HostileOptions::default() })
}

/// Runs cases; fails if one broke a promise.
pub(crate) fn run(steps: &mut Steps, options: &HostileOptions) -> Result<(), TaskError> {
    let heavy = options.seconds >= HEAVY_FROM;
    let classes = chosen(&options.class, heavy);
    let (pack, cli): (Vec<&str>, Vec<&str>) = classes.iter().partition(|name| **name == NEEDS_PACK);
    let built = steps.target_folder()?;
    let keep = options.keep.clone().unwrap_or_else(|| built.join("hostile"));
    let seed = options.seed.unwrap_or_else(seed_of_now);
    eprintln!("seed {seed}: the same cases come again with --seed {seed}");
    let workers = thread::available_parallelism().map_or(1, |count| count.get() as u64);
    let seconds = (options.seconds * workers).div_ceil(classes.len() as u64);
    let binaries = [
        ("lodger", "lodger-cli", "cli", cli.iter().map(|it| format!("hostile::{it}")).collect()),
        ("lodger-pack", "lodger-pack", "pack", pack.iter().map(|_| PACK_TEST.into()).collect()),
    ];
    for (name, package, target, filters) in binaries {
        let filters: Vec<String> = filters;
        if filters.is_empty() {
            continue;
        }
        let binary = if let Some(binary) = &options.binary {
            absolute(&if name == "lodger" { binary.clone() } else { binary.with_file_name(name) })
        } else {
            let build = format!("build --release --locked --package {package}");
            steps.run(&format!("build {name}"), &steps.cargo(&build))?;
            built.join("release").join(name)
        };
        let filters = filters.join(" ");
        let mut test = steps
            .cargo(&format!(
                "test --workspace --all-features --locked --test {target} -- {filters} --exact --nocapture"
            ))
            .env("LODGER_HOSTILE_SECONDS", seconds.to_string())
            .env("LODGER_HOSTILE_SEED", seed.to_string())
            .env("LODGER_HOSTILE_HEAVY", u8::from(heavy).to_string())
            .env("LODGER_HOSTILE_RANDOM", u8::from(options.random).to_string())
            .env("LODGER_HOSTILE_BINARY", binary.display().to_string())
            .env("LODGER_HOSTILE_KEEP", absolute(&keep).display().to_string());
        if let Some(board) = &options.board_binary {
            test = test.env("LODGER_HOSTILE_BOARD", absolute(board).display().to_string());
        }
        steps.run(&format!("hostile input for {name}"), &test)?;
    }
    Ok(())
}

const PACK_TEST: &str = "program::hostile::bad_models_break_no_promise";

/// Makes a path absolute, because tests run in another folder.
fn absolute(path: &Path) -> PathBuf {
    env::current_dir().unwrap_or_default().join(path)
}

fn chosen(names: &[String], heavy: bool) -> Vec<&'static str> {
    let is_usual = |class: &str| names.is_empty() && (heavy || class != NEEDS_PACK);
    let is_chosen = |class: &&str| is_usual(class) || names.iter().any(|name| name == class);
    CLASSES.into_iter().filter(is_chosen).collect()
}

fn seed_of_now() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::from(now.subsec_nanos()) ^ now.as_secs()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::{CLASSES, NEEDS_PACK, PACK_TEST, chosen};

    /// A filter that matches no test passes, so names are compared.
    #[test]
    fn every_class_is_a_test() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let text = |file: &str| fs::read_to_string(root.join(file)).unwrap();
        let cli = text("host-cli/tests/cli/hostile.rs");
        let (_, list) = cli.split_once("tests_of_classes! {").unwrap();
        let list: Vec<_> = list.split('}').next().unwrap().split_whitespace().collect();
        assert_eq!([&list[..], &[NEEDS_PACK]].concat(), CLASSES);
        let (_, name) = PACK_TEST.rsplit_once("::").unwrap();
        assert!(
            text("secondlife/pack/tests/pack/program/hostile.rs").contains(&format!("fn {name}()"))
        );
    }

    #[test]
    fn the_class_with_cpp_runs_in_long_runs_or_if_named() {
        for (names, heavy, is_in) in
            [(&[][..], false, false), (&[], true, true), (&["pack"], false, true)]
        {
            let names: Vec<_> = names.iter().map(|&name| String::from(name)).collect();
            let classes = chosen(&names, heavy);
            assert!(!classes.is_empty());
            assert_eq!(classes.contains(&NEEDS_PACK), is_in);
        }
    }
}
