//! Those who are measured, each with what it decides for.

use std::hint::black_box;
use std::time::{Duration, Instant};

use lodger_scheduler::{SceneError, Stability};

use crate::policy::PolicyName;
use crate::scenery::{Kind, Seen, Walk};
use crate::still::{Change, Still};
use crate::textbook::{Boxed, Columns};

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contender {
    /// Reading and writing what every tick reads and writes.
    MemoryPass,
    /// Boxed actors, in the order in which they were allocated.
    Textbook,
    /// Boxed actors after a while of spawning and despawning.
    TextbookChurned,
    /// The textbook in columns.
    TextbookColumns,
    /// The scheduler.
    Ledger(PolicyName),
    /// The scheduler, for which a change must earn something.
    Steady(PolicyName),
    /// The scheduler that keeps leftovers, over a scene of another kind.
    Varied(Kind),
    /// The scheduler, where the eye stands still.
    Incremental(PolicyName, Change),
}

/// The contenders, and what they decide for.
pub struct Contest {
    actors: u32,
    contenders: Vec<Contender>,
    /// Each with the first contender that decides for it.
    grounds: Vec<(Contender, Ground)>,
    words: Vec<u32>,
    bytes: Vec<u8>,
}

/// What is decided for.
enum Ground {
    Boxed(Boxed, Walk),
    Columns(Columns, Walk),
    Seen(Box<Seen>),
    Still(Box<Still>),
}

/// How long some frames took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Took {
    /// Deciding.
    pub deciding: Duration,
    /// Telling the scheduler what has changed.
    pub setting: Duration,
}

impl Contender {
    /// Those of a contest of these policies: all, or only those whose growth is drawn.
    #[must_use]
    pub fn of(policies: &[PolicyName], all: bool) -> Vec<Self> {
        let each = || policies.iter().copied();
        let mut contenders =
            vec![Self::MemoryPass, Self::Textbook, Self::TextbookChurned, Self::TextbookColumns];
        contenders.extend(each().filter(|policy| all || policy.is_drawn()).map(Self::Ledger));
        if all {
            contenders.extend(each().map(Self::Steady));
            if policies.contains(&PolicyName::Keep) {
                contenders.extend([Kind::Angular, Kind::EightLadders].map(Self::Varied));
            }
            let incremental = each().filter(|policy| policy.is_incremental());
            contenders
                .extend(incremental.flat_map(|policy| {
                    Change::ALL.map(|change| Self::Incremental(policy, change))
                }));
        }
        contenders
    }

    /// What it is called.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Self::MemoryPass => "memory_pass".to_owned(),
            Self::Textbook => "textbook".to_owned(),
            Self::TextbookChurned => "textbook_churned".to_owned(),
            Self::TextbookColumns => "textbook_columns".to_owned(),
            Self::Ledger(policy) => policy.key().to_owned(),
            Self::Steady(policy) => format!("{}_steady", policy.key()),
            Self::Varied(kind) => format!("{}_{}", PolicyName::Keep.key(), kind.key()),
            Self::Incremental(policy, change) => format!("{}_{}", policy.key(), change.key()),
        }
    }

    /// Who decides for the same.
    fn owner(self) -> Self {
        match self {
            Self::Incremental(policy, _) => Self::Incremental(policy, Change::Nothing),
            other => other,
        }
    }
}

impl Ground {
    fn new(owner: Contender, seen: &Seen, actors: u32) -> Result<Self, SceneError> {
        let with = |policy: PolicyName, stability| {
            Ok(Self::Seen(Box::new(seen.clone().set(policy.into(), stability))))
        };
        match owner {
            Contender::Textbook => Ok(Self::Boxed(Boxed::new(actors, false), Walk::default())),
            Contender::TextbookChurned => {
                Ok(Self::Boxed(Boxed::new(actors, true), Walk::default()))
            }
            Contender::TextbookColumns => Ok(Self::Columns(Columns::new(actors), Walk::default())),
            Contender::Steady(policy) => with(policy, Stability::STEADY),
            Contender::Varied(kind) => {
                let seen = Seen::new(actors, kind)?;
                Ok(Self::Seen(Box::new(seen.set(PolicyName::Keep.into(), Stability::OFF))))
            }
            Contender::Incremental(policy, _) => {
                Ok(Self::Still(Box::new(Still::new(seen.clone(), policy.into())?)))
            }
            Contender::Ledger(policy) => with(policy, Stability::OFF),
            Contender::MemoryPass => with(PolicyName::Keep, Stability::OFF),
        }
    }
}

impl Contest {
    /// A contest of these over so many actors. It takes as long as spawning them.
    ///
    /// # Errors
    /// What the scheduler refuses.
    pub fn new(actors: u32, contenders: Vec<Contender>) -> Result<Self, SceneError> {
        let seen = Seen::new(actors, Kind::Usual)?;
        let mut grounds: Vec<(Contender, Ground)> = Vec::new();
        for contender in &contenders {
            let owner = contender.owner();
            if grounds.iter().all(|(other, _)| *other != owner) {
                grounds.push((owner, Ground::new(owner, &seen, actors)?));
            }
        }
        let rows = actors as usize;
        Ok(Self { actors, contenders, grounds, words: vec![0; rows], bytes: vec![0; rows] })
    }

    /// How many actors there are.
    #[must_use]
    pub fn actors(&self) -> u32 {
        self.actors
    }

    /// Who takes part.
    #[must_use]
    pub fn contenders(&self) -> &[Contender] {
        &self.contenders
    }

    /// Has one of them decide for so many frames, and tells how long it took.
    pub fn run(&mut self, contender: Contender, frames: u32) -> Took {
        let owner = contender.owner();
        let ground = self.grounds.iter_mut().find(|(other, _)| *other == owner);
        let Some((_, ground)) = ground else { return Took::default() };
        let (words, bytes) = (&mut self.words, &mut self.bytes);
        match (ground, contender) {
            (Ground::Boxed(boxed, walk), _) => timed(frames, || boxed.decide(walk.step())),
            (Ground::Columns(columns, walk), _) => timed(frames, || columns.decide(walk.step())),
            (Ground::Seen(seen), Contender::MemoryPass) => timed(frames, || {
                black_box(&seen.scene).memory_pass(words, bytes);
                (words.as_ptr(), bytes.as_ptr())
            }),
            (Ground::Seen(seen), _) => timed(frames, || seen.frame()),
            (Ground::Still(still), Contender::Incremental(_, change)) => {
                let mut took = Took::default();
                for _ in 0..frames {
                    let start = Instant::now();
                    still.change(change);
                    let set = Instant::now();
                    black_box(still.decide());
                    took.deciding += set.elapsed();
                    took.setting += set - start;
                }
                took
            }
            (Ground::Still(_), _) => Took::default(),
        }
    }
}

fn timed<T>(frames: u32, mut frame: impl FnMut() -> T) -> Took {
    let start = Instant::now();
    for _ in 0..frames {
        black_box(frame());
    }
    Took { deciding: start.elapsed(), setting: Duration::ZERO }
}
