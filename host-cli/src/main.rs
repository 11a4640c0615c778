//! The binary `lodger`; see `lib.rs`.

use std::process::ExitCode;

fn main() -> ExitCode {
    lodger_cli::main()
}
