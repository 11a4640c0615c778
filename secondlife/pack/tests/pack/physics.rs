//! The child process that decomposes meshes, and its failures.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::Duration;

use lodger_pack::{ChildDecomposer, Decompose};

fn boxes() -> (Vec<[f32; 3]>, Vec<[u32; 3]>) {
    let quads: [[u32; 4]; 6] =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    for (first, x) in [(0, 0.0_f32), (8, 3.0)] {
        let corner = |i: u8| [x + f32::from(i & 1), f32::from(i >> 1 & 1), f32::from(i >> 2)];
        points.extend((0..8).map(corner));
        for [a, b, c, d] in quads.map(|quad| quad.map(|index| index + first)) {
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    (points, triangles)
}

fn ask(child: &ChildDecomposer) -> Result<Vec<Vec<[f32; 3]>>, String> {
    let (points, triangles) = boxes();
    child.decompose(&points, &triangles, 2, 32)
}

fn script(folder: &tempfile::TempDir, text: &str) -> PathBuf {
    let path = folder.path().join("program");
    fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

fn problem(text: &str, time: Duration) -> String {
    let folder = tempfile::tempdir().unwrap();
    let child = ChildDecomposer { time, ..ChildDecomposer::new(script(&folder, text)) };
    let problem = ask(&child).unwrap_err();
    let rest = problem.strip_prefix("taking it apart failed: ");
    rest.unwrap_or_else(|| panic!("{problem}")).to_owned()
}

const LONG: Duration = Duration::from_mins(1);

fn program() -> ChildDecomposer {
    ChildDecomposer::new(env!("CARGO_BIN_EXE_lodger-pack").into())
}

#[test]
fn two_boxes_come_apart() {
    let hulls = ask(&program()).unwrap();
    assert!(hulls.len() >= 2);
    let is_left = |point: &[f32; 3]| point[0] < 2.0;
    for hull in &hulls {
        let left = hull.iter().filter(|point| is_left(point)).count();
        assert!(left == 0 || left == hull.len(), "no hull spans the gap");
    }
    let (points, _) = boxes();
    let near = |a: &[f32; 3], b: &[f32; 3]| (0..3).all(|axis| (a[axis] - b[axis]).abs() < 1e-5);
    for corner in points {
        assert!(hulls.iter().flatten().any(|point| near(point, &corner)), "{corner:?}");
    }
    assert_eq!(ask(&program()).unwrap(), hulls, "the same each time");
}

#[test]
fn a_mesh_that_makes_it_panic_is_one_error() {
    let error = program().decompose(&[], &[], 4, 32).unwrap_err();
    assert!(error.starts_with("taking it apart failed: exit status: "), "{error}");
    assert_eq!(error.lines().count(), 1);
    let wrong = program().decompose(&[[0.0; 3]; 3], &[[0, 1, 3]], 4, 32).unwrap_err();
    assert!(wrong.ends_with("exit status: 2: a triangle has no such point"), "{wrong}");
}

#[test]
fn a_panic_is_reported_with_its_last_line() {
    let text = "cat >/dev/null; echo panicked at vhacd >&2; echo note: more >&2; exit 101";
    assert_eq!(problem(text, LONG), "exit status: 101: panicked at vhacd");
    assert_eq!(problem("kill -9 $$", LONG), "signal: 9 (SIGKILL)");
    let long = "yes help | head -n 60000 >&2; printf '\\033[31mlast\\n' >&2; exit 3";
    assert_eq!(problem(long, LONG), "exit status: 3: [31mlast");
}

#[test]
fn one_that_hangs_is_ended() {
    let short = Duration::from_millis(200);
    for text in ["exec sleep 9", "sleep 9", "exec >&-; exec sleep 9", "while :; do :; done"] {
        assert_eq!(problem(text, short), "it took longer than 0.2 s", "{text}");
    }
}

#[test]
fn nonsense_is_an_error() {
    let said = |text: &str| problem(text, LONG);
    assert_eq!(said("echo hello, world"), "the answer makes no sense: it is no answer");
    // Too many hulls; a hull of one point, which is not finite; a byte too many.
    assert_eq!(said("printf '\\377\\177'"), "the answer makes no sense: it has too many hulls");
    let point = "\\001\\001\\000\\000\\200\\177\\000\\000\\000\\000\\000\\000\\000\\000";
    assert_eq!(
        said(&format!("printf '{point}'")),
        "the answer makes no sense: a point is not finite"
    );
    assert_eq!(said("printf '\\000\\000'"), "the answer makes no sense: it is no answer");
    assert!(said("exit 0").starts_with("the answer makes no sense: "));
    assert_eq!(said("exec cat /dev/zero"), "it answered more than it was asked for");
}

#[test]
fn no_program_is_an_error() {
    let none = ChildDecomposer::new("/nowhere/at/all".into());
    let error = ask(&none).unwrap_err();
    assert!(error.starts_with("taking it apart failed: it could not be started: "), "{error}");
}

/// The system limits the memory of the child once it has read its request.
#[cfg(target_os = "linux")]
#[test]
fn one_that_eats_memory_is_ended() {
    let little = ChildDecomposer { memory: 48 << 20, ..program() };
    let (points, triangles) = boxes();
    // 2000³ voxels have no room in 48 MiB.
    let error = little.decompose(&points, &triangles, 4, 2000).unwrap_err();
    assert!(error.contains("memory allocation of "), "{error}");
    assert_eq!(error.lines().count(), 1);
}
