//! How things move.

use lodger_core::cost::physics::Motion;

/// How something moves that is physical, or not and at rest.
pub(crate) const fn motion(physical: bool) -> Motion {
    if physical { Motion::Physical } else { Motion::AT_REST }
}
