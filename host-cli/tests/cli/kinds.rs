//! Files are read for what they are, and what is of no use is named.

use std::fs;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value as Json;

use crate::archive_files::{ArchiveFile, PartXml, id, object_asset, region_object};
use crate::assets::{bytes, good};
use crate::run::{Folder, Outcome, assert_harmless, with_stdin};

/// How files of a kind begin, and what they are.
const KINDS: [(&[u8], &str); 21] = [
    (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "a PNG image"),
    (b"\xff\xd8\xff\xe0\0\x10JFIF\0", "a JPEG image"),
    (b"GIF89a\x01\0\x01\0", "a GIF image"),
    (b"\0\0\0\x0cjP  \r\n\x87\n\0\0\0\x14ftypjp2 ", "a JPEG 2000 texture"),
    (b"\xff\x4f\xff\x51\0\x2f\0\0\0\0\x02\0", "a JPEG 2000 texture"),
    (b"PK\x03\x04\x14\0\0\0\x08\0", "a zip archive"),
    (b"%PDF-1.4\n1 0 obj", "a PDF document"),
    (b"\x7fELF\x02\x01\x01\0\0\0", "an ELF program"),
    (b"7z\xbc\xaf\x27\x1c\0\x04", "a 7-Zip archive"),
    (b"OggS\0\x02\0\0\0\0\0\0\0\0", "an Ogg sound"),
    (b"Kaydara FBX Binary  \0\x1a\0", "an FBX model"),
    (b"BLENDER-v300RENDH", "a Blender file"),
    (b"glTF\x02\0\0\0\x10\0\0\0", "a binary glTF model"),
    (b"{\"asset\":{\"version\":\"2.0\"}}", "a glTF model"),
    (b"\xef\xbb\xbf{\"schema\":1}", "a JSON document"),
    (b"<?xml version=\"1.0\"?>\n<OAR/>", "an XML document"),
    (b"<COLLADA version=\"1.4.1\">", "a COLLADA model"),
    (b"<!doctype html>\n<html lang=\"en\">", "an HTML page"),
    (b"<llsd><map/></llsd>", "an XML document"),
    (b"\0\x01\x02\x03", "a file of an unknown kind"),
    (b"", "empty"),
];

/// Names that a file of another kind may have.
const NAMES: [&str; 7] =
    ["a.llmesh", "a.slm", "a.oar", "a.iar", "a_object.xml", "a.toml", "a texture"];

fn run(folder: &Folder, arguments: &[&str]) -> Outcome {
    let outcome = Outcome::of(folder.command(arguments).output().expect("it runs"));
    assert!(!outcome.stderr.contains("panicked"), "{}", outcome.stderr);
    outcome
}

#[track_caller]
fn json(outcome: &Outcome) -> Json {
    serde_json::from_str(&outcome.stdout).unwrap_or_else(|e| panic!("{e}: {}", outcome.stderr))
}

pub(crate) fn gzip(content: impl AsRef<[u8]>) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(content.as_ref()).expect("memory takes it");
    encoder.finish().expect("memory takes it")
}

fn chair() -> String {
    object_asset(&PartXml::mesh("chair", &id(1)), &[PartXml::cube("foot")])
}

fn region() -> ArchiveFile {
    let chair = region_object(&PartXml::mesh("chair", &id(1)), &[PartXml::cube("foot")]);
    ArchiveFile::new().with_mesh(&id(1), bytes(&good())).with("objects/chair.xml", chair)
}

