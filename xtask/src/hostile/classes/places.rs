//! Where files are: folders, pipes, devices, links, and names of any bytes.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;

use crate::hostile::case::{Case, Stdin};
use crate::hostile::class::{Class, Known};
use crate::hostile::good;
use crate::hostile::hard;
use crate::hostile::input::{Content, Kind};
use crate::hostile::make::{mesh, object, scene, tar};
use crate::hostile::random::Random;

pub(super) const CLASS: Class = Class { name: "places", known: &KNOWN, random: Some(random) };

const KNOWN: [Known; 31] = [
    Known::new("a FIFO in a folder, priced", 1, |_| fifo("cost")),
    Known::new("a FIFO in a folder, linted", 1, |_| fifo("lint")),
    Known::new("a FIFO in a folder of objects", 1, |_| {
        folder("cost").input("in/a.xml", Kind::Fifo).input("in/b.xml", file(object::cube("b")))
    }),
    Known::new("a FIFO in an unpacked archive", 1, |_| {
        unpacked().input("in/objects/pipe.xml", Kind::Fifo)
    }),
    Known::new("a link to a FIFO in a folder", 1, |_| {
        fifo("cost").input("in/link.oar", Kind::Link("pipe.llmesh".into()))
    }),
    Known::new("a link to /dev/zero in a folder", 1, |_| device("/dev/zero")),
    Known::new("a link to /dev/urandom in a folder", 1, |_| device("/dev/urandom")),
    Known::new("a link to /dev/zero in an unpacked archive", 1, |_| {
        unpacked().input("in/objects/zero.xml", Kind::Link("/dev/zero".into()))
    }),
    Known::new("a buffer that is /dev/zero", 1, |_| {
        endless(buffer("zero.bin", Kind::Link("/dev/zero".into())))
    }),
    Known::new("a buffer that is a FIFO", 1, |_| buffer("zero.bin", Kind::Fifo)),
    Known::new("cost of /dev/zero", 1, |_| endless(Case::of("cost").path("/dev/zero"))),
    Known::new("lint of /dev/zero", 1, |_| endless(Case::of("lint").path("/dev/zero"))),
    Known::new("schedule of /dev/zero", 1, |_| endless(Case::of("schedule").path("/dev/zero"))),
    Known::new("schedule of /dev/urandom", 1, |_| {
        endless(Case::of("schedule").path("/dev/urandom"))
    }),
    Known::new("linkset of /dev/zero", 1, |_| endless(Case::of("linkset").path("/dev/zero"))),
    Known::new("board run of /dev/zero", 1, |_| board(Case::of("board run").path("/dev/zero"))),
    Known::new("board run with a description that is /dev/zero", 1, |_| {
        board(
            Case::of("board run")
                .file("a.elf", "no ELF")
                .option("--chip", "nRF51822_xxAA")
                .option("--chip-description", "/dev/zero"),
        )
    }),
    Known::new("board flash of /dev/zero", 1, |_| board(Case::of("board flash").path("/dev/zero"))),
    Known::new("board run of a FIFO", 1, |_| {
        board(Case::of("board run").input("a", Kind::Link("/dev/zero".into())).path("a"))
    }),
    Known::new("an empty folder, priced", 1, |_| folder("cost").codes(&[2])),
    Known::new("an empty folder, linted", 1, |_| folder("lint").codes(&[2])),
    Known::new("a folder that is in itself", 1, |_| {
        with_good("cost").input("in/round", Kind::Link(".".into()))
    }),
    Known::new("links that name each other", 1, |_| {
        with_good("cost")
            .input("in/a.oar", Kind::Link("b.oar".into()))
            .input("in/b.oar", Kind::Link("a.oar".into()))
    }),
    Known::new("a broken link", 1, |_| {
        with_good("cost").input("in/a.oar", Kind::Link("no".into()))
    }),
    Known::new("a file that nobody may read", 1, |_| {
        let mut case = with_good("cost").input("in/a.oar", Kind::Unreadable(Content::of("x")));
        case.denied.privileges = true;
        case
    }),
    Known::new("a file name with a new line", 1, |_| odd_name("a\nFORGED.llmesh", "table")),
    Known::new("a file name with U+061C and ESC", 1, |_| {
        odd_name("\u{61c}\u{1b}[31m.llmesh", "table")
    }),
    Known::new("a file name that is a formula, in CSV", 1, |_| odd_name("=1+1.llmesh", "csv")),
    Known::new("a scene's name with a new line", 1, |_| {
        Case::of("schedule").file("a\nFORGED\u{61c}.toml", "budget_ms = true")
    }),
    Known::new("a thousand folders within each other", 1000, deep),
    Known::new("20 000 broken files in a folder", 20_000, many),
];

