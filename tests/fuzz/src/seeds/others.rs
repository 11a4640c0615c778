//! Files of any kind, texts for a terminal, and messages of boards.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use lodger_core::budget::Load;
use lodger_wire::conform::{Backend, Question, Request, Vectors};
use lodger_wire::telemetry::{Frame, ModuleFrame, SIZE};
use lodger_wire::{Frames, Transport};

/// The beginnings of files of many kinds, and one inside gzip.
pub(super) fn files() -> Vec<Vec<u8>> {
    let plain: [&[u8]; 8] = [
        b"",
        b"{\0\0\0\0}",
        b"<?llsd/binary?>\n{\0\0\0\0}",
        b"\xef\xbb\xbf<?xml version=\"1.0\"?><!-- a --><!DOCTYPE a [<!ENTITY b \"c\">]><a:scene />",
        b"{\"asset\":{\"version\":\"2.0\"}}",
        b"glTF\x02\0\0\0",
        b"\x89PNG\r\n\x1a\n",
        b"\xff\xfea\0",
    ];
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(b"budget_ms = 8").expect("memory takes it");
    let packed = encoder.finish().expect("memory takes it");
    plain.iter().map(|bytes| bytes.to_vec()).chain([packed]).collect()
}

/// Names with what terminals obey, after three numbers.
pub(super) fn texts() -> Vec<Vec<u8>> {
    let numbers = [1.0_f64, 0.002_5, f64::INFINITY].map(f64::to_le_bytes).concat();
    let texts = ["a chair\nof \u{1b}[31mwood\u{202e}", "Kapuzenm\u{e4}ntel \u{1f9e5} \u{9b}\t\r\n"];
    texts.iter().map(|text| [&numbers, text.as_bytes()].concat()).collect()
}

/// For each number type, questions of all kinds and the end.
pub(super) fn requests() -> Vec<Vec<u8>> {
    let conversation = |backend| {
        let questions = Vectors::new(7, backend).take(24).chain([Question::End]);
        let requests = (0..).zip(questions).map(|(id, question)| Request { id, backend, question });
        let mut sent = Sent::default();
        let mut frames = Frames::new(&mut sent);
        requests.for_each(|request| frames.send(&request).expect("a short message"));
        sent.0
    };
    [Backend::F32, Backend::Fixed, Backend::Micro].map(conversation).into()
}

/// Two frames of a loop.
pub(super) fn frames() -> Vec<Vec<u8>> {
    let frame = |number| {
        let module = ModuleFrame {
            name: "cloth".try_into().expect("a short name"),
            levels: [3, 1, 0].into_iter().collect(),
            quarantined: 1,
            units: 500,
            planned: 70_000,
            measured: 71_234,
            unit_cost: 140 << 32,
            raw_unit_cost: 139 << 32,
        };
        let modules = [module].into_iter().collect();
        let (budget, scale) = (Some(4_000_000), 1 << 31);
        let (headroom, load) = (1 << 18, Load::Tight);
        Frame { number, budget, overcommit: 0, scale, headroom, load, ledger: 912, modules }
    };
    let encoded = |frame: Frame| frame.encode(&mut [0; SIZE]).map(<[u8]>::to_vec);
    vec![[0, u32::MAX].into_iter().filter_map(|number| encoded(frame(number))).flatten().collect()]
}

/// All that was sent.
#[derive(Default)]
struct Sent(Vec<u8>);

impl Transport for &mut Sent {
    type Error = std::convert::Infallible;

    fn receive(&mut self, _: &mut [u8]) -> Result<usize, Self::Error> {
        Ok(0)
    }

    fn send(&mut self, bytes: &[u8]) -> Result<(), Self::Error> {
        self.0.extend(bytes);
        Ok(())
    }
}
