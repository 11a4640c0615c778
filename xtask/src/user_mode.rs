//! Machines with an operating system of their own, whose programs QEMU's user mode runs.

use std::path::Path;

use crate::command::Command;
use crate::failure::Failure;
use crate::qemu;
use crate::steps::Steps;
use crate::tools;

/// A machine.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Machine {
    /// What rustc builds for.
    pub(crate) target: &'static str,
    emulator: &'static str,
    linker: Linker,
}

/// What links programs, and how cargo is told.
#[derive(Debug, PartialEq, Eq)]
enum Linker {
    /// What Rust brings, which the target's own C library suffices for.
    Own { variable: &'static str },
    /// A compiler of Debian's, the packages that bring it and a C library, and where that is.
    Cross {
        variable: &'static str,
        program: &'static str,
        packages: &'static str,
        libraries: &'static str,
    },
}

/// Other vectors.
pub(crate) const AARCH64: Machine = Machine {
    target: "aarch64-unknown-linux-musl",
    emulator: "qemu-aarch64",
    linker: Linker::Own { variable: "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_LINKER" },
};

/// A RISC-V of 64 bits.
pub(crate) const RISCV64: Machine = Machine {
    target: "riscv64gc-unknown-linux-gnu",
    emulator: "qemu-riscv64",
    linker: Linker::Cross {
        variable: "CARGO_TARGET_RISCV64GC_UNKNOWN_LINUX_GNU_LINKER",
        program: "riscv64-linux-gnu-gcc",
        packages: "gcc-riscv64-linux-gnu libc6-dev-riscv64-cross",
        libraries: "/usr/riscv64-linux-gnu",
    },
};

/// The other order of bytes.
pub(crate) const S390X: Machine = Machine {
    target: "s390x-unknown-linux-gnu",
    emulator: "qemu-s390x",
    linker: Linker::Cross {
        variable: "CARGO_TARGET_S390X_UNKNOWN_LINUX_GNU_LINKER",
        program: "s390x-linux-gnu-gcc",
        packages: "gcc-s390x-linux-gnu libc6-dev-s390x-cross",
        libraries: "/usr/s390x-linux-gnu",
    },
};

impl Machine {
    /// Makes its target, its linker and its emulator work.
    pub(crate) fn install(&self, steps: &mut Steps) -> Result<(), Failure> {
        if let Linker::Cross { program, packages, .. } = self.linker {
            let why = format!("which links for {}", self.target);
            tools::from_apt(steps, program, packages, &why, Failure::NoProgram(program))?;
        }
        tools::target(steps, self.target)?;
        qemu::install(steps, self.emulator, "qemu-user")
    }

    /// Cargo with these arguments, for this machine.
    pub(crate) fn cargo(&self, steps: &Steps, args: &str) -> Command {
        self.asked_of(steps.cargo(args))
    }

    /// This command of cargo, for this machine as well.
    pub(crate) fn asked_of(&self, cargo: Command) -> Command {
        let (variable, linker) = match self.linker {
            Linker::Own { variable } => (variable, "rust-lld"),
            Linker::Cross { variable, program, .. } => (variable, program),
        };
        cargo.args(&format!("--target {}", self.target)).env(variable, linker)
    }

    /// Its compiler of C, which links its programs too; none where Rust brings all that is needed.
    pub(crate) fn compiler(&self) -> Option<&'static str> {
        match self.linker {
            Linker::Own { .. } => None,
            Linker::Cross { program, .. } => Some(program),
        }
    }

    /// A program of it, emulated.
    pub(crate) fn emulated(&self, program: &Path) -> Command {
        let emulator = Command::new(self.emulator);
        let emulator = match self.linker {
            Linker::Own { .. } => emulator,
            Linker::Cross { libraries, .. } => emulator.arg("-L").arg(libraries),
        };
        emulator.arg(program.to_string_lossy())
    }
}
