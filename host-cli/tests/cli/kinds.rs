//! The content decides how a file is read, and messages name other kinds of files.

use std::fs;

use lodger_testkit::build::archive::{ArchiveFile, PartXml, id, object_asset, region_object};
use lodger_testkit::build::compressed::gzip;
use lodger_testkit::build::mesh::good;

use crate::run::{Case, lodger};

/// The first bytes of files, and the names of their kinds.
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

const NAMES: [&str; 7] =
    ["a.llmesh", "a.slm", "a.oar", "a.iar", "a_object.xml", "a.toml", "a texture"];

fn chair() -> String {
    object_asset(&PartXml::mesh("chair", &id(1)), &[PartXml::cube("foot")])
}

fn region() -> ArchiveFile {
    let chair = region_object(&PartXml::mesh("chair", &id(1)), &[PartXml::cube("foot")]);
    ArchiveFile::new().with_mesh(&id(1), good()).with("objects/chair.xml", chair)
}

#[test]
fn each_kind_is_named_under_each_name() {
    for (content, words) in KINDS {
        let expected = match words {
            "empty" => "it is empty".to_owned(),
            words => format!("it is {words}, not a mesh asset or archive"),
        };
        for content in [content.to_vec(), gzip(content)] {
            let folder = NAMES.iter().fold(lodger(), |all, name| all.with(name, &content));
            for command in ["cost", "lint"] {
                let arguments = [&[command, "--format", "json"], &NAMES[..]].concat();
                let outcome = folder.run(&arguments);
                assert_eq!(outcome.code, Some(2), "{}", outcome.stderr);
                let errors = outcome.json()["errors"].take();
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
                let folder = lodger().with(name, content);
                let said = format!("`{name}` is {words}, not a linkset");
                folder.run(&["linkset", name]).fails_with(&[&said, "region.oar:House"]);
            }
        }
    }
    let folder = lodger().with("a.toml", good());
    folder.run(&["linkset", "a.toml"]).fails_with(&["`a.toml` is a mesh asset, not a linkset"]);
}

#[test]
fn text_is_no_mesh_and_says_so() {
    for (content, words) in [
        (&b"budget_ms = 5\n"[..], "text"),
        (b"BM = 1", "text"),
        (b"caf\xe9", "text that is not UTF-8"),
        (b"\xff\xfea\0", "UTF-16 text"),
    ] {
        let folder = lodger().with("a.llmesh", content);
        let error = folder.run(&["lint", "--format", "json", "a.llmesh"]).json()["errors"].take();
        assert_eq!(error[0]["error"], format!("it is {words}, not a mesh asset or archive"));
    }
}

#[test]
fn a_wrong_kind_is_one_sentence_in_the_table() {
    let folder = lodger().with("a.llmesh", KINDS[0].0);
    let folder = folder.with("b.llmesh", good());
    let outcome = folder.run(&["lint", "a.llmesh", "b.llmesh"]);
    let said = "a.llmesh: cannot be checked: it is a PNG image, not a mesh asset or archive\n";
    assert!(outcome.code == Some(1) && outcome.stdout.contains(said), "{}", outcome.stdout);
    folder
        .run(&["cost", "a.llmesh", "b.llmesh"])
        .shows(&["it is a PNG image, not a mesh asset or archive"]);
    let said = "`a.llmesh`: it is a PNG image, not a mesh asset or archive";
    folder.run(&["lint", "a.llmesh"]).fails_with(&[said]);
    folder.run(&["cost", "a.llmesh"]).fails_with(&[said]);
    folder.run(&["cost", "--target", "2", "a.llmesh"]).fails_with(&["it is a PNG image"]);
    folder.run(&["cost", "--sweep", "1..2", "a.llmesh"]).fails_with(&["it is a PNG image"]);
}

#[test]
fn known_content_is_read_under_any_name() {
    let mesh = good();
    let with_line = [b"<? LLSD/Binary ?>\n", &mesh[..]].concat();
    for content in [&mesh, &with_line] {
        for content in [content.clone(), gzip(content)] {
            for name in NAMES {
                let folder = lodger().with(name, &content);
                folder.run(&["lint", name]).succeeds();
                let report = folder.run(&["cost", "--format", "json", name]).json();
                assert_eq!(report["files"][0]["file"], name, "{report}");
            }
        }
    }
    for content in [region().tar(), region().gzip(), gzip(&region().tar())] {
        for name in NAMES {
            let folder = lodger().with(name, &content);
            let report = folder.run(&["cost", "--format", "json", name]).json();
            assert_eq!(report["objects"][0]["object"], "chair", "{report}");
            let report = folder.run(&["lint", "--format", "json", name]).json();
            let mesh = format!("{name}/assets/{}_mesh.llmesh", id(1));
            assert_eq!(report["files"][0]["file"], mesh, "{report}");
            folder.run(&["linkset", name]).succeeds();
        }
    }
    let mesh_name = format!("{}_mesh.llmesh", id(1));
    for content in [chair().into_bytes(), gzip(chair().as_bytes())] {
        for name in NAMES {
            let folder = lodger().with(name, &content).with(&mesh_name, &mesh);
            let report = folder.run(&["cost", "--format", "json", name]).json();
            assert_eq!(report["objects"][0]["object"], "chair", "{report}");
            folder.run(&["linkset", name]).succeeds();
        }
    }
}

