//! Bad input of every kind for the real program, which must keep its promises. [`lodger_testkit::promises`] states
//! them, [`lodger_testkit::campaign`] says how to run more cases.
//!
//! A new defect gets a known case in one of these files. This table has the first ones: each case broke a promise
//! before quotas came.
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

mod archives;
mod assets;
mod commands;
mod logs;
mod odd_places;
mod scenes;
mod system;

use lodger_testkit::SplitMix64;
use lodger_testkit::build::mesh;
use lodger_testkit::campaign::Class;
use lodger_testkit::run::Case;

/// The memory of most classes: 256 MiB, and ten times a large input.
const USUAL: (u64, u64) = (256, 10);

/// All classes but the one of packed models, which the tests of lodger-pack run.
const CLASSES: [Class; 18] = [
    assets::LLSD,
    assets::BLOCKS,
    archives::TAR,
    archives::GZIP,
    archives::XML,
    scenes::TOML,
    scenes::GLTF,
    scenes::SOG,
    commands::LINKSETS,
    commands::OPTIONS,
    odd_places::PLACES,
    system::SIGNALS,
    system::PIPES,
    system::DISKS,
    system::THREADS,
    logs::REPLAY,
    system::RESOURCES,
    commands::SIMULATE,
];

/// `lodger cost` of a file.
fn cost(path: &str, bytes: impl Into<Vec<u8>>) -> Case {
    Case::new("cost").reads(path, bytes)
}

/// `lodger lint` of a file.
fn lint(path: &str, bytes: impl Into<Vec<u8>>) -> Case {
    Case::new("lint").reads(path, bytes)
}

/// `lodger schedule` of a file.
fn schedule(path: &str, bytes: impl Into<Vec<u8>>) -> Case {
    Case::new("schedule").reads(path, bytes)
}

/// `lodger cost` of a mesh with which nothing is wrong.
fn good_mesh() -> Case {
    cost("good.llmesh", mesh::good())
}

/// A random command over a bad file of mesh assets or archives, mostly beside good files.
fn over(random: &mut SplitMix64, file: &str, bytes: Vec<u8>) -> Case {
    let is_lint = random.one_in(4);
    let mut case = Case::new(if is_lint { "lint" } else { "cost" });
    let several = !random.one_in(3);
    case = match (several, several && random.one_in(2)) {
        (false, _) => case.reads(file, bytes),
        (true, false) => case.reads(file, bytes).beside_good(),
        (true, true) => case.beside_good().reads(file, bytes),
    };
    case.threads = random.one_in(8);
    if is_lint {
        return case.format(random.pick(&["table", "json"]));
    }
    match random.index(8) {
        0 if !several => case = case.args("--sweep 0.1..64"),
        1 if !several => case = case.args("--target 2"),
        2 => case = case.args("--parts"),
        3 => case = case.args("--all"),
        4 if !several => case = case.arg("--shape").arg(random.pick(&["prim", "none"])),
        5 if !several => case = case.args("--physical"),
        _ => {}
    }
    case.format(random.pick(&["table", "json", "csv"]))
}

/// Runs a class by its name.
#[track_caller]
fn run(name: &str) {
    let class = CLASSES.iter().find(|class| class.name == name).expect("a class");
    class.run(env!("CARGO_BIN_EXE_lodger"));
}

macro_rules! tests_of_classes {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            run(stringify!($name));
        })*

        #[test]
        fn every_class_has_a_test() {
            assert_eq!(CLASSES.map(|class| class.name), [$(stringify!($name)),*]);
        }
    };
}

tests_of_classes! {
    llsd blocks tar gzip xml toml gltf sog linksets options places signals pipes disks threads replay resources simulate
}

#[test]
fn every_class_makes_the_same_cases_again_and_names_them() {
    for class in CLASSES {
        let names: std::collections::BTreeSet<_> = class.known.iter().map(|it| it.name).collect();
        assert_eq!(names.len(), class.known.len(), "{}", class.name);
        let Some(make) = class.random else { continue };
        for number in 0..20 {
            let made = || make(&mut SplitMix64::of_case(1, class.name, number));
            let (one, other) = (made(), made());
            assert_eq!((&one.args, one.input_bytes()), (&other.args, other.input_bytes()));
        }
    }
}
