//! Logs of ticks: replay, damage, differences and limits.

use std::io::{self, Read, Write as _};
use std::ops::Range;
use std::time::Duration;

use flate2::write::{DeflateEncoder, ZlibEncoder};
use flate2::{Compression, Crc, Decompress, FlushDecompress};
use lodger_scheduler::record::{
    LogError, RecordLimits, Recorder, Replay, ReplayPart, ReplayedTick,
};
use lodger_scheduler::{Actor, Benefit, Budget, Policy, UnitCost};
use lodger_testkit::least;
use lodger_testkit::script::{Call, Column, ScenePlayer, any_steps, numbered_spawn};
use proptest::prelude::*;

const HEAD: usize = 12;

/// The log of a tick after each call.
fn log(calls: &[Call]) -> Vec<u8> {
    let mut game = ScenePlayer::<f32>::started(&[]);
    let mut recorder = Recorder::new(Vec::new()).unwrap();
    for call in calls {
        game.apply_all(std::slice::from_ref(call));
        recorder.tick(&mut game.scene).unwrap();
    }
    recorder.finish().unwrap()
}

fn replayed(log: &[u8]) -> Result<Vec<ReplayedTick>, LogError> {
    let mut replay = Replay::new(log)?;
    std::iter::from_fn(|| replay.tick().transpose()).collect()
}

/// The byte ranges of the frames of a log; the last is its end.
fn frames(log: &[u8]) -> Vec<Range<usize>> {
    let (mut frames, mut at) = (Vec::new(), HEAD);
    while at < log.len() {
        let packed = u32::from_le_bytes(*log[at..].first_chunk().unwrap()) as usize;
        let end = at + 8 + if packed == 0 { 0 } else { packed + 4 };
        frames.push(at..end);
        at = end;
    }
    frames
}

/// The stream of schema 1: the length and bytes of each tick, and the end.
fn stream(log: &[u8]) -> Vec<u8> {
    let (mut stream, mut inflate) = (Vec::new(), Decompress::new(false));
    for frame in frames(log).iter().rev().skip(1).rev() {
        let (packed, mut tick) =
            (&log[frame.start + 8..frame.end - 4], Vec::with_capacity(1 << 20));
        inflate.decompress_vec(packed, &mut tick, FlushDecompress::None).unwrap();
        stream.extend(u32::try_from(tick.len()).unwrap().to_le_bytes());
        stream.extend(tick);
    }
    stream.extend([0; 4]);
    stream
}

fn unchecked(stream: &[u8]) -> Vec<u8> {
    let mut log = ZlibEncoder::new(b"lodger log\x01\x00".to_vec(), Compression::fast());
    log.write_all(stream).unwrap();
    log.finish().unwrap()
}

/// A log of schema 4: the ticks of a stream with checksums.
fn checked(mut stream: &[u8]) -> Vec<u8> {
    let (mut log, mut sum) = (b"lodger log\x04\x00".to_vec(), Crc::new());
    let mut packer = DeflateEncoder::new(Vec::new(), Compression::fast());
    while let Some((length, rest)) = stream.split_first_chunk() {
        let (tick, rest) = rest.split_at(u32::from_le_bytes(*length) as usize);
        stream = rest;
        packer.write_all(tick).unwrap();
        if !tick.is_empty() {
            packer.flush().unwrap();
        }
        let packed = std::mem::take(packer.get_mut());
        for bytes in [&u32::try_from(packed.len()).unwrap().to_le_bytes(), &packed[..]] {
            if !bytes.is_empty() {
                sum.update(bytes);
                log.extend(bytes);
                log.extend(sum.sum().to_le_bytes());
            }
        }
    }
    log
}

