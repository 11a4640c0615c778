//! Both ends of a conversation.

use super::evaluate::{Response, TestVector, WireRequest, evaluate};
use super::number::{NumberType, Words};
use super::scene::SceneBackend;
use super::vectors::TestVectors;
use crate::frames::{FramedTransport, Nothing, Transport, WireError};

/// The default number of vectors in each number type.
pub const VECTORS: u32 = 6_000;
/// The default seed of the vectors.
pub const SEED: u64 = 2_026;

/// Responds to requests on a device until [`TestVector::End`]; runs whole scenes in `scenes`.
///
/// # Errors
/// Any [`WireError`]; a frame that is no request ends the conversation.
pub fn serve<T: Transport>(
    transport: T,
    scenes: &mut impl SceneBackend,
) -> Result<(), WireError<T::Error>> {
    let mut frames = FramedTransport::new(transport);
    loop {
        let WireRequest { id, backend, vector } = frames.receive()?;
        let words = evaluate(backend, &vector, scenes);
        frames.send(&Response { id, words })?;
        if vector == TestVector::End {
            return Ok(());
        }
    }
}

/// Sends a request from a host, and returns the response of the device.
///
/// # Errors
/// Any [`WireError`]; the response to another request is [`WireError::Garbled`].
pub fn ask<T: Transport>(
    frames: &mut FramedTransport<T>,
    request: &WireRequest,
) -> Result<Words, WireError<T::Error>> {
    frames.send(request)?;
    let (response, Nothing): (Response, Nothing) = frames.receive()?;
    if response.id == request.id { Ok(response.words) } else { Err(WireError::Garbled) }
}

/// A response that differs from the host's.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mismatch {
    /// The request.
    pub request: WireRequest,
    /// The response of the device.
    pub device: Words,
    /// The response of the host.
    pub host: Words,
}

impl Mismatch {
    /// Makes a mismatch of a request and both responses.
    #[must_use]
    pub const fn new(request: WireRequest, device: Words, host: Words) -> Self {
        Self { request, device, host }
    }
}

/// Sends the first [`TestVectors`] of one number type from a host, and compares the responses with its own. Calls
/// `each` for each vector, with `None` if both are equal.
///
/// # Errors
/// Any [`WireError`]; no vectors are sent after it.
pub fn compare<T: Transport>(
    frames: &mut FramedTransport<T>,
    backend: NumberType,
    vectors: u32,
    scenes: &mut impl SceneBackend,
    mut each: impl FnMut(Option<Mismatch>),
) -> Result<(), WireError<T::Error>> {
    for (id, vector) in (0..vectors).zip(TestVectors::new(SEED, backend)) {
        let request = WireRequest { id, backend, vector };
        let device = ask(frames, &request)?;
        let host = evaluate(backend, &request.vector, scenes);
        each((device != host).then_some(Mismatch { request, device, host }));
    }
    Ok(())
}

/// Tells the device that there are no more vectors.
///
/// # Errors
/// Any [`WireError`].
pub fn end<T: Transport>(frames: &mut FramedTransport<T>) -> Result<(), WireError<T::Error>> {
    ask(frames, &WireRequest { id: 0, backend: NumberType::F32, vector: TestVector::End }).map(drop)
}

#[cfg(all(test, feature = "heapless", feature = "scheduler"))]
mod tests {
    use super::super::{HeaplessBackend, SchedulerBackend};
    use super::*;
    use crate::FRAME;

    /// All sent bytes, and all bytes to receive, three at a time.
    #[derive(Default)]
    struct MemoryTransport {
        sent: std::vec::Vec<u8>,
        incoming: std::collections::VecDeque<u8>,
    }

    impl MemoryTransport {
        fn receiving(bytes: &[u8]) -> Self {
            Self { incoming: bytes.iter().copied().collect(), ..Self::default() }
        }
    }

    impl Transport for &mut MemoryTransport {
        type Error = ();
        fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, ()> {
            let len = self.incoming.len().min(3).min(buffer.len());
            for place in &mut buffer[..len] {
                *place = self.incoming.pop_front().ok_or(())?;
            }
            Ok(len)
        }
        fn send(&mut self, bytes: &[u8]) -> Result<(), ()> {
            self.sent.extend(bytes);
            Ok(())
        }
    }

    fn requests(count: u32) -> std::vec::Vec<WireRequest> {
        let vectors = TestVectors::new(7, NumberType::Fixed).zip(0..count);
        let end = WireRequest { id: count, backend: NumberType::Fixed, vector: TestVector::End };
        vectors
            .map(|(vector, id)| WireRequest { id, backend: NumberType::Fixed, vector })
            .chain([end])
            .collect()
    }

    #[test]
    fn a_device_responds_to_every_request_as_the_host_does() {
        let requests = requests(300);
        let mut host = MemoryTransport::default();
        for request in &requests {
            FramedTransport::new(&mut host).send(request).unwrap();
        }
        let mut device = MemoryTransport::receiving(&host.sent);
        serve(&mut device, &mut HeaplessBackend).unwrap();
        let mut back = MemoryTransport::receiving(&device.sent);
        let mut frames = FramedTransport::new(&mut back);
        for WireRequest { id, backend, vector } in requests {
            let words = evaluate(backend, &vector, &mut SchedulerBackend);
            let expected = Response { id, words };
            assert_eq!(frames.receive::<Response>(), Ok(expected));
        }
    }

    #[test]
    fn a_longer_frame_than_a_response_is_garbled() {
        // The frame begins with the number of the request, and no budget reads as no words.
        let mut buffer = [0; crate::telemetry::SIZE];
        let bytes = crate::telemetry::TelemetryFrame::default().encode(&mut buffer).unwrap();
        let mut board = MemoryTransport::receiving(bytes);
        let request = WireRequest { id: 0, backend: NumberType::F32, vector: TestVector::End };
        assert_eq!(ask(&mut FramedTransport::new(&mut board), &request), Err(WireError::Garbled));
    }

    #[test]
    fn one_wrong_bit_in_a_response_is_found() {
        let mut device = MemoryTransport::default();
        for (id, vector) in (0..60).zip(TestVectors::new(SEED, NumberType::Micro)) {
            let mut words = evaluate(NumberType::Micro, &vector, &mut HeaplessBackend);
            if id == 41 {
                *words.last_mut().unwrap() ^= 1;
            }
            FramedTransport::new(&mut device).send(&Response { id, words }).unwrap();
        }
        let mut board = MemoryTransport::receiving(&device.sent);
        let mut frames = FramedTransport::new(&mut board);
        let mut differing = std::vec::Vec::new();
        let mut place = 0;
        compare(&mut frames, NumberType::Micro, 60, &mut SchedulerBackend, |mismatch| {
            differing.extend(mismatch.map(|_| place));
            place += 1;
        })
        .unwrap();
        assert_eq!((differing, place), (std::vec![41], 60));
    }

    #[test]
    fn a_bad_stream_ends_the_conversation() {
        let outcome =
            |bytes: &[u8]| serve(&mut MemoryTransport::receiving(bytes), &mut HeaplessBackend);
        assert_eq!(outcome(&[]), Err(WireError::Gone));
        assert_eq!(outcome(&[1, 2, 3]), Err(WireError::Gone));
        assert_eq!(outcome(&[9, 9, 9, 0]), Err(WireError::Garbled));
        assert_eq!(outcome(&[1; FRAME + 1]), Err(WireError::TooLong));
    }
}
