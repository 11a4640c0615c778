//! Messages between boards and hosts.

use lodger_wire::conform::{Response, SchedulerBackend, WireRequest, serve};
use lodger_wire::telemetry::{SIZE, TelemetryFrame};
use lodger_wire::{FramedTransport, Transport, WireError};
use serde::Serialize;
use serde::de::DeserializeOwned;

#[derive(Default)]
pub(crate) struct MemoryTransport<'b> {
    incoming: &'b [u8],
    pub(crate) sent: Vec<u8>,
}

impl Transport for &mut MemoryTransport<'_> {
    type Error = std::convert::Infallible;

    fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, Self::Error> {
        let (now, later) = self.incoming.split_at(self.incoming.len().min(buffer.len()));
        buffer[..now.len()].copy_from_slice(now);
        self.incoming = later;
        Ok(now.len())
    }

    fn send(&mut self, bytes: &[u8]) -> Result<(), Self::Error> {
        self.sent.extend(bytes);
        Ok(())
    }
}

/// Requests to a board: each gets one readable response. Valid if the last one ends the conversation.
///
/// # Panics
/// If a property does not hold.
#[must_use]
pub fn conform(bytes: &[u8]) -> bool {
    let mut board = MemoryTransport { incoming: bytes, ..MemoryTransport::default() };
    let served = serve(&mut board, &mut SchedulerBackend);
    let responses = all::<Response>(&board.sent);
    let requests = all::<WireRequest>(bytes);
    let ids: Vec<u32> = requests.iter().map(|request| request.id).take(responses.len()).collect();
    assert_eq!(responses.iter().map(|response| response.id).collect::<Vec<_>>(), ids);
    match served {
        Ok(()) => assert!(!responses.is_empty()),
        Err(fault) => {
            assert!(!fault.to_string().is_empty());
            assert_eq!(responses.len(), requests.len());
        }
    }
    requests.iter().for_each(reads_the_same);
    responses.iter().for_each(reads_the_same);
    served.is_ok()
}

/// The frames of a loop: each can be sent again and reads the same. Valid if all are frames.
///
/// # Panics
/// If a property does not hold.
#[must_use]
pub fn telemetry(bytes: &[u8]) -> bool {
    let frames = all::<TelemetryFrame>(bytes);
    for frame in &frames {
        let mut buffer = [0; SIZE];
        let encoded = frame.encode(&mut buffer).expect("a frame within its maximum");
        assert_eq!(all::<TelemetryFrame>(encoded).as_slice(), std::slice::from_ref(frame));
        let _ = frame.measured();
        reads_the_same(frame);
    }
    let ends = bytes.split(|&byte| byte == 0).count() - 1;
    assert!(frames.len() <= ends);
    !frames.is_empty() && frames.len() == ends
}

fn all<M: DeserializeOwned>(bytes: &[u8]) -> Vec<M> {
    let mut memory = MemoryTransport { incoming: bytes, ..MemoryTransport::default() };
    let mut frames = FramedTransport::new(&mut memory);
    let next = || match frames.receive() {
        Ok(message) => Some(message),
        Err(WireError::Gone | WireError::TooLong | WireError::Garbled) => None,
        Err(other) => panic!("{other}"),
    };
    std::iter::from_fn(next).collect()
}

fn reads_the_same<M: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(message: &M) {
    let mut memory = MemoryTransport::default();
    FramedTransport::new(&mut memory).send(message).expect("a received message can be sent");
    assert_eq!(all::<M>(&memory.sent).as_slice(), std::slice::from_ref(message));
}
