//! Whether pkg-config and `CMake` find an installed lodger.

use std::fs;

use super::prefix::Prefix;
use crate::command::Command;
use crate::failure::Failure;
use crate::steps::Steps;

/// Builds and runs the example as each of them says.
pub(super) fn check(steps: &mut Steps, prefix: &Prefix) -> Result<(), Failure> {
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
