//! Threads: as many as are asked for, and one where no other can start.

use lodger_testkit::build::archive::{ArchiveFile, PartXml, id, region_object};
use lodger_testkit::build::mesh::bytes;

use crate::cost_fixtures::{SIZES, sized};
use crate::run::{Case, RunOutput, TestFolder, lodger};

fn folder() -> TestFolder {
    let object = region_object(&PartXml::mesh("chair", &id(1)), &[PartXml::cube("foot")]);
    let archive = ArchiveFile::new()
        .with_mesh(&id(1), bytes(&sized(SIZES)))
        .with("objects/chair.xml", object);
    lodger().with("a.llmesh", bytes(&sized(SIZES))).with("region.oar", archive.gzip())
}

fn run(folder: &TestFolder, variable: (&'static str, &str), arguments: &[&str]) -> RunOutput {
    folder.run_case(&Case::of_args(arguments).env(variable.0, variable.1))
}

#[test]
fn a_number_of_threads_changes_no_answer() {
    let folder = folder();
    for command in ["cost", "lint"] {
        let arguments = [command, ".", "--format", "json"];
        let usual = run(&folder, ("RAYON_NUM_THREADS", ""), &arguments);
        for threads in ["0", "1", "3", "64"] {
            let outcome = run(&folder, ("RAYON_NUM_THREADS", threads), &arguments);
            assert_eq!((outcome.code, &outcome.stdout), (usual.code, &usual.stdout), "{threads}");
            assert_eq!(outcome.stderr, "");
        }
    }
}

#[test]
fn an_absurd_number_of_threads_is_an_error() {
    let folder = folder();
    for command in ["cost", "lint"] {
        for absurd in ["1000000", "1025", "-1", "many", "1e3", "99999999999999999999"] {
            run(&folder, ("RAYON_NUM_THREADS", absurd), &[command, "a.llmesh"]).fails_with(&[
                "RAYON_NUM_THREADS",
                absurd,
                "1024",
            ]);
        }
    }
}

/// No thread can start that asks for a stack of a petabyte, as none can where a limit is reached.
#[cfg(target_os = "linux")]
#[test]
fn one_thread_does_the_work_where_no_other_can_start() {
    const NO_ROOM: (&str, &str) = ("RUST_MIN_STACK", "1125899906842624");
    let folder = folder();
    for command in ["cost", "lint"] {
        let arguments = [command, ".", "--format", "json"];
        let usual = run(&folder, ("RUST_MIN_STACK", "2097152"), &arguments);
        let alone = run(&folder, NO_ROOM, &arguments);
        assert_eq!((alone.code, &alone.stdout), (usual.code, &usual.stdout));
        assert_eq!(alone.stderr.matches("warning: no threads can be started").count(), 1);
        let written = run(&folder, NO_ROOM, &[&arguments[..], &["--output", "out.json"]].concat());
        assert_eq!(written.code, usual.code, "{}", written.stderr);
        let file = folder.read("out.json");
        assert_eq!(file, usual.stdout);
        std::fs::remove_file(folder.path("out.json")).expect("it is there");
    }
    run(&folder, NO_ROOM, &["schedule", "--output", "plan"]).succeeds();
}
