//! Linksets in TOML.

use lodger_core::error::ValueProblem;
use lodger_core::linkability::LinkPrim;
use lodger_gltf::{FixedArray, ellipsized};
use lodger_quota::Quota;
use serde::Deserialize;

use crate::builder::check_unique;
use crate::error::SceneFileError;
use crate::spans::{OBJECTS, Subject, UNLIMITED};
use crate::toml_text::{TableListFile, Tables, read_tables};

/// Bytes of an object beside its name and its prims, in a list that doubles.
const OBJECT: u64 = 3 * size_of::<LinkObject>() as u64 + 32;

const HELP: &str = "write `[[object]]` with `name = \"…\"`, and below it `[[object.prim]]` with \
                    `position = [x, y, z]` and `scale = [x, y, z]` in metres";

/// Objects that are to be linked.
///
/// # Examples
/// ```
/// use lodger_quota::Quota;
/// use lodger_scenes::Linkset;
///
/// let text = "[[object]]\nname = \"table\"\n[[object.prim]]\nposition = [0, 0, 0]\nscale = [2, 1, 1]
///     [[object]]\nname = \"chair\"\n[[object.prim]]\nposition = [1.5, 0, 0]\nscale = [0.5, 0.5, 1]";
/// let linkset = Linkset::from_toml(text, &Quota::default())?;
/// let report = linkset.check_sphere_rule()?;
/// assert_eq!((report.diameter, report.linkable), (1.5, true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Linkset {
    /// The objects in file order, at least one, with unique names; the first is the root.
    pub objects: Vec<LinkObject>,
}

/// An object of a linkset.
///
/// # Examples
/// ```
/// use lodger_core::linkability::{LinkPrim, SphereRule};
/// use lodger_scenes::Linkset;
///
/// let prim = |x| LinkPrim { position: [x, 0.0, 0.0], scale: [1.0; 3] };
/// let linkset = Linkset::new([("fence".to_owned(), vec![prim(0.0), prim(9.0)])])?;
/// let fence = &linkset.objects[0];
/// assert_eq!((fence.name.as_str(), fence.prims.len()), ("fence", 2));
/// assert_eq!(SphereRule::DOCUMENT.check(&[fence])?.enclosing.diameter(), 9.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct LinkObject {
    /// The name of the object, unique in the linkset.
    pub name: String,
    /// The prims in file order, at least one, each with a finite bounding sphere.
    pub prims: Vec<LinkPrim<f64>>,
}

impl From<RawObject> for LinkObject {
    fn from(raw: RawObject) -> Self {
        let prims = raw.prim.into_iter();
        let prims = prims.map(|prim| LinkPrim { position: prim.position.0, scale: prim.scale.0 });
        Self { name: raw.name, prims: prims.collect() }
    }
}

impl AsRef<[LinkPrim<f64>]> for LinkObject {
    fn as_ref(&self) -> &[LinkPrim<f64>] {
        &self.prims
    }
}

impl Linkset {
    /// Creates a linkset from names and prims, in metres.
    ///
    /// # Errors
    /// The errors of [`from_toml`](Self::from_toml) except syntax errors, without spans.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::linkability::LinkPrim;
    /// use lodger_scenes::Linkset;
    ///
    /// let prim = LinkPrim { position: [1.5, 0.0, 0.0], scale: [0.5, 0.5, 1.0] };
    /// let linkset = Linkset::new([("chair".to_owned(), vec![prim])])?;
    /// assert_eq!(linkset.objects[0].name, "chair");
    /// assert!(Linkset::new([]).is_err());
    /// # Ok::<(), lodger_scenes::SceneFileError>(())
    /// ```
    pub fn new(
        objects: impl IntoIterator<Item = (String, Vec<LinkPrim<f64>>)>,
    ) -> Result<Self, SceneFileError> {
        let objects = objects.into_iter().map(|(name, prims)| Ok(LinkObject { name, prims }));
        build(objects, &Quota::new(UNLIMITED))
    }

