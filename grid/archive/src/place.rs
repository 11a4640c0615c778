//! Where an object is.

use std::sync::Arc;

use crate::problem::Problem;
use crate::raw::Axes;
use crate::value::number;

const POSITION: [&str; 3] = ["GroupPosition.X", "GroupPosition.Y", "GroupPosition.Z"];

/// Where an object is.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Place {
    /// It stands in a region.
    Region {
        /// The folder of the region, in an archive of several; the name that [`Prims`](crate::Prims) gives it.
        region: Option<Arc<str>>,
        /// Metres from the south-western corner of the region.
        position: [f64; 3],
    },
    /// It lies in an inventory.
    Inventory {
        /// The names of its folders and its own, with `/` between them.
        path: Arc<str>,
    },
    /// It is an asset that no item of an inventory refers to, or XML by itself; or the archive does
    /// not say where in its region it stands.
    Unknown,
}

/// What an object stands on.
#[derive(Clone, Debug)]
pub(crate) enum Ground {
    /// A region, by its folder in an archive of several.
    Region(Option<Arc<str>>),
    /// None.
    None,
}

impl Ground {
    /// The place of an object whose root has this position. Without any axis it is unknown.
    pub(crate) fn place(&self, axes: &Axes<'_>) -> Result<Place, Problem> {
        let Self::Region(region) = self else { return Ok(Place::Unknown) };
        Ok(self::position(axes)?
            .map_or(Place::Unknown, |position| Place::Region { region: region.clone(), position }))
    }
}

/// The position in its region that the axes say; `None` without any axis.
pub(crate) fn position(axes: &Axes<'_>) -> Result<Option<[f64; 3]>, Problem> {
    if axes.iter().all(Option::is_none) {
        return Ok(None);
    }
    let mut position = [0.0; 3];
    for ((value, text), field) in position.iter_mut().zip(axes).zip(POSITION) {
        *value = number(field, text.as_deref())?;
    }
    Ok(Some(position))
}
