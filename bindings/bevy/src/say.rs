//! What the world says of an actor, in the scene's words.

use lodger_scheduler::{Actor, ActorId, Lod, ModuleId, Quality, Scene, SceneError};

/// All that components say of an actor.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Said<'a> {
    /// The bits of its entity.
    pub(crate) key: u64,
    pub(crate) place: [f32; 3],
    pub(crate) radius: f32,
    pub(crate) work: &'a [u32],
    /// Empty for those of the module.
    pub(crate) qualities: &'a [f32],
    pub(crate) forced: Option<Lod>,
    pub(crate) range: Option<(u8, u8)>,
    pub(crate) is_hidden: bool,
}

impl<'a> Said<'a> {
    /// The actor to be spawned, but for qualities of its own.
    pub(crate) fn actor(&self) -> Actor<'a, f32> {
        let mut actor = Actor::seen(self.place, self.radius, self.work);
        if let Some((lowest, highest)) = self.range {
            actor = actor.lod_range(lowest..=highest);
        }
        if let Some(lod) = self.forced {
            actor = actor.forced(lod);
        }
        actor.visible(!self.is_hidden).key(self.key)
    }

    fn own_qualities(&self) -> Result<Option<Vec<Quality>>, SceneError> {
        if self.qualities.is_empty() {
            return Ok(None);
        }
        let qualities = self.qualities.iter().map(|&quality| Quality::new(quality.into()));
        Ok(Some(qualities.collect::<Result<_, _>>()?))
    }
}

/// Spawns an actor, with qualities of its own if it has them.
pub(crate) fn spawn(
    scene: &mut Scene<f32>,
    module: ModuleId,
    said: &Said<'_>,
) -> Result<ActorId, SceneError> {
    let qualities = said.own_qualities()?;
    let actor = said.actor();
    match &qualities {
        Some(qualities) => scene.spawn(module, actor.qualities(qualities)),
        None => scene.spawn(module, actor),
    }
}

/// Says again what may be another thing than before; `is_new` if the radius, the work or the qualities may be.
///
/// What is refused is returned, the first of several; the actor keeps what it had of that, and of a radius, work and
/// qualities all.
pub(crate) fn change(
    scene: &mut Scene<f32>,
    id: ActorId,
    said: &Said<'_>,
    is_new: bool,
) -> Result<(), SceneError> {
    let shape = if is_new { reshape(scene, id, said) } else { Ok(()) };
    let range = limit(scene, id, said);
    scene.force_lod(id, said.forced)?;
    if scene.is_visible(id) != Some(!said.is_hidden) {
        scene.set_visible(id, !said.is_hidden)?;
    }
    shape.and(range)
}

/// Says radius, work and qualities again: all of them, or where one is refused none.
fn reshape(scene: &mut Scene<f32>, id: ActorId, said: &Said<'_>) -> Result<(), SceneError> {
    let qualities = said.own_qualities()?;
    let (radius, before) = (scene.radius(id), scene.work(id).map(<[u32]>::to_vec));
    let (range, old_qualities) = (scene.lod_range(id), scene.qualities(id));
    scene.set_radius(id, said.radius)?;
    let mut said_all = scene.set_work(id, said.work);
    if said_all.is_ok() && qualities.is_some() {
        said_all = scene.set_qualities(id, qualities.as_deref());
    }
    if said_all.is_err()
        && let (Some(radius), Some(work), Some(range)) = (radius, before, range)
    {
        scene.set_radius(id, radius)?;
        scene.set_work(id, &work)?;
        scene.set_qualities(id, old_qualities.as_deref())?;
        scene.set_lod_range(id, range)?;
    }
    said_all
}

/// Sets the range that is asked for, or all levels.
fn limit(scene: &mut Scene<f32>, id: ActorId, said: &Said<'_>) -> Result<(), SceneError> {
    let levels = scene.work(id).map_or(1, <[u32]>::len);
    let all = (0, u8::try_from(levels.saturating_sub(1)).unwrap_or(u8::MAX));
    let (lowest, highest) = said.range.unwrap_or(all);
    let range = lowest..=highest;
    if scene.lod_range(id).as_ref() == Some(&range) {
        return Ok(());
    }
    scene.set_lod_range(id, range)
}
