//! A mistake in a file, or something odd: what it is, about whom, and where.

use std::borrow::Cow;
use std::error::Error as StdError;
use std::fmt;
use std::ops::Range;

use lodger_core::error::{Problem, Quantity};
use lodger_quota::QuotaExceeded;
use lodger_scheduler::SceneError;

use crate::place::{Subject, spans};

/// A mistake in a file; its `Display` says what is wrong and what is allowed.
///
/// # Examples
/// ```
/// use lodger_quota::{Quota, QuotaLimits};
/// use lodger_scenes::{Limits, SceneFile, Settings, Subject};
///
/// let text = "budget_ms = 5\n[[view]]\neye = [0, nan, 0]";
/// let quota = Quota::new(QuotaLimits::default());
/// let error = SceneFile::from_toml(text, &Settings::default(), Limits::default(), &quota)
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
    message: String,
    subject: Subject,
    key: Cow<'static, str>,
    /// The earlier use of the same name.
    earlier: Option<Subject>,
    span: Option<Range<usize>>,
    first_use: Option<Range<usize>>,
    help: Option<String>,
    source: Option<Box<dyn StdError + Send + Sync>>,
}

/// The kinds of mistakes to which a caller may add help of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Reading the file takes more than it may.
    QuotaExceeded(QuotaExceeded),
    /// The file is not TOML, or a key or the type of a value is not what it should be.
    Toml,
    /// Neither the file nor the settings have a budget.
    NoBudget,
    /// The settings have a budget in milliseconds, but the scene has a unit of its own.
    BudgetInTime,
    /// The settings have a budget in units, but the costs of the scene are times.
    BudgetInUnits,
    /// Leftovers are given beside the optimal policy, which has none.
    LeftoversOfOptimal,
    /// Leftovers other than `keep` are given beside the policy of the APEX document.
    LeftoversOfApex,
    /// Neither the file nor the settings have a view, but an actor needs one.
    NoView,
    /// The file has no camera and the settings have no view, but the scene has actors.
    NoCamera,
    /// Any other mistake.
    Other,
}

impl Error {
    pub(crate) fn new(
        message: impl Into<String>,
        subject: Subject,
        key: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self(Box::new(Inner {
            kind: ErrorKind::Other,
            message: message.into(),
            subject,
            key: key.into(),
            earlier: None,
            span: None,
            first_use: None,
            help: None,
            source: None,
        }))
    }

    /// A mistake of the file as a whole.
    pub(crate) fn of_file(message: impl Into<String>) -> Self {
        Self::new(message, Subject::File, "")
    }

    /// A number that core refused.
    pub(crate) fn number(
        subject: Subject,
        key: impl Into<Cow<'static, str>>,
        value: f64,
        error: lodger_core::Error,
    ) -> Self {
        let key = key.into();
        let message = match allowed(error) {
            // Else it is written with up to 308 zeros.
            Some(allowed) if value.abs() >= 1e16 => {
                format!("`{key}` is {value:e}, but must be {allowed}")
            }
            Some(allowed) => format!("`{key}` is {value}, but must be {allowed}"),
            None => error.to_string(),
        };
        Self::new(message, subject, key).caused_by(error)
    }

    /// Something that the scene refused, and whose it is.
    pub(crate) fn refused(subject: Subject, whose: impl fmt::Display, error: SceneError) -> Self {
        let quantity = error.refused().map(lodger_core::Error::quantity);
        let key = quantity.map_or(Cow::Borrowed("name"), key_of);
        let help = match error.refused() {
            Some(error) if error.problem() == Problem::TooLarge => greatest(error.quantity()),
            _ => None,
        };
        let refused = Self::new(format!("{whose}: {error}"), subject, key).caused_by(error);
        match help {
            Some(help) => refused.with_help(help),
            None => refused,
        }
    }

    pub(crate) fn of_kind(mut self, kind: ErrorKind) -> Self {
        self.0.kind = kind;
        self
    }

    pub(crate) fn caused_by(mut self, source: impl StdError + Send + Sync + 'static) -> Self {
        self.0.source = Some(Box::new(source));
        self
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

    /// Moves its place from a part of a text to the text.
    pub(crate) fn moved(mut self, in_text: impl Fn(Range<usize>) -> Range<usize>) -> Self {
        self.0.span = self.0.span.map(in_text);
        self
    }

    /// Says which key it is about.
    pub(crate) fn about(mut self, key: &'static str) -> Self {
        self.0.key = key.into();
        self
    }

    /// Points at the earlier use of the same name.
    pub(crate) fn earlier(mut self, first: Subject) -> Self {
        self.0.earlier = Some(first);
        self
    }

    /// Says whose mistake it is.
    pub(crate) fn of(mut self, owner: &str) -> Self {
        self.0.message = format!("{owner}: {}", self.0.message);
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

    /// The kind of the mistake.
    #[must_use]
    pub const fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// Whether the file needs more than its quota.
    pub(crate) const fn is_quota_exceeded(&self) -> bool {
        matches!(self.kind(), ErrorKind::QuotaExceeded(_))
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

impl From<QuotaExceeded> for Error {
    fn from(spent: QuotaExceeded) -> Self {
        Self::of_file(spent.to_string()).of_kind(ErrorKind::QuotaExceeded(spent)).caused_by(spent)
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
        f.write_str(&self.0.message)
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.0.source.as_deref().map(|source| source as &(dyn StdError + 'static))
    }
}

/// Something in a file that is odd, but possible; its `Display` says what it is.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Warning {
    message: String,
    /// What it is about.
    pub subject: Subject,
    /// The bytes of the text that it is about, if the file is one.
    pub span: Option<Range<usize>>,
    key: &'static str,
}

impl Warning {
    pub(crate) fn new(message: String, subject: Subject) -> Self {
        Self { message, subject, span: None, key: "" }
    }

    /// The warning for the value of a key.
    pub(crate) fn about(self, key: &'static str) -> Self {
        Self { key, ..self }
    }

    /// An actor whose position is not finite.
    pub(crate) fn no_place(name: &str, subject: Subject) -> Self {
        let consequence = "the actor is quarantined at its lowest LOD";
        let message = format!("the position of `{name}` is not finite: {consequence}");
        Self::new(message, subject).about("position")
    }
}

/// Puts warnings at their places in a text, in their order.
pub(crate) fn locate(warnings: &mut [Warning], text: &str) {
    let spans = spans(text, warnings.iter().map(|warning| (warning.subject, warning.key)));
    for (warning, span) in warnings.iter_mut().zip(spans) {
        warning.span = span;
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}