fn altered(log: &[u8], alter: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut stream = stream(log);
    alter(&mut stream);
    unchecked(&stream)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_log_of_any_calls_replays(calls in any_steps(40)) {
        let ticks = replayed(&log(&calls)).unwrap();
        prop_assert_eq!(ticks.len(), calls.len());
        for (tick, number) in ticks.iter().zip(0..) {
            prop_assert_eq!(tick.tick, number);
            prop_assert_eq!(tick.difference, None);
        }
    }

    #[test]
    fn ticks_may_be_skipped(calls in any_steps(40), written: u64) {
        let mut game = ScenePlayer::<f32>::started(&[]);
        let mut recorder = Recorder::new(Vec::new()).unwrap();
        for (call, number) in calls.into_iter().zip(0..) {
            game.apply_all(&[call]);
            if written >> (number % 64) & 1 == 1 {
                recorder.tick(&mut game.scene).unwrap();
            } else {
                game.scene.tick();
            }
        }
        let ticks = recorder.ticks();
        let log = recorder.finish().unwrap();
        let again = replayed(&log).unwrap();
        prop_assert_eq!(again.len() as u64, ticks);
        for tick in again {
            prop_assert_eq!(tick.difference, None);
        }
    }

    /// Without checksums, a log with a changed byte may only differ.
    #[test]
    fn damage_is_an_error(
        calls in any_steps(8),
        place: prop::sample::Index,
        byte: u8,
    ) {
        let log = log(&calls);
        let spoilt = altered(&log, |bytes| *place.get_mut(bytes) = byte);
        let _ = replayed(&spoilt);
        let mut spoilt = log.clone();
        // A new schema can be that of an older log.
        *place.get_mut(&mut spoilt[HEAD..]) = byte;
        prop_assert!(spoilt == log || replayed(&spoilt).is_err());
    }
}

fn spawns() -> [Call; 6] {
    let move_one = Call::Set { actors: vec![2], column: Column::Position(vec![[5.0, 0.0, 1.0]]) };
    let [first, second, third, last] = [1, 18, 35, 52].map(numbered_spawn);
    [first, second, third, Call::SetBudget(Some(2_000)), move_one, last]
}

#[test]
fn a_recorded_decision_that_differs_is_named() {
    let log = log(&spawns());
    let whole = replayed(&log).unwrap();
    assert!(whole.iter().all(|tick| tick.difference.is_none()));
    let mut stream = stream(&log);
    assert_eq!(replayed(&unchecked(&stream)).unwrap(), whole);
    assert_eq!(replayed(&checked(&stream)).unwrap(), whole);
    // The last byte of the last tick is its number of flips.
    let flips = stream.len() - 5;
    stream[flips] ^= 1;
    for spoilt in [unchecked(&stream), checked(&stream)] {
        let ticks = replayed(&spoilt).unwrap();
        let difference = ticks.last().unwrap().difference.unwrap();
        assert_eq!(difference.part, ReplayPart::Switches);
        assert_eq!(difference.logged ^ 1, difference.decided);
        assert!(ticks[..5].iter().all(|tick| tick.difference.is_none()));
    }
}

#[test]
fn every_flipped_bit_is_named_as_damage_of_its_tick() {
    let log = log(&spawns());
    let frames = frames(&log);
    for bit in 0..8 * log.len() {
        let place = bit / 8;
        let mut spoilt = log.clone();
        spoilt[place] ^= 1 << (bit % 8);
        let error = replayed(&spoilt).unwrap_err();
        let is_named = match error {
            LogError::NotALog => place < 10,
            LogError::Schema { .. } => (10..HEAD).contains(&place),
            LogError::Damaged { tick, .. } => {
                frames[usize::try_from(tick).unwrap()].contains(&place)
            }
            _ => false,
        };
        assert!(is_named, "bit {bit}: {error}");
    }
}

#[test]
fn a_log_without_some_of_its_ticks_is_damaged() {
    let whole = log(&spawns());
    let frames = frames(&whole);
    // The second tick is missing, or all ticks.
    for (missing, damaged) in [(frames[1].clone(), 1), (HEAD..frames[6].start, 0)] {
        let mut spoilt = whole.clone();
        spoilt.drain(missing);
        assert!(
            matches!(replayed(&spoilt), Err(LogError::Damaged { tick, .. }) if tick == damaged)
        );
    }
}

#[test]
fn bytes_after_the_end_are_an_error() {
    let whole = log(&spawns());
    let unchecked = [altered(&whole, |_| {}), altered(&whole, |bytes| bytes.push(0))];
    let spoilt =
        [[whole, vec![0]].concat(), [&unchecked[0][..], b"?"].concat(), unchecked[1].clone()];
    for log in spoilt {
        assert!(matches!(replayed(&log), Err(LogError::BytesAfterEnd { ticks: 6 })));
    }
    assert_eq!(replayed(&unchecked[0]).unwrap().len(), spawns().len());
}

#[test]
fn another_level_is_named_by_its_actor() {
    let log = log(&[numbered_spawn(1)]);
    // Some byte of the tick is the level of an actor.
    let mut found = false;
    let length = altered(&log, |_| {}).len();
    for place in 4..length {
        let spoilt = altered(&log, |bytes| {
            if let Some(byte) = bytes.get_mut(place) {
                *byte ^= 1;
            }
        });
        let differs = |tick: &ReplayedTick| {
            tick.difference
                .is_some_and(|difference| matches!(difference.part, ReplayPart::Lod { .. }))
        };
        found |= replayed(&spoilt).is_ok_and(|ticks| ticks.iter().any(differs));
    }
    assert!(found);
}

