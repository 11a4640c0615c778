//! `cargo xtask c`: the C library built and installed, and its tests, which need compilers of C.

mod prefix;
mod programs;

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use clap::Args;
use object::{NameOrOrdinal, Object};

use crate::boards::{read, target_folder, unfit};
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
    steps.work("symbols of liblodger", || check_symbols(prefix))?;
    if !cfg!(target_os = "linux") {
        eprintln!("\nthe tests in C need Linux, for valgrind and QEMU's user mode: left out here");
        return Ok(());
    }
    set_up(steps)?;
    check_packages(steps, prefix)?;
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

/// Builds and runs the example as each of them says.
fn check_packages(steps: &mut Steps, prefix: &Prefix) -> Result<(), Failure> {
    by_pkg_config(steps, prefix)?;
    by_cmake(steps, prefix)
}

fn by_pkg_config(steps: &mut Steps, prefix: &Prefix) -> Result<(), Failure> {
    let folder = prefix.folder().join("lib/pkgconfig");
    let ask = Command::new("pkg-config").args("--cflags --libs lodger");
    let ask = ask.env("PKG_CONFIG_PATH", folder.to_string_lossy());
    let missing = || Failure::Unfit(format!("`{ask}` finds nothing"));
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

fn by_cmake(steps: &mut Steps, prefix: &Prefix) -> Result<(), Failure> {
    let source = steps.root().join("bindings/c/tests/cmake");
    let build = prefix.folder().join("cmake-build");
    // What an earlier build noted may be of another folder's sources.
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

/// What Rust exports from every library of this kind.
const OF_RUST: [&str; 1] = ["rust_eh_personality"];

/// Compares the header with the library.
fn check_symbols(prefix: &Prefix) -> Result<(), Failure> {
    let header = prefix.folder().join("include/lodger.h");
    let text = fs::read_to_string(&header).map_err(|error| unfit(&header, &error))?;
    let declared = declared(&text);
    let exported = exported(prefix)?;
    if declared == exported && !declared.is_empty() {
        eprintln!("{} functions are declared and exported", declared.len());
        return Ok(());
    }
    let differing: Vec<_> = declared.symmetric_difference(&exported).cloned().collect();
    Err(Failure::Unfit(format!("header and library differ in {}", differing.join(", "))))
}

fn exported(prefix: &Prefix) -> Result<BTreeSet<String>, Failure> {
    let path = prefix.shared();
    let bytes = read(path)?;
    let file = object::File::parse(&*bytes).map_err(|error| unfit(path, &error))?;
    let exports = file.exports().map_err(|error| unfit(path, &error))?;
    let mut names = BTreeSet::new();
    for export in exports {
        let export = export.map_err(|error| unfit(path, &error))?;
        let NameOrOrdinal::Name(name) = export.name() else { continue };
        let name = String::from_utf8_lossy(name);
        let name =
            if cfg!(target_os = "macos") { name.trim_start_matches('_') } else { name.as_ref() };
        if !OF_RUST.contains(&name) {
            names.insert(name.to_owned());
        }
    }
    Ok(names)
}

/// The functions that the header declares for machines that are no browser.
fn declared(header: &str) -> BTreeSet<String> {
    let mut parts = header.split("#ifdef __wasm__");
    let first = parts.next().unwrap_or_default();
    let rest = parts.filter_map(|part| part.split_once("#endif")).map(|(_, rest)| rest);
    let code: String = [first].into_iter().chain(rest).collect();
    let declarations = code.split("LODGER_API").filter_map(|text| text.split_once('('));
    let names = declarations.filter_map(|(head, _)| head.split([' ', '*', '\n']).next_back());
    names.filter(|name| name.starts_with("lodger_")).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::declared;

    #[test]
    fn declarations_are_found_and_browsers_left_out() {
        let header = "#define LODGER_API __declspec(dllimport)\n#define LODGER_API\ntypedef int x;\n\
                      LODGER_API const char *lodger_one(int status);\nLODGER_API x lodger_two(void);\n\
                      #ifdef __wasm__\nLODGER_API void lodger_free(void *block);\n#endif\n";
        assert_eq!(declared(header).into_iter().collect::<Vec<_>>(), ["lodger_one", "lodger_two"]);
    }
}
