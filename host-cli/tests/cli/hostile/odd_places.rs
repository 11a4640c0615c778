//! Where files are: folders, pipes, devices, links, and names of any bytes.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;

use lodger_testkit::SplitMix64;
use lodger_testkit::build::archive::{cube, id, region};
use lodger_testkit::build::{damage, gltf, mesh, scene};
use lodger_testkit::campaign::{Class, known};
use lodger_testkit::run::{Case, FileBytes, InputKind, good_files};

use super::{USUAL, cost, schedule};

/// Places of files.
pub(super) const PLACES: Class = Class {
    name: "places",
    memory: USUAL,
    known: &[
        known("a FIFO in a folder, priced", || fifo("cost")),
        known("a FIFO in a folder, linted", || fifo("lint")),
        known("a FIFO in a folder of objects", || {
            folder("cost").input("in/a.xml", InputKind::Fifo).file("in/b.xml", cube("b"))
        }),
        known("a FIFO in an unpacked archive", || {
            unpacked().input("in/objects/pipe.xml", InputKind::Fifo)
        }),
        known("a link to a FIFO in a folder", || {
            fifo("cost").input("in/link.oar", InputKind::Link("pipe.llmesh".into()))
        }),
        known("a link to /dev/zero in a folder", || device("/dev/zero")),
        known("a link to /dev/urandom in a folder", || device("/dev/urandom")),
        known("a link to /dev/zero in an unpacked archive", || {
            unpacked().input("in/objects/zero.xml", InputKind::Link("/dev/zero".into()))
        }),
        known("a buffer that is /dev/zero", || {
            endless(buffer("zero.bin", InputKind::Link("/dev/zero".into())))
        }),
        known("a buffer that is a FIFO", || buffer("zero.bin", InputKind::Fifo)),
        known("cost of /dev/zero", || endless(Case::new("cost /dev/zero"))),
        known("lint of /dev/zero", || endless(Case::new("lint /dev/zero"))),
        known("schedule of /dev/zero", || endless(Case::new("schedule /dev/zero"))),
        known("schedule of /dev/urandom", || endless(Case::new("schedule /dev/urandom"))),
        known("linkset of /dev/zero", || endless(Case::new("linkset /dev/zero"))),
        known("board run of /dev/zero", || board(Case::new("run /dev/zero"))),
        known("board run with a description that is /dev/zero", || {
            let case = Case::new("run a.elf --chip nRF51822_xxAA --chip-description /dev/zero");
            board(case.file("a.elf", "no ELF"))
        }),
        known("board flash of /dev/zero", || board(Case::new("flash /dev/zero"))),
        known("board run of a link to /dev/zero", || {
            board(Case::new("run a").input("a", InputKind::Link("/dev/zero".into())))
        }),
        known("an empty folder, priced", || folder("cost").codes(&[2])),
        known("an empty folder, linted", || folder("lint").codes(&[2])),
        known("a folder that is in itself", || {
            with_good("cost").input("in/round", InputKind::Link(".".into()))
        }),
        known("links that name each other", || {
            with_good("cost")
                .input("in/a.oar", InputKind::Link("b.oar".into()))
                .input("in/b.oar", InputKind::Link("a.oar".into()))
        }),
        known("a broken link", || {
            with_good("cost").input("in/a.oar", InputKind::Link("no".into()))
        }),
        known("a file that nobody may read", || {
            let secret = InputKind::Unreadable(FileBytes::Repeated(b'x', 1));
            let mut case = with_good("cost").input("in/a.oar", secret);
            case.denied.privileges = true;
            case
        }),
        known("a file name with a new line", || odd_name("a\nFORGED.llmesh", "table")),
        known("a file name with U+061C and ESC", || odd_name("\u{61c}\u{1b}[31m.llmesh", "table")),
        known("a file name that is a formula, in CSV", || odd_name("=1+1.llmesh", "csv")),
        known("a scene's name with a new line", || {
            schedule("a\nFORGED\u{61c}.toml", "budget_ms = true")
        }),
        known("a thousand folders within each other", || deep(1000)),
        known("20 000 broken files in a folder", || many(20_000)),
    ],
    random: Some(random_places),
};