#[test]
fn other_files_and_schemas_are_rejected() {
    assert!(matches!(replayed(b"lodger"), Err(LogError::NotALog)));
    assert!(matches!(replayed(&[0; 100]), Err(LogError::NotALog)));
    let mut older = log(&spawns());
    older[10] = 0;
    let error = replayed(&older).unwrap_err();
    assert_eq!(
        error.to_string(),
        "it is a log of schema 0, and this program reads schemas 1, 2 and 4"
    );
}

#[test]
fn a_truncated_log_replays_up_to_its_end() {
    let whole = log(&spawns());
    for (frame, number) in frames(&whole).into_iter().zip(0..) {
        for cut in frame {
            let mut replay = Replay::new(&whole[..cut]).unwrap();
            for _ in 0..number {
                assert_eq!(replay.tick().unwrap().unwrap().difference, None);
            }
            assert!(matches!(replay.tick(), Err(LogError::BreaksOff { tick }) if tick == number));
            assert!(replay.tick().unwrap().is_none());
        }
    }
    let unchecked = altered(&whole, |bytes| bytes.truncate(bytes.len() - 10));
    assert!(matches!(replayed(&unchecked), Err(LogError::BreaksOff { tick: 5 })));
    let unchecked = altered(&whole, |_| {});
    for cut in HEAD..unchecked.len() {
        let replayed = replayed(&unchecked[..cut]);
        assert!(matches!(replayed, Err(LogError::BreaksOff { .. })), "{cut}: {replayed:?}");
    }
}

struct EmptyBlocks {
    at: usize,
}

impl Read for EmptyBlocks {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        for byte in &mut *bytes {
            *byte = [0, 0, 0, 0xff, 0xff][self.at];
            self.at = (self.at + 1) % 5;
        }
        Ok(bytes.len())
    }
}

#[test]
fn empty_compressed_blocks_are_charged() {
    let log = altered(&log(&spawns()), |_| {});
    let endless = log[..HEAD].chain(&[0x78, 1][..]).chain(EmptyBlocks { at: 0 });
    let limits = RecordLimits { work: 10_000_000, ..RecordLimits::default() };
    let mut replay = Replay::new(endless).unwrap().with_limits(limits);
    assert!(matches!(replay.tick(), Err(LogError::Work { tick: 0, limit: 10_000_000 })));
}

#[test]
fn unit_costs_are_recorded() {
    let mut game = ScenePlayer::<f32>::started(&[]);
    let mut recorder = Recorder::new(Vec::new()).unwrap();
    let mut planned = Vec::new();
    for tick in 0..40 {
        let micros = 80 + tick * 7 % 13;
        for &module in &game.modules {
            game.scene.observe_time(module, 1_000, Duration::from_micros(micros)).unwrap();
        }
        let plan = recorder.tick(&mut game.scene).unwrap();
        planned.push(plan.modules().map(|it| (it.unit_cost, it.raw_unit_cost)).collect::<Vec<_>>());
    }
    let log = recorder.finish().unwrap();
    let replayed: Vec<_> = replayed(&log).unwrap().into_iter().map(|it| it.unit_costs).collect();
    assert_eq!(replayed, planned);
    assert!(planned.iter().flatten().any(|(applied, raw)| applied != raw));
}

