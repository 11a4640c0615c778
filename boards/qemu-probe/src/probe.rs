//! Replies to requests of one debugger at a time.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::port::DebugPort;
use crate::remote::{Messages, RemoteRequest, Reply, RequestError};
use crate::target::{TargetAccess, TargetError};

const NAME: &str = concat!("QEMU emulation behind lodger-qemu-probe ", env!("CARGO_PKG_VERSION"));
const PROTOCOL_VERSION: u32 = 4;
const ACCELERATORS: u32 = 1;
/// The frequency of real probes; nothing here depends on it.
const FREQUENCY_KHZ: u32 = 4000;

#[derive(Debug)]
pub(crate) struct EmulatedProbe<T> {
    port: DebugPort<T>,
    goes_on: bool,
}

impl<T: TargetAccess> EmulatedProbe<T> {
    pub(crate) const fn new(port: DebugPort<T>) -> Self {
        Self { port, goes_on: false }
    }

    pub(crate) fn attach(&mut self) -> Result<(), TargetError> {
        if std::mem::take(&mut self.goes_on) { self.port.core.resume() } else { Ok(()) }
    }

    pub(crate) fn detach(&mut self) -> Result<(), TargetError> {
        self.goes_on = self.port.core.halt()?;
        Ok(())
    }

    /// Fails if the target is gone.
    pub(crate) fn reply(&mut self, request: RemoteRequest) -> Result<Reply, io::Error> {
        match self.carry_out(request) {
            Ok(reply) => Ok(reply),
            Err(TargetError::Refused) => Ok(Reply::Failed(RequestError::Fault)),
            Err(TargetError::Gone(error)) => Err(error),
        }
    }

    fn carry_out(&mut self, request: RemoteRequest) -> Result<Reply, TargetError> {
        Ok(match request {
            RemoteRequest::Name => Reply::Name(NAME),
            RemoteRequest::ProtocolVersion => Reply::Number(PROTOCOL_VERSION),
            RemoteRequest::Accelerators => Reply::Number(ACCELERATORS),
            RemoteRequest::Frequency => Reply::Number(FREQUENCY_KHZ),
            RemoteRequest::Pins => Reply::DONE,
            RemoteRequest::Reset { asserted } => {
                self.port.core.set_reset(asserted)?;
                Reply::DONE
            }
            RemoteRequest::SwdOut { bits, count } => {
                (0..count).for_each(|bit| self.port.output(bits >> bit & 1 != 0));
                Reply::DONE
            }
            RemoteRequest::SwdIn { count } => {
                let bits = (0..count).map(|bit| u32::from(self.port.input()) << bit);
                Reply::Number(bits.fold(0, |word, bit| word | bit))
            }
            RemoteRequest::DpRead { address } => Reply::Word(self.port.dp_read(address)),
            RemoteRequest::DpWrite { address, value } => {
                self.port.dp_write(address, value);
                Reply::DONE
            }
            RemoteRequest::ApRead { ap, address } => Reply::Word(self.port.ap_read(ap, address)),
            RemoteRequest::ApWrite { ap, address, value } => {
                self.port.ap_write(ap, address, value)?;
                Reply::DONE
            }
            RemoteRequest::Read { ap: 0, address, length } => {
                let mut bytes = vec![0; length];
                self.port.core.read(address, &mut bytes)?;
                Reply::Bytes(bytes)
            }
            RemoteRequest::Write { ap: 0, address, bytes } => {
                self.port.core.write(address, &bytes)?;
                Reply::DONE
            }
            RemoteRequest::Read { .. } | RemoteRequest::Write { .. } => {
                return Err(TargetError::Refused);
            }
        })
    }
}

/// The cable between probe and debugger, shared by both threads.
#[derive(Debug, Default)]
pub(crate) struct Cable(Mutex<ProbeState>);