fn folder(command: &'static str) -> Case {
    Case::new(command).input("in", InputKind::Folder).arg("in")
}

fn with_good(command: &'static str) -> Case {
    beside_good(command).format("json")
}

/// A folder in which there are good files too.
fn beside_good(command: &'static str) -> Case {
    let mut case = folder(command);
    for (name, bytes) in good_files() {
        let path = OsString::from(format!("in/{name}"));
        case.good.push(path.clone());
        case = case.file(path, bytes.clone());
    }
    case
}

fn fifo(command: &'static str) -> Case {
    with_good(command).input("in/pipe.llmesh", InputKind::Fifo)
}

fn device(path: &str) -> Case {
    endless(with_good("cost").input("in/device.llmesh", InputKind::Link(path.into())))
}

fn unpacked() -> Case {
    folder("cost")
        .format("json")
        .file("in/archive.xml", "<archive major_version=\"0\" />")
        .file("in/objects/a.xml", cube("a cube"))
        .file(format!("in/assets/{}_mesh.llmesh", id(1)), mesh::good())
}

fn buffer(uri: &str, kind: InputKind) -> Case {
    let mut model = gltf::model();
    model["buffers"][0]["uri"] = uri.into();
    schedule("a.gltf", model.to_string()).input(uri, kind).format("json")
}

fn endless(mut case: Case) -> Case {
    case.endless = true;
    case
}

fn board(case: Case) -> Case {
    Case { board: true, ..endless(case) }
}

fn odd_name(name: &str, format: &str) -> Case {
    let empty = format!("empty{name}");
    cost(name, mesh::good()).reads(empty, "").arg(format!("missing{name}")).format(format)
}

fn deep(levels: usize) -> Case {
    let path = "d/".repeat(levels);
    with_good("cost").file(format!("in/{path}bad.llmesh"), "bad")
}

fn many(count: usize) -> Case {
    (0..count)
        .fold(with_good("cost"), |case, number| case.file(format!("in/{number}.llmesh"), "{\0\0"))
}

/// A name of a file, of bytes that may be no text.
fn name(random: &mut SplitMix64, end: &str) -> OsString {
    let mut name = if random.one_in(4) {
        let count = random.between(1, 20);
        random.noise(count)
    } else {
        damage::text_value(random).into_bytes()
    };
    name.retain(|&byte| byte != 0 && byte != b'/');
    name.truncate(200);
    name.extend(end.bytes());
    OsString::from_vec(name)
}

fn random_places(random: &mut SplitMix64) -> Case {
    let lint = random.one_in(3);
    let formats: &[&str] = if lint { &["table", "json"] } else { &["table", "json", "csv"] };
    let mut case = beside_good(if lint { "lint" } else { "cost" }).format(random.pick(formats));
    let mut names = BTreeSet::new();
    for _ in 0..random.between(1, 5) {
        let end = random.pick(&[".llmesh", ".oar", "_object.xml", ".xml", ".gz", ""]);
        let name = name(random, end);
        if name.is_empty() || name == "." || name == ".." || !names.insert(name.clone()) {
            continue;
        }
        let mut path = OsString::from("in/");
        path.push(&name);
        let kind = match random.index(8) {
            0 => InputKind::Fifo,
            1 => InputKind::Folder,
            2 => InputKind::Link(
                (random.pick(&[".", "..", "/dev/zero", "/dev/null", "no", "good.oar"])).into(),
            ),
            3 => InputKind::file(region(&[], &[cube("a cube")])),
            4 => InputKind::file(scene::of_actors(1)),
            5 => InputKind::file(""),
            _ => InputKind::file(mesh::damaged(random)),
        };
        case = case.input(path, kind);
    }
    if random.one_in(6) {
        case = case.arg("-").bytes(mesh::damaged(random));
    }
    case
}