#[test]
fn cautious_starts_are_recorded() {
    let mut game = ScenePlayer::<f32>::started(&spawns());
    let modules = game.modules.clone();
    game.scene.set_budget(Budget::UNLIMITED);
    let work: Vec<u32> = (0..40).map(|level| level * 10).collect();
    for &module in &modules {
        for bits in 0..40 {
            let actor = Actor::from_benefit(Benefit::from_bits(bits << 10), &work);
            game.scene.spawn(module, actor).unwrap();
        }
    }
    game.scene.set_cautious_start(true);
    for policy in [Policy::APEX, Policy::default(), Policy::Optimal] {
        game.scene.set_policy(policy).unwrap();
        let mut recorder = Recorder::new(Vec::new()).unwrap();
        let (mut levels, mut few) = (Vec::new(), true);
        for frame in 0..12 {
            if frame == 8 {
                game.scene.observe_time(modules[0], 1_000, Duration::from_micros(1)).unwrap();
            }
            let plan = recorder.tick(&mut game.scene).unwrap();
            let now: Vec<u8> = plan.actors().map(|actor| actor.lod.level()).collect();
            let rises = now.iter().zip(&levels).filter(|(now, before)| now > before).count();
            few &= frame >= 8 || rises <= modules.len() * 3;
            levels = now;
        }
        assert!(few, "{policy:?}");
        let log = recorder.finish().unwrap();
        let differences = replayed(&log).unwrap().into_iter().map(|it| it.difference);
        assert_eq!(differences.collect::<Vec<_>>(), [None; 12], "{policy:?}");
        // The numbers of the cautious modules follow a tick.
        let (stream, numbers) = (stream(&log), modules.len());
        let (length, rest) = stream.split_first_chunk().unwrap();
        let tick = &rest[..u32::from_le_bytes(*length) as usize];
        let (tick, list) = tick.split_at(tick.len() - 1 - numbers);
        let numbers: Vec<u8> = [numbers].into_iter().chain(0..numbers).map(|it| it as u8).collect();
        assert_eq!(list, numbers, "{policy:?}");
        let first = |list: &[u8]| replayed(&checked(&stream_of(&[&[tick, list].concat()])));
        assert_eq!(first(list).unwrap()[0].difference, None);
        assert!(first(&[]).unwrap()[0].difference.is_some(), "{policy:?}");
        for list in [&[0][..], &[1, 200], &[2, 1, 0], &[1, 0, 0], &[2, 0]] {
            assert!(matches!(first(list), Err(LogError::Damaged { tick: 0, .. })), "{list:?}");
        }
        game.scene.set_unit_cost(modules[0], UnitCost::from_ns(100.0).unwrap()).unwrap();
    }
}

/// A certificate between ticks handles a ladder that is newer than the cap.
#[test]
fn a_certificate_between_ticks_changes_no_later_plan() {
    let plan = |certifies: bool| {
        let mut game = ScenePlayer::<f32>::started(&[]);
        game.scene.set_policy(Policy::Optimal).unwrap();
        game.scene.set_budget(Budget::from_ns(100_000));
        let module = game.modules[0];
        game.scene.set_lod_cap(module, Some(2)).unwrap();
        game.scene.tick();
        let actor = Actor::from_benefit(Benefit::new(1.0_f32).unwrap(), &[0, 11, 111, 1_111]);
        game.scene.spawn(module, actor).unwrap();
        if certifies {
            game.scene.certify();
        }
        game.scene.tick().certificate()
    };
    assert_eq!(plan(true), plan(false));
}

