use crate::budget::policy::Hysteresis;
use crate::budget::scale::Scale;

/// The scale of a frame, and the hysteresis of its levels.
#[derive(Clone, Copy)]
pub(super) struct ShareTerms {
    pub(super) scale: Scale,
    pub(super) hysteresis: Hysteresis,
}
