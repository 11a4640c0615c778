//! Telemetry: frames of a frame loop out of a stream of bytes.

use lodger_wire::FRAME;
use lodger_wire::telemetry::Frame;

/// Makes frames of the bytes of channel [`lodger_wire::MESSAGES`].
#[derive(Debug, Default)]
pub(crate) struct FrameDecoder {
    pending: Vec<u8>,
    last: Option<u32>,
}

impl FrameDecoder {
    /// Takes bytes; `each` gets every frame that is complete, and the number of those that were
    /// lost before it or are none.
    ///
    /// What stands before the first end of a frame may be the rest of one, and is no loss.
    pub(crate) fn feed(&mut self, bytes: &[u8], mut each: impl FnMut(Result<Frame, u32>)) {
        for &byte in bytes {
            if byte != 0 {
                if self.pending.len() <= FRAME {
                    self.pending.push(byte);
                }
                continue;
            }
            // Of what is no frame, the number will be missing.
            if let Some(frame) = decode(&std::mem::take(&mut self.pending)) {
                let missing = self.missing_before(frame.number);
                if missing > 0 {
                    each(Err(missing));
                }
                self.last = Some(frame.number);
                each(Ok(frame));
            }
        }
    }

    /// How many numbers were left out; a loop that began anew has lost nothing.
    fn missing_before(&self, number: u32) -> u32 {
        match self.last {
            Some(last) if number != 0 => number.wrapping_sub(last).wrapping_sub(1),
            _ => 0,
        }
    }
}

/// The frame that these bytes are, and nothing else: encoded anew, they are the same.
fn decode(bytes: &[u8]) -> Option<Frame> {
    let frame = postcard::from_bytes_cobs::<Frame>(&mut [bytes, &[0]].concat()).ok()?;
    let mut again = [0; FRAME];
    let again = postcard::to_slice_cobs(&frame, &mut again).ok()?;
    (again.strip_suffix(&[0]) == Some(bytes)).then_some(frame)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(number: u32) -> Frame {
        Frame { number, budget: Some(1_000_000), scale: 1 << 32, ledger: 90, ..Frame::default() }
    }

    fn bytes(number: u32) -> Vec<u8> {
        postcard::to_slice_cobs(&frame(number), &mut [0; 256]).expect("a frame").to_vec()
    }

    fn decode(chunks: &[Vec<u8>]) -> Vec<Result<u32, u32>> {
        let mut decoder = FrameDecoder::default();
        let mut found = Vec::new();
        for chunk in chunks {
            decoder.feed(chunk, |frame| found.push(frame.map(|frame| frame.number)));
        }
        found
    }

    #[test]
    fn frames_arrive_however_they_are_cut() {
        let both = [bytes(0), bytes(1)].concat();
        for cut in 0..both.len() {
            let (before, after) = both.split_at(cut);
            assert_eq!(decode(&[before.to_vec(), after.to_vec()]), [Ok(0), Ok(1)]);
        }
    }

    #[test]
    fn what_is_missing_is_counted() {
        assert_eq!(decode(&[bytes(3), bytes(7)]), [Ok(3), Err(3), Ok(7)]);
        assert_eq!(decode(&[bytes(u32::MAX), bytes(0)]), [Ok(u32::MAX), Ok(0)]);
        assert_eq!(decode(&[bytes(5), bytes(0)]), [Ok(5), Ok(0)]);
    }

    #[test]
    fn garbage_is_skipped_and_counted_by_the_next_number() {
        let noise = vec![9, 1, 200, 0];
        assert_eq!(decode(&[noise.clone(), bytes(4)]), [Ok(4)]);
        assert_eq!(decode(&[bytes(4), noise, bytes(6)]), [Ok(4), Err(1), Ok(6)]);
        let endless = vec![1; 5 * FRAME];
        assert_eq!(decode(&[endless, vec![0], bytes(8)]), [Ok(8)]);
        assert_eq!(decode(&[bytes(2)[3..].to_vec(), bytes(3)]), [Ok(3)]);
    }
}
