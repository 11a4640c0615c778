//! Columns in parts: on all threads where there are very many rows, and compiled for vectors.

use lodger_core::benefit::{BenefitRule, Columns, Observed};
use lodger_core::budget::{Answer, Book, Question, Scale, Source};
use lodger_core::{Benefit, Real};

use crate::bits::{GROUP, LINE};
use crate::threads;
use crate::vectors::{Vectors, WIDE, Work};

/// So many rows are one piece of work for a thread.
const CHUNK: usize = 16 * 1024;
/// With fewer actors than that a second thread gains nothing.
const WORTH_THREADS: usize = 200_000;

/// How the rows of a scene are walked.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Means {
    pub(crate) vectors: Vectors,
    /// So many rows are one piece of work for a thread, if there are several.
    piece: Option<usize>,
}

impl Means {
    /// Those for so many actors; in pieces that they are worth, or of so many rows.
    pub(crate) fn new(vectors: Vectors, actors: usize, piece: Option<usize>) -> Self {
        let piece = piece.or((actors >= WORTH_THREADS).then_some(CHUNK));
        Self { vectors, piece: piece.filter(|_| threads::count() > 1) }
    }

    /// One thread, as others have work of their own.
    pub(crate) fn alone(vectors: Vectors) -> Self {
        Self { vectors, piece: None }
    }

    /// Does something of which pieces may be handed to other threads.
    pub(crate) fn on<R: Send>(self, work: impl FnOnce() -> R + Send) -> R {
        if self.piece.is_some() { threads::enter(work) } else { work() }
    }

    /// Asks all rows of a book.
    pub(crate) fn ask<Q: Question>(self, question: &Q, mut book: Book<'_>) -> Q::Answer {
        if let Some(half) = self.half(book.account.benefits.len()) {
            let (first, others) = book.split_at(half);
            let (first, others) =
                threads::join(|| self.ask(question, first), || self.ask(question, others));
            return first.plus(others);
        }
        self.vectors.run(Asked { question, book: &mut book })
    }

    /// Computes benefits.
    pub(crate) fn watch<N: Real>(self, seen: Seen<'_, N>) -> Watched {
        if let Some(half) = self.half(seen.benefits.len()) {
            let (first, others) = seen.split_at(half);
            let (first, others) = threads::join(|| self.watch(first), || self.watch(others));
            return first.plus(others);
        }
        self.see(seen)
    }

    fn see<N: Real>(self, seen: Seen<'_, N>) -> Watched {
        let Seen { rule, eyes, columns, benefits, draft } = seen;
        // Never drafted otherwise; so the loops for it are left out of what is compiled.
        let draft = if WIDE { draft } else { None };
        let Some((scale, book)) = draft else {
            let observed = self.vectors.run(Observe { rule, eyes, columns, benefits });
            return Watched { quarantined: observed.quarantined, total: observed.total, cost: 0 };
        };
        let sight =
            Sight { vectors: self.vectors, rule, eyes, columns, observed: Observed::default() };
        self.vectors.run(Drafted { scale, book, benefits, sight })
    }

    /// Where so many rows are split between two threads, if they are.
    pub(crate) fn half(self, rows: usize) -> Option<usize> {
        let piece = self.piece?.max(1).next_multiple_of(GROUP);
        (rows > piece).then(|| (rows / 2).next_multiple_of(piece))
    }
}

struct Asked<'a, 'b, Q> {
    question: &'a Q,
    book: &'a mut Book<'b>,
}

impl<Q: Question> Work for Asked<'_, '_, Q> {
    type Output = Q::Answer;

    #[inline(always)]
    #[allow(clippy::inline_always)] // compiled for the vectors of its caller
    fn run(self) -> Q::Answer {
        self.question.ask(self.book)
    }
}

/// Actors that are seen, and where their benefits go.
pub(crate) struct Seen<'a, N: Real> {
    pub(crate) rule: &'a BenefitRule<N>,
    pub(crate) eyes: &'a [[N; 3]],
    pub(crate) columns: Columns<'a, N>,
    pub(crate) benefits: &'a mut [Benefit],
    /// Levels are drafted for that scale, in a book that knows no benefits yet.
    pub(crate) draft: Option<(Scale, Book<'a>)>,
}

/// What was found in them.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Watched {
    pub(crate) quarantined: usize,
    /// The sum of the benefits, in 2⁻¹⁶.
    pub(crate) total: u64,
    /// What the drafted levels cost, in nanoseconds.
    pub(crate) cost: u64,
}

impl Watched {
    fn plus(self, other: Self) -> Self {
        Self {
            quarantined: self.quarantined + other.quarantined,
            total: self.total + other.total,
            cost: self.cost.wrapping_add(other.cost),
        }
    }
}

impl<N: Real> Seen<'_, N> {
    fn split_at(self, rows: usize) -> (Self, Self) {
        let Self { rule, eyes, columns, benefits, draft } = self;
        let (columns, columns_after) = split_columns(columns, rows);
        let (benefits, benefits_after) = benefits.split_at_mut(rows.min(benefits.len()));
        let (draft, draft_after) = match draft {
            Some((scale, book)) => {
                let (book, after) = book.split_at(rows);
                (Some((scale, book)), Some((scale, after)))
            }
            None => (None, None),
        };
        (
            Self { rule, eyes, columns, benefits, draft },
            Self {
                rule,
                eyes,
                columns: columns_after,
                benefits: benefits_after,
                draft: draft_after,
            },
        )
    }
}