    /// Reads a linkset in TOML, in metres, parsing one `[[object]]` at a time.
    ///
    /// # Errors
    /// [`Toml`](crate::SceneFileErrorKind::Toml), [`QuotaExceeded`](crate::SceneFileErrorKind::QuotaExceeded), and errors
    /// with spans for a linkset without objects, an object without prims, a repeated name, and a prim that
    /// [`LinkPrim::bounding_sphere`] rejects.
    ///
    /// # Examples
    /// ```
    /// use lodger_quota::Quota;
    /// use lodger_core::linkability::SphereRule;
    /// use lodger_scenes::Linkset;
    ///
    /// let text = "[[object]]\nname = \"chair\"\n\
    ///     [[object.prim]]\nposition = [1.5, 0, 0]\nscale = [0.5, 0.5, 1]";
    /// let linkset = Linkset::from_toml(text, &Quota::default())?;
    /// assert_eq!(linkset.objects[0].name, "chair");
    /// let answer = SphereRule::DOCUMENT.check(&linkset.objects);
    /// assert!(answer.is_ok_and(|answer| answer.linkable));
    /// # Ok::<(), lodger_scenes::SceneFileError>(())
    /// ```
    pub fn from_toml(text: &str, quota: &Quota) -> Result<Self, SceneFileError> {
        let build = |_: &RawLinkset, objects: Tables<'_, RawObject>| {
            build(objects.map(|object| object.map(LinkObject::from)), quota)
        };
        read_tables(text, quota, build).map_err(|error| error.locate(text))
    }
}

/// Parses all objects and compares their names before it validates one.
fn build(
    objects: impl Iterator<Item = Result<LinkObject, SceneFileError>>,
    quota: &Quota,
) -> Result<Linkset, SceneFileError> {
    let mut kept: Vec<LinkObject> = Vec::new();
    for object in objects {
        let object = object?;
        let bytes = object.name.len() + object.prims.len() * size_of::<LinkPrim<f64>>();
        quota.charge_memory(OBJECT + bytes as u64)?;
        kept.push(object);
    }
    if kept.is_empty() {
        let none = SceneFileError::new("the linkset has no objects", Subject::File, "object");
        return Err(none.with_help(HELP));
    }
    let called = ("object", Subject::Object as fn(usize) -> Subject);
    check_unique(kept.len(), |index| &kept[index].name, called, quota)?;
    kept.iter().enumerate().try_for_each(|(index, object)| check(index, object))?;
    Ok(Linkset { objects: kept })
}

fn check(object: usize, LinkObject { name, prims }: &LinkObject) -> Result<(), SceneFileError> {
    let name = ellipsized(name);
    if prims.is_empty() {
        let message = format!("the object `{name}` has no prims");
        return Err(SceneFileError::new(message, Subject::Object(object), "prim").with_help(HELP));
    }
    (0..).zip(prims).try_for_each(|(prim, found)| {
        check_prim(Subject::Prim { object, prim }, found)
            .map_err(|error| error.in_owner(&format!("prim {} of `{name}`", prim + 1)))
    })
}

