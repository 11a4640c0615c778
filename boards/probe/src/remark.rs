//! What is worth a word about a program, although it can be run.

use std::fmt;
use std::path::PathBuf;

/// A remark on the log of a program. What it says is what is odd; [`Remark::help`] is what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remark {
    /// It logs through defmt, and was linked without its linker script: its log cannot be read.
    DefmtUnlinked(PathBuf),
    /// It logs through defmt, and has no line but some errors in it.
    FewLines {
        /// The program.
        program: PathBuf,
        /// How many errors it may log.
        errors: usize,
    },
}

impl Remark {
    /// Whether nothing of its log will be heard.
    #[must_use]
    pub const fn is_deaf(&self) -> bool {
        matches!(self, Self::DefmtUnlinked(_))
    }

    /// What to do about it.
    #[must_use]
    pub const fn help(&self) -> &'static str {
        match self {
            Self::DefmtUnlinked(_) => {
                "link it with -Tdefmt.x, beside -Tlink.x; it can be flashed and run as it is"
            }
            Self::FewLines { .. } => {
                "DEFMT_LOG decides what is in a program when it is compiled, errors alone where it is not \
                 set: build it with DEFMT_LOG=info, or debug"
            }
        }
    }
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DefmtUnlinked(program) => {
                let program = program.display();
                write!(
                    f,
                    "`{program}` logs through defmt, but was linked without its linker script: "
                )?;
                f.write_str("its log cannot be read")
            }
            Self::FewLines { program, errors: 0 } => {
                write!(f, "`{}` logs through defmt, and has no lines in it", program.display())
            }
            Self::FewLines { program, .. } => {
                write!(f, "`{}` has no lines of a log in it but errors", program.display())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_remark_says_what_and_what_to_do() {
        let program = || PathBuf::from("app");
        for (remark, part) in [
            (Remark::DefmtUnlinked(program()), "without its linker script"),
            (Remark::FewLines { program: program(), errors: 0 }, "no lines in it"),
            (Remark::FewLines { program: program(), errors: 3 }, "but errors"),
        ] {
            let text = remark.to_string();
            assert!(text.starts_with("`app` ") && text.contains(part), "{text}");
            let word = if remark.is_deaf() { "-Tdefmt.x" } else { "DEFMT_LOG" };
            assert!(remark.help().contains(word), "{}", remark.help());
        }
    }
}
