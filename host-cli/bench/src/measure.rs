//! Rounds in which everybody decides by turns, so that what disturbs the machine disturbs all.

use std::time::{Duration, Instant};

use crate::contest::{Contender, Contest, Took};

/// So many rounds at least, however long they take.
const LEAST_ROUNDS: u32 = 5;
/// More rounds tell nothing new.
const MOST_ROUNDS: u32 = 400;
/// A sample is of so many actors at least, so that the clock takes no part of it. Of more actors it is a
/// single frame: when their next one comes, all others have had the caches, as the rest of a game has.
const ACTORS_OF_SAMPLE: u32 = 1 << 15;

/// What was measured.
#[derive(Clone, Debug)]
pub struct Measured {
    /// How many actors were decided for.
    pub actors: u32,
    /// How many rounds were made.
    pub rounds: u32,
    /// How long they took, in seconds.
    pub seconds: f64,
    /// Everybody's figures.
    pub figures: Vec<(Contender, Figures)>,
}

/// What one of them took, in nanoseconds an actor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures {
    /// Of deciding.
    pub deciding: Spread,
    /// The median of telling the scheduler what has changed.
    pub setting: f64,
}

/// The middle of some samples, and how far they spread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The least of all.
    pub least: f64,
    /// A quarter of all samples is below.
    pub lower_quartile: f64,
    /// Half of all samples is below.
    pub median: f64,
    /// A quarter of all samples is above.
    pub upper_quartile: f64,
    /// How many there are.
    pub samples: usize,
}

impl Spread {
    /// That of some samples; of none, it is all NaN.
    #[must_use]
    pub fn of(mut samples: Vec<f64>) -> Self {
        samples.sort_unstable_by(f64::total_cmp);
        let at = |quarters: usize| {
            let place = samples.len().saturating_sub(1) * quarters;
            let (low, part) = (place / 4, [0.0, 0.25, 0.5, 0.75][place % 4]);
            let sample = |place: usize| samples.get(place).copied();
            let lower = sample(low).unwrap_or(f64::NAN);
            lower + part * (sample(low + 1).unwrap_or(lower) - lower)
        };
        Self {
            least: at(0),
            lower_quartile: at(1),
            median: at(2),
            upper_quartile: at(3),
            samples: samples.len(),
        }
    }
}

/// Measures everybody, for about so long but for at least five rounds. `tell` is told after each turn how
/// long it has taken by now.
pub fn measure(contest: &mut Contest, time: Duration, tell: &mut dyn FnMut(Duration)) -> Measured {
    let contenders = contest.contenders().to_vec();
    let mut samples = vec![(Vec::new(), Vec::new()); contenders.len()];
    let frames = ACTORS_OF_SAMPLE.div_ceil(contest.actors());
    let decided = f64::from(frames) * f64::from(contest.actors());
    for &contender in &contenders {
        contest.run(contender, 3);
    }
    let start = Instant::now();
    let mut rounds = 0;
    loop {
        let round = Instant::now();
        for turn in order(contenders.len(), rounds) {
            let Took { deciding, setting } = contest.run(contenders[turn], frames);
            samples[turn].0.push(deciding.as_secs_f64() * 1e9 / decided);
            samples[turn].1.push(setting.as_secs_f64() * 1e9 / decided);
            tell(start.elapsed());
        }
        rounds += 1;
        let is_over = start.elapsed() + round.elapsed() / 2 > time;
        if rounds >= LEAST_ROUNDS && (is_over || rounds >= MOST_ROUNDS) {
            break;
        }
    }
    let figures = contenders.into_iter().zip(samples).map(|(contender, (deciding, setting))| {
        let setting = Spread::of(setting).median;
        (contender, Figures { deciding: Spread::of(deciding), setting })
    });
    Measured {
        actors: contest.actors(),
        rounds,
        seconds: start.elapsed().as_secs_f64(),
        figures: figures.collect(),
    }
}

/// Whose turn it is in a round: everybody begins once, and everybody comes before everybody else as often as
/// after.
fn order(contenders: usize, round: u32) -> impl Iterator<Item = usize> {
    let turn = move |turn| (turn + round as usize / 2) % contenders;
    (0..contenders).map(move |place| {
        turn(if round.is_multiple_of(2) { place } else { contenders - 1 - place })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::PolicyName;

    #[test]
    fn quartiles_are_between_samples() {
        let spread = Spread::of(vec![4.0, 1.0, 3.0, 2.0, 10.0]);
        assert_eq!((spread.least, spread.median, spread.samples), (1.0, 3.0, 5));
        assert_eq!((spread.lower_quartile, spread.upper_quartile), (2.0, 4.0));
        let two = Spread::of(vec![2.0, 1.0]);
        assert_eq!((two.lower_quartile, two.median, two.upper_quartile), (1.25, 1.5, 1.75));
        assert_eq!(Spread::of(vec![7.0]).upper_quartile.to_bits(), 7.0_f64.to_bits());
        assert!(Spread::of(Vec::new()).median.is_nan());
    }

    #[test]
    fn everybody_begins_and_is_before_everybody_else() {
        let orders: Vec<Vec<_>> = (0..8).map(|round| order(4, round).collect()).collect();
        assert_eq!(orders[..3], [[0, 1, 2, 3], [3, 2, 1, 0], [1, 2, 3, 0]]);
        assert!((0..4).all(|one| orders.iter().filter(|order| order[0] == one).count() == 2));
    }

    #[test]
    fn everybody_is_measured_in_every_round() {
        let contenders = Contender::of(&PolicyName::ALL, true);
        let mut contest = Contest::new(500, contenders.clone()).unwrap();
        let mut turns = 0;
        let measured = measure(&mut contest, Duration::ZERO, &mut |_| turns += 1);
        assert_eq!((measured.rounds, turns), (5, 5 * contenders.len()));
        assert!(measured.figures.iter().map(|(contender, _)| *contender).eq(contenders));
        for (contender, figures) in &measured.figures {
            let Spread { least, median, samples, .. } = figures.deciding;
            assert!(least > 0.0 && median >= least && samples >= 5, "{contender:?} {figures:?}");
            let sets = matches!(contender, Contender::Incremental(..));
            assert_eq!(figures.setting > 0.0, sets, "{contender:?}");
        }
    }
}
