//! Money that is spent before anybody is asked: fixed charges and minimums.

use super::{Actor, Scene, level};

/// More than any scene can spend.
const UNLIMITED: u128 = 1 << 90;

/// Fixed charges: forced actors, and actors of disabled modules that are on the books.
#[must_use]
pub fn fixed(scene: &Scene) -> u128 {
    let charged = scene.actors.iter().filter(|actor| {
        let enabled = scene.module_of(actor).enabled;
        !scene.is_on_offer(actor) && (enabled || scene.count_unmanaged)
    });
    charged.map(|actor| u128::from(level::cost_ns(&actor.costs, imposed_lod(scene, actor)))).sum()
}

/// The minimum of every actor on offer, nothing for the others.
#[must_use]
pub fn minimums(scene: &Scene) -> Vec<Option<u64>> {
    let minimum = |actor: &Actor| {
        let on_offer = scene.is_on_offer(actor);
        on_offer.then(|| u64::from(actor.minimum_ns()))
    };
    scene.actors.iter().map(minimum).collect()
}

/// What fixed charges leave of the budget.
#[must_use]
pub fn available(scene: &Scene) -> u128 {
    budget(scene).saturating_sub(fixed(scene))
}

/// What fixed charges and minimums need beyond the budget; the budget is infeasible if there is any.
#[must_use]
pub fn overcommit(scene: &Scene) -> u128 {
    let needed = fixed(scene) + total_minimum(scene);
    needed.saturating_sub(budget(scene))
}

/// Sum of the minimums of the actors on offer.
#[must_use]
pub fn total_minimum(scene: &Scene) -> u128 {
    minimums(scene).into_iter().flatten().map(u128::from).sum()
}

/// The LOD of an actor that is not on offer: the forced one, else the highest.
#[must_use]
pub fn imposed_lod(scene: &Scene, actor: &Actor) -> u32 {
    let whole = |lod: u8| u32::from(lod) << 16;
    let (lowest, highest) = (whole(actor.range.0), whole(actor.range.1));
    let asked = actor.forced.unwrap_or(highest).clamp(lowest, highest);
    if scene.module_of(actor).continuous { asked } else { (asked + 0x8000) >> 16 << 16 }
}

fn budget(scene: &Scene) -> u128 {
    scene.budget_ns.map_or(UNLIMITED, u128::from)
}
