//! A mistake in a file: about whom, about what, and where.

mod kind;

use std::borrow::Cow;
use std::error::Error as StdError;
use std::fmt;
use std::ops::Range;

use lodger_allowance::Spent;
use lodger_core::error::{Problem, Quantity};
use lodger_scheduler::SceneError;

use crate::place::{Subject, spans};
use crate::sog_error::SogError;

pub use kind::ErrorKind;

/// A mistake in a file; its `Display` says what is wrong and what is allowed.
///
/// # Examples
/// ```
/// use lodger_allowance::{Allowance, Limits as Most};
/// use lodger_scenes::{Limits, SceneFile, Settings, Subject};
///
/// let text = "budget_ms = 5\n[[view]]\neye = [0, nan, 0]";
/// let allowance = Allowance::new(Most::default());
/// let error = SceneFile::from_toml(text, &Settings::default(), Limits::default(), &allowance)
///     .expect_err("nan");
/// assert_eq!(error.to_string(), "`eye` is NaN, but must be a finite number");
/// assert_eq!((error.subject(), error.key()), (Subject::View(0), "eye"));
/// assert_eq!(&text[error.span().expect("a place")], "[0, nan, 0]");
/// ```
#[derive(Debug)]
pub struct Error(Box<Inner>);

#[derive(Debug)]
struct Inner {
    kind: ErrorKind,
    subject: Subject,
    key: Cow<'static, str>,
    /// Who used the same name before.
    earlier: Option<Subject>,
    span: Option<Range<usize>>,
    first_use: Option<Range<usize>>,
    help: Option<String>,
}

impl Error {
    pub(crate) fn new(
        kind: ErrorKind,
        subject: Subject,
        key: impl Into<Cow<'static, str>>,
    ) -> Self {
        let (key, help) = (key.into(), None);
        Self(Box::new(Inner {
            kind,
            subject,
            key,
            earlier: None,
            span: None,
            first_use: None,
            help,
        }))
    }

    /// A mistake of the file as a whole.
    pub(crate) fn of_file(kind: ErrorKind) -> Self {
        Self::new(kind, Subject::File, "")
    }

    /// What is wrong with a Streamed SOG.
    pub(crate) fn sog(error: SogError) -> Self {
        Self::of_file(ErrorKind::Sog(error))
    }

    /// A number that core refused.
    pub(crate) fn number(
        subject: Subject,
        key: impl Into<Cow<'static, str>>,
        value: f64,
        error: lodger_core::Error,
    ) -> Self {
        Self::new(ErrorKind::Number { whose: None, value, error }, subject, key)
    }

    /// Something that the scene refused.
    pub(crate) fn refused(subject: Subject, whose: String, error: SceneError) -> Self {
        let quantity = error.refused().map(lodger_core::Error::quantity);
        let key = quantity.map_or(Cow::Borrowed("name"), key_of);
        let help = match error.refused() {
            Some(error) if error.problem() == Problem::TooLarge => greatest(error.quantity()),
            _ => None,
        };
        let refused = Self::new(ErrorKind::Refused { whose, error }, subject, key);
        match help {
            Some(help) => refused.with_help(help),
            None => refused,
        }
    }

    /// Adds what to do about it.
    pub(crate) fn with_help(mut self, help: impl Into<String>) -> Self {
        self.0.help = Some(help.into());
        self
    }

    /// Says where it is.
    pub(crate) fn at(mut self, span: Option<Range<usize>>) -> Self {
        self.0.span = span;
        self
    }

    /// Puts a place in a part of a text where it is in the text.
    pub(crate) fn moved(mut self, in_text: impl Fn(Range<usize>) -> Range<usize>) -> Self {
        self.0.span = self.0.span.map(in_text);
        self
    }

    /// Says which key it is about.
    pub(crate) fn about(mut self, key: &'static str) -> Self {
        self.0.key = key.into();
        self
    }

    /// Points at who used the same name before.
    pub(crate) fn earlier(mut self, first: Subject) -> Self {
        self.0.earlier = Some(first);
        self
    }

