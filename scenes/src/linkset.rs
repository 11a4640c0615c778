//! Objects that are to be linked, in TOML.

mod raw;

#[cfg(test)]
mod tests;

use lodger_core::error::Problem;
use lodger_core::linkability::Prim;

use crate::error::{Error, ErrorKind};
use crate::limits::Limits;
use crate::names;
use crate::numbers::Numbers;
use crate::place::Subject;
use crate::text;
use raw::{RawLinkset, RawObject, RawPrim};

/// What to write into a file.
const HELP: &str = "write `[[object]]` with `name = \"…\"`, and below it `[[object.prim]]` with \
                    `position = [x, y, z]` and `scale = [x, y, z]` in metres";

/// Objects that are to be linked.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Linkset {
    /// The objects in file order, at least one; the first is the root. Names are unique.
    pub objects: Vec<LinkObject>,
}

/// An object that is to be linked with others.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct LinkObject {
    /// Its unique name.
    pub name: String,
    /// Its prims in file order, at least one; each has a bounding sphere.
    pub prims: Vec<Prim<f64>>,
}

/// The prims alone, as the rules of [`lodger_core::linkability`] take objects.
impl AsRef<[Prim<f64>]> for LinkObject {
    fn as_ref(&self) -> &[Prim<f64>] {
        &self.prims
    }
}

impl Linkset {
    /// Objects that are in no file, each by its name and its prims, in metres.
    ///
    /// # Errors
    /// Those of [`from_toml`](Self::from_toml) but for the syntax, without a place.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::linkability::Prim;
    /// use lodger_scenes::Linkset;
    ///
    /// let prim = Prim { position: [1.5, 0.0, 0.0], scale: [0.5, 0.5, 1.0] };
    /// let linkset = Linkset::new([("chair".to_owned(), vec![prim])])?;
    /// assert_eq!(linkset.objects[0].name, "chair");
    /// assert!(Linkset::new([]).is_err());
    /// # Ok::<(), lodger_scenes::Error>(())
    /// ```
    pub fn new(objects: impl IntoIterator<Item = (String, Vec<Prim<f64>>)>) -> Result<Self, Error> {
        let raw = |prim: Prim<f64>| RawPrim {
            position: Numbers(prim.position),
            scale: Numbers(prim.scale),
        };
        let object = |(name, prims): (String, Vec<_>)| RawObject {
            name,
            prim: prims.into_iter().map(raw).collect(),
        };
        build(RawLinkset { object: objects.into_iter().map(object).collect() })
    }

    /// Reads objects in TOML, in metres.
    ///
    /// # Errors
    /// [`ErrorKind::Toml`], [`ErrorKind::TooLong`], [`ErrorKind::NoObjects`], [`ErrorKind::NoPrims`],
    /// [`ErrorKind::Duplicate`], and [`ErrorKind::Number`] for what
    /// [`Prim::bounding_sphere`] refuses, each with its place.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::linkability::SphereRule;
    /// use lodger_scenes::{Limits, Linkset};
    ///
    /// let text = "[[object]]\nname = \"chair\"\n\
    ///     [[object.prim]]\nposition = [1.5, 0, 0]\nscale = [0.5, 0.5, 1]";
    /// let linkset = Linkset::from_toml(text, Limits::default())?;
    /// assert_eq!(linkset.objects[0].name, "chair");
    /// let answer = SphereRule::DOCUMENT.check(&linkset.objects);
    /// assert!(answer.is_ok_and(|answer| answer.linkable));
    /// # Ok::<(), lodger_scenes::Error>(())
    /// ```
    pub fn from_toml(text: &str, limits: Limits) -> Result<Self, Error> {
        build(text::parse(text, limits)?).map_err(|error| error.locate(text))
    }
}

fn build(raw: RawLinkset) -> Result<Linkset, Error> {
    if raw.object.is_empty() {
        let none = Error::new(ErrorKind::NoObjects, Subject::File, "object");
        return Err(none.with_help(HELP));
    }
    names::unique(raw.object.iter().map(|o| o.name.as_str()), "object", Subject::Object)?;
    let objects = raw.object.into_iter().enumerate();
    let objects = objects.map(|(index, raw)| object(index, raw)).collect::<Result<_, _>>()?;
    Ok(Linkset { objects })
}

fn object(object: usize, RawObject { name, prim }: RawObject) -> Result<LinkObject, Error> {
    if prim.is_empty() {
        let kind = ErrorKind::NoPrims { object: name };
        return Err(Error::new(kind, Subject::Object(object), "prim").with_help(HELP));
    }
    let prims = (0..).zip(&prim).map(|(prim, raw)| {
        checked(Subject::Prim { object, prim }, raw)
            .map_err(|error| error.of(format!("prim {} of `{name}`", prim + 1)))
    });
    let prims = prims.collect::<Result<_, _>>()?;
    Ok(LinkObject { name, prims })
}

fn checked(subject: Subject, raw: &RawPrim) -> Result<Prim<f64>, Error> {
    let prim = Prim { position: raw.position.0, scale: raw.scale.0 };
    match prim.bounding_sphere() {
        Ok(_) => Ok(prim),
        Err(error) => {
            let key = error.quantity().to_string();
            let numbers = if key == "position" { prim.position } else { prim.scale };
            let is_wrong = |number: &&f64| match error.problem() {
                Problem::Negative => **number < 0.0,
                _ => !number.is_finite(),
            };
            let wrong = numbers.iter().find(is_wrong).unwrap_or(&numbers[0]);
            Err(Error::number(subject, key, *wrong, error))
        }
    }
}
