//! Two frames under any policy, with qualities, stability and headroom: the question, and the answer. No
//! number type has a part in it.

use heapless::Vec;
use lodger_core::Benefit;
use lodger_core::budget::{
    Account, Bid, Book, Decision, LadderSpan, Ladders, Last, MadeFor, Quality, Request, Room,
    Slope, Slopes, Stability, Standing, Trial, certify, decide,
};
use lodger_core::calibration::Headroom;
use lodger_core::units::{BenefitValue, Budget};
use serde::{Deserialize, Serialize};

use super::scene::policy;
use super::words::{Words, push, push_wide};

/// How many modules there are.
pub const TEAMS: usize = 2;
/// How many actors a module has at most.
pub const PLAYERS: usize = 12;
/// How many costs the ladders of a module have at most, together.
pub const COSTS: usize = 12;
/// How many trials the optimal policy may make.
const TRIALS: usize = 6;
/// How many frames are decided.
const FRAMES: usize = 2;

/// Modules whose actors are decided for twice, the second time with other benefits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PolicyQuestion {
    /// What all actors together may cost, in nanoseconds.
    pub budget: u64,
    /// What is paid first, in nanoseconds.
    pub fixed: u64,
    /// The part of the budget that is not planned with, in 2⁻²⁴.
    pub headroom: u32,
    /// The policy, as in a [`LedgerQuestion`](super::LedgerQuestion), with trials.
    pub policy: u8,
    /// What a change must earn: margin and reserve, in 2⁻⁸.
    pub stability: [u8; 2],
    /// How many actors may rise.
    pub max_raises: Option<u8>,
    /// The modules.
    pub modules: [TeamQuestion; TEAMS],
}

/// A module with its actors.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TeamQuestion {
    /// What a unit of benefit may cost, in nanoseconds.
    pub benefit_value: u32,
    /// Whether fractions of levels are valid.
    pub continuous: bool,
    /// The costs of a ladder, and from `second` on of another one, in nanoseconds. They do not decrease
    /// within either.
    pub costs: Vec<u32, COSTS>,
    /// How good the levels are, in 2⁻¹⁵, as the costs stand.
    pub qualities: Vec<u16, COSTS>,
    /// Where the costs of the second ladder begin. Every other actor has it, if there is one.
    pub second: u8,
    /// The benefits of the actors in both frames, in 2⁻¹⁶.
    pub benefits: [Vec<u32, PLAYERS>; FRAMES],
}

/// A module's columns.
struct Team<'a> {
    question: &'a TeamQuestion,
    spans: [LadderSpan; 2],
    qualities: Vec<Quality, COSTS>,
    slopes: [Slope; COSTS],
    made_for: MadeFor,
    ladder: [u32; PLAYERS],
    ids: [u32; PLAYERS],
    benefits: Vec<Benefit, PLAYERS>,
    levels: [u8; PLAYERS],
    fractions: [u16; PLAYERS],
    last: [Last; PLAYERS],
}

impl<'a> Team<'a> {
    fn new(question: &'a TeamQuestion, first_id: u32) -> Self {
        let len = u8::try_from(question.costs.len()).unwrap_or(0);
        let second = question.second.min(len);
        let rest = len.saturating_sub(second);
        let mut team = Self {
            question,
            spans: [
                LadderSpan::new(0, second.into(), 0),
                LadderSpan::new(second.into(), rest.into(), 1),
            ],
            qualities: question.qualities.iter().copied().map(Quality::from_bits).collect(),
            slopes: [Slope::default(); COSTS],
            made_for: MadeFor::default(),
            ladder: [0; PLAYERS],
            ids: [first_id; PLAYERS],
            benefits: Vec::new(),
            levels: [0; PLAYERS],
            fractions: [0; PLAYERS],
            last: [Last::NONE; PLAYERS],
        };
        for ((id, ladder), place) in team.ids.iter_mut().zip(&mut team.ladder).zip(0_u32..) {
            *id = id.wrapping_add(place);
            *ladder = if rest == 0 {
                0
            } else if second == 0 {
                1
            } else {
                place & 1
            };
        }
        team
    }

    /// The second frame has as many actors as the first.
    fn begin(&mut self, frame: usize) {
        let [first, _] = &self.question.benefits;
        let now = self.question.benefits.get(frame).unwrap_or(first);
        let benefits = now.iter().chain(core::iter::repeat(&0)).take(first.len());
        self.benefits = benefits.copied().map(Benefit::from_bits).collect();
    }

    fn book(&mut self) -> Book<'_> {
        let TeamQuestion { benefit_value, continuous, costs, .. } = self.question;
        Book {
            account: Account {
                benefit_value: BenefitValue::from_ns(*benefit_value),
                continuous: *continuous,
                ladders: Ladders { spans: &self.spans, costs },
                ladder: &self.ladder,
                benefits: &self.benefits,
            },
            ids: &self.ids,
            levels: &mut self.levels,
            fractions: &mut self.fractions,
            qualities: &self.qualities,
            slopes: Slopes { of_costs: &mut self.slopes, made_for: self.made_for },
            last: &self.last,
            ..Book::default()
        }
    }

    /// Says what everybody got, and keeps it for the next frame.
    fn end(&mut self, words: &mut Words) {
        for &four in self.levels.as_chunks().0 {
            push(words, u32::from_le_bytes(four));
        }
        let fractions = self.fractions.iter().zip(1_u32..);
        push(words, fractions.fold(0, |sum, (&f, n)| sum.wrapping_add(n.wrapping_mul(f.into()))));
        for (last, &level) in self.last.iter_mut().zip(&self.levels) {
            *last = Last::automatic(level);
        }
    }
}

/// Decides twice; the words are what was decided for the scene and for each actor.
pub(super) fn run(question: &PolicyQuestion, words: &mut Words) {
    let [margin, reserve] = question.stability;
    let request = Request {
        budget: Budget::from_ns(question.budget),
        fixed: question.fixed,
        headroom: Headroom::from_bits(question.headroom),
        policy: policy(question.policy),
        stability: Stability { margin, reserve },
        max_raises: question.max_raises.map(u32::from),
    };
    let [a, b] = &question.modules;
    let mut teams = [Team::new(a, 0), Team::new(b, 100)];
    let mut standing = Standing::default();
    for frame in 0..FRAMES {
        for team in &mut teams {
            team.begin(frame);
        }
        let decision = decide_for(&request, &mut standing, &mut teams, words);
        push(words, decision.price.bits());
        push(words, decision.flips);
        for value in [decision.available, decision.overcommit, decision.assigned] {
            push_wide(words, value);
        }
        push_wide(words, decision.scale.bits());
        for team in &mut teams {
            team.end(words);
        }
    }
}

/// Decides a frame, and says what it is worth.
fn decide_for(
    request: &Request,
    standing: &mut Standing,
    teams: &mut [Team<'_>; TEAMS],
    words: &mut Words,
) -> Decision {
    let room = Room {
        bids: &mut [Bid::default(); TEAMS * PLAYERS],
        trials: &mut [Trial::default(); TRIALS],
    };
    let mut books = teams.each_mut().map(Team::book);
    let decision = decide(request, standing, &mut books[..], room);
    let certificate = decision.certificate.unwrap_or_else(|| certify(request, &mut books[..]));
    let made_for = books.map(|book| book.slopes.made_for);
    for (team, made_for) in teams.iter_mut().zip(made_for) {
        team.made_for = made_for;
    }
    push_wide(words, certificate.value);
    push_wide(words, certificate.upper_bound);
    decision
}
