//! `cargo xtask c`: builds, installs and tests the C library.

mod prefix;

use std::fs;
use std::path::PathBuf;

use clap::Args;

use crate::command::Command;
use crate::error::TaskError;
use crate::examples;
use crate::steps::Steps;
use crate::tools;
use crate::user_mode::S390X;
use prefix::Prefix;

const SCRIPTS: u32 = 200;

const MIRI: &str = "cargo +nightly miri test -p lodger-c --no-default-features --lib --test calls";

/// The options of `cargo xtask c`.
#[derive(Args)]
pub(crate) struct COptions {
    /// The folder that gets `include` and `lib`; without it, `c` in the target folder.
    #[arg(long)]
    prefix: Option<PathBuf>,
    /// Test the installed library, as `test --all` does.
    #[arg(long)]
    test: bool,
}

pub(crate) fn run(steps: &mut Steps, options: &COptions) -> Result<(), TaskError> {
    let folder = match &options.prefix {
        Some(folder) => {
            std::path::absolute(folder).map_err(|error| TaskError::file(folder, &error))?
        }
        None => steps.target_folder()?.join("c"),
    };
    let prefix = Prefix::install(steps, folder)?;
    if options.test { test_installed(steps, &prefix) } else { Ok(()) }
}

pub(crate) fn test(steps: &mut Steps) -> Result<(), TaskError> {
    run(steps, &COptions { prefix: None, test: true })
}

fn test_installed(steps: &mut Steps, prefix: &Prefix) -> Result<(), TaskError> {
    if !cfg!(target_os = "linux") {
        eprintln!("\nthe tests in C need Linux, for valgrind and QEMU's user mode: left out here");
        return Ok(());
    }
    set_up(steps)?;
    check_packages(steps, prefix)?;
    check_programs(steps, prefix)?;
    python(steps, prefix)?;
    dotnet(steps, prefix)?;
    eprintln!("\nMiri needs a nightly toolchain and is run by hand (tests/DEEP.md): {MIRI}");
    Ok(())
}

/// Runs all programs here, and `layout` and `plans` on s390x.
fn check_programs(steps: &mut Steps, prefix: &Prefix) -> Result<(), TaskError> {
    let scripts = examples::write_scripts(steps, prefix.folder(), SCRIPTS)?;
    let example = examples::build(steps, "c-programs")?;
    let programs = |mode: &str| {
        Command::at("c-programs", example.as_os_str())
            .arg(mode)
            .arg(prefix.folder().to_string_lossy())
            .arg(scripts.to_string_lossy())
            .arg(prefix.native())
    };
    steps.run("programs in C and C++", &programs("here"))?;
    let target = S390X.target;
    let build = "rustc --release --locked --package lodger-c --lib --crate-type staticlib";
    steps.run(&format!("build liblodger.a for {target}"), &S390X.cargo(steps, build))?;
    let library = steps.target_folder()?.join(target).join("release/liblodger.a");
    let other = programs("other").arg(library.to_string_lossy());
    steps.run(&format!("programs in C on {target}"), &S390X.add_tools(other))
}

fn set_up(steps: &mut Steps) -> Result<(), TaskError> {
    for (program, package, why) in [
        ("gcc", "gcc", "which compiles the tests in C"),
        ("g++", "g++", "which compiles the tests in C++"),
        ("valgrind", "valgrind", "which looks for errors and leaks of memory"),
        ("pkg-config", "pkg-config", "which finds an installed lodger"),
        ("cmake", "cmake make", "which finds an installed lodger too"),
    ] {
        tools::from_apt(steps, program, package, why, TaskError::NoProgram(program))?;
    }
    S390X.install(steps)
}

fn python(steps: &mut Steps, prefix: &Prefix) -> Result<(), TaskError> {
    const PYTHON: &str = "/usr/bin/python3";
    let numpy = Command::new(PYTHON).arg("-c").arg("import numpy");
    if steps.ask(&numpy).is_none() {
        let why = "which the example in Python works on";
        tools::apt(
            steps,
            "python3 python3-numpy",
            why,
            TaskError::NoProgram("python3 with numpy"),
        )?;
    }
    let example = steps.root().join("bindings/c/examples/lodger_ctypes.py");
    let run = Command::new(PYTHON).arg("-B").arg(example.to_string_lossy());
    steps.run("lodger in Python", &run.env("LODGER_LIBRARY", prefix.shared().to_string_lossy()))
}

fn dotnet(steps: &mut Steps, prefix: &Prefix) -> Result<(), TaskError> {
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

fn check_packages(steps: &mut Steps, prefix: &Prefix) -> Result<(), TaskError> {
    by_pkg_config(steps, prefix)?;
    by_cmake(steps, prefix)
}

fn by_pkg_config(steps: &mut Steps, prefix: &Prefix) -> Result<(), TaskError> {
    let folder = prefix.folder().join("lib/pkgconfig");
    let ask = Command::new("pkg-config").args("--cflags --libs lodger");
    let ask = ask.env("PKG_CONFIG_PATH", folder.to_string_lossy());
    let missing = || TaskError::Invalid(format!("`{ask}` finds nothing"));
    let flags = steps.ask(&ask).ok_or_else(missing)?;
    let program = prefix.folder().join("frame_loop-pkg-config");
    let example = steps.root().join("bindings/c/examples/frame_loop.c");
    let compile = Command::new("gcc").arg("-std=c99").arg(example.to_string_lossy()).args(&flags);
    let compile = compile.arg("-o").arg(program.to_string_lossy());
    steps.run("pkg-config", &compile)?;
    let libraries = prefix.folder().join("lib");
    let run = Command::at("frame_loop", program.as_os_str());
    steps.run("frame_loop by pkg-config", &run.env("LD_LIBRARY_PATH", libraries.to_string_lossy()))
}

fn by_cmake(steps: &mut Steps, prefix: &Prefix) -> Result<(), TaskError> {
    let source = steps.root().join("bindings/c/tests/cmake");
    let build = prefix.folder().join("cmake-build");
    // The cache of an earlier build may name another folder of sources.
    let _ = fs::remove_dir_all(&build);
    let configure = Command::new("cmake").arg("-S").arg(source.to_string_lossy());
    let configure = configure.arg("-B").arg(build.to_string_lossy());
    let configure = configure.arg(format!("-DCMAKE_PREFIX_PATH={}", prefix.folder().display()));
    steps.run("cmake", &configure)?;
    steps.run("cmake build", &Command::new("cmake").arg("--build").arg(build.to_string_lossy()))?;
    for kind in ["lodger", "lodger-static"] {
        let program = build.join(format!("frame_loop-{kind}"));
        let run = Command::at("frame_loop", program.as_os_str());
        steps.run(&format!("frame_loop by cmake, {kind}"), &run)?;
    }
    Ok(())
}
