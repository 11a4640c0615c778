//! `cargo xtask web`: the C ABI for browsers, its module, its types and the playground, and tests of all of them.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::boards::target_folder;
use crate::command::Command;
use crate::failure::Failure;
use crate::script as scripts;
use crate::steps::Steps;
use crate::tools;

const TARGET: &str = "wasm32-unknown-unknown";
/// What it is meant to stay below, compressed.
const GOAL: usize = 60 * 1024;
/// Scripts that are played in Node and in a browser.
const SCENES: u32 = 200;
/// What a user of the module needs, beside lodger.wasm.
const MODULE: [&str; 2] = ["lodger.js", "lodger.d.ts"];
const PLAYGROUND: [&str; 7] = [
    "index.html",
    "playground.css",
    "start.js",
    "playground.js",
    "director.js",
    "picture.js",
    "world.js",
];
const TYPESCRIPT: &str = "typescript@5.9";

/// What to do with what was built.
#[derive(Args)]
pub(crate) struct Options {
    /// Serve the playground on this machine until it is interrupted.
    #[arg(long)]
    serve: bool,
    /// Run the tests, in Node and in Chromium.
    #[arg(long, conflicts_with = "serve")]
    test: bool,
}

/// Builds target/web, and says how large the module is.
pub(crate) fn run(steps: &mut Steps, options: &Options) -> Result<(), Failure> {
    if options.test {
        return test(steps);
    }
    let folder = build(steps)?;
    if options.serve {
        node(steps)?;
        let script = script(steps, "serve.mjs");
        let serve = Command::new("node").arg(script).arg(text(&folder.join("playground")));
        return serve.take_over(steps.root());
    }
    Ok(())
}

/// Plays random scenes through the module in Node and in Chromium, and holds the module to the header.
pub(crate) fn test(steps: &mut Steps) -> Result<(), Failure> {
    let folder = build(steps)?;
    browsers(steps)?;
    scripts::write(steps, &folder, SCENES)?;
    layout(steps, &folder)?;
    let node = Command::new("node").args("--expose-gc --test --test-reporter=spec");
    let node = node.env("LODGER_WEB", text(&folder)).arg(script(steps, "tests/node.test.mjs"));
    steps.run("web in Node", &node)?;
    types(steps)?;
    let chromium = Command::new("node").env("LODGER_WEB", text(&folder));
    let chromium = chromium.arg(script(steps, "tests/chromium.mjs"));
    steps.run("web in Chromium", &chromium)
}

/// Installs Node and Chromium where they are missing.
pub(crate) fn browsers(steps: &mut Steps) -> Result<(), Failure> {
    node(steps)?;
    let missing = Failure::NoProgram("chromium");
    tools::from_apt(steps, "chromium", "chromium", "the browser of the tests", missing)
}

fn build(steps: &mut Steps) -> Result<PathBuf, Failure> {
    tools::target(steps, TARGET)?;
    let build = steps.cargo("rustc --locked --package lodger-c --lib --no-default-features");
    let build = build.args("--crate-type cdylib,rlib --profile web --target");
    steps.run("web", &build.args(TARGET))?;
    let built = target_folder(steps)?;
    let wasm = built.join(TARGET).join("web/lodger.wasm");
    let folder = built.join("web");
    let playground = folder.join("playground");
    fs::create_dir_all(&playground).map_err(|error| unfit(&playground, &error))?;
    for folder in [&folder, &playground] {
        copy(&wasm, &folder.join("lodger.wasm"))?;
        for name in MODULE {
            copy(&steps.root().join("bindings/web").join(name), &folder.join(name))?;
        }
    }
    for name in PLAYGROUND {
        copy(&steps.root().join("docs/playground").join(name), &playground.join(name))?;
    }
    sizes(&folder)?;
    Ok(folder)
}

fn sizes(folder: &Path) -> Result<(), Failure> {
    for name in ["lodger.wasm", "lodger.js"] {
        let file = folder.join(name);
        let bytes = fs::read(&file).map_err(|error| unfit(&file, &error))?;
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        let packed = encoder.write_all(&bytes).and_then(|()| encoder.finish());
        let packed = packed.map_err(|error| unfit(&file, &error))?.len();
        eprintln!("{name:12} {:8} bytes, {packed:7} gzipped", bytes.len());
        if name == "lodger.wasm" && packed > GOAL {
            eprintln!("{:12} more than the {GOAL} that are the goal", "");
        }
    }
    Ok(())
}

/// Holds the module's table of structs to what rustc laid out for this target.
fn layout(steps: &mut Steps, folder: &Path) -> Result<(), Failure> {
    let asserts = Command::new("node").arg(script(steps, "tests/layout-as-rust.mjs"));
    let asserts = steps.ask(&asserts.env("LODGER_WEB", text(folder)));
    let asserts =
        asserts.ok_or(Failure::Unfit("the table of structs cannot be read".to_owned()))?;
    let file = folder.join("layout.rs");
    fs::write(&file, asserts).map_err(|error| unfit(&file, &error))?;
    let built = target_folder(steps)?.join(TARGET).join("web");
    let library = format!("lodger={}", text(&built.join("liblodger.rlib")));
    let check =
        Command::new("rustc").args("--edition 2024 --crate-type lib --emit metadata --target");
    let check = check.args(TARGET).arg("--extern").arg(library).arg("-L");
    let check = check.arg(format!("dependency={}", text(&built.join("deps")))).arg("--out-dir");
    steps.run("web structs", &check.arg(text(folder)).arg(text(&file)))
}

/// Checks the types, and a program that uses them, with the compiler that npm brings.
fn types(steps: &mut Steps) -> Result<(), Failure> {
    let tsc = || Command::new("npx").args("--yes --package").args(TYPESCRIPT).args("tsc");
    if steps.ask(&tsc().args("--version")).is_none() {
        eprintln!(
            "\nweb types: npx does not bring {TYPESCRIPT} here, so the types are not checked"
        );
        return Ok(());
    }
    steps.run("web types", &tsc().args("--project").arg(script(steps, "tests/tsconfig.json")))
}

fn node(steps: &mut Steps) -> Result<(), Failure> {
    tools::from_apt(steps, "node", "nodejs", "which runs the module", Failure::NoProgram("node"))
}

fn script(steps: &Steps, name: &str) -> String {
    text(&steps.root().join("bindings/web").join(name))
}

fn copy(from: &Path, to: &Path) -> Result<(), Failure> {
    fs::copy(from, to).map(|_| ()).map_err(|error| unfit(from, &error))
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn unfit(path: &Path, error: &std::io::Error) -> Failure {
    Failure::Unfit(format!("{}: {error}", path.display()))
}
