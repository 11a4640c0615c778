//! Builds `firmware/template` for each board outside of the workspace, as docs/firmware.md describes it, and prints the sizes. If
//! QEMU has the chip, it also builds each of [`CHANGES`], runs the program and prints the end of its log.
//!
//! `cargo run -p lodger-tests --example template [BOARD…]`. The targets and QEMU must be installed.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

use defmt_decoder::Table;
use lodger_testkit::template::{TemplateValues, boards, render};
use object::{Object as _, ObjectSection as _, SectionKind};

/// Boards whose chip QEMU has, with the machine.
const EMULATED: [(&str, &str); 2] = [("mps2-an386", "mps2-an386"), ("microbit-v1", "microbit")];

/// A difference to the generated project: a name, replaced texts of files, and an option of cargo.
type Change =
    (&'static str, &'static [(&'static str, &'static str, &'static str)], Option<&'static str>);

const UNROLLED: &[(&str, &str, &str)] =
    &[(".cargo/config.toml", "    \"-C\", \"llvm-args=-unroll-runtime=false\",\n", "")];
const CONSTANT: &[(&str, &str, &str)] = &[
    ("src/main.rs", "use static_cell::StaticCell", "use static_cell::ConstStaticCell"),
    ("src/main.rs", "StaticCell<AppScene> = StaticCell::new()", CONSTANT_CELL),
    ("src/main.rs", "SCENE.init_with(Scene::new)", "SCENE.take()"),
];
const CONSTANT_CELL: &str = "ConstStaticCell<AppScene> = ConstStaticCell::new(Scene::new())";
const POSITIONS: &[(&str, &str, &str)] =
    &[("src/main.rs", ", 10, SelfTimed>;", ", 10, SelfTimed<lodger_heapless::Positions>>;")];
const PROPORTIONAL: &[(&str, &str, &str)] = &[(
    "src/main.rs",
    ", 10, SelfTimed>;",
    ", 10, SelfTimed<lodger_heapless::Proportional<lodger_heapless::Positions>>>;",
)];
const GIVEN: &[(&str, &str, &str)] = &[
    (
        "src/main.rs",
        ", 10, SelfTimed>;",
        ", 10, SelfTimed<lodger_heapless::Proportional<lodger_heapless::GivenBenefits>>>;",
    ),
    ("src/main.rs", "Actor::at(place, Fixed::from_int(1), &SPARKS)", GIVEN_SPARKS),
    ("src/main.rs", "scene.set_eyes(&[[", "let _eye = [["),
    ("src/main.rs", ".map(Fixed::from_int)])?;", ".map(Fixed::from_int)];"),
];
/// The benefit follows the place.
const GIVEN_SPARKS: &str = "Actor::from_benefit(Benefit::new(place[0])?, &SPARKS)";
const FAST: Option<&str> = Some("profile.release.opt-level=3");

const CHANGES: [Change; 11] = [
    ("as generated", &[], None),
    ("opt-level = \"z\"", &[], Some("profile.release.opt-level=\"z\"")),
    ("opt-level = 3", &[], FAST),
    ("3, loops unrolled", UNROLLED, FAST),
    ("loops unrolled", UNROLLED, None),
    ("no lto", &[], Some("profile.release.lto=false")),
    ("codegen-units = 16", &[], Some("profile.release.codegen-units=16")),
    ("ConstStaticCell", CONSTANT, None),
    ("Positions", POSITIONS, None),
    ("Proportional<Positions>", PROPORTIONAL, None),
    ("Proportional<GivenBenefits>", GIVEN, None),
];

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let template = root.join("firmware/template");
    let chosen: Vec<_> = env::args().skip(1).collect();
    let chosen = if chosen.is_empty() { boards(&template) } else { chosen };
    println!("{:32} {:>8} {:>8} {:>6} {:>6}", "bytes", ".text", ".rodata", ".data", ".bss");
    for board in &chosen {
        let folder = tempfile::tempdir().expect("a folder outside of the workspace");
        let project = Project { root, folder: &folder.path().join("frames"), board };
        let lodger = root.to_str().expect("a path in UTF-8");
        let values = TemplateValues { project_name: "frames", lodger, board };
        render(&template, &values, project.folder);
        let lock = project.folder.join("Cargo.lock");
        fs::copy(root.join("Cargo.lock"), lock).expect("the tested versions");
        let Some((_, machine)) = EMULATED.iter().find(|(name, _)| name == board) else {
            print(board, &project.build(None));
            continue;
        };
        for (name, replaced, option) in CHANGES {
            let texts = replaced.iter().map(|&(file, from, to)| project.replace(file, from, to));
            let texts: Vec<_> = texts.collect();
            let elf = project.build(option);
            print(&format!("{board}, {name}"), &elf);
            project.run(machine, &elf);
            texts.into_iter().rev().for_each(|(file, text)| fs::write(file, text).expect("a file"));
        }
    }
}

/// A generated project.
struct Project<'a> {
    root: &'a Path,
    folder: &'a Path,
    board: &'a str,
}