fn check_prim(subject: Subject, prim: &LinkPrim<f64>) -> Result<(), SceneFileError> {
    match prim.bounding_sphere() {
        Ok(_) => Ok(()),
        Err(error) => {
            let key = error.quantity().to_string();
            let numbers = if key == "position" { prim.position } else { prim.scale };
            let is_wrong = |number: &&f64| match error.problem() {
                ValueProblem::Negative => **number < 0.0,
                _ => !number.is_finite(),
            };
            let wrong = numbers.iter().find(is_wrong).unwrap_or(&numbers[0]);
            Err(SceneFileError::number(subject, key, *wrong, error))
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a linkset")]
struct RawLinkset {
    object: Option<Vec<RawObject>>,
}

impl TableListFile for RawLinkset {
    type Table = RawObject;
    const LIST: &'static str = OBJECTS;

    fn take_tables(&mut self) -> Option<Vec<RawObject>> {
        self.object.take()
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an [[object]] table")]
struct RawObject {
    name: String,
    #[serde(default)]
    prim: Vec<RawPrim>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an [[object.prim]] table")]
struct RawPrim {
    /// Metres.
    position: FixedArray<f64, 3>,
    /// Metres.
    scale: FixedArray<f64, 3>,
}

#[cfg(test)]
mod tests {
    use lodger_core::linkability::LinkPrim;
    use lodger_quota::Quota;

    use super::Linkset;
    use crate::SceneFileError;

    const TABLE_AND_CHAIR: &str = "\
[[object]]
name = \"table\"
[[object.prim]]
position = [0, 0, 0.5]
scale = [2, 1, 1]

[[object]]
name = \"chair\"
[[object.prim]]
position = [1.5, 0, 0.25]
scale = [0.5, 0.5, 0.5]
[[object.prim]]
position = [1.7, 0, 0.75]
scale = [0.1, 0.5, 1]
";

    fn read(text: &str) -> Result<Linkset, SceneFileError> {
        Linkset::from_toml(text, &Quota::default())
    }

    /// Line and column, from 1.
    fn place(text: &str, at: usize) -> String {
        let before = &text[..at];
        let column = before.rsplit('\n').next().map_or(0, str::len) + 1;
        format!(":{}:{column}", before.matches('\n').count() + 1)
    }

    #[track_caller]
    fn assert_rejected(text: &str, parts: &[&str]) {
        let error = read(text).expect_err("a mistake");
        let places = [error.span(), error.first_use()].into_iter().flatten();
        let places: Vec<_> = places.map(|span| place(text, span.start)).collect();
        let said = format!("{error} {places:?} {}", error.help().unwrap_or_default());
        for part in parts {
            assert!(said.contains(part), "no {part:?} in:\n{said}");
        }
    }

    #[track_caller]
    fn assert_rejected_with(from: &str, to: &str, parts: &[&str]) {
        assert!(TABLE_AND_CHAIR.contains(from), "no {from:?}");
        assert_rejected(&TABLE_AND_CHAIR.replacen(from, to, 1), parts);
    }

    #[test]
    fn objects_and_prims_are_read_in_order() {
        let linkset = read(TABLE_AND_CHAIR).expect("a linkset");
        let names: Vec<_> = linkset.objects.iter().map(|object| object.name.as_str()).collect();
        assert_eq!(names, ["table", "chair"]);
        let back = LinkPrim { position: [1.7, 0.0, 0.75], scale: [0.1, 0.5, 1.0] };
        assert_eq!(linkset.objects[1].prims[1], back);
    }

    #[test]
    fn errors_have_messages_and_spans() {
        assert_rejected("", &["no objects", "write `[[object]]`"]);
        assert_rejected("[[object]]\nname = \"a\"\n", &["the object `a` has no prims", ":2:8"]);
        assert_rejected_with(
            "\"chair\"",
            "\"table\"",
            &["two objects called `table`", ":8:8", ":2:8"],
        );
        assert_rejected_with(
            "scale",
            "scael",
            &["unknown key `scael`", ":5:1", "did you mean `scale`?"],
        );
        assert_rejected_with("scale = [2, 1, 1]\n", "", &["missing key `scale`", ":3:"]);
        assert_rejected_with("[2, 1, 1]", "[2, 1]", &["an array of 3 numbers", ":5:9"]);
        assert_rejected_with(
            "[2, 1, 1]",
            "2",
            &["`object.prim.scale`", "an array of 3 numbers", ":5:9"],
        );
        assert_rejected_with("\"table\"", "7", &["`object.name`", ":2:8"]);
        assert_rejected("[object]\nname = \"a\"\n", &["`object`", "write `[[object]]`", ":1:1"]);
        assert_rejected(
            "[[object]]\nname = \"a\"\n[object.prim]\n",
            &["write `[[object.prim]]`", ":3:1"],
        );
        assert_rejected("budget_ms = 5", &["unknown key `budget_ms`", ":1:1"]);
    }

    #[test]
    fn numbers_are_finite_and_scales_not_negative() {
        assert_rejected_with(
            "[2, 1, 1]",
            "[2, -1, 1]",
            &["prim 1 of `table`: `scale` is -1", ":5:9"],
        );
        assert_rejected_with("[2, 1, 1]", "[2, nan, 1]", &["`scale` is NaN"]);
        assert_rejected_with(
            "[0.1, 0.5, 1]",
            "[inf, 1, 1]",
            &["prim 2 of `chair`: `scale` is inf", ":14:9"],
        );
        assert_rejected_with("[1.5, 0, 0.25]", "[1.5, -inf, 0]", &["`position` is -inf", ":10:12"]);
        assert_rejected_with("[1.5, 0, 0.25]", "[-1.5, 0, nan]", &["`position` is NaN", ":10:12"]);
        assert_rejected_with(
            "[1.5, 0, 0.25]",
            "[1e200, 0, 0]",
            &["position is too large", ":10:12"],
        );
        let still = TABLE_AND_CHAIR.replace("[2, 1, 1]", "[0, 0, 0]").replace("1.5", "-1.5");
        assert!(read(&still).is_ok());
    }
}
