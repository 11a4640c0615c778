//! The same books twice: as a plain slice, and in parts that are asked in any order.

use lodger_core::Benefit;
use lodger_core::budget::{
    Account, Answer, Bid, Book, Crowd, Decision, Draft, GROUP, Group, Guess, Lod, MadeFor,
    Question, Request, Room, Scale, Slope, Slopes, Source, Standing, Trial, Walk, decide,
};

use super::crowds::Module;
use super::random::Random;

/// What a ledger writes for one module, and what it keeps.
#[derive(Clone, Default)]
pub struct Outcome {
    pub levels: Vec<u8>,
    pub fractions: Vec<u16>,
    pub assigned: u64,
    slopes: Vec<Slope>,
    made_for: MadeFor,
    pub groups: Vec<Group>,
    pub before: Vec<u8>,
    pub guess: Guess,
    pub draft: Draft,
    pub total: Option<u64>,
}

impl Outcome {
    /// For a module that nobody has decided for.
    pub fn of(module: &Module) -> Self {
        let rows = module.rows();
        let mut new = Self {
            levels: vec![0; rows],
            fractions: vec![0; if module.continuous { rows } else { 0 }],
            groups: vec![Group::default(); rows.div_ceil(GROUP)],
            before: vec![0; rows],
            ..Self::default()
        };
        new.forget(module);
        new
    }

    /// After ladders, costs or rows have changed.
    pub fn forget(&mut self, module: &Module) {
        self.slopes = vec![Slope::default(); module.costs.len()];
        (self.made_for, self.draft) = Default::default();
    }

    fn book<'a>(&'a mut self, module: &'a Module) -> Book<'a> {
        Book {
            account: module.account(),
            ids: &module.ids,
            levels: &mut self.levels,
            fractions: &mut self.fractions,
            qualities: &module.qualities,
            slopes: Slopes { of_costs: &mut self.slopes, made_for: self.made_for },
            last: &module.last,
            assigned: self.assigned,
            crowd: Crowd {
                kinds: &module.kinds,
                groups: &mut self.groups,
                before: &mut self.before,
                total: self.total,
                guess: self.guess,
                draft: self.draft,
                ..Crowd::default()
            },
        }
    }

    /// The LOD in a row.
    pub fn lod(&self, row: usize) -> Lod {
        Lod::new(self.levels[row], self.fractions.get(row).copied().unwrap_or(0))
    }

    /// Drafts all levels, part by part.
    pub fn draft(&mut self, module: &Module, scale: Scale, random: &mut Random) {
        let book = self.book(module);
        if !book.can_be_drafted(module.rows()) {
            return;
        }
        let account = Account { benefits: &[], ..book.account };
        let parts = split(Book { account, ..book }, module.rows(), random);
        let draft = |Part { first, rows, mut book }: Part<'_>| {
            let mut benefits = vec![Benefit::ZERO; rows];
            let cost = book.draft(scale, &mut benefits, &mut Copied(&module.benefits[first..]));
            assert_eq!(benefits, module.benefits[first..first + rows]);
            cost
        };
        let cost = parts.into_iter().map(draft).sum();
        self.draft = Draft::at(scale, cost);
    }
}

/// Memory that decisions work in.
#[derive(Default)]
pub struct Memory {
    bids: Vec<Bid>,
    trials: Vec<Trial>,
}

impl Memory {
    /// For so many actors.
    pub fn of(actors: usize, trials: usize) -> Self {
        Self { bids: vec![Bid::default(); actors], trials: vec![Trial::default(); trials] }
    }

    fn room(&mut self) -> Room<'_> {
        Room { bids: &mut self.bids, trials: &mut self.trials }
    }
}

/// Decides as small boards do, each book as a whole.
pub fn decide_plainly(
    request: &Request,
    standing: &mut Standing,
    modules: &[Module],
    outcomes: &mut [Outcome],
    memory: &mut Memory,
) -> Decision {
    let mut books: Vec<Book<'_>> =
        outcomes.iter_mut().zip(modules).map(|(outcome, module)| outcome.book(module)).collect();
    let decision = decide(request, standing, &mut books[..], memory.room());
    let left: Vec<_> = books.iter().map(|book| (book.assigned, book.slopes.made_for)).collect();
    for (outcome, (assigned, made_for)) in outcomes.iter_mut().zip(left) {
        (outcome.assigned, outcome.made_for) = (assigned, made_for);
    }
    decision
}

/// Decides as hosts do for many actors.
pub fn decide_widely(
    request: &Request,
    standing: &mut Standing,
    modules: &[Module],
    outcomes: &mut [Outcome],
    memory: &mut Memory,
    random: &mut Random,
) -> Decision {
    decide(request, standing, &mut Parts { modules, outcomes, random }, memory.room())
}

struct Parts<'a> {
    modules: &'a [Module],
    outcomes: &'a mut [Outcome],
    random: &'a mut Random,
}

impl Walk for Parts<'_> {
    const WIDE: bool = true;

    fn accounts(&self) -> usize {
        self.modules.len()
    }

    fn visit<R>(&mut self, account: usize, see: impl FnOnce(&mut Book<'_>) -> R) -> Option<R> {
        let (module, outcome) = (self.modules.get(account)?, self.outcomes.get_mut(account)?);
        let mut book = outcome.book(module);
        let seen = see(&mut book);
        let (assigned, made_for) = (book.assigned, book.slopes.made_for);
        let Crowd { guess, draft, .. } = book.crowd;
        (outcome.assigned, outcome.made_for) = (assigned, made_for);
        (outcome.guess, outcome.draft) = (guess, draft);
        Some(seen)
    }

    fn ask<Q: Question>(&mut self, account: usize, question: &Q) -> Q::Answer {
        let Self { modules, outcomes, random } = self;
        let module = &modules[account];
        let mut parts = split(outcomes[account].book(module), module.rows(), random);
        random.shuffle(&mut parts);
        let mut answers: Vec<_> =
            parts.into_iter().map(|mut part| question.ask(&mut part.book)).collect();
        // Nobody says how they are to be put together.
        while answers.len() > 1 {
            let one = answers.swap_remove(random.index(answers.len()));
            let other = answers.swap_remove(random.index(answers.len()));
            answers.push(one.plus(other));
        }
        answers.pop().unwrap_or_default()
    }
}

/// Some rows of a book.
struct Part<'a> {
    first: usize,
    rows: usize,
    book: Book<'a>,
}

/// A book in parts that begin with groups; a few of them may be empty.
fn split<'a>(book: Book<'a>, rows: usize, random: &mut Random) -> Vec<Part<'a>> {
    let most = if random.one_in(4) { rows / GROUP + 1 } else { 3 };
    let (mut parts, splits) = (vec![Part { first: 0, rows, book }], random.index(most + 1));
    for _ in 0..splits {
        let Part { first, rows, book } = parts.swap_remove(random.index(parts.len()));
        let here = random.index(rows.div_ceil(GROUP) + 1) * GROUP;
        let (one, other) = book.split_at(here);
        let here = here.min(rows);
        parts.push(Part { first, rows: here, book: one });
        parts.push(Part { first: first + here, rows: rows - here, book: other });
    }
    parts
}

/// Benefits that are known.
struct Copied<'a>(&'a [Benefit]);

impl Source for Copied<'_> {
    fn fill(&mut self, first: usize, benefits: &mut [Benefit]) {
        benefits.copy_from_slice(&self.0[first..first + benefits.len()]);
    }
}