impl Project<'_> {
    /// Replaces a part of a file; returns its path and its old text.
    fn replace(&self, file: &str, from: &str, to: &str) -> (PathBuf, String) {
        let path = self.folder.join(file);
        let text = fs::read_to_string(&path).expect("a file of the project");
        assert!(text.contains(from), "{file} has no {from}");
        fs::write(&path, text.replace(from, to)).expect("a file of the project");
        (path, text)
    }

    /// Builds the program with a setting of cargo, and returns its path.
    fn build(&self, setting: Option<&str>) -> PathBuf {
        let mut cargo = Command::new("cargo");
        cargo.args(["build", "--release", "--quiet"]).current_dir(self.folder);
        // Only the settings of the project count.
        for name in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "DEFMT_LOG"] {
            cargo.env_remove(name);
        }
        let target = self.root.join("target/template");
        cargo.env("CARGO_TARGET_DIR", &target);
        if EMULATED.iter().any(|(name, _)| *name == self.board) {
            cargo.args(["--features", "qemu"]);
        }
        cargo.args(setting.iter().flat_map(|setting| ["--config", setting]));
        assert!(cargo.status().expect("cargo").success(), "{} is not built", self.board);
        let config = fs::read_to_string(self.folder.join(".cargo/config.toml")).expect("a file");
        let config: toml::Table = toml::from_str(&config).expect("valid TOML");
        let triple = config["build"]["target"].as_str().expect("a target");
        target.join(triple).join("release/frames")
    }

    /// Runs the program in QEMU, prints the end of its log, and fails if the work did not keep the budget.
    fn run(&self, machine: &str, elf: &Path) {
        let output = Command::new("timeout")
            .args(["120", "qemu-system-arm", "-machine", machine])
            .args(["-nographic", "-monitor", "none", "-serial", "null", "-icount", "shift=6"])
            .args(["-semihosting-config", "enable=on,target=native", "-kernel"])
            .arg(elf)
            .stdin(Stdio::null())
            .stderr(Stdio::inherit())
            .output()
            .expect("QEMU");
        let program = fs::read(elf).expect("a program");
        let table = Table::parse(&program).expect("strings of defmt").expect("a log");
        let mut decoder = table.new_stream_decoder();
        decoder.received(&output.stdout);
        let mut log = Vec::new();
        while let Ok(frame) = decoder.decode() {
            log.push(frame.display_message().to_string());
        }
        println!("  {}", log[log.len().saturating_sub(3)..].join("; "));
        assert!(output.status.success(), "{} failed in QEMU: {}", self.board, output.status);
    }
}

/// Prints the sizes of a program.
fn print(name: &str, elf: &Path) {
    let bytes = fs::read(elf).expect("a program");
    let file = object::File::parse(&*bytes).expect("an ELF");
    let size = |kind| {
        let sections = file.sections().filter(|section| section.kind() == kind);
        sections.map(|section| section.size()).sum::<u64>()
    };
    let [text, constants, data, zero] = [
        SectionKind::Text,
        SectionKind::ReadOnlyData,
        SectionKind::Data,
        SectionKind::UninitializedData,
    ]
    .map(size);
    println!("{name:32} {text:8} {constants:8} {data:6} {zero:6}");
}
