//! Logs of ticks: they replay, and what is wrong with them is found.

use std::io::{Read, Write};
use std::time::Duration;

use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use lodger_scheduler::record::{Limits, LogError, Part, Recorder, Replay, Replayed};
use lodger_scheduler::{Actor, Benefit, Budget, Policy};
use proptest::prelude::*;

use crate::scheduler_calls::{Call, Game, calls};

/// How many bytes a log has before its stream.
const HEAD: usize = 12;

/// The log of a tick after each of the calls.
fn log(calls: &[Call]) -> Vec<u8> {
    let mut game = Game::new();
    let mut recorder = Recorder::new(Vec::new()).unwrap();
    for &call in calls {
        game.call(call);
        recorder.tick(&mut game.scene).unwrap();
    }
    recorder.finish().unwrap()
}

fn replayed(log: &[u8]) -> Result<Vec<Replayed>, LogError> {
    let mut replay = Replay::new(log)?;
    std::iter::from_fn(|| replay.tick().transpose()).collect()
}

/// The log with other bytes in its stream.
fn altered(log: &[u8], alter: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let (head, stream) = log.split_at(HEAD);
    let mut bytes = Vec::new();
    ZlibDecoder::new(stream).read_to_end(&mut bytes).unwrap();
    alter(&mut bytes);
    let mut stream = ZlibEncoder::new(head.to_vec(), flate2::Compression::fast());
    stream.write_all(&bytes).unwrap();
    stream.finish().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn whatever_is_called_the_log_replays(calls in calls(40)) {
        let ticks = replayed(&log(&calls)).unwrap();
        prop_assert_eq!(ticks.len(), calls.len());
        for (tick, number) in ticks.iter().zip(0..) {
            prop_assert_eq!(tick.tick, number);
            prop_assert_eq!(tick.difference, None);
        }
    }

    /// A recorder that joins late, or leaves ticks out, writes all that they depend on.
    #[test]
    fn ticks_in_between_need_not_be_written(calls in calls(40), written: u64) {
        let mut game = Game::new();
        let mut recorder = Recorder::new(Vec::new()).unwrap();
        for (call, number) in calls.into_iter().zip(0..) {
            game.call(call);
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

    /// Whatever becomes of the bytes of a log, it is read, or refused, or found to differ.
    #[test]
    fn damage_is_an_error_or_a_difference(
        calls in calls(8),
        place: prop::sample::Index,
        byte: u8,
    ) {
        let log = log(&calls);
        let spoilt = altered(&log, |bytes| *place.get_mut(bytes) = byte);
        let _ = replayed(&spoilt);
        let mut spoilt = log;
        *place.get_mut(&mut spoilt) = byte;
        let _ = replayed(&spoilt);
    }
}

/// Calls that leave several actors with different levels.
const SPAWNS: [Call; 6] =
    [(0, 0, 1), (0, 0, 18), (0, 0, 35), (2, 0, 2_000), (16, 2, 5), (0, 0, 52)];

#[test]
fn a_recorded_decision_that_is_not_the_ledgers_is_named() {
    let log = log(&SPAWNS);
    let whole = replayed(&log).unwrap();
    assert!(whole.iter().all(|tick| tick.difference.is_none()));
    // The last byte of the last tick is its number of flips.
    let spoilt = altered(&log, |bytes| {
        let flips = bytes.len() - 5;
        bytes[flips] ^= 1;
    });
    let ticks = replayed(&spoilt).unwrap();
    let difference = ticks.last().unwrap().difference.unwrap();
    assert_eq!(difference.part, Part::Flips);
    assert_eq!(difference.logged ^ 1, difference.decided);
    assert!(ticks[..5].iter().all(|tick| tick.difference.is_none()));
}

#[test]
fn another_level_is_named_by_its_actor() {
    let log = log(&[(0, 0, 1)]);
    // Somewhere in the tick stands the level of each actor; some byte of it must be a level that is
    // found to differ.
    let mut found = false;
    let length = altered(&log, |_| {}).len();
    for place in 4..length {
        let spoilt = altered(&log, |bytes| {
            if let Some(byte) = bytes.get_mut(place) {
                *byte ^= 1;
            }
        });
        let differs = |tick: &Replayed| {
            tick.difference.is_some_and(|difference| matches!(difference.part, Part::Lod { .. }))
        };
        found |= replayed(&spoilt).is_ok_and(|ticks| ticks.iter().any(differs));
    }
    assert!(found);
}

#[test]
fn what_is_no_log_is_refused_by_name() {
    assert!(matches!(replayed(b"lodger"), Err(LogError::NotALog)));
    assert!(matches!(replayed(&[0; 100]), Err(LogError::NotALog)));
    let mut older = log(&SPAWNS);
    older[10] = 0;
    let error = replayed(&older).unwrap_err();
    assert_eq!(error.to_string(), "it is a log of schema 0, and this program reads schema 1");
}

#[test]
fn a_log_that_breaks_off_is_good_up_to_there() {
    let whole = log(&SPAWNS);
    let cut = altered(&whole, |bytes| bytes.truncate(bytes.len() - 10));
    let mut replay = Replay::new(&cut[..]).unwrap();
    for _ in 0..5 {
        assert_eq!(replay.tick().unwrap().unwrap().difference, None);
    }
    assert!(matches!(replay.tick(), Err(LogError::BreaksOff { tick: 5 })));
    assert!(replay.tick().unwrap().is_none());
}

/// What the log says of costs is what the plan says.
#[test]
fn unit_costs_are_told_as_they_were() {
    let mut game = Game::new();
    let mut recorder = Recorder::new(Vec::new()).unwrap();
    let mut told = Vec::new();
    for tick in 0..40 {
        let micros = 80 + tick * 7 % 13;
        for &module in &game.modules {
            game.scene.measured(module, 1_000, Duration::from_micros(micros)).unwrap();
        }
        let plan = recorder.tick(&mut game.scene).unwrap();
        told.push(plan.modules().map(|it| (it.unit_cost, it.raw_unit_cost)).collect::<Vec<_>>());
    }
    let log = recorder.finish().unwrap();
    let replayed: Vec<_> = replayed(&log).unwrap().into_iter().map(|it| it.unit_costs).collect();
    assert_eq!(replayed, told);
    assert!(told.iter().flatten().any(|(applied, raw)| applied != raw));
}

/// A ladder that comes after the cap was applied is known to whoever asks before the next tick.
#[test]
fn a_question_between_ticks_spoils_no_later_plan() {
    let plan = |asks: bool| {
        let mut game = Game::new();
        game.scene.set_policy(Policy::Optimal);
        game.scene.set_budget(Budget::from_ns(100_000));
        let module = game.modules[0];
        game.scene.set_lod_cap(module, Some(2)).unwrap();
        game.scene.tick();
        let actor = Actor::given(Benefit::new(1.0_f32).unwrap(), &[0, 11, 111, 1_111]);
        game.scene.spawn(module, actor).unwrap();
        if asks {
            game.scene.certify();
        }
        game.scene.tick().certificate()
    };
    assert_eq!(plan(true), plan(false));
}

#[test]
fn a_ladder_of_more_levels_than_there_are_is_refused() {
    // One module whose only ladder has 300 levels, and no actor.
    let request = [0, 0, 0, 4, 0, 0, 0, 0, 0, 1];
    let module = [&[0, 0, 1, 1, 0, 1, 1, 0, 0xac, 2, 0, 0, 1, 0xac, 2][..], &[0; 300]].concat();
    let rest = [1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let tick = [&request[..], &module, &rest].concat();
    let stream = [&u32::try_from(tick.len()).unwrap().to_le_bytes()[..], &tick].concat();
    let spoilt = altered(&log(&SPAWNS), |bytes| *bytes = stream);
    let error = replayed(&spoilt).unwrap_err();
    assert!(error.to_string().contains("more levels than there are"), "{error}");
}

#[test]
fn what_is_kept_of_a_log_has_a_limit_and_so_has_its_work() {
    let whole = log(&SPAWNS);
    let within = |limits| {
        let mut replay = Replay::new(&whole[..]).unwrap().within(limits);
        std::iter::from_fn(move || replay.tick().transpose()).collect::<Result<Vec<_>, _>>()
    };
    let plenty = Limits::default();
    assert_eq!(within(plenty).unwrap().len(), SPAWNS.len());
    let little = within(Limits { memory: 5_000, ..plenty });
    assert!(matches!(little, Err(LogError::Memory { limit: 5_000, .. })));
    let lazy = within(Limits { work: 30_000, ..plenty });
    assert!(matches!(lazy, Err(LogError::Work { tick: 1.., limit: 30_000 })), "{lazy:?}");
}

/// A tick of a scene without modules that asks for room for so many trials: one of postcard's bytes for each
/// seven bits.
fn empty_tick(policy: u8, trials: &[u8]) -> Vec<u8> {
    let decision = [&[0, 0, 0, 128, 128, 128, 128, 16, 1, 0][..], if policy == 4 { &[1, 0, 0] } else { &[0] }];
    [&[1, 0, 0, 0, policy, 0, 0, 0][..], trials, &[0, 0], &decision.concat(), &[0]].concat()
}

/// The log of such ticks.
fn log_of(ticks: &[&[u8]]) -> Vec<u8> {
    altered(&log(&[]), |bytes| {
        bytes.clear();
        for &tick in ticks {
            bytes.extend(u32::try_from(tick.len()).unwrap().to_le_bytes());
            bytes.extend(tick);
        }
        bytes.extend([0; 4]);
    })
}

#[test]
fn trials_that_no_search_uses_take_no_memory() {
    // 7 000 000 trials and none, by turns.
    for policy in 0..=4 {
        let [many, none] = [&[0xc0, 0x9f, 0xab, 3][..], &[0]].map(|trials| empty_tick(policy, trials));
        let log = log_of(&[&many[..], &none].repeat(3));
        // Local search uses room for 131 070 trials of 144 bytes at most.
        let memory = if policy == 4 { 20 << 20 } else { 1 << 10 };
        let mut replay = Replay::new(&log[..]).unwrap().within(Limits { memory, ..Limits::default() });
        for _ in 0..6 {
            assert_eq!(replay.tick().unwrap().unwrap().difference, None);
        }
        assert!(replay.tick().unwrap().is_none());
    }
}

#[test]
fn ticks_without_a_module_are_charged() {
    let log = log_of(&[&empty_tick(0, &[0])[..]; 3_000]);
    assert_eq!(replayed(&log).unwrap().len(), 3_000);
    let mut replay = Replay::new(&log[..]).unwrap();
    replay = replay.within(Limits { work: 1_000_000, ..Limits::default() });
    let ticks = std::iter::from_fn(|| replay.tick().transpose());
    let error = ticks.collect::<Result<Vec<_>, _>>().unwrap_err();
    assert!(matches!(error, LogError::Work { tick: 1_000.., limit: 1_000_000 }), "{error}");
}

#[test]
fn a_length_that_lies_takes_no_memory() {
    let whole = log(&SPAWNS);
    let spoilt = altered(&whole, |bytes| bytes[..4].copy_from_slice(&[0xff; 4]));
    assert!(matches!(replayed(&spoilt), Err(LogError::Memory { tick: 0, .. })));
    let spoilt = altered(&whole, |bytes| bytes[..4].copy_from_slice(&[0, 0, 0, 1]));
    assert!(matches!(replayed(&spoilt), Err(LogError::BreaksOff { tick: 0 })));
}
