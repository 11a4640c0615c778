//! Machines that QEMU's user mode emulates.

use std::path::Path;

use crate::command::Command;
use crate::error::TaskError;
use crate::qemu;
use crate::steps::Steps;
use crate::tools;

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct EmulatedMachine {
    pub(crate) target: &'static str,
    emulator: &'static str,
    linker: Linker,
}

/// A machine's linker, and the variable that tells cargo.
#[derive(Debug, PartialEq, Eq)]
enum Linker {
    /// The linker that Rust brings; the C library is the one of the target.
    Own { variable: &'static str },
    /// A cross compiler, its Debian packages, and the folder of its C library.
    Cross {
        variable: &'static str,
        program: &'static str,
        packages: &'static str,
        libraries: &'static str,
    },
}

pub(crate) const AARCH64: EmulatedMachine = EmulatedMachine {
    target: "aarch64-unknown-linux-musl",
    emulator: "qemu-aarch64",
    linker: Linker::Own { variable: "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_LINKER" },
};

pub(crate) const RISCV64: EmulatedMachine = EmulatedMachine {
    target: "riscv64gc-unknown-linux-gnu",
    emulator: "qemu-riscv64",
    linker: Linker::Cross {
        variable: "CARGO_TARGET_RISCV64GC_UNKNOWN_LINUX_GNU_LINKER",
        program: "riscv64-linux-gnu-gcc",
        packages: "gcc-riscv64-linux-gnu libc6-dev-riscv64-cross",
        libraries: "/usr/riscv64-linux-gnu",
    },
};

/// A big-endian machine.
pub(crate) const S390X: EmulatedMachine = EmulatedMachine {
    target: "s390x-unknown-linux-gnu",
    emulator: "qemu-s390x",
    linker: Linker::Cross {
        variable: "CARGO_TARGET_S390X_UNKNOWN_LINUX_GNU_LINKER",
        program: "s390x-linux-gnu-gcc",
        packages: "gcc-s390x-linux-gnu libc6-dev-s390x-cross",
        libraries: "/usr/s390x-linux-gnu",
    },
};

impl EmulatedMachine {
    pub(crate) fn install(&self, steps: &mut Steps) -> Result<(), TaskError> {
        if let Linker::Cross { program, packages, .. } = self.linker {
            let why = format!("which links for {}", self.target);
            tools::from_apt(steps, program, packages, &why, TaskError::NoProgram(program))?;
        }
        tools::target(steps, self.target)?;
        qemu::install(steps, self.emulator, "qemu-user")
    }

    pub(crate) fn cargo(&self, steps: &Steps, args: &str) -> Command {
        self.add_target(steps.cargo(args))
    }

    pub(crate) fn add_target(&self, cargo: Command) -> Command {
        let (variable, linker) = match self.linker {
            Linker::Own { variable } => (variable, "rust-lld"),
            Linker::Cross { variable, program, .. } => (variable, program),
        };
        cargo.args(&format!("--target {}", self.target)).env(variable, linker)
    }

    /// Appends the C compiler and the emulator with its options.
    pub(crate) fn add_tools(&self, command: Command) -> Command {
        match self.linker {
            Linker::Own { .. } => command.arg("").arg(self.emulator),
            Linker::Cross { program, libraries, .. } => {
                command.arg(program).arg(self.emulator).arg("-L").arg(libraries)
            }
        }
    }

    pub(crate) fn emulated(&self, program: &Path) -> Command {
        let emulator = Command::new(self.emulator);
        let emulator = match self.linker {
            Linker::Own { .. } => emulator,
            Linker::Cross { libraries, .. } => emulator.arg("-L").arg(libraries),
        };
        emulator.arg(program.to_string_lossy())
    }
}
