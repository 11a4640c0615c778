//! Lines on stdout, for eyes or for scripts, until nobody reads them any more.

use std::io::{self, ErrorKind, Write as _};

use lodger_terminal::{Diagnostic, Look, Target, signals};
use serde::Serialize;

use crate::args::Shown;

/// Where lines go.
#[derive(Debug)]
pub(crate) struct Out {
    /// Whether they are for scripts.
    pub(crate) json: bool,
    /// How they look to eyes.
    pub(crate) look: Look,
    closed: bool,
}

impl Out {
    /// To stdout.
    pub(crate) fn new(shown: &Shown) -> Self {
        // Without a handler a limit of the size of files ends the program, as it always did.
        let _ = signals::outlive_file_limit();
        Self { json: shown.as_json(), look: Look::of(Target::Stdout), closed: false }
    }

    /// Whether the reader has seen enough.
    pub(crate) fn is_closed(&self) -> bool {
        self.closed
    }

    /// Writes a line.
    pub(crate) fn line(&mut self, line: &str) -> Result<(), Diagnostic> {
        if self.closed {
            return Ok(());
        }
        let mut stdout = io::stdout().lock();
        let written = stdout.write_all(format!("{line}\n").as_bytes());
        match written.and_then(|()| stdout.flush()) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => self.closed = true,
            Err(error) => {
                return Err(Diagnostic::error(format!("cannot write to stdout: {error}")));
            }
            Ok(()) => {}
        }
        Ok(())
    }

    /// Writes an object.
    pub(crate) fn object(&mut self, object: &impl Serialize) -> Result<(), Diagnostic> {
        let line = serde_json::to_string(object)
            .map_err(|error| Diagnostic::error(format!("cannot show it as JSON: {error}")))?;
        self.line(&line)
    }
}
