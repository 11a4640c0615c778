//! Short texts that tell objects apart.

use std::borrow::Cow;
use std::collections::HashMap;

use lodger_archive::Place;
use uuid::Uuid;

use crate::archive::PricedObject;

/// Where each object is: its folder in the inventory, with the item if that has another name than the
/// object; or its position in whole metres, with the region if there are several. Shortened at the
/// beginning to so many characters; then, where two of one name are at one place, the first digits of
/// the object's identifier follow, or its entry if it has none.
#[must_use]
pub fn whereabouts<'o>(
    objects: impl IntoIterator<Item = &'o PricedObject>,
    most: usize,
) -> Vec<String> {
    let objects: Vec<_> = objects.into_iter().collect();
    let regions = objects.windows(2).any(|pair| region(pair[0]) != region(pair[1]));
    let texts = objects.iter().map(|object| (&*object.name, tail(&place(object, regions), most)));
    let texts: Vec<_> = texts.collect();
    let mut times: HashMap<_, usize> = HashMap::new();
    for text in &texts {
        *times.entry(text).or_default() += 1;
    }
    let one = |(object, text): (&&PricedObject, &(&str, String))| match times.get(text) {
        Some(1) => text.1.clone(),
        _ if object.id.is_nil() => tail(&object.entry, most),
        _ => format!("{} {}", text.1, first_digits(object.id)).trim_start().to_owned(),
    };
    objects.iter().zip(&texts).map(one).collect()
}

/// The first digits of an identifier: as much of it as eyes compare.
#[must_use]
pub fn first_digits(id: Uuid) -> String {
    id.to_string().chars().take(8).collect()
}

fn region(object: &PricedObject) -> Option<&str> {
    match &object.place {
        Place::Region { region, .. } => region.as_deref(),
        _ => None,
    }
}

fn place(object: &PricedObject, regions: bool) -> Cow<'_, str> {
    match &object.place {
        Place::Inventory { path } => {
            let folder = path.strip_suffix(&*object.name);
            folder.filter(|folder| folder.ends_with('/')).unwrap_or(path).into()
        }
        Place::Region { region, position } => {
            let metres = position.map(|metres| format!("{metres:.0}")).join(", ");
            match region {
                Some(region) if regions => format!("{region}: {metres}").into(),
                _ => metres.into(),
            }
        }
        _ => Cow::default(),
    }
}

/// The end of a text, which of a path tells more than its beginning.
fn tail(text: &str, most: usize) -> String {
    let count = text.chars().count();
    if count <= most {
        return text.to_owned();
    }
    let rest = text.chars().skip(count - most.saturating_sub(1));
    std::iter::once('…').chain(rest).collect()
}
