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
        /// The folder of the region, in an archive of several.
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
    pub(crate) fn place(&self, axes: &Axes) -> Result<Place, Problem> {
        let (Self::Region(region), true) = (self, axes.iter().any(Option::is_some)) else {
            return Ok(Place::Unknown);
        };
        let mut position = [0.0; 3];
        for ((value, text), field) in position.iter_mut().zip(axes).zip(POSITION) {
            *value = number(field, text.as_deref())?;
        }
        Ok(Place::Region { region: region.clone(), position })
    }
}