#[test]
fn a_ladder_of_more_than_256_levels_is_rejected() {
    // One module whose only ladder has 300 levels, and no actor.
    let request = [0, 0, 0, 4, 0, 0, 0, 0, 0, 1];
    let module = [&[0, 0, 1, 1, 0, 1, 1, 0, 0xac, 2, 0, 0, 1, 0xac, 2][..], &[0; 300]].concat();
    let rest = [1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let tick = [&request[..], &module, &rest].concat();
    let stream = [&u32::try_from(tick.len()).unwrap().to_le_bytes()[..], &tick].concat();
    let spoilt = altered(&log(&spawns()), |bytes| *bytes = stream);
    let error = replayed(&spoilt).unwrap_err();
    assert!(error.to_string().contains("more levels than there are"), "{error}");
}

#[test]
fn memory_and_work_of_a_replay_are_limited() {
    let whole = log(&spawns());
    let within = |limits| {
        let mut replay = Replay::new(&whole[..]).unwrap().with_limits(limits);
        std::iter::from_fn(move || replay.tick().transpose()).collect::<Result<Vec<_>, _>>()
    };
    let default = RecordLimits::default();
    assert_eq!(within(default).unwrap().len(), spawns().len());
    let small = within(RecordLimits { memory: 5_000, ..default });
    assert!(matches!(small, Err(LogError::Memory { limit: 5_000, .. })));
    let lazy = within(RecordLimits { work: 30_000, ..default });
    assert!(matches!(lazy, Err(LogError::Work { tick: 1.., limit: 30_000 })), "{lazy:?}");
}

#[test]
fn a_replay_charges_exact_memory_and_work() {
    let stream = stream(&log(&spawns()));
    let needed = [unchecked(&stream), checked(&stream)].map(|log| {
        let is_replayed = |memory, work| {
            let mut replay =
                Replay::new(&log[..]).unwrap().with_limits(RecordLimits { memory, work });
            std::iter::from_fn(|| replay.tick().transpose()).all(|tick| tick.is_ok())
        };
        (least(|memory| is_replayed(memory, u64::MAX)), least(|work| is_replayed(u64::MAX, work)))
    });
    assert_eq!(needed, [(6_450, 52_868), (12_978, 53_252)]);
}

/// A tick without modules, in bytes of postcard.
fn empty_tick(policy: u8, moves: &[u8]) -> Vec<u8> {
    let decision =
        [&[0, 0, 0, 128, 128, 128, 128, 16, 1, 0][..], if policy == 4 { &[1, 0, 0] } else { &[0] }];
    [&[1, 0, 0, 0, policy, 0, 0, 0][..], moves, &[0, 0], &decision.concat(), &[0]].concat()
}

fn stream_of(ticks: &[&[u8]]) -> Vec<u8> {
    let length = |tick: &[u8]| u32::try_from(tick.len()).unwrap().to_le_bytes();
    let ticks = ticks.iter().map(|tick| [&length(tick), *tick].concat());
    ticks.chain([vec![0; 4]]).collect::<Vec<_>>().concat()
}

#[test]
fn unused_search_moves_take_no_memory() {
    // 7 000 000 moves and none, in turns.
    for policy in 0..=4 {
        let [many, none] =
            [&[0xc0, 0x9f, 0xab, 3][..], &[0]].map(|moves| empty_tick(policy, moves));
        let log = checked(&stream_of(&[&many[..], &none].repeat(3)));
        // Local search uses at most 131 070 moves of 144 bytes.
        let memory = if policy == 4 { 20 << 20 } else { 16 << 10 };
        let mut replay = Replay::new(&log[..])
            .unwrap()
            .with_limits(RecordLimits { memory, ..RecordLimits::default() });
        for _ in 0..6 {
            assert_eq!(replay.tick().unwrap().unwrap().difference, None);
        }
        assert!(replay.tick().unwrap().is_none());
    }
}

#[test]
fn search_moves_are_charged_exact_memory() {
    let log = checked(&stream_of(&[&empty_tick(4, &[0xc0, 0x9f, 0xab, 3])]));
    let tick = |memory| {
        let limits = RecordLimits { memory, ..RecordLimits::default() };
        Replay::new(&log[..]).unwrap().with_limits(limits).tick()
    };
    // 131 070 moves of 144 bytes.
    assert!(tick(18_874_080).is_ok());
    assert!(matches!(tick(18_874_079), Err(LogError::Memory { tick: 0, .. })));
}

#[test]
fn ticks_without_a_module_are_charged() {
    let stream = stream_of(&[&empty_tick(0, &[0])[..]].repeat(3_000));
    for log in [unchecked(&stream), checked(&stream)] {
        assert_eq!(replayed(&log).unwrap().len(), 3_000);
        let mut replay = Replay::new(&log[..]).unwrap();
        replay = replay.with_limits(RecordLimits { work: 1_000_000, ..RecordLimits::default() });
        let ticks = std::iter::from_fn(|| replay.tick().transpose());
        let error = ticks.collect::<Result<Vec<_>, _>>().unwrap_err();
        assert!(matches!(error, LogError::Work { tick: 1_000.., limit: 1_000_000 }), "{error}");
    }
}

#[test]
fn a_tick_is_rejected_before_it_inflates() {
    let log = checked(&stream_of(&[&vec![0; 8 << 20]]));
    assert!(log.len() < 40 << 10);
    let within = |memory, work| {
        Replay::new(&log[..]).unwrap().with_limits(RecordLimits { memory, work }).tick()
    };
    let default = RecordLimits::default();
    assert!(matches!(within(64 << 20, default.work), Err(LogError::Memory { tick: 0, .. })));
    assert!(matches!(within(default.memory, 8 << 20), Err(LogError::Work { tick: 0, .. })));
    assert!(matches!(within(default.memory, default.work), Err(LogError::Damaged { tick: 0, .. })));
}

#[test]
fn a_false_length_takes_no_memory() {
    let whole = log(&spawns());
    let spoilt = altered(&whole, |bytes| bytes[..4].copy_from_slice(&[0xff; 4]));
    assert!(matches!(replayed(&spoilt), Err(LogError::Memory { tick: 0, .. })));
    let (mut spoilt, mut sum) = (b"lodger log\x04\x00".to_vec(), Crc::new());
    sum.update(&[0xff; 4]);
    spoilt.extend([[0xff; 4], sum.sum().to_le_bytes()].concat());
    assert!(matches!(replayed(&spoilt), Err(LogError::Memory { tick: 0, .. })));
    let spoilt = altered(&whole, |bytes| bytes[..4].copy_from_slice(&[0, 0, 0, 1]));
    assert!(matches!(replayed(&spoilt), Err(LogError::BreaksOff { tick: 0 })));
}
