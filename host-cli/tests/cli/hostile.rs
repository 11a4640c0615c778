//! Hostile input for the real program, which must keep the promises of
//! [`lodger_testkit::promises`]. [`lodger_testkit::campaign`] runs more cases.
//!
//! These cases hold the promises of a process: memory, time, exit codes, rows of good files beside
//! bad ones, signals, pipes, full disks and threads. The tests of the libraries and `tests/fuzz`
//! check the readers of each format. A new defect of this kind gets a known case in one of these
//! files.

mod files;
mod system;
mod ticks;

use lodger_testkit::SplitMix64;
use lodger_testkit::build::mesh;
use lodger_testkit::campaign::Class;
use lodger_testkit::run::Case;

/// The memory of most classes: 256 MiB, and ten times a large input.
const USUAL: (u64, u64) = (256, 10);

/// All classes except packed models, which the tests of lodger-pack run.
const CLASSES: [Class; 12] = [
    files::ASSETS,
    files::SCENES,
    files::TOML,
    files::OPTIONS,
    system::PLACES,
    system::SIGNALS,
    system::PIPES,
    system::DISKS,
    system::THREADS,
    ticks::REPLAY,
    system::RESOURCES,
    ticks::SIMULATE,
];

fn cost(path: &str, bytes: impl Into<Vec<u8>>) -> Case {
    Case::new("cost").reads(path, bytes)
}

fn schedule(path: &str, bytes: impl Into<Vec<u8>>) -> Case {
    Case::new("schedule").reads(path, bytes)
}

fn good_mesh() -> Case {
    cost("good.llmesh", mesh::good())
}

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
    assets scenes toml options places signals pipes disks threads replay resources simulate
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
