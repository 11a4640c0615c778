//! Errors and warnings about a file.

use std::borrow::Cow;
use std::error::Error as StdError;
use std::fmt;
use std::ops::Range;

use lodger_core::error::{Quantity, ValueProblem};
use lodger_quota::QuotaExceeded;
use lodger_scheduler::SceneError;

use crate::spans::{Subject, spans};

/// An error of a file: a message, its subject, key and span, and usually help.
///
/// # Examples
/// ```
/// use lodger_quota::Quota;
/// use lodger_scenes::{SceneLimits, SceneFile, SceneOverrides, Subject};
///
/// let text = "budget_ms = 5\n[[view]]\neye = [0, nan, 0]";
/// let quota = Quota::default();
/// let error = SceneFile::from_toml(text, &SceneOverrides::default(), SceneLimits::default(), &quota)
///     .expect_err("nan");
/// assert_eq!(error.to_string(), "`eye` is NaN, but must be a finite number");
/// assert_eq!((error.subject(), error.key()), (Subject::View(0), "eye"));
/// assert_eq!(&text[error.span().expect("a place")], "[0, nan, 0]");
/// ```
#[derive(Debug)]
pub struct SceneFileError(Box<Inner>);

#[derive(Debug)]
struct Inner {
    kind: SceneFileErrorKind,
    message: String,
    subject: Subject,
    key: Cow<'static, str>,
    earlier: Option<Subject>,
    span: Option<Range<usize>>,
    first_use: Option<Range<usize>>,
    help: Option<String>,
    source: Option<Box<dyn StdError + Send + Sync>>,
}

/// The kind of a [`SceneFileError`], for callers that add their own help.
///
/// # Examples
/// ```
/// # use lodger_scenes::*;
/// # let (overrides, limits, quota) = Default::default();
/// let error = SceneFile::from_toml("", &overrides, limits, &quota).unwrap_err();
/// assert_eq!(error.kind(), &SceneFileErrorKind::NoBudget);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SceneFileErrorKind {
    /// The file exceeds its quota.
    QuotaExceeded(QuotaExceeded),
    /// The file is not TOML, or has an unknown key or a value of the wrong type.
    Toml,
    /// Neither the file nor the overrides have a budget.
    NoBudget,
    /// The overrides have a budget in milliseconds, but costs of the scene are not times.
    BudgetInTime,
    /// The overrides have a budget in units, but costs of the scene are times.
    BudgetInUnits,
    /// Leftovers are set for the optimal policy, which has none.
    LeftoversOfOptimal,
    /// Leftovers other than `keep` are set for the policy of the APEX document.
    LeftoversOfApex,
    /// An actor needs a view, but neither the file nor the overrides have one.
    NoView,
    /// A scene with actors has neither a camera nor a view of the overrides.
    NoCamera,
    /// Any other error.
    Other,
}

