//! How much of the stack the app uses, as it says itself when it ends.

use std::fmt;
use std::path::Path;
use std::process::Stdio;

use lodger_board_table::Board;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::qemu;

/// Bytes of the stack that a run used, and those that it did not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stack {
    pub(super) used: u64,
    pub(super) left: u64,
}

impl Stack {
    /// Runs a program that says it at its end.
    pub(super) fn of(board: &Board, elf: &Path) -> Result<Self, Failure> {
        let mut command = qemu::command(board, elf, &[]);
        command.args(["-serial", "null", "-icount", "shift=6"]).stdout(Stdio::null());
        let (status, said) = qemu::errors(&mut command)?;
        let stack = Self::said(&said).filter(|_| status.success());
        stack.ok_or_else(|| {
            Failure::Unfit(format!("{} did not say what its stack took:\n{said}", board.name))
        })
    }

    /// Reads `stack: N bytes used, M left`.
    fn said(lines: &str) -> Option<Self> {
        let figures = lines.lines().find_map(|line| line.strip_prefix("stack: "))?;
        let (used, left) = figures.split_once(" bytes used, ")?;
        Some(Self { used: used.parse().ok()?, left: left.strip_suffix(" left")?.parse().ok()? })
    }

    /// As JSON.
    pub(super) fn as_json(self) -> Value {
        json!({ "used_bytes": self.used, "left_bytes": self.left })
    }
}

/// The table of the boards' stacks.
pub(super) struct Table<'a>(pub(super) Vec<(&'a Board, Stack)>);

impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\nbytes of the app's stack    {:>8} {:>8}", "used", "left")?;
        for (board, Stack { used, left }) in &self.0 {
            writeln!(f, "{:27} {used:8} {left:8}", board.target)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Stack;

    #[test]
    fn what_a_program_says_is_read() {
        let said = Stack::said("something else\nstack: 1234 bytes used, 56 left\n");
        assert_eq!(said, Some(Stack { used: 1_234, left: 56 }));
        assert_eq!(Stack::said("stack: 1234 bytes used"), None);
    }
}
