//! Frames: postcard in COBS, a 0 after each, over any stream of bytes.

use core::error::Error;
use core::fmt;

use heapless::Vec;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize};

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
#[non_exhaustive]
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

impl<E: fmt::Display> fmt::Display for Fault<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Transport(error) => error.fmt(f),
            Self::Gone => f.write_str("the other end is gone"),
            Self::TooLong => write!(f, "a frame is longer than {FRAME} bytes"),
            Self::Garbled => f.write_str("a frame is no message"),
        }
    }
}

impl<E: Error + 'static> Error for Fault<E> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Transport(error) => Some(error),
            Self::Gone | Self::TooLong | Self::Garbled => None,
        }
    }
}

/// What stands behind a message in its frame, where that is asked for: else the beginning of anything is a
/// message. Boards do not ask: it takes stack, of which a small one has little.
#[derive(Debug)]
pub(crate) struct Nothing;

impl<'de> Deserialize<'de> for Nothing {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match u8::deserialize(deserializer) {
            Ok(_) => Err(D::Error::custom("more than a message")),
            Err(_) => Ok(Self),
        }
    }
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
    // The frame leaves the stack before a small board thinks about what is in it; so below.
    #[inline(never)]
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
    #[inline(never)]
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