    /// Says whose number it is.
    pub(crate) fn of(mut self, owner: String) -> Self {
        if let ErrorKind::Number { whose, .. } = &mut self.0.kind {
            *whose = Some(owner);
        }
        self
    }

    /// Puts it at its place in a text, unless it is about the file as a whole or knows its place.
    pub(crate) fn locate(mut self, text: &str) -> Self {
        if self.key().is_empty() {
            return self;
        }
        let subjects = [Some(self.0.subject), self.0.earlier].into_iter().flatten();
        let mut spans = spans(text, subjects.map(|subject| (subject, self.key()))).into_iter();
        self.0.span = spans.next().flatten();
        self.0.first_use = spans.next().flatten();
        self
    }

    /// What is wrong.
    #[must_use]
    pub const fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// Whether it is not the file that is wrong.
    pub(crate) const fn is_spent(&self) -> bool {
        matches!(self.kind(), ErrorKind::Spent(_))
    }

    /// What it is about.
    #[must_use]
    pub const fn subject(&self) -> Subject {
        self.0.subject
    }

    /// The key at fault, as TOML spells it with dots; empty for a mistake of the file as a whole.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.0.key
    }

    /// The bytes of the text that are wrong, if the file is one and they can be told.
    #[must_use]
    pub fn span(&self) -> Option<Range<usize>> {
        self.0.span.clone()
    }

    /// For a name that was used before: the bytes of the text where it was.
    #[must_use]
    pub fn first_use(&self) -> Option<Range<usize>> {
        self.0.first_use.clone()
    }

    /// What to do about it.
    #[must_use]
    pub fn help(&self) -> Option<&str> {
        self.0.help.as_deref()
    }
}

impl From<Spent> for Error {
    fn from(spent: Spent) -> Self {
        Self::of_file(ErrorKind::Spent(spent))
    }
}

/// The TOML key behind a quantity, where files and scenes call it differently.
fn key_of(quantity: Quantity) -> Cow<'static, str> {
    match quantity {
        Quantity::Weight => "weights".into(),
        Quantity::Cost => "work".into(),
        Quantity::Lod => "force_lod".into(),
        quantity => quantity.to_string().into(),
    }
}

/// What is allowed where a number is too large.
const fn greatest(quantity: Quantity) -> Option<&'static str> {
    Some(match quantity {
        Quantity::UnitCost | Quantity::BenefitValue => "it must be below 4294.97 ms",
        Quantity::Cost => "no level may cost 4.29 s or more",
        Quantity::Overhead => "what it costs must be below 2^32 nanoseconds, or units of money",
        Quantity::Radius => "its square must fit a 32-bit float: stay below 1e19",
        Quantity::Count => return None,
        _ => "it must fit a 32-bit float: stay below 3.4e38",
    })
}

