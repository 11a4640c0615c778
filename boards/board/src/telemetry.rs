//! Telemetry: frames of a frame loop from a stream of bytes.

use lodger_wire::FRAME;
use lodger_wire::telemetry::TelemetryFrame;

use crate::event::Event;

/// The largest loss of frames at a wrap of frame numbers; a larger one is a restart.
const MAX_LOST_AT_WRAP: u32 = 1 << 16;

#[derive(Debug, Default)]
pub(crate) struct FrameDecoder {
    pending: Vec<u8>,
    last: Option<u32>,
}

impl FrameDecoder {
    /// Calls `each` with losses, restarts and complete frames. Bytes before the first end of a frame are no loss.
    pub(crate) fn feed(&mut self, bytes: &[u8], mut each: impl FnMut(Event)) {
        for &byte in bytes {
            if byte != 0 {
                if self.pending.len() <= FRAME {
                    self.pending.push(byte);
                }
                continue;
            }
            // The number of an invalid frame will be missing.
            if let Some(frame) = decode(&std::mem::take(&mut self.pending)) {
                let last = self.last.replace(frame.number);
                if let Some(before) = last.and_then(|last| before(last, frame.number)) {
                    each(before);
                }
                each(Event::Telemetry(Box::new(frame)));
            }
        }
    }
}

fn before(last: u32, number: u32) -> Option<Event> {
    let missing = number.wrapping_sub(last).wrapping_sub(1);
    match missing {
        0 => None,
        _ if number > last || missing < MAX_LOST_AT_WRAP => Some(Event::LostFrames(missing)),
        _ => Some(Event::Restarted),
    }
}

/// Decodes a frame; `None` unless encoding it again gives the same bytes.
fn decode(bytes: &[u8]) -> Option<TelemetryFrame> {
    let frame = postcard::from_bytes_cobs::<TelemetryFrame>(&mut [bytes, &[0]].concat()).ok()?;
    let mut again = [0; FRAME];
    let again = postcard::to_slice_cobs(&frame, &mut again).ok()?;
    (again.strip_suffix(&[0]) == Some(bytes)).then_some(frame)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(number: u32) -> TelemetryFrame {
        TelemetryFrame {
            number,
            budget: Some(1_000_000),
            scale: 1 << 32,
            decision_time: 90,
            ..TelemetryFrame::default()
        }
    }

    fn bytes(number: u32) -> Vec<u8> {
        postcard::to_slice_cobs(&frame(number), &mut [0; 256]).expect("a frame").to_vec()
    }

    fn heard(chunks: &[Vec<u8>]) -> Vec<Event> {
        let mut decoder = FrameDecoder::default();
        let mut found = Vec::new();
        for chunk in chunks {
            decoder.feed(chunk, |heard| found.push(heard));
        }
        found
    }

    fn is(number: u32) -> Event {
        Event::Telemetry(Box::new(frame(number)))
    }

    #[test]
    fn frames_are_decoded_at_any_cut() {
        let both = [bytes(0), bytes(1)].concat();
        for cut in 0..both.len() {
            let (before, after) = both.split_at(cut);
            assert_eq!(heard(&[before.to_vec(), after.to_vec()]), [is(0), is(1)]);
        }
    }

    #[test]
    fn lost_frames_are_counted() {
        assert_eq!(heard(&[bytes(3), bytes(7)]), [is(3), Event::LostFrames(3), is(7)]);
        assert_eq!(heard(&[bytes(u32::MAX), bytes(0)]), [is(u32::MAX), is(0)]);
        assert_eq!(
            heard(&[bytes(u32::MAX), bytes(2)]),
            [is(u32::MAX), Event::LostFrames(2), is(2)]
        );
        assert_eq!(
            heard(&[bytes(1), bytes(u32::MAX)]),
            [is(1), Event::LostFrames(u32::MAX - 2), is(u32::MAX)]
        );
    }

    #[test]
    fn a_restart_is_no_loss() {
        for (last, number) in [(5, 0), (5, 3), (5, 5), (1, 0), (1 << 31, 0), (4_000_000_000, 7)] {
            let expected = [is(last), Event::Restarted, is(number), is(number + 1)];
            assert_eq!(heard(&[bytes(last), bytes(number), bytes(number + 1)]), expected);
        }
        assert_eq!(heard(&[bytes(0), bytes(0)]), [is(0), Event::Restarted, is(0)]);
    }

    #[test]
    fn garbage_is_skipped_and_counted_by_the_next_number() {
        let noise = vec![9, 1, 200, 0];
        assert_eq!(heard(&[noise.clone(), bytes(4)]), [is(4)]);
        assert_eq!(heard(&[bytes(4), noise, bytes(6)]), [is(4), Event::LostFrames(1), is(6)]);
        let endless = vec![1; 5 * FRAME];
        assert_eq!(heard(&[endless, vec![0], bytes(8)]), [is(8)]);
        assert_eq!(heard(&[bytes(2)[3..].to_vec(), bytes(3)]), [is(3)]);
    }
}