#[test]
fn stdin_is_read_by_content() {
    let folder = lodger();
    let run = |command: &str, content: &[u8]| {
        folder.run_case(&Case::of_args([command, "-", "--format", "json"]).bytes(content))
    };
    for content in [region().tar(), region().gzip()] {
        let report = run("cost", &content).succeeds().json();
        assert_eq!(report["objects"][0]["file"], "<stdin>");
        assert_eq!(report["objects"][0]["object"], "chair");
        let report = run("lint", &content).succeeds().json();
        let mesh = format!("<stdin>/assets/{}_mesh.llmesh", id(1));
        assert_eq!(report["files"][0]["file"], mesh);
        run("linkset", &content).succeeds();
    }
    let mesh = good();
    for content in [mesh.clone(), gzip(&mesh)] {
        assert_eq!(run("cost", &content).succeeds().json()["files"][0]["file"], "<stdin>");
        assert_eq!(run("lint", &content).succeeds().json()["files"][0]["file"], "<stdin>");
    }
    run("linkset", chair().as_bytes()).succeeds();
    for command in ["cost", "lint"] {
        let report = run(command, KINDS[0].0).json();
        assert_eq!(report["errors"][0]["error"], "it is a PNG image, not a mesh asset or archive");
        assert_eq!(run(command, b"").json()["errors"][0]["error"], "it is empty");
    }
}

#[test]
fn stdin_is_read_once() {
    let folder = lodger();
    for command in ["cost", "lint"] {
        let arguments = [command, "--format", "json", "-", "-"];
        let outcome = folder.run_case(&Case::of_args(arguments).bytes(good()));
        let report = outcome.json();
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
    let folder = lodger()
        .with("set.toml.gz", gzip(text.as_bytes()))
        .with("scene.gz", gzip(scene.as_bytes()));
    folder.run(&["linkset", "set.toml.gz"]).succeeds();
    folder.run(&["schedule", "scene.gz"]).succeeds();
    folder.run_case(&Case::of_args(["schedule", "-"]).bytes(gzip(scene.as_bytes()))).succeeds();
    folder.run_case(&Case::of_args(["linkset", "-"]).bytes(gzip(text.as_bytes()))).succeeds();
}

#[test]
fn gzip_in_gzip_is_named() {
    let mesh = good();
    let folder = lodger().with("a.llmesh", gzip(&gzip(&mesh)));
    let said = "is a gzip file inside a gzip file; inflate it once";
    for command in ["cost", "lint"] {
        folder.run(&[command, "a.llmesh"]).fails_with(&[&format!("it {said}")]);
    }
    folder.run(&["linkset", "a.llmesh"]).fails_with(&[&format!("`a.llmesh` {said}")]);
    folder.run(&["schedule", "a.llmesh"]).fails_with(&[said]);
}

#[test]
fn a_truncated_file_reports_an_error_and_keeps_its_rows() {
    let mesh = gzip(&good());
    let folder = lodger()
        .with("cut.llmesh", &mesh[..mesh.len() - 20])
        .with("stub.llmesh", &mesh[..6])
        .with("rot.llmesh", [&mesh[..12], &[0xff; 40]].concat());
    for file in folder.files() {
        for command in ["cost", "lint"] {
            let outcome = folder.run(&[command, "--format", "json", &file]);
            let error = outcome.json()["errors"][0]["error"].take();
            let error = error.as_str().expect("a sentence");
            let said = "it is a gzip file that is cut short or damaged: ";
            assert!(error.starts_with(said), "{file}: {error}");
        }
    }
    let whole = region().with("settings/home.xml", vec![b' '; 100_000]).tar();
    let cut = gzip(&whole);
    let folder = lodger().with("tar.oar", &whole[..60_000]).with("gzip.oar", &cut[..cut.len() - 9]);
    for file in folder.files() {
        let report = folder.run(&["cost", "--format", "json", &file]).json();
        assert_eq!(report["objects"][0]["object"], "chair", "{report}");
        let error = report["errors"][0]["error"].as_str().expect("a sentence");
        assert!(error.contains("the archive breaks off"), "{error}");
        let report = folder.run(&["lint", "--format", "json", &file]).json();
        assert_eq!(report["files"].as_array().map(Vec::len), Some(1), "{report}");
        assert_eq!(report["errors"][0]["error"], error);
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_is_looked_at_and_a_device_has_an_end() {
    use std::process::Command;

    let folder = lodger();
    for (content, found) in [(region().gzip(), "chair"), (KINDS[0].0.to_vec(), "a PNG image")] {
        let fifo = folder.path("fifo");
        assert!(Command::new("mkfifo").arg(&fifo).status().expect("mkfifo").success());
        let writer = std::thread::spawn({
            let fifo = fifo.clone();
            move || fs::write(fifo, content).expect("it is read")
        });
        let outcome = folder.run(&["cost", "fifo", "--format", "json"]);
        assert!(outcome.stdout.contains(found), "{}", outcome.stdout);
        writer.join().expect("it is written");
        fs::remove_file(fifo).expect("it is there");
    }
    for command in ["cost", "lint"] {
        folder.run(&[command, "/dev/zero"]).fails_with(&["a file of an unknown kind"]);
    }
    folder.run(&["linkset", "/dev/zero"]).fails_with(&["a file of an unknown kind"]);
}