fn file(bytes: impl Into<Vec<u8>>) -> Kind {
    Kind::File(Content::of(bytes))
}

fn folder(command: &'static str) -> Case {
    Case::of(command).input("in", Kind::Folder).path("in")
}

fn with_good(command: &'static str) -> Case {
    beside_good(command).format("json")
}

/// A folder in which there are good files too.
fn beside_good(command: &'static str) -> Case {
    let mut case = folder(command);
    for (name, bytes) in good::files() {
        let path = OsString::from(format!("in/{name}"));
        case.good.push(path.clone());
        case = case.input(path, file(bytes.clone()));
    }
    case
}

fn fifo(command: &'static str) -> Case {
    with_good(command).input("in/pipe.llmesh", Kind::Fifo)
}

fn device(path: &str) -> Case {
    endless(with_good("cost").input("in/device.llmesh", Kind::Link(path.into())))
}

fn unpacked() -> Case {
    folder("cost")
        .format("json")
        .input("in/archive.xml", file("<archive major_version=\"0\" />"))
        .input("in/objects/a.xml", file(object::cube("a cube")))
        .input(format!("in/assets/{}_mesh.llmesh", object::id(1)), file(mesh::good()))
}

fn buffer(uri: &str, kind: Kind) -> Case {
    let mut model = crate::hostile::make::gltf::model();
    model["buffers"][0]["uri"] = uri.into();
    Case::of("schedule").file("a.gltf", model.to_string()).input(uri, kind).format("json")
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
    Case::of("cost")
        .file(name, mesh::good())
        .file(empty, "")
        .path(format!("missing{name}"))
        .format(format)
}

fn deep(levels: usize) -> Case {
    let path = "d/".repeat(levels);
    with_good("cost").input(format!("in/{path}bad.llmesh"), file("bad"))
}

fn many(count: usize) -> Case {
    (0..count).fold(with_good("cost"), |case, number| {
        case.input(format!("in/{number}.llmesh"), file("{\0\0"))
    })
}

/// A name of a file, of bytes that may be no text.
fn name(random: &mut Random, end: &str) -> OsString {
    let mut name = if random.one_in(4) {
        let count = random.between(1, 20);
        random.noise(count)
    } else {
        hard::text(random).into_bytes()
    };
    name.retain(|&byte| byte != 0 && byte != b'/');
    name.truncate(200);
    name.extend(end.bytes());
    OsString::from_vec(name)
}

fn random(random: &mut Random) -> Case {
    let lint = random.one_in(3);
    let formats: &[&str] = if lint { &["table", "json"] } else { &["table", "json", "csv"] };
    let mut case = beside_good(if lint { "lint" } else { "cost" }).format(random.pick(formats));
    "any places".clone_into(&mut case.name);
    let mut names = std::collections::BTreeSet::new();
    for _ in 0..random.between(1, 5) {
        let end = random.pick(&[".llmesh", ".oar", "_object.xml", ".xml", ".gz", ""]);
        let name = name(random, end);
        if name.is_empty() || name == "." || name == ".." || !names.insert(name.clone()) {
            continue;
        }
        let mut path = OsString::from("in/");
        path.push(&name);
        let kind = match random.below(8) {
            0 => Kind::Fifo,
            1 => Kind::Folder,
            2 => Kind::Link(
                (random.pick(&[".", "..", "/dev/zero", "/dev/null", "no", "good.oar"])).into(),
            ),
            3 => file(tar::region(&[], &[object::cube("a cube")])),
            4 => file(scene::of_actors(1)),
            5 => file(""),
            _ => file(mesh::damaged(random)),
        };
        case = case.input(path, kind);
    }
    if random.one_in(6) {
        case = case.path("-");
        case.stdin = Stdin::Bytes(mesh::damaged(random).into());
    }
    case
}
