//! `cargo xtask web`: builds and tests the ES module over the C ABI, its types and the playground.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::command::Command;
use crate::error::TaskError;
use crate::examples;
use crate::steps::Steps;
use crate::tools;

const TARGET: &str = "wasm32-unknown-unknown";
/// The aim for the gzipped module, in bytes.
const GOAL: usize = 60 * 1024;
const SCRIPTS: u32 = 200;
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

/// The options of `cargo xtask web`.
#[derive(Args)]
pub(crate) struct WebOptions {
    /// Serve the playground on this machine until it is interrupted.
    #[arg(long)]
    serve: bool,
    /// Run the tests, in Node and in Chromium.
    #[arg(long, conflicts_with = "serve")]
    test: bool,
}

pub(crate) fn run(steps: &mut Steps, options: &WebOptions) -> Result<(), TaskError> {
    if options.test {
        return test(steps);
    }
    let folder = build(steps)?;
    if options.serve {
        node(steps)?;
        let script = script(steps, "serve.mjs");
        let serve = Command::new("node").arg(script).arg(text(&folder.join("playground")));
        return serve.exec(steps.root());
    }
    Ok(())
}

/// Compares random scripts in Node and in Chromium with the scheduler, and structs and types with the header.
pub(crate) fn test(steps: &mut Steps) -> Result<(), TaskError> {
    let folder = build(steps)?;
    browsers(steps)?;
    examples::write_scripts(steps, &folder, SCRIPTS)?;
    layout(steps, &folder)?;
    let node = Command::new("node").args("--expose-gc --test --test-reporter=spec");
    let node = node.env("LODGER_WEB", text(&folder)).arg(script(steps, "tests/node.test.mjs"));
    steps.run("web in Node", &node)?;
    types(steps)?;
    let chromium = Command::new("node").env("LODGER_WEB", text(&folder));
    let chromium = chromium.arg(script(steps, "tests/chromium.mjs"));
    steps.run("web in Chromium", &chromium)
}

pub(crate) fn browsers(steps: &mut Steps) -> Result<(), TaskError> {
    node(steps)?;
    let missing = TaskError::NoProgram("chromium");
    tools::from_apt(steps, "chromium", "chromium", "the browser of the tests", missing)
}

fn build(steps: &mut Steps) -> Result<PathBuf, TaskError> {
    tools::target(steps, TARGET)?;
    let build = steps.cargo("rustc --locked --package lodger-c --lib --no-default-features");
    let build = build.args("--crate-type cdylib,rlib --profile web --target");
    steps.run("web", &build.args(TARGET))?;
    let built = steps.target_folder()?;
    let wasm = built.join(TARGET).join("web/lodger.wasm");
    let folder = built.join("web");
    let playground = folder.join("playground");
    fs::create_dir_all(&playground).map_err(|error| TaskError::file(&playground, &error))?;
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

fn sizes(folder: &Path) -> Result<(), TaskError> {
    for name in ["lodger.wasm", "lodger.js"] {
        let file = folder.join(name);
        let bytes = fs::read(&file).map_err(|error| TaskError::file(&file, &error))?;
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        let packed = encoder.write_all(&bytes).and_then(|()| encoder.finish());
        let packed = packed.map_err(|error| TaskError::file(&file, &error))?.len();
        eprintln!("{name:12} {:8} bytes, {packed:7} gzipped", bytes.len());
        if name == "lodger.wasm" && packed > GOAL {
            eprintln!("{:12} more than the {GOAL} that are the goal", "");
        }
    }
    Ok(())
}

/// Compares structs with rustc's layout.
fn layout(steps: &mut Steps, folder: &Path) -> Result<(), TaskError> {
    let asserts = Command::new("node").arg(script(steps, "tests/layout-as-rust.mjs"));
    let asserts = steps.ask(&asserts.env("LODGER_WEB", text(folder)));
    let asserts =
        asserts.ok_or(TaskError::Invalid("the table of structs cannot be read".to_owned()))?;
    let file = folder.join("layout.rs");
    fs::write(&file, asserts).map_err(|error| TaskError::file(&file, &error))?;
    let built = steps.target_folder()?.join(TARGET).join("web");
    let library = format!("lodger={}", text(&built.join("liblodger.rlib")));
    let check =
        Command::new("rustc").args("--edition 2024 --crate-type lib --emit metadata --target");
    let check = check.args(TARGET).arg("--extern").arg(library).arg("-L");
    let check = check.arg(format!("dependency={}", text(&built.join("deps")))).arg("--out-dir");
    steps.run("web structs", &check.arg(text(folder)).arg(text(&file)))
}

/// TypeScript comes from npm.
fn types(steps: &mut Steps) -> Result<(), TaskError> {
    let tsc = || Command::new("npx").args("--yes --package").args(TYPESCRIPT).args("tsc");
    if steps.ask(&tsc().args("--version")).is_none() {
        eprintln!(
            "\nweb types: npx does not bring {TYPESCRIPT} here, so the types are not checked"
        );
        return Ok(());
    }
    steps.run("web types", &tsc().args("--project").arg(script(steps, "tests/tsconfig.json")))
}

fn node(steps: &mut Steps) -> Result<(), TaskError> {
    tools::from_apt(steps, "node", "nodejs", "which runs the module", TaskError::NoProgram("node"))
}

fn script(steps: &Steps, name: &str) -> String {
    text(&steps.root().join("bindings/web").join(name))
}

fn copy(from: &Path, to: &Path) -> Result<(), TaskError> {
    fs::copy(from, to).map(|_| ()).map_err(|error| TaskError::file(from, &error))
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