pub(crate) fn split_columns<N: Real>(
    columns: Columns<'_, N>,
    rows: usize,
) -> (Columns<'_, N>, Columns<'_, N>) {
    fn split<T>(column: &[T], rows: usize) -> (&[T], &[T]) {
        column.split_at(rows.min(column.len()))
    }
    let Columns { x, y, z, age, speed, curve } = columns;
    let ((x, x_after), (y, y_after), (z, z_after)) =
        (split(x, rows), split(y, rows), split(z, rows));
    let ((age, age_after), (speed, speed_after)) = (split(age, rows), split(speed, rows));
    let (curve, curve_after) = split(curve, rows);
    (
        Columns { x, y, z, age, speed, curve },
        Columns {
            x: x_after,
            y: y_after,
            z: z_after,
            age: age_after,
            speed: speed_after,
            curve: curve_after,
        },
    )
}

/// Actors that are seen, and nothing else.
struct Observe<'a, 'b, N: Real> {
    rule: &'a BenefitRule<N>,
    eyes: &'a [[N; 3]],
    columns: Columns<'a, N>,
    benefits: &'b mut [Benefit],
}

impl<N: Real> Work for Observe<'_, '_, N> {
    type Output = Observed;

    #[inline(always)]
    #[allow(clippy::inline_always)] // compiled for the vectors of its caller
    fn run(self) -> Observed {
        observe(self.rule, self.eyes, self.columns, self.benefits)
    }
}

/// Benefits, in the form that this build is made for.
#[inline(always)]
#[allow(clippy::inline_always)] // compiled for the vectors of its caller
fn observe<N: Real>(
    rule: &BenefitRule<N>,
    eyes: &[[N; 3]],
    columns: Columns<'_, N>,
    out: &mut [Benefit],
) -> Observed {
    if WIDE {
        rule.observe(eyes, columns, out)
    } else {
        rule.observe_row_by_row(eyes, columns, out)
    }
}

/// Actors that are seen, and get levels at once.
struct Drafted<'a, N: Real> {
    scale: Scale,
    book: Book<'a>,
    benefits: &'a mut [Benefit],
    sight: Sight<'a, N>,
}

impl<N: Real> Work for Drafted<'_, N> {
    type Output = Watched;

    #[inline(always)]
    #[allow(clippy::inline_always)] // compiled for the vectors of its caller
    fn run(self) -> Watched {
        let Self { scale, mut book, benefits, mut sight } = self;
        let cost = book.draft(scale, benefits, &mut sight);
        let Observed { quarantined, total } = sight.observed;
        Watched { quarantined, total, cost }
    }
}

/// Benefits as they are asked for. They are compiled once, not once for each way to draft.
struct Sight<'a, N: Real> {
    vectors: Vectors,
    rule: &'a BenefitRule<N>,
    eyes: &'a [[N; 3]],
    columns: Columns<'a, N>,
    observed: Observed,
}

impl<N: Real> Source for Sight<'_, N> {
    #[inline(always)]
    #[allow(clippy::inline_always)] // compiled for the vectors of its caller
    fn fill(&mut self, first: usize, benefits: &mut [Benefit]) {
        let columns = part_of(self.columns, first, benefits.len());
        let Self { rule, eyes, .. } = *self;
        let observed = self.vectors.run(Observe { rule, eyes, columns, benefits });
        self.observed = self.observed.plus(observed);
    }
}

/// So many rows from one on.
#[inline(always)]
#[allow(clippy::inline_always)] // in loops that are compiled for vectors
fn part_of<N: Real>(columns: Columns<'_, N>, first: usize, rows: usize) -> Columns<'_, N> {
    let rows = first..first + rows;
    Columns {
        x: &columns.x[rows.clone()],
        y: &columns.y[rows.clone()],
        z: &columns.z[rows.clone()],
        age: &columns.age[rows.clone()],
        speed: &columns.speed[rows.clone()],
        curve: &columns.curve[rows],
    }
}

/// A run of groups of which some rows are to be seen again.
pub(crate) struct Touched<'a, N: Real, D> {
    pub(crate) rule: &'a BenefitRule<N>,
    pub(crate) eyes: &'a [[N; 3]],
    pub(crate) columns: Columns<'a, N>,
    pub(crate) benefits: &'a mut [Benefit],
    /// How many rows, from the first, are automatic.
    pub(crate) automatic: usize,
    /// The rows of each group that are.
    pub(crate) dirty: D,
}

impl<N: Real, D: Iterator<Item = u64>> Work for Touched<'_, N, D> {
    /// The total is by how much the sum of the benefits of the automatic rows has changed; it wraps.
    type Output = Watched;

    #[inline(always)]
    #[allow(clippy::inline_always)] // compiled for the vectors of its caller
    fn run(self) -> Watched {
        let Self { rule, eyes, columns, benefits, automatic, dirty } = self;
        let (mut quarantined, mut total) = (0, 0_u64);
        let rows = benefits.len();
        for (dirty, group) in dirty.zip((0..).step_by(GROUP)) {
            let mut lines = dirty;
            while lines != 0 {
                let line = lines.trailing_zeros() as usize / LINE;
                lines &= !(0xffff << (line * LINE));
                let first = (group + line * LINE).min(rows);
                let end = (first + LINE).min(rows);
                let ours = automatic.clamp(first, end);
                let before = sum(&benefits[first..ours]);
                let columns = part_of(columns, first, end - first);
                let observed = observe(rule, eyes, columns, &mut benefits[first..end]);
                quarantined += observed.quarantined;
                total = total.wrapping_add(sum(&benefits[first..ours])).wrapping_sub(before);
            }
        }
        Watched { quarantined, total, cost: 0 }
    }
}

#[inline(always)]
#[allow(clippy::inline_always)] // in loops that are compiled for vectors
fn sum(benefits: &[Benefit]) -> u64 {
    // A few benefits of 24 bits add up in 32.
    benefits.iter().fold(0_u32, |sum, benefit| sum.wrapping_add(benefit.bits())).into()
}
