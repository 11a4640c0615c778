//! Both ends of a conversation.

use super::answer::answer;
use super::backend::Backend;
use super::ledger::Ledgers;
use super::question::{Answer, Question, Request};
use super::vectors::Vectors;
use super::words::Words;
use crate::frames::{Fault, Frames, Nothing, Transport};

/// How many questions a board is asked in each number type, unless somebody wants another number.
pub const VECTORS: u32 = 6_000;
/// Where the questions come from, unless somebody wants others.
pub const SEED: u64 = 2_026;

/// The device's side: answers requests until [`Question::End`], those about whole ledgers by `ledgers`.
///
/// # Errors
/// Any [`Fault`]; a frame that is no request ends the conversation.
pub fn serve<T: Transport>(
    transport: T,
    ledgers: &mut impl Ledgers,
) -> Result<(), Fault<T::Error>> {
    let mut frames = Frames::new(transport);
    loop {
        let Request { id, backend, question } = frames.receive()?;
        let words = answer(backend, &question, ledgers);
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
    let (answer, Nothing): (Answer, Nothing) = frames.receive()?;
    if answer.id == request.id { Ok(answer.words) } else { Err(Fault::Garbled) }
}

/// An answer that is not the host's.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mismatch {
    /// What was asked.
    pub request: Request,
    /// What the device answered.
    pub device: Words,
    /// What the host answers.
    pub host: Words,
}

impl Mismatch {
    /// What was asked, and the two answers.
    #[must_use]
    pub const fn new(request: Request, device: Words, host: Words) -> Self {
        Self { request, device, host }
    }
}

/// The host's side: asks the questions of [`Vectors`] in one number type. Each pair of answers goes
/// to `each`: `None` when they are the same. Whole ledgers are the host's `ledgers`.
///
/// # Errors
/// Any [`Fault`]; questions after it are not asked.
pub fn compare<T: Transport>(
    frames: &mut Frames<T>,
    backend: Backend,
    questions: u32,
    ledgers: &mut impl Ledgers,
    mut each: impl FnMut(Option<Mismatch>),
) -> Result<(), Fault<T::Error>> {
    for (id, question) in (0..questions).zip(Vectors::new(SEED, backend)) {
        let request = Request { id, backend, question };
        let device = ask(frames, &request)?;
        let host = answer(backend, &request.question, ledgers);
        each((device != host).then_some(Mismatch { request, device, host }));
    }
    Ok(())
}

/// The host's side: tells the device that there are no more questions.
///
/// # Errors
/// Any [`Fault`].
pub fn end<T: Transport>(frames: &mut Frames<T>) -> Result<(), Fault<T::Error>> {
    ask(frames, &Request { id: 0, backend: Backend::F32, question: Question::End }).map(drop)
}

#[cfg(test)]
mod tests {
    use super::super::ledger::tests::Echo;
    use super::*;
    use crate::FRAME;

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
        serve(&mut device, &mut Echo).unwrap();
        let mut back = Memory { incoming: device.sent.into(), ..Memory::default() };
        let mut frames = Frames::new(&mut back);
        for Request { id, backend, question } in requests {
            let expected = Answer { id, words: answer(backend, &question, &mut Echo) };
            assert_eq!(frames.receive::<Answer>(), Ok(expected));
        }
    }

    #[test]
    fn what_only_begins_like_an_answer_is_none() {
        // The number of the frame is that of the question, and no budget looks like no words.
        let mut buffer = [0; crate::telemetry::SIZE];
        let bytes = crate::telemetry::Frame::default().encode(&mut buffer).unwrap();
        let mut board = Memory { incoming: bytes.to_vec().into(), ..Memory::default() };
        let request = Request { id: 0, backend: Backend::F32, question: Question::End };
        assert_eq!(ask(&mut Frames::new(&mut board), &request), Err(Fault::Garbled));
    }

    /// A device that is wrong by one bit, once.
    #[derive(Default)]
    struct Liar {
        answers: std::collections::VecDeque<u8>,
        asked: u32,
    }

    impl Transport for Liar {
        type Error = ();
        fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, ()> {
            let len = self.answers.len().min(buffer.len());
            for (place, byte) in buffer.iter_mut().zip(self.answers.drain(..len)) {
                *place = byte;
            }
            Ok(len)
        }
        fn send(&mut self, bytes: &[u8]) -> Result<(), ()> {
            let Request { id, backend, question } =
                postcard::from_bytes_cobs(&mut bytes.to_vec()).map_err(drop)?;
            let mut words = answer(backend, &question, &mut Echo);
            if self.asked == 41 {
                *words.last_mut().unwrap() ^= 1;
            }
            self.asked += 1;
            let mut frame = [0; FRAME];
            let bytes = postcard::to_slice_cobs(&Answer { id, words }, &mut frame).map_err(drop)?;
            self.answers.extend(bytes.iter());
            Ok(())
        }
    }

    #[test]
    fn one_bit_in_one_answer_is_found() {
        let mut frames = Frames::new(Liar::default());
        let mut differing = std::vec::Vec::new();
        let mut place = 0;
        compare(&mut frames, Backend::Micro, 60, &mut Echo, |mismatch| {
            differing.extend(mismatch.map(|_| place));
            place += 1;
        })
        .unwrap();
        assert_eq!((differing, place), (std::vec![41], 60));
    }

    #[test]
    fn a_bad_stream_ends_the_conversation() {
        let outcome = |bytes: &[u8]| {
            let incoming = bytes.iter().copied().collect();
            serve(&mut Memory { incoming, ..Memory::default() }, &mut Echo)
        };
        assert_eq!(outcome(&[]), Err(Fault::Gone));
        assert_eq!(outcome(&[1, 2, 3]), Err(Fault::Gone));
        assert_eq!(outcome(&[9, 9, 9, 0]), Err(Fault::Garbled));
        assert_eq!(outcome(&[1; FRAME + 1]), Err(Fault::TooLong));
    }
}