#[derive(Debug, Default)]
struct ProbeState {
    condition: Condition,
    connection: Option<TcpStream>,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Condition {
    #[default]
    Plugged,
    Unplugged,
    Cut,
}

impl Cable {
    /// Closes the connection, and new ones until [`plug_in`](Self::plug_in).
    pub(crate) fn unplug(&self) {
        self.part(Condition::Unplugged);
    }

    /// Accepts connections again, except after [`cut`](Self::cut).
    pub(crate) fn plug_in(&self) {
        let mut state = self.state();
        if state.condition == Condition::Unplugged {
            state.condition = Condition::Plugged;
        }
    }

    /// Ends [`serve`] at the next connection or request.
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

    /// Keeps a new connection, if the cable is plugged in.
    fn connect(&self, connection: &TcpStream) -> Result<Condition, io::Error> {
        let connection = connection.try_clone()?;
        let mut state = self.state();
        if state.condition == Condition::Plugged {
            state.connection = Some(connection);
        }
        Ok(state.condition)
    }

    fn state(&self) -> MutexGuard<'_, ProbeState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Serves one debugger after another until the target is gone or the cable is cut. The core stands still while no
/// debugger is connected.
pub(crate) fn serve<T: TargetAccess>(
    listener: &TcpListener,
    cable: &Arc<Cable>,
    probe: &mut EmulatedProbe<T>,
) {
    for connection in listener.incoming() {
        // A debugger that disconnects at once must not end the probe.
        let Ok(connection) = connection else { continue };
        match cable.connect(&connection) {
            Ok(Condition::Plugged) => {}
            Ok(Condition::Unplugged) | Err(_) => continue,
            Ok(Condition::Cut) => return,
        }
        if probe.attach().is_err() {
            return;
        }
        let outcome =
            connection.set_nodelay(true).map_or(Ok(()), |()| converse(&connection, probe));
        cable.state().connection = None;
        if outcome.is_err() || probe.detach().is_err() {
            return;
        }
    }
}

/// Fails if the target is gone.
fn converse<T: TargetAccess>(
    mut connection: impl Read + Write,
    probe: &mut EmulatedProbe<T>,
) -> Result<(), io::Error> {
    let mut messages = Messages::default();
    let mut bytes = [0; 4096];
    loop {
        let Ok(length @ 1..) = connection.read(&mut bytes) else { return Ok(()) };
        for request in bytes[..length].iter().filter_map(|&byte| messages.push(byte)) {
            let reply = request.map_or_else(
                |failure| Ok(Reply::Failed(failure)),
                |request| probe.reply(request),
            )?;
            if connection.write_all(reply.to_string().as_bytes()).is_err() {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;
    use std::sync::atomic::Ordering::Relaxed;
    use std::thread;

    use super::*;
    use crate::core_debug::CoreDebug;
    use crate::core_debug::tests::Fake;

    fn probe(fake: Fake) -> EmulatedProbe<Fake> {
        EmulatedProbe::new(DebugPort::new(CoreDebug::power_up(fake, 0..0x1000).unwrap()))
    }

    #[derive(Default)]
    struct StatusLine {
        incoming: io::Cursor<Vec<u8>>,
        replies: Vec<u8>,
    }

    impl Read for &mut StatusLine {
        fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
            self.incoming.read(bytes)
        }
    }

    impl Write for &mut StatusLine {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.replies.write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn replies(probe: &mut EmulatedProbe<Fake>, requests: &[u8]) -> String {
        let mut line =
            StatusLine { incoming: io::Cursor::new(requests.to_vec()), ..StatusLine::default() };
        converse(&mut line, probe).unwrap();
        String::from_utf8(line.replies).unwrap()
    }

    const WRITE_RAM: &[u8] = b"!AM00002300005002000000002000000000000004deadbeef#";
    const READ_RAM: &[u8] = b"!Am000023000050000000002000000000000004#";
    const READ_HOLE: &[u8] = b"!Am000023000050000000006000000000000004#";

    #[test]
    fn requests_are_answered_in_order() {
        let mut probe = probe(Fake::cortex_m4());
        let requests = [b"+#!HC#!HA#".as_slice(), WRITE_RAM, READ_RAM, b"!JS#!GZ#"].concat();
        assert_eq!(replies(&mut probe, &requests), "&K4#&K1#&K0#&Kdeadbeef#&N0#&E2#");
    }

    #[test]
    fn a_refusal_of_the_target_is_a_fault() {
        let mut probe = probe(Fake::cortex_m4());
        let other_ap = String::from_utf8(READ_RAM.to_vec()).unwrap().replace("Am0000", "Am0001");
        let requests = [READ_HOLE, other_ap.as_bytes(), READ_RAM].concat();
        assert_eq!(replies(&mut probe, &requests), "&E3#&E3#&K00000000#");
    }

    #[test]
    fn the_wire_leads_to_the_debug_port() {
        let mut probe = probe(Fake::cortex_m4());
        // A line reset, a read of DPIDR with its parity, and SELECT, which hides CTRL/STAT.
        let dpidr = b"!So20ffffffff#!So167ffff#!So030#!So08a5#!Si03#!Si20#!Si01#";
        assert_eq!(replies(&mut probe, dpidr), "&K0#&K0#&K0#&K0#&K1#&K2ba01477#&K0#");
        let select = b"!AR0000000450000000#!Ad00ff0004#!AR0000000800000001#!Ad00ff0004#";
        assert_eq!(replies(&mut probe, select), "&K0#&K000000f0#&K0#&K00000000#");
    }

    #[test]
    fn noise_does_no_harm() {
        let mut probe = probe(Fake::cortex_m4());
        let mut noise = 1_u64;
        let alphabet = b"!#GASHCaARdMmoiZ0123456789abcdef";
        let mut requests: Vec<u8> = (0..200_000)
            .map(|_| {
                noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                alphabet[(noise >> 59) as usize]
            })
            .collect();
        requests.extend(b"#!HC#");
        assert!(replies(&mut probe, &requests).ends_with("&K4#"));
    }

    #[test]
    fn a_target_that_is_gone_ends_the_conversation() {
        let fake = Fake::cortex_m4();
        let gone = Arc::clone(&fake.gone);
        let mut probe = probe(fake);
        gone.store(true, Relaxed);
        let mut line =
            StatusLine { incoming: io::Cursor::new(READ_RAM.to_vec()), ..StatusLine::default() };
        assert!(converse(&mut line, &mut probe).is_err());
        assert!(line.replies.is_empty());
    }

    #[test]
    fn a_cable_is_pulled_put_back_and_cut() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let cable = Arc::new(Cable::default());
        let fake = Fake::cortex_m4();
        let runs = Arc::clone(&fake.runs);
        let server = thread::spawn({
            let cable = Arc::clone(&cable);
            move || serve(&listener, &cable, &mut probe(fake))
        });
        let ask = |connection: &mut TcpStream| {
            connection.write_all(b"!HC#").ok()?;
            let mut reply = [0; 4];
            connection.read_exact(&mut reply).ok()?;
            Some(reply)
        };
        let mut first = TcpStream::connect(address).unwrap();
        assert_eq!(ask(&mut first), Some(*b"&K4#"));
        assert!(runs.load(Relaxed));
        cable.unplug();
        assert_eq!(ask(&mut first), None);
        assert_eq!(ask(&mut TcpStream::connect(address).unwrap()), None);
        cable.plug_in();
        assert_eq!(ask(&mut TcpStream::connect(address).unwrap()), Some(*b"&K4#"));
        cable.cut();
        cable.plug_in();
        drop(TcpStream::connect(address));
        server.join().unwrap();
        // Without a client the machine is halted.
        assert!(!runs.load(Relaxed));
    }
}
