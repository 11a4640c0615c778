//! `cargo xtask examples`: the examples of `firmware/programs` in QEMU, as they are and with a module
//! that hangs; and how large they are.

use crate::boards;
use crate::failure::Failure;
use crate::instructions::{self, Size};
use crate::qemu;
use crate::steps::Steps;
use crate::tools;

/// What they are built for, as a row of boards.toml.
pub(crate) const BOARD: &str = "mps2-an386";
pub(crate) const PROGRAMS: [&str; 3] = ["plain", "embassy", "rtic"];
/// The argument that has a module hang, so that the watchdog begins again.
const STALL: &str = "stall";

/// Builds and runs them; each says by its exit code whether its budgets held.
pub(crate) fn run(steps: &mut Steps) -> Result<(), Failure> {
    qemu::install_boards(steps)?;
    let board = boards::named(BOARD)?;
    let target = &board.target;
    tools::target(steps, target)?;
    let build = steps.cargo(&format!(
        "build --package lodger-programs --locked --profile firmware --target {target} --features examples --bin {}",
        PROGRAMS.join(" --bin ")
    ));
    steps.run("build examples", &build)?;
    let built = boards::target_folder(steps)?.join(target).join("firmware");
    for program in PROGRAMS {
        let elf = built.join(program);
        for args in [&[][..], &[STALL]] {
            steps.work(&format!("{program} {}", args.join(" ")), || {
                let (status, bytes) = qemu::output(board, &elf, args)?;
                print!("{}", qemu::log(&elf, &bytes)?);
                qemu::succeeded(program, status)
            })?;
        }
    }
    println!("\n{:10} {:>8} {:>8}", "bytes", "flash", "ram");
    for program in PROGRAMS {
        let Size { flash, ram } = instructions::size(&built.join(program))?;
        println!("{program:10} {flash:8} {ram:8}");
    }
    Ok(())
}
