//! Numbers of a file in the types that scenes are computed in.

use lodger_core::budget::Quality;
use lodger_core::error::{Error, Problem, Quantity};

use crate::unit::Unit;

/// Levels are counted in a byte.
const MOST_LEVELS: usize = 256;

/// The nearest number, unless a finite one becomes infinite on the way. NaN and infinity stay what they
/// are: whether they are allowed is decided where the number goes.
#[expect(clippy::cast_possible_truncation, reason = "to the nearest is meant")]
pub(crate) fn coordinate(value: f64) -> Result<f32, Error> {
    let narrow = value as f32;
    if value.is_finite() && !narrow.is_finite() {
        return Err(Error::new(Quantity::Position, Problem::TooLarge));
    }
    Ok(narrow)
}

/// The nearest number, unless a finite one becomes infinite on the way, or another than 0 becomes 0.
pub(crate) fn narrow(value: f64, quantity: Quantity) -> Result<f32, Error> {
    match coordinate(value) {
        Err(error) => Err(Error::new(quantity, error.problem())),
        Ok(0.0) if value != 0.0 => Err(Error::new(quantity, Problem::TooSmall)),
        narrow => narrow,
    }
}

/// The nearest place.
pub(crate) fn place([x, y, z]: [f64; 3]) -> Result<[f32; 3], Error> {
    Ok([coordinate(x)?, coordinate(y)?, coordinate(z)?])
}

/// Numbers of a file as qualities. An error is the end of a sentence that begins with their key.
pub(crate) fn qualities(numbers: &[f64]) -> Result<Vec<Quality>, String> {
    let quality = |(lod, &value): (usize, &f64)| {
        Quality::new(value)
            .map_err(|_| format!("is {value:?} at LOD {lod}, but must be from 0 to 1"))
    };
    let qualities = numbers.iter().enumerate().map(quality).collect::<Result<_, _>>()?;
    match numbers.windows(2).enumerate().find(|(_, pair)| pair[1] < pair[0]) {
        Some((lod, pair)) => Err(format!(
            "decreases from {:?} at LOD {lod} to {:?} at LOD {}, but higher LODs cannot be worse",
            pair[0],
            pair[1],
            lod + 1
        )),
        None => Ok(qualities),
    }
}

/// Says what a scene refused about work, as the end of a sentence that begins with the work; `None` if the
/// refusal is about something else. The unit cost is in the unit of the scene, as people write it.
pub(crate) fn refused_work(refused: Error, work: &[u32], unit: &Unit, cost: f64) -> Option<String> {
    Some(match (refused.quantity(), refused.problem()) {
        (Quantity::Work, Problem::Missing) => {
            "is empty, but must have the units at LOD 0 at least".to_owned()
        }
        (Quantity::Work, Problem::TooLarge) => {
            format!("has {} LODs, but at most {MOST_LEVELS} are possible", work.len())
        }
        (Quantity::Work, Problem::Decreasing) => {
            let (lod, pair) = work.windows(2).enumerate().find(|(_, pair)| pair[1] < pair[0])?;
            format!(
                "decreases from {} at LOD {lod} to {} at LOD {}, but higher LODs cannot cost less",
                pair[0],
                pair[1],
                lod + 1
            )
        }
        (Quantity::Cost, _) => {
            let (units, most) = (*work.last()?, u32::MAX);
            let (milliseconds, most) = match unit {
                Unit::Time => (" ms", "4.29 s".to_owned()),
                Unit::Named(_) => ("", most.to_string()),
            };
            format!(
                "of {units} units at {cost:?}{milliseconds} a unit costs more than the {most} that one \
                 actor may cost"
            )
        }
        _ => return None,
    })
}