impl SceneFileError {
    pub(crate) fn new(
        message: impl Into<String>,
        subject: Subject,
        key: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self(Box::new(Inner {
            kind: SceneFileErrorKind::Other,
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

    pub(crate) fn for_file(message: impl Into<String>) -> Self {
        Self::new(message, Subject::File, "")
    }

    pub(crate) fn number(
        subject: Subject,
        key: impl Into<Cow<'static, str>>,
        value: f64,
        error: lodger_core::ValueError,
    ) -> Self {
        let key = key.into();
        let message = match allowed(error) {
            // Without an exponent it has up to 308 zeros.
            Some(allowed) if value.abs() >= 1e16 => {
                format!("`{key}` is {value:e}, but must be {allowed}")
            }
            Some(allowed) => format!("`{key}` is {value}, but must be {allowed}"),
            None => error.to_string(),
        };
        Self::new(message, subject, key).caused_by(error)
    }

    pub(crate) fn refused(subject: Subject, owner: impl fmt::Display, error: SceneError) -> Self {
        let quantity = error.value_error().map(lodger_core::ValueError::quantity);
        let key = quantity.map_or(Cow::Borrowed("name"), key_of);
        let too_large =
            error.value_error().filter(|error| error.problem() == ValueProblem::TooLarge);
        let help = too_large.and_then(|error| greatest(error.quantity()));
        let message = format!("{owner}: {error}");
        Self::new(message, subject, key).caused_by(error).with_optional_help(help)
    }

    pub(crate) fn of_kind(mut self, kind: SceneFileErrorKind) -> Self {
        self.0.kind = kind;
        self
    }

    pub(crate) fn caused_by(mut self, source: impl StdError + Send + Sync + 'static) -> Self {
        self.0.source = Some(Box::new(source));
        self
    }

    pub(crate) fn with_help(self, help: impl Into<String>) -> Self {
        self.with_optional_help(Some(help))
    }

    pub(crate) fn with_optional_help(mut self, help: Option<impl Into<String>>) -> Self {
        self.0.help = help.map(Into::into);
        self
    }

    pub(crate) fn at(mut self, span: Option<Range<usize>>) -> Self {
        self.0.span = span;
        self
    }

    pub(crate) fn map_span(mut self, in_text: impl Fn(Range<usize>) -> Range<usize>) -> Self {
        self.0.span = self.0.span.map(in_text);
        self
    }

    pub(crate) fn with_key(mut self, key: &'static str) -> Self {
        self.0.key = key.into();
        self
    }

    pub(crate) fn with_first_use(mut self, first: Subject) -> Self {
        self.0.earlier = Some(first);
        self
    }

    pub(crate) fn in_owner(mut self, owner: &str) -> Self {
        self.0.message = format!("{owner}: {}", self.0.message);
        self
    }

    /// Finds the span of the key in a text, unless the error is about the file as a whole.
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

    /// Returns the kind of the error.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scenes::*;
    /// # let (overrides, limits, quota) = Default::default();
    /// let error = SceneFile::from_toml("budget_ms =", &overrides, limits, &quota).unwrap_err();
    /// assert_eq!(error.kind(), &SceneFileErrorKind::Toml);
    /// ```
    #[must_use]
    pub const fn kind(&self) -> &SceneFileErrorKind {
        &self.0.kind
    }

    pub(crate) const fn is_quota_exceeded(&self) -> bool {
        matches!(self.kind(), SceneFileErrorKind::QuotaExceeded(_))
    }

    /// Returns the element of the file that the error is about.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scenes::*;
    /// # let (overrides, limits, quota) = Default::default();
    /// let text = EXAMPLE.replace("radius = 2.5", "radius = -2.5");
    /// let error = SceneFile::from_toml(&text, &overrides, limits, &quota).unwrap_err();
    /// assert_eq!(error.subject(), Subject::Actor(3));
    /// ```
    #[must_use]
    pub const fn subject(&self) -> Subject {
        self.0.subject
    }

    /// Returns the key at fault, dotted as in TOML; empty for an error about the file as a whole.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scenes::*;
    /// # let (overrides, limits, quota) = Default::default();
    /// let text = EXAMPLE.replace("radius = 2.5", "radius = -2.5");
    /// let error = SceneFile::from_toml(&text, &overrides, limits, &quota).unwrap_err();
    /// assert_eq!(error.key(), "radius");
    /// ```
    #[must_use]
    pub fn key(&self) -> &str {
        &self.0.key
    }

    /// Returns the bytes of the text at fault, if the file is text and the location is known.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scenes::*;
    /// # let (overrides, limits, quota) = Default::default();
    /// let text = EXAMPLE.replace("radius = 2.5", "radius = -2.5");
    /// let error = SceneFile::from_toml(&text, &overrides, limits, &quota).unwrap_err();
    /// assert_eq!(error.span().map(|span| &text[span]), Some("-2.5"));
    /// ```
    #[must_use]
    pub fn span(&self) -> Option<Range<usize>> {
        self.0.span.clone()
    }

    /// Returns the bytes of the first use of a repeated name.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scenes::*;
    /// # let (overrides, limits, quota) = Default::default();
    /// let text = EXAMPLE.replace("guard cape right", "guard cape left");
    /// let error = SceneFile::from_toml(&text, &overrides, limits, &quota).unwrap_err();
    /// assert_eq!(error.first_use().map(|span| span.start), text.find("\"guard cape left\""));
    /// ```
    #[must_use]
    pub fn first_use(&self) -> Option<Range<usize>> {
        self.0.first_use.clone()
    }

    /// Returns advice for the user.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scenes::*;
    /// # let (overrides, limits, quota) = Default::default();
    /// let text = EXAMPLE.replacen("module = \"clothing\"", "module = \"clothin\"", 1);
    /// let error = SceneFile::from_toml(&text, &overrides, limits, &quota).unwrap_err();
    /// assert_eq!(error.help(), Some("did you mean `clothing`?"));
    /// ```
    #[must_use]
    pub fn help(&self) -> Option<&str> {
        self.0.help.as_deref()
    }
}

impl From<QuotaExceeded> for SceneFileError {
    fn from(exceeded: QuotaExceeded) -> Self {
        Self::for_file(exceeded.to_string())
            .of_kind(SceneFileErrorKind::QuotaExceeded(exceeded))
            .caused_by(exceeded)
    }
}

fn key_of(quantity: Quantity) -> Cow<'static, str> {
    match quantity {
        Quantity::Weight => "weights".into(),
        Quantity::Cost => "work".into(),
        Quantity::Lod => "force_lod".into(),
        quantity => quantity.to_string().into(),
    }
}

const fn greatest(quantity: Quantity) -> Option<&'static str> {
    Some(match quantity {
        Quantity::UnitCost | Quantity::BenefitValue => "it must be below 4294.97 ms",
        Quantity::Cost => "no level may cost 4.29 s or more",
        Quantity::Overhead => "its cost must be below 2^32 nanoseconds or units",
        Quantity::Radius => "its square must fit a 32-bit float: stay below 1e19",
        Quantity::Zoom => "it must be from 1/64 to 64",
        Quantity::Margin => "a side of the frustum and `margin` must be less than 90° from `look`",
        Quantity::Count => return None,
        _ => "it must fit a 32-bit float: stay below 3.4e38",
    })
}

const fn allowed(error: lodger_core::ValueError) -> Option<&'static str> {
    Some(match (error.quantity(), error.problem()) {
        (
            Quantity::Budget | Quantity::MaxDistance,
            ValueProblem::NotFinite | ValueProblem::Negative,
        ) => "at least 0; `inf` means no limit",
        (Quantity::Priority, _) => "from 0 to below 16",
        (Quantity::Outside, _) => "from 0 to 1",
        (Quantity::Zoom, _) => "from 1/64 to 64",
        (Quantity::ReferenceFov, _) => "above 0 and below 180 degrees",
        (_, ValueProblem::NotFinite) => "a finite number",
        (_, ValueProblem::Negative) => "a finite number of at least 0",
        (_, ValueProblem::NotPositive) => "a finite number above 0",
        (Quantity::Speed, ValueProblem::TooLarge) => "below 3.4e38, to fit a 32-bit float",
        _ => return None,
    })
}

impl fmt::Display for SceneFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl StdError for SceneFileError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.0.source.as_deref().map(|source| source as &(dyn StdError + 'static))
    }
}

/// A warning about an unusual value; its `Display` is a sentence.
///
/// # Examples
/// ```
/// # use lodger_scenes::*;
/// # let (overrides, limits, quota) = Default::default();
/// let work = "work = [0, 200, 600, 1500]\n"; // of both guards' capes
/// let text = EXAMPLE.replace(work, &format!("{work}force_lod = 9\n"));
/// let file = SceneFile::from_toml(&text, &overrides, limits, &quota)?;
/// let warning = &file.warnings[0];
/// assert_eq!(warning.to_string(), "`force_lod` 9 is outside the LODs 0 to 3 and is clamped");
/// assert_eq!(warning.subject, Subject::Actor(1));
/// assert_eq!(warning.span.clone().map(|span| &text[span]), Some("9"));
/// # Ok::<(), lodger_scenes::SceneFileError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Warning {
    message: String,
    /// The element of the file that the warning is about.
    pub subject: Subject,
    /// The bytes of the unusual value, if the file is text.
    pub span: Option<Range<usize>>,
    key: &'static str,
}

impl Warning {
    pub(crate) fn new(message: String, subject: Subject) -> Self {
        Self { message, subject, span: None, key: "" }
    }

    pub(crate) fn with_key(self, key: &'static str) -> Self {
        Self { key, ..self }
    }

    pub(crate) fn no_place(name: &str, subject: Subject) -> Self {
        let consequence = "the actor is quarantined at its lowest LOD";
        let message = format!("the position of `{name}` is not finite: {consequence}");
        Self::new(message, subject).with_key("position")
    }
}

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
