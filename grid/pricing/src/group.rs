//! Sums by owner or by parcel.

use std::collections::HashMap;
use std::fmt;

use uuid::Uuid;

use crate::apart::first_digits;
use crate::archive::PricedObject;
use crate::totals::Total;

/// What objects are summed by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GroupBy {
    /// Who owns them.
    Owner,
    /// The parcel that they stand on.
    Parcel,
}

/// The objects of one owner, or of one parcel.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Group {
    /// The owner or the parcel; `None` for the objects without one.
    pub id: Option<Uuid>,
    /// The name of the parcel; owners have none.
    pub name: Option<String>,
    /// The prims of its objects.
    pub prims: u64,
    /// Its objects together.
    pub total: Total,
}

impl GroupBy {
    /// Sums the objects that have a price, the most expensive group first. An owner or a parcel that
    /// several archives have is one group.
    #[must_use]
    pub fn sum<'o>(self, objects: impl IntoIterator<Item = &'o PricedObject>) -> Vec<Group> {
        let mut groups: HashMap<Option<Uuid>, Group> = HashMap::new();
        for object in objects {
            let Ok(price) = &object.price else { continue };
            let id = self.of(object);
            let group = groups.entry(id).or_insert_with(|| Group {
                id,
                name: self.name(object).map(str::to_owned),
                ..Group::default()
            });
            group.prims = group.prims.saturating_add(price.assessment.prims.into());
            group.total.add(&price.assessment);
        }
        let mut groups: Vec<_> = groups.into_values().collect();
        groups.sort_by(|a, b| a.total.most_expensive_first(&b.total).then(a.id.cmp(&b.id)));
        groups
    }

    fn of(self, object: &PricedObject) -> Option<Uuid> {
        match self {
            Self::Owner => object.owner,
            Self::Parcel => object.parcel.as_ref().map(|parcel| parcel.id),
        }
    }

    fn name(self, object: &PricedObject) -> Option<&str> {
        match self {
            Self::Owner => None,
            Self::Parcel => object.parcel.as_ref().map(|parcel| parcel.name.as_str()),
        }
    }
}

impl Group {
    /// Its name, and the first digits of its identifier, for names are not unique; all of the identifier
    /// if it has no name, and `none` if it has no identifier either.
    #[must_use]
    pub fn label(&self, none: &str) -> String {
        match (self.id, self.name.as_deref().unwrap_or_default()) {
            (None, _) => none.to_owned(),
            (Some(id), "") => id.to_string(),
            (Some(id), name) => format!("{name} ({})", first_digits(id)),
        }
    }
}

impl fmt::Display for GroupBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Owner => "owner",
            Self::Parcel => "parcel",
        })
    }
}