#[test]
fn each_kind_is_named_under_each_name() {
    for (content, words) in KINDS {
        let expected = match words {
            "empty" => "it is empty".to_owned(),
            words => format!("it is {words}, not a mesh asset or archive"),
        };
        for content in [content.to_vec(), gzip(content)] {
            let folder = NAMES.iter().fold(Folder::new(), |all, name| all.with(name, &content));
            for command in ["cost", "lint"] {
                let arguments = [&[command, "--format", "json"], &NAMES[..]].concat();
                let outcome = run(&folder, &arguments);
                assert_eq!(outcome.code, Some(2), "{}", outcome.stderr);
                let errors = json(&outcome)["errors"].take();
                let errors = errors.as_array().expect("a list");
                let files: Vec<_> = errors.iter().map(|error| &error["file"]).collect();
                assert_eq!(files, NAMES);
                for error in errors {
                    assert_eq!(error["error"], expected, "{command} of {}", error["file"]);
                }
            }
        }
    }
}

#[test]
fn no_kind_is_a_linkset() {
    for (content, words) in KINDS.into_iter().filter(|(_, words)| *words != "empty") {
        for name in ["a.toml", "a.oar"] {
            for content in [content.to_vec(), gzip(content)] {
                let folder = Folder::new().with(name, content);
                let said = format!("`{name}` is {words}, not a linkset");
                run(&folder, &["linkset", name]).refused(&[&said, "region.oar:House"]);
            }
        }
    }
    let folder = Folder::new().with("a.toml", bytes(&good()));
    run(&folder, &["linkset", "a.toml"]).refused(&["`a.toml` is a mesh asset, not a linkset"]);
}

#[test]
fn text_is_no_mesh_and_says_so() {
    for (content, words) in [
        (&b"budget_ms = 5\n"[..], "text"),
        (b"BM = 1", "text"),
        (b"caf\xe9", "text that is not UTF-8"),
        (b"\xff\xfea\0", "UTF-16 text"),
    ] {
        let folder = Folder::new().with("a.llmesh", content);
        let error = json(&run(&folder, &["lint", "--format", "json", "a.llmesh"]))["errors"].take();
        assert_eq!(error[0]["error"], format!("it is {words}, not a mesh asset or archive"));
    }
}

#[test]
fn a_wrong_kind_is_one_sentence_in_the_table() {
    let folder = Folder::new().with("a.llmesh", KINDS[0].0);
    let folder = folder.with("b.llmesh", bytes(&good()));
    let outcome = run(&folder, &["lint", "a.llmesh", "b.llmesh"]);
    let said = "a.llmesh: cannot be checked: it is a PNG image, not a mesh asset or archive\n";
    assert!(outcome.code == Some(1) && outcome.stdout.contains(said), "{}", outcome.stdout);
    let table = run(&folder, &["cost", "a.llmesh", "b.llmesh"]).stdout;
    assert!(table.contains("it is a PNG image, not a mesh asset or archive"), "{table}");
    let said = "`a.llmesh`: it is a PNG image, not a mesh asset or archive";
    run(&folder, &["lint", "a.llmesh"]).refused(&[said]);
    run(&folder, &["cost", "a.llmesh"]).refused(&[said]);
    run(&folder, &["cost", "--target", "2", "a.llmesh"]).refused(&["it is a PNG image"]);
    run(&folder, &["cost", "--sweep", "1..2", "a.llmesh"]).refused(&["it is a PNG image"]);
}

#[test]
fn what_is_of_use_is_read_under_any_name() {
    let mesh = bytes(&good());
    let with_line = [b"<? LLSD/Binary ?>\n", &mesh[..]].concat();
    for content in [&mesh, &with_line] {
        for content in [content.clone(), gzip(content)] {
            for name in NAMES {
                let folder = Folder::new().with(name, &content);
                run(&folder, &["lint", name]).succeeded();
                let report = json(&run(&folder, &["cost", "--format", "json", name]));
                assert_eq!(report["files"][0]["file"], name, "{report}");
            }
        }
    }
    for content in [region().tar(), region().gzip(), gzip(region().tar())] {
        for name in NAMES {
            let folder = Folder::new().with(name, &content);
            let report = json(&run(&folder, &["cost", "--format", "json", name]));
            assert_eq!(report["objects"][0]["object"], "chair", "{report}");
            let report = json(&run(&folder, &["lint", "--format", "json", name]));
            let mesh = format!("{name}/assets/{}_mesh.llmesh", id(1));
            assert_eq!(report["files"][0]["file"], mesh, "{report}");
            run(&folder, &["linkset", name]).succeeded();
        }
    }
    let mesh_name = format!("{}_mesh.llmesh", id(1));
    for content in [chair().into_bytes(), gzip(chair())] {
        for name in NAMES {
            let folder = Folder::new().with(name, &content).with(&mesh_name, &mesh);
            let report = json(&run(&folder, &["cost", "--format", "json", name]));
            assert_eq!(report["objects"][0]["object"], "chair", "{report}");
            run(&folder, &["linkset", name]).succeeded();
        }
    }
}

