//! Frames: postcard in COBS, a 0 after each, over any stream of bytes.

use heapless::Vec;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::answer::answer;
use super::question::{Answer, Question, Request, Words};

/// How many bytes a frame has at most.
pub const FRAME: usize = 1536;

/// A stream of bytes in both directions.
///
/// Implementors may return fewer bytes than there is room for, but wait until there is at least one;
/// 0 means that the other end is gone. What is sent arrives whole and in order.
pub trait Transport {
    /// What can go wrong.
    type Error;
    /// Waits for bytes and returns how many of `buffer` they fill.
    ///
    /// # Errors
    /// The transport's own.
    fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, Self::Error>;
    /// Sends all of `bytes`.
    ///
    /// # Errors
    /// The transport's own.
    fn send(&mut self, bytes: &[u8]) -> Result<(), Self::Error>;
}

/// Why a conversation ended early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault<E> {
    /// The transport failed.
    Transport(E),
    /// The other end is gone.
    Gone,
    /// A frame is longer than [`FRAME`].
    TooLong,
    /// A frame is no message.
    Garbled,
}

/// Cuts a stream into messages.
#[derive(Debug)]
pub struct Frames<T> {
    transport: T,
    received: Vec<u8, 64>,
    used: usize,
}

impl<T: Transport> Frames<T> {
    /// Messages over a transport.
    pub const fn new(transport: T) -> Self {
        Self { transport, received: Vec::new(), used: 0 }
    }

    /// Waits for a message.
    ///
    /// # Errors
    /// Any [`Fault`].
    pub fn receive<M: DeserializeOwned>(&mut self) -> Result<M, Fault<T::Error>> {
        let mut frame = Vec::<u8, FRAME>::new();
        loop {
            let byte = self.byte()?;
            frame.push(byte).map_err(|_| Fault::TooLong)?;
            if byte == 0 {
                return postcard::from_bytes_cobs(&mut frame).map_err(|_| Fault::Garbled);
            }
        }
    }

    /// Sends a message.
    ///
    /// # Errors
    /// [`Fault::Transport`] and [`Fault::TooLong`].
    pub fn send<M: Serialize>(&mut self, message: &M) -> Result<(), Fault<T::Error>> {
        let mut frame = [0; FRAME];
        let bytes = postcard::to_slice_cobs(message, &mut frame).map_err(|_| Fault::TooLong)?;
        self.transport.send(bytes).map_err(Fault::Transport)
    }

    fn byte(&mut self) -> Result<u8, Fault<T::Error>> {
        if self.used == self.received.len() {
            let _ = self.received.resize(self.received.capacity(), 0);
            self.used = 0;
            let outcome = self.transport.receive(&mut self.received);
            self.received.truncate(*outcome.as_ref().unwrap_or(&0));
            outcome.map_err(Fault::Transport)?;
        }
        let byte = self.received.get(self.used).copied().ok_or(Fault::Gone)?;
        self.used += 1;
        Ok(byte)
    }
}

/// The device's side: answers requests until [`Question::End`].
///
/// # Errors
/// Any [`Fault`]; a frame that is no request ends the conversation.
pub fn serve<T: Transport>(transport: T) -> Result<(), Fault<T::Error>> {
    let mut frames = Frames::new(transport);
    loop {
        let Request { id, backend, question } = frames.receive()?;
        let words = answer(backend, &question);
        frames.send(&Answer { id, words })?;
        if question == Question::End {
            return Ok(());
        }
    }
}

/// The host's side for one request: what the device answers.
///
/// # Errors
/// Any [`Fault`]; the answer to another request is [`Fault::Garbled`].
pub fn ask<T: Transport>(
    frames: &mut Frames<T>,
    request: &Request,
) -> Result<Words, Fault<T::Error>> {
    frames.send(request)?;
    let answer: Answer = frames.receive()?;
    if answer.id == request.id { Ok(answer.words) } else { Err(Fault::Garbled) }
}

#[cfg(test)]
mod tests {
    use super::super::{Backend, Vectors};
    use super::*;

    /// Everything that was sent, and everything that will be received, three bytes at a time.
    #[derive(Default)]
    struct Memory {
        sent: std::vec::Vec<u8>,
        incoming: std::collections::VecDeque<u8>,
    }

    impl Transport for &mut Memory {
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

    fn requests(count: u32) -> std::vec::Vec<Request> {
        let questions = Vectors::new(7, Backend::Fixed).zip(0..count);
        let end = Request { id: count, backend: Backend::Fixed, question: Question::End };
        questions
            .map(|(question, id)| Request { id, backend: Backend::Fixed, question })
            .chain([end])
            .collect()
    }

    #[test]
    fn a_device_answers_every_request_as_the_host_does() {
        let requests = requests(300);
        let mut host = Memory::default();
        for request in &requests {
            Frames::new(&mut host).send(request).unwrap();
        }
        let mut device = Memory { incoming: host.sent.into(), ..Memory::default() };
        serve(&mut device).unwrap();
        let mut back = Memory { incoming: device.sent.into(), ..Memory::default() };
        let mut frames = Frames::new(&mut back);
        for Request { id, backend, question } in requests {
            let expected = Answer { id, words: answer(backend, &question) };
            assert_eq!(frames.receive::<Answer>(), Ok(expected));
        }
    }

    #[test]
    fn a_bad_stream_ends_the_conversation() {
        let outcome = |bytes: &[u8]| {
            let incoming = bytes.iter().copied().collect();
            serve(&mut Memory { incoming, ..Memory::default() })
        };
        assert_eq!(outcome(&[]), Err(Fault::Gone));
        assert_eq!(outcome(&[1, 2, 3]), Err(Fault::Gone));
        assert_eq!(outcome(&[9, 9, 9, 0]), Err(Fault::Garbled));
        assert_eq!(outcome(&[1; FRAME + 1]), Err(Fault::TooLong));
    }
}
