//! Objects that are to be linked, in TOML.

mod raw;

#[cfg(test)]
mod tests;

use std::ops::Range;

use lodger_allowance::Allowance;
use lodger_core::error::Problem;
use lodger_core::linkability::LinkPrim;

use crate::error::{Error, ErrorKind};
use crate::limits::UNLIMITED;
use crate::names;
use crate::place::{OBJECTS, Subject};
use crate::text::{parse, parse_unpaid};
use crate::toml_outline::Outline;
use crate::toml_price::{WORK, price};
use lodger_gltf::clipped;
use raw::{RawLinkset, RawObject, RawObjects};

/// The bytes of an object beside its name and its prims, in a list that grows to twice its length.
const OBJECT: u64 = 3 * size_of::<LinkObject>() as u64 + 32;

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
    pub prims: Vec<LinkPrim<f64>>,
}

impl From<RawObject> for LinkObject {
    fn from(raw: RawObject) -> Self {
        let prims = raw.prim.into_iter();
        let prims = prims.map(|prim| LinkPrim { position: prim.position.0, scale: prim.scale.0 });
        Self { name: raw.name, prims: prims.collect() }
    }
}

/// The prims alone, as the rules of [`lodger_core::linkability`] take objects.
impl AsRef<[LinkPrim<f64>]> for LinkObject {
    fn as_ref(&self) -> &[LinkPrim<f64>] {
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
    /// use lodger_core::linkability::LinkPrim;
    /// use lodger_scenes::Linkset;
    ///
    /// let prim = LinkPrim { position: [1.5, 0.0, 0.0], scale: [0.5, 0.5, 1.0] };
    /// let linkset = Linkset::new([("chair".to_owned(), vec![prim])])?;
    /// assert_eq!(linkset.objects[0].name, "chair");
    /// assert!(Linkset::new([]).is_err());
    /// # Ok::<(), lodger_scenes::Error>(())
    /// ```
    pub fn new(
        objects: impl IntoIterator<Item = (String, Vec<LinkPrim<f64>>)>,
    ) -> Result<Self, Error> {
        let objects = objects.into_iter().map(|(name, prims)| Ok(LinkObject { name, prims }));
        build(objects, &Allowance::new(UNLIMITED))
    }

    /// Reads objects in TOML, in metres. Of each `[[object]]` no more is kept at a time than one and what
    /// a linkset is made of.
    ///
    /// # Errors
    /// [`ErrorKind::Toml`], [`ErrorKind::Spent`], [`ErrorKind::NoObjects`], [`ErrorKind::NoPrims`],
    /// [`ErrorKind::Duplicate`], and [`ErrorKind::Number`] for what
    /// [`LinkPrim::bounding_sphere`] refuses, each with its place.
    ///
    /// # Examples
    /// ```
    /// use lodger_allowance::{Allowance, Limits};
    /// use lodger_core::linkability::SphereRule;
    /// use lodger_scenes::Linkset;
    ///
    /// let text = "[[object]]\nname = \"chair\"\n\
    ///     [[object.prim]]\nposition = [1.5, 0, 0]\nscale = [0.5, 0.5, 1]";
    /// let linkset = Linkset::from_toml(text, &Allowance::new(Limits::default()))?;
    /// assert_eq!(linkset.objects[0].name, "chair");
    /// let answer = SphereRule::DOCUMENT.check(&linkset.objects);
    /// assert!(answer.is_ok_and(|answer| answer.linkable));
    /// # Ok::<(), lodger_scenes::Error>(())
    /// ```
    pub fn from_toml(text: &str, allowance: &Allowance) -> Result<Self, Error> {
        read(text, allowance).map_err(|error| error.locate(text))
    }
}

/// Reads the objects one by one, unless they are written in another way than as `[[object]]`, or the text
/// is wrong: then the whole is parsed, as several things may be.
fn read(text: &str, allowance: &Allowance) -> Result<Linkset, Error> {
    let outline = Outline::new(text, OBJECTS);
    let rest = outline.rest(allowance)?;
    let has_objects = outline.elements().next().is_some();
    match parse::<RawLinkset>(&rest.text, allowance) {
        Ok(raw) if raw.object.is_some() => read_whole(text, None, allowance),
        Ok(_) => {
            let objects = outline.elements().map(|part| object(text, part, allowance));
            build(objects, allowance).or_else(|error| match error.kind() {
                ErrorKind::Toml(_) => read_whole(text, Some(error), allowance),
                _ => Err(error),
            })
        }
        Err(error) if has_objects && !error.is_spent() => {
            read_whole(text, Some(error.moved(|span| rest.in_text(span))), allowance)
        }
        Err(error) => Err(error),
    }
}

/// Reads a text that is parsed as a whole, if there is room for that. Otherwise it is what was found in a
/// part of it that is wrong.
fn read_whole(text: &str, found: Option<Error>, allowance: &Allowance) -> Result<Linkset, Error> {
    if let Err(spent) = allowance.keep(price(text, allowance.left())) {
        return Err(found.unwrap_or(spent.into()));
    }
    allowance.work(WORK * text.len() as u64)?;
    let raw = parse_unpaid::<RawLinkset>(text)?;
    build(raw.object.unwrap_or_default().into_iter().map(|object| Ok(object.into())), allowance)
}

/// Parses a part of a text that is one object.
fn object(text: &str, part: Range<usize>, allowance: &Allowance) -> Result<LinkObject, Error> {
    let parsed = parse::<RawObjects>(&text[part.clone()], allowance);
    let RawObjects { object: [object] } = parsed
        .map_err(|error| error.moved(|span| part.start + span.start..part.start + span.end))?;
    Ok(object.into())
}

/// All objects are parsed, and their names compared, before one is refused.
fn build(
    objects: impl Iterator<Item = Result<LinkObject, Error>>,
    allowance: &Allowance,
) -> Result<Linkset, Error> {
    let mut kept: Vec<LinkObject> = Vec::new();
    for object in objects {
        let object = object?;
        let bytes = object.name.len() + object.prims.len() * size_of::<LinkPrim<f64>>();
        allowance.keep(OBJECT + bytes as u64)?;
        kept.push(object);
    }
    if kept.is_empty() {
        let none = Error::new(ErrorKind::NoObjects, Subject::File, "object");
        return Err(none.with_help(HELP));
    }
    let called = ("object", Subject::Object as fn(usize) -> Subject);
    names::unique(kept.len(), |index| &kept[index].name, called, allowance)?;
    kept.iter().enumerate().try_for_each(|(index, object)| check(index, object))?;
    Ok(Linkset { objects: kept })
}

fn check(object: usize, LinkObject { name, prims }: &LinkObject) -> Result<(), Error> {
    let name = clipped(name);
    if prims.is_empty() {
        let kind = ErrorKind::NoPrims { object: name.into_owned() };
        return Err(Error::new(kind, Subject::Object(object), "prim").with_help(HELP));
    }
    (0..).zip(prims).try_for_each(|(prim, found)| {
        check_prim(Subject::Prim { object, prim }, found)
            .map_err(|error| error.of(format!("prim {} of `{name}`", prim + 1)))
    })
}

fn check_prim(subject: Subject, prim: &LinkPrim<f64>) -> Result<(), Error> {
    match prim.bounding_sphere() {
        Ok(_) => Ok(()),
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
