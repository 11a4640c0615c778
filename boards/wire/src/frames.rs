//! Frames: messages as postcard in COBS, each terminated by a 0, over any stream of bytes.

use core::error::Error;
use core::fmt;

use heapless::Vec;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize};

/// The maximum size of a frame, in bytes.
pub const FRAME: usize = 1792;

/// A stream of bytes in both directions. Sent bytes arrive completely and in order.
pub trait Transport {
    /// The error of the transport.
    type Error;
    /// Waits for at least one byte and returns the number of received bytes; 0 means that the other end is gone.
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

/// The reason why a conversation ended early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum WireError<E> {
    /// The transport failed.
    Transport(E),
    /// The other end is gone.
    Gone,
    /// A frame is longer than [`FRAME`].
    TooLong,
    /// A frame is no message.
    Garbled,
}

impl<E: fmt::Display> fmt::Display for WireError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Transport(error) => error.fmt(f),
            Self::Gone => f.write_str("the other end is gone"),
            Self::TooLong => write!(f, "a frame is longer than {FRAME} bytes"),
            Self::Garbled => f.write_str("a frame is no message"),
        }
    }
}

impl<E: Error + 'static> Error for WireError<E> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Transport(error) => Some(error),
            Self::Gone | Self::TooLong | Self::Garbled => None,
        }
    }
}

/// The end of a frame, read after a message so that a longer frame that begins like the message is an error. Boards
/// do not read it, to save stack.
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

/// Sends and receives messages over a transport.
#[derive(Debug)]
pub struct FramedTransport<T> {
    transport: T,
    received: Vec<u8, 64>,
    used: usize,
}

impl<T: Transport> FramedTransport<T> {
    /// Frames messages over a transport.
    pub const fn new(transport: T) -> Self {
        Self { transport, received: Vec::new(), used: 0 }
    }

    /// Waits for a message.
    ///
    /// # Errors
    /// Any [`WireError`].
    // Not inlined, so that the frame leaves the stack before the message is processed.
    #[inline(never)]
    pub fn receive<M: DeserializeOwned>(&mut self) -> Result<M, WireError<T::Error>> {
        let mut frame = Vec::<u8, FRAME>::new();
        loop {
            let byte = self.byte()?;
            frame.push(byte).map_err(|_| WireError::TooLong)?;
            if byte == 0 {
                return postcard::from_bytes_cobs(&mut frame).map_err(|_| WireError::Garbled);
            }
        }
    }

    /// Sends a message.
    ///
    /// # Errors
    /// [`WireError::Transport`] and [`WireError::TooLong`].
    #[inline(never)]
    pub fn send<M: Serialize>(&mut self, message: &M) -> Result<(), WireError<T::Error>> {
        let mut frame = [0; FRAME];
        let bytes = postcard::to_slice_cobs(message, &mut frame).map_err(|_| WireError::TooLong)?;
        self.transport.send(bytes).map_err(WireError::Transport)
    }

    fn byte(&mut self) -> Result<u8, WireError<T::Error>> {
        if self.used == self.received.len() {
            let _ = self.received.resize(self.received.capacity(), 0);
            self.used = 0;
            let outcome = self.transport.receive(&mut self.received);
            self.received.truncate(*outcome.as_ref().unwrap_or(&0));
            outcome.map_err(WireError::Transport)?;
        }
        let byte = self.received.get(self.used).copied().ok_or(WireError::Gone)?;
        self.used += 1;
        Ok(byte)
    }
}