/// What a number must be, in place of what it is.
const fn allowed(error: lodger_core::Error) -> Option<&'static str> {
    Some(match (error.quantity(), error.problem()) {
        (Quantity::Budget | Quantity::MaxDistance, Problem::NotFinite | Problem::Negative) => {
            "at least 0; `inf` means no limit"
        }
        (_, Problem::NotFinite) => "a finite number",
        (_, Problem::Negative) => "a finite number of at least 0",
        (_, Problem::NotPositive) => "a finite number above 0",
        (Quantity::Speed, Problem::TooLarge) => "below 3.4e38, to fit a 32-bit float",
        _ => return None,
    })
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = self.key();
        match self.kind() {
            ErrorKind::Spent(spent) => spent.fmt(f),
            ErrorKind::NotText { offset, line } => write!(
                f,
                "not UTF-8 text: the byte at offset {offset} (line {line}) cannot be read"
            ),
            ErrorKind::Toml(error) => error.fmt(f),
            ErrorKind::Gltf(error) => error.fmt(f),
            ErrorKind::Number { whose, value, error } => {
                if let Some(whose) = whose {
                    write!(f, "{whose}: ")?;
                }
                match allowed(*error) {
                    // Else it is written with up to 308 zeros.
                    Some(allowed) if value.abs() >= 1e16 => {
                        write!(f, "`{key}` is {value:e}, but must be {allowed}")
                    }
                    Some(allowed) => write!(f, "`{key}` is {value}, but must be {allowed}"),
                    None => error.fmt(f),
                }
            }
            ErrorKind::Refused { whose, error } => write!(f, "{whose}: {error}"),
            ErrorKind::WeightsTotal { total, error } => {
                write!(f, "the weights total {total}, but {}", error.problem())
            }
            ErrorKind::NoReference { importance, weight } => {
                write!(f, "`{key}` is missing: the weight of {importance} is {weight}")
            }
            ErrorKind::Work(error) => write!(f, "`{key}` {error}"),
            ErrorKind::RangeReversed { lowest, highest } => {
                write!(f, "`{key}` begins at {lowest} and ends below, at {highest}")
            }
            ErrorKind::RangeBeyond { highest, top } => {
                write!(f, "`{key}` ends at {highest}, but `work` has LODs 0 to {top} only")
            }
            ErrorKind::Duplicate { what, name } => {
                write!(f, "there are two {what}s called `{name}`; names must be unique")
            }
            ErrorKind::NoSuchModule { name } => write!(f, "there is no module called `{name}`"),
            ErrorKind::BesideBenefit => {
                write!(f, "an actor with `benefit` cannot have `{key}`")
            }
            ErrorKind::NoBenefit => write!(
                f,
                "`{key}` is missing: an actor without `benefit` needs `position` and `radius`"
            ),
            ErrorKind::Quality(error) => write!(f, "`{key}` {error}"),
            ErrorKind::Sog(error) => error.fmt(f),
            ErrorKind::Missing { why } => write!(f, "`{key}` is missing{why}"),
            ErrorKind::NoUnit { name } => write!(
                f,
                "`{key}` is `{name}`, but must be a word of at most 24 letters, and not one of time"
            ),
            ErrorKind::InMilliseconds { unit } => {
                write!(f, "`{key}` is in milliseconds, but the money of this scene counts `{unit}`")
            }
            ErrorKind::InUnits => write!(
                f,
                "`{key}` is in whole units, but the money of this scene is time, as it has no `unit`"
            ),
            ErrorKind::NotWhole { value } => write!(
                f,
                "`{key}` is {value}, but must be a whole number below 2^53; `inf` means no limit"
            ),
            ErrorKind::Beyond { value } => {
                write!(f, "`{key}` is {value}, but must be from 2^-32 to below 2^32")
            }
            ErrorKind::BudgetInTime { unit } => {
                write!(f, "the budget is in milliseconds, but the money of this scene counts `{unit}`")
            }
            ErrorKind::BudgetInUnits => {
                f.write_str("the budget is in whole units, but the money of this scene is time")
            }
            ErrorKind::LeftoversOfOptimal => f.write_str(
                "what is done with leftovers is a matter of the proportional policy: the optimal one \
                 has no shares that could leave anything over",
            ),
            ErrorKind::LeftoversOfApex => f.write_str(
                "the policy `apex` keeps leftovers; only the proportional policy can spend them",
            ),
            ErrorKind::NoBudget => write!(f, "the scene has no `{key}`"),
            ErrorKind::NoView => f.write_str("the scene has no view to see this actor from"),
            ErrorKind::NoCamera => f.write_str("the scene has no camera to see its nodes from"),
            ErrorKind::FewWaypoints => f.write_str("a camera path needs at least two waypoints"),
            ErrorKind::NoObjects => f.write_str("the linkset has no objects"),
            ErrorKind::NoPrims { object } => write!(f, "the object `{object}` has no prims"),
        }
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        Some(match self.kind() {
            ErrorKind::Spent(spent) => spent,
            ErrorKind::Toml(error) => error,
            ErrorKind::Gltf(error) => error,
            ErrorKind::Number { error, .. } | ErrorKind::WeightsTotal { error, .. } => error,
            ErrorKind::Refused { error, .. } => error,
            ErrorKind::Work(error) => error,
            ErrorKind::Quality(error) => error,
            ErrorKind::Sog(error) => error,
            _ => return None,
        })
    }
}
