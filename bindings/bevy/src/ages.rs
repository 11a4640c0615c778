//! Actors grow older.

use bevy_ecs::message::MessageWriter;
use bevy_ecs::system::{Res, ResMut};
use bevy_time::Time;

use crate::error::{LodError, LodProblem};
use crate::kind::LodModule;
use crate::plan::LodPlan;

/// Ages the actors of a module by the time of the frame.
pub(crate) fn age<M: LodModule>(
    mut plan: ResMut<LodPlan>,
    time: Option<Res<Time>>,
    mut errors: MessageWriter<LodError>,
) {
    let (Some(id), Some(time)) = (plan.module_id::<M>(), time) else { return };
    match plan.scene.ages_mut(id, ..) {
        Ok(ages) => ages.values.iter_mut().for_each(|age| *age += time.delta_secs()),
        Err(error) => {
            let (module, problem) = (M::short_type_path(), LodProblem::Refused(error));
            errors.write(LodError { entity: None, module, problem });
        }
    }
}
