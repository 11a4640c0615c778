//! What prices say of themselves, and figures, in words for people.

use lodger_archive::ArchiveKind;
use lodger_core::cost::Provenance;
use lodger_core::cost::physics::SMALLEST_MESH_SIDE;
use lodger_core::cost::streaming::MeshLod;
use lodger_pricing::{Bend, MadeOf, Mark, NoRoom, Remark, ShapeChoice};
use lodger_terminal::{Decimals, length};

/// What should be known about the price of a linkset.
pub(super) fn remark_on_linkset(on: &Remark) -> String {
    match on {
        Remark::TooMuchToBePhysical { cost } => {
            format!("it is physical, but its physics cost of {cost:.1} is too much")
        }
        other => other.to_string(),
    }
}

/// That objects are inside other objects.
pub(super) fn stowed(objects: usize, kind: ArchiveKind) -> String {
    let what = if objects == 1 { "1 object is" } else { &format!("{objects} objects are") };
    match kind {
        ArchiveKind::Inventory => {
            format!("{what} inside other objects of the inventory, not counted")
        }
        _ => format!("{what} inside other objects, not in the world, and not counted"),
    }
}

/// Something with how far it can be trusted, unless a document says it.
pub(super) fn trusted(what: &str, provenance: Provenance) -> String {
    if provenance >= Provenance::Estimated {
        format!("{what} ({provenance})")
    } else {
        what.to_owned()
    }
}

/// What a mesh would collide as, and how far its cost can be trusted.
pub(super) fn made_of(choice: &ShapeChoice) -> String {
    let what = match choice.made_of {
        MadeOf::Nothing => return "nothing to collide with".to_owned(),
        MadeOf::Hull { vertices } => format!("hull of {vertices} vertices"),
        MadeOf::Hulls { count, vertices } => format!("{count} hulls with {vertices} vertices"),
        MadeOf::Mesh => "physics mesh".to_owned(),
    };
    format!("{what}, {}", choice.physics.provenance)
}

/// Why no number of bytes comes to a land impact.
pub(super) fn no_room(why: &NoRoom, land_impact: u32) -> String {
    match why {
        NoRoom::OtherWeight { which, weight } => format!(
            "at this size {which} weighs {weight:.3} whatever the bytes, too much for {land_impact}"
        ),
        _ => format!("even empty LODs cost more than {land_impact} at this size"),
    }
}

/// What changes at a size.
pub(super) fn mark(mark: &Mark) -> String {
    match mark {
        Mark::Bend(Bend::Grows(MeshLod::High)) => {
            "the circle of the high LOD grows from its least area".to_owned()
        }
        Mark::Bend(Bend::Grows(lod)) => {
            format!("the ring of the {lod} LOD grows from its least area")
        }
        Mark::Bend(Bend::Shut(lod)) => {
            format!("the ring of the {lod} LOD is down to its least area")
        }
        Mark::Bend(Bend::Fills(MeshLod::High)) => "the high LOD fills the region".to_owned(),
        Mark::Bend(Bend::Fills(MeshLod::Medium)) => {
            "the medium and the high LOD fill the region".to_owned()
        }
        Mark::Bend(Bend::Fills(lod)) => format!("the {lod} LOD and higher ones fill the region"),
        Mark::Flip => format!(
            "physics flips: a hull below {SMALLEST_MESH_SIDE} m of the shortest side, a mesh from there"
        ),
        Mark::Step { from, to } => format!("land impact {from} to {to}"),
    }
}

/// The decimals of a weight: so that what rounds up and what rounds down look different.
const OF_A_WEIGHT: i32 = 3;

/// A weight in a sentence.
pub(super) fn weight(cost: f64) -> String {
    Decimals::exactly(OF_A_WEIGHT).show(cost)
}

/// The decimals of a column of weights.
pub(super) fn weights(column: impl IntoIterator<Item = f64>) -> Decimals {
    Decimals::at_least(OF_A_WEIGHT, column)
}

/// A scale with its unit.
pub(super) fn scale(sides: [f64; 3]) -> String {
    let [x, y, z] = sides.map(length);
    format!("{x} × {y} × {z} m")
}

/// A part of a whole.
pub(super) fn percent(part: f64) -> String {
    let percent = part * 100.0;
    if percent > 0.0 && percent < 0.05 { "<0.1 %".to_owned() } else { format!("{percent:.1} %") }
}

#[cfg(test)]
mod tests {
    use super::{percent, weight};

    #[test]
    fn figures_are_short_and_tell_small_from_none() {
        assert_eq!(weight(0.0), "0");
        assert_eq!(weight(0.0001), "<0.001");
        assert_eq!(weight(2.4996), "2.500");
        assert_eq!(percent(0.000_01), "<0.1 %");
        assert_eq!(percent(1.0), "100.0 %");
    }
}