#[test]
fn stdin_is_read_for_what_it_is() {
    let folder = Folder::new();
    let run = |command: &str, content: &[u8]| {
        with_stdin(folder.command(&[command, "-", "--format", "json"]), content)
    };
    for content in [region().tar(), region().gzip()] {
        let report = json(&run("cost", &content).succeeded());
        assert_eq!(report["objects"][0]["file"], "<stdin>");
        assert_eq!(report["objects"][0]["object"], "chair");
        let report = json(&run("lint", &content).succeeded());
        let mesh = format!("<stdin>/assets/{}_mesh.llmesh", id(1));
        assert_eq!(report["files"][0]["file"], mesh);
        run("linkset", &content).succeeded();
    }
    let mesh = bytes(&good());
    for content in [mesh.clone(), gzip(&mesh)] {
        assert_eq!(json(&run("cost", &content).succeeded())["files"][0]["file"], "<stdin>");
        assert_eq!(json(&run("lint", &content).succeeded())["files"][0]["file"], "<stdin>");
    }
    run("linkset", chair().as_bytes()).succeeded();
    for command in ["cost", "lint"] {
        let report = json(&run(command, KINDS[0].0));
        assert_eq!(report["errors"][0]["error"], "it is a PNG image, not a mesh asset or archive");
        assert_eq!(json(&run(command, b""))["errors"][0]["error"], "it is empty");
    }
}

#[test]
fn stdin_is_read_once() {
    let folder = Folder::new();
    for command in ["cost", "lint"] {
        let arguments = [command, "--format", "json", "-", "-"];
        let outcome = with_stdin(folder.command(&arguments), bytes(&good()));
        let report = json(&outcome);
        assert_eq!(outcome.code, Some(1));
        assert_eq!(report["files"][0]["file"], "<stdin>");
        let error = "it is named twice, and stdin is read once";
        assert_eq!(report["errors"], serde_json::json!([{"file": "<stdin>", "error": error}]));
    }
}

#[test]
fn gzip_is_read_by_every_command() {
    let text = "[[object]]\nname = \"A\"\n[[object.prim]]\nposition = [0, 0, 0]\nscale = [1, 1, 1]";
    let scene = format!("{}{}", crate::run::BASE, crate::run::CAPE);
    let folder = Folder::new().with("set.toml.gz", gzip(text)).with("scene.gz", gzip(&scene));
    run(&folder, &["linkset", "set.toml.gz"]).succeeded();
    folder.schedule(&["scene.gz"]).succeeded();
    with_stdin(folder.command(&["schedule", "-"]), gzip(scene)).succeeded();
    with_stdin(folder.command(&["linkset", "-"]), gzip(text)).succeeded();
}

#[test]
fn gzip_in_gzip_is_named() {
    let mesh = bytes(&good());
    let folder = Folder::new().with("a.llmesh", gzip(gzip(mesh)));
    let said = "is a gzip file inside a gzip file; inflate it once";
    for command in ["cost", "lint"] {
        run(&folder, &[command, "a.llmesh"]).refused(&[&format!("it {said}")]);
    }
    run(&folder, &["linkset", "a.llmesh"]).refused(&[&format!("`a.llmesh` {said}")]);
    folder.schedule(&["a.llmesh"]).refused(&[said]);
}

