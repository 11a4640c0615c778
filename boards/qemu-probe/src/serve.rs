//! The probe's connections: one debugger at a time.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::probe::Probe;
use crate::remote::{Messages, Reply};
use crate::target::Target;

/// The cable between probe and debugger, in the hands of both sides.
#[derive(Debug, Default)]
pub(crate) struct Cable(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    condition: Condition,
    connection: Option<TcpStream>,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Condition {
    #[default]
    Plugged,
    Unplugged,
    /// For good.
    Cut,
}

impl Cable {
    /// Ends the connection there is, and those to come.
    pub(crate) fn unplug(&self) {
        self.part(Condition::Unplugged);
    }

    /// Lets connections come again.
    pub(crate) fn plug_in(&self) {
        let mut state = self.state();
        if state.condition == Condition::Unplugged {
            state.condition = Condition::Plugged;
        }
    }

    /// Ends [`serve`], once it looks: at the next connection, or the next request.
    pub(crate) fn cut(&self) {
        self.part(Condition::Cut);
    }

    fn part(&self, condition: Condition) {
        let mut state = self.state();
        state.condition = condition;
        if let Some(connection) = state.connection.take() {
            // An error says that the debugger has gone first.
            let _ = connection.shutdown(Shutdown::Both);
        }
    }

    /// Takes a new connection, if the cable is plugged in.
    fn connect(&self, connection: &TcpStream) -> Result<Condition, io::Error> {
        let connection = connection.try_clone()?;
        let mut state = self.state();
        if state.condition == Condition::Plugged {
            state.connection = Some(connection);
        }
        Ok(state.condition)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Serves one debugger after the other until the target is gone or the cable cut. Between them the
/// core stands still, and this waits.
pub(crate) fn serve<T: Target>(listener: &TcpListener, cable: &Arc<Cable>, probe: &mut Probe<T>) {
    for connection in listener.incoming() {
        // A debugger that hangs up at once is no reason to leave the next one alone.
        let Ok(connection) = connection else { continue };
        match cable.connect(&connection) {
            Ok(Condition::Plugged) => {}
            Ok(Condition::Unplugged) | Err(_) => continue,
            Ok(Condition::Cut) => return,
        }
        if probe.arrive().is_err() {
            return;
        }
        let outcome =
            connection.set_nodelay(true).map_or(Ok(()), |()| converse(&connection, probe));
        cable.state().connection = None;
        if outcome.is_err() || probe.leave().is_err() {
            return;
        }
    }
}

/// Answers requests until the debugger hangs up. An error says that the target is gone.
fn converse<T: Target>(
    mut connection: impl Read + Write,
    probe: &mut Probe<T>,
) -> Result<(), io::Error> {
    let mut messages = Messages::default();
    let mut bytes = [0; 4096];
    loop {
        let Ok(length @ 1..) = connection.read(&mut bytes) else { return Ok(()) };
        for request in bytes[..length].iter().filter_map(|&byte| messages.push(byte)) {
            let reply = request.map_or_else(
                |failure| Ok(Reply::Failed(failure)),
                |request| probe.answer(request),
            )?;
            if connection.write_all(reply.to_string().as_bytes()).is_err() {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
#[path = "serve_tests.rs"]
mod tests;
