//! `cargo xtask c`: the C library built and installed, and its tests, which need compilers of C.

mod packages;
mod prefix;
mod programs;
mod symbols;

use std::path::PathBuf;

use clap::Args;

use crate::boards::{target_folder, unfit};
use crate::command::Command;
use crate::failure::Failure;
use crate::script;
use crate::steps::Steps;
use crate::tools;
use crate::user_mode::S390X;
use prefix::Prefix;
use programs::Programs;

/// Scripts whose plans are compared on each machine.
const SCENES: u32 = 200;
/// Sequences of wrong calls, and those under sanitizers, which are slower.
const SEQUENCES: [&str; 2] = ["10000 1", "10000 2"];

/// What interprets the crate, as a nightly toolchain alone can.
const MIRI: &str = "cargo +nightly miri test -p lodger-c --no-default-features --lib --test calls";

/// Where the library goes.
#[derive(Args)]
pub(crate) struct Options {
    /// The folder that gets `include` and `lib`; without it, `c` in the target folder.
    #[arg(long)]
    prefix: Option<PathBuf>,
    /// Test what was installed, as `test --all` does.
    #[arg(long)]
    test: bool,
}

/// Builds the libraries and installs them.
pub(crate) fn run(steps: &mut Steps, options: &Options) -> Result<(), Failure> {
    let folder = match &options.prefix {
        Some(folder) => std::path::absolute(folder).map_err(|error| unfit(folder, &error))?,
        None => target_folder(steps)?.join("c"),
    };
    let prefix = Prefix::install(steps, folder)?;
    if options.test { test_installed(steps, &prefix) } else { Ok(()) }
}

/// Installs the libraries in the target folder and tests them.
pub(crate) fn test(steps: &mut Steps) -> Result<(), Failure> {
    run(steps, &Options { prefix: None, test: true })
}

/// Tests symbols, packages, programs in C and C++, sanitizers, other languages, and s390x.
fn test_installed(steps: &mut Steps, prefix: &Prefix) -> Result<(), Failure> {
    steps.work("symbols of liblodger", || symbols::check(prefix))?;
    if !cfg!(target_os = "linux") {
        eprintln!("\nthe tests in C need Linux, for valgrind and QEMU's user mode: left out here");
        return Ok(());
    }
    set_up(steps)?;
    packages::check(steps, prefix)?;
    let scripts = script::write(steps, prefix.folder(), SCENES)?;
    let programs = Programs::new(steps, prefix, scripts)?;
    programs.compile_with_all(steps)?;
    programs.run_plainly(steps, SEQUENCES[0])?;
    programs.run_sanitized(steps, SEQUENCES[1])?;
    python(steps, prefix)?;
    dotnet(steps, prefix)?;
    eprintln!("\nMiri takes a nightly toolchain and is run by hand (tests/DEEP.md): {MIRI}");
    programs.compare_plans(steps)?;
    programs.compare_on(steps, &S390X)
}

fn set_up(steps: &mut Steps) -> Result<(), Failure> {
    for (program, package, why) in [
        ("gcc", "gcc", "which compiles the tests in C"),
        ("g++", "g++", "which compiles the tests in C++"),
        ("valgrind", "valgrind", "which looks for errors and leaks of memory"),
        ("pkg-config", "pkg-config", "which finds an installed lodger"),
        ("cmake", "cmake make", "which finds an installed lodger too"),
    ] {
        tools::from_apt(steps, program, package, why, Failure::NoProgram(program))?;
    }
    S390X.install(steps)
}

/// Runs the example in Python, by the system's Python, whose numpy apt-get brings.
fn python(steps: &mut Steps, prefix: &Prefix) -> Result<(), Failure> {
    const PYTHON: &str = "/usr/bin/python3";
    let numpy = Command::new(PYTHON).arg("-c").arg("import numpy");
    if steps.ask(&numpy).is_none() {
        let why = "which the example in Python works on";
        tools::apt(steps, "python3 python3-numpy", why, Failure::NoProgram("python3 with numpy"))?;
    }
    let example = steps.root().join("bindings/c/examples/lodger_ctypes.py");
    let run = Command::new(PYTHON).arg("-B").arg(example.to_string_lossy());
    steps.run("lodger in Python", &run.env("LODGER_LIBRARY", prefix.shared().to_string_lossy()))
}

/// Builds and runs the example in C# where there is something to build it with.
fn dotnet(steps: &mut Steps, prefix: &Prefix) -> Result<(), Failure> {
    if steps.ask(&Command::new("dotnet").args("--version")).is_none() {
        eprintln!("\nthere is no dotnet here: bindings/c/examples/Lodger.cs was not compiled");
        return Ok(());
    }
    let project = steps.root().join("bindings/c/tests/dotnet");
    let out = prefix.folder().join("dotnet");
    let run = Command::new("dotnet").args("run --project").arg(project.to_string_lossy());
    let run = run.arg(format!("--property:BaseIntermediateOutputPath={}/obj/", out.display()));
    let run = run.arg(format!("--property:BaseOutputPath={}/bin/", out.display()));
    let libraries = prefix.folder().join("lib");
    steps.run("lodger in C#", &run.env("LD_LIBRARY_PATH", libraries.to_string_lossy()))
}