#[test]
fn what_breaks_off_says_so_and_keeps_what_it_has() {
    let mesh = gzip(bytes(&good()));
    let folder = Folder::new()
        .with("cut.llmesh", &mesh[..mesh.len() - 20])
        .with("stub.llmesh", &mesh[..6])
        .with("rot.llmesh", [&mesh[..12], &[0xff; 40]].concat());
    for file in folder.files() {
        for command in ["cost", "lint"] {
            let outcome = run(&folder, &[command, "--format", "json", &file]);
            let error = json(&outcome)["errors"][0]["error"].take();
            let error = error.as_str().expect("a sentence");
            let said = "it is a gzip file that is cut short or damaged: ";
            assert!(error.starts_with(said), "{file}: {error}");
        }
    }
    let whole = region().with("settings/home.xml", vec![b' '; 100_000]).tar();
    let cut = gzip(&whole);
    let folder =
        Folder::new().with("tar.oar", &whole[..60_000]).with("gzip.oar", &cut[..cut.len() - 9]);
    for file in folder.files() {
        let report = json(&run(&folder, &["cost", "--format", "json", &file]));
        assert_eq!(report["objects"][0]["object"], "chair", "{report}");
        let error = report["errors"][0]["error"].as_str().expect("a sentence");
        assert!(error.contains("the archive breaks off"), "{error}");
        let report = json(&run(&folder, &["lint", "--format", "json", &file]));
        assert_eq!(report["files"].as_array().map(Vec::len), Some(1), "{report}");
        assert_eq!(report["errors"][0]["error"], error);
    }
}

#[test]
fn a_damaged_mesh_asset_keeps_its_own_error() {
    let whole = bytes(&good());
    let folder = Folder::new().with("cut.llmesh", &whole[..whole.len() / 2]);
    for command in ["cost", "lint"] {
        let outcome = run(&folder, &[command, "--format", "json", "cut.llmesh"]);
        let error = json(&outcome)["errors"][0]["error"].take();
        assert!(error.as_str().is_some_and(|e| e.starts_with("it is a damaged mesh asset: ")));
    }
}

#[test]
fn names_are_harmless() {
    let folder = Folder::new().with("\u{1b}[2J.llmesh", KINDS[0].0).with("b.oar", "\u{1b}[31m");
    for command in ["cost", "lint"] {
        let outcome = run(&folder, &[command, ".", "b.oar"]);
        assert_harmless(&outcome.stdout);
        assert_harmless(&outcome.stderr);
    }
    run(&folder, &["linkset", "\u{1b}[2J.llmesh"]).refused(&["is a PNG image"]);
}

#[cfg(unix)]
#[test]
fn a_pipe_is_looked_at_and_a_device_has_an_end() {
    use std::process::Command;

    let folder = Folder::new();
    for (content, found) in [(region().gzip(), "chair"), (KINDS[0].0.to_vec(), "a PNG image")] {
        let fifo = folder.path("fifo");
        assert!(Command::new("mkfifo").arg(&fifo).status().expect("mkfifo").success());
        let writer = std::thread::spawn({
            let fifo = fifo.clone();
            move || fs::write(fifo, content).expect("it is read")
        });
        let outcome = run(&folder, &["cost", "fifo", "--format", "json"]);
        assert!(outcome.stdout.contains(found), "{}", outcome.stdout);
        writer.join().expect("it is written");
        fs::remove_file(fifo).expect("it is there");
    }
    for command in ["cost", "lint"] {
        run(&folder, &[command, "/dev/zero"]).refused(&["a file of an unknown kind"]);
    }
    run(&folder, &["linkset", "/dev/zero"]).refused(&["a file of an unknown kind"]);
}
