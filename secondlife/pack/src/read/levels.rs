//! Which mesh is which level of which object.

use super::failure::Failure;
use super::file::Drawn;
use super::names::Slot;
use crate::read::failure::Notes;

/// An object with its levels.
#[derive(Debug)]
pub(super) struct Whole {
    pub(super) high: Drawn,
    /// Lowest, low, medium.
    pub(super) given: [Option<Drawn>; 3],
    pub(super) physics: Option<Drawn>,
}

/// The names of objects that are told where one is missing.
const TOLD: usize = 8;

/// Finds the object of each level: by its name, or by its place where a file has a level of every object.
///
/// A failure comes with the number of the file that it is about.
pub(super) fn match_up(
    drawn: Vec<Drawn>,
    notes: &mut Notes,
) -> Result<Vec<Whole>, (usize, Failure)> {
    let (highs, levels): (Vec<_>, Vec<_>) =
        drawn.into_iter().partition(|drawn| drawn.slot == Slot::High);
    let whole = |high| Whole { high, given: [None, None, None], physics: None };
    let mut wholes: Vec<Whole> = highs.into_iter().map(whole).collect();
    let mut left = Vec::new();
    for level in levels {
        match by_name(&wholes, &level) {
            Some(at) => {
                let slot = level.slot;
                *wholes[at].room(slot) = Some(level);
            }
            None => left.push(level),
        }
    }
    for slot in [Slot::Lowest, Slot::Low, Slot::Medium, Slot::Physics] {
        let (these, others) = left.into_iter().partition(|level| level.slot == slot);
        left = others;
        by_order(&mut wholes, these, slot, notes)?;
    }
    Ok(wholes)
}

impl Whole {
    /// Where a level below the high one goes.
    fn room(&mut self, slot: Slot) -> &mut Option<Drawn> {
        match slot {
            Slot::Lowest => &mut self.given[0],
            Slot::Low => &mut self.given[1],
            Slot::Medium => &mut self.given[2],
            Slot::High | Slot::Physics => &mut self.physics,
        }
    }

    const fn has(&self, slot: Slot) -> bool {
        match slot {
            Slot::Lowest => self.given[0].is_some(),
            Slot::Low => self.given[1].is_some(),
            Slot::Medium => self.given[2].is_some(),
            Slot::High | Slot::Physics => self.physics.is_some(),
        }
    }
}

/// The first object of the name of a level that has no such level yet.
fn by_name(wholes: &[Whole], level: &Drawn) -> Option<usize> {
    let free = |whole: &&Whole| !whole.has(level.slot);
    let of_node = |whole: &Whole| whole.high.name == level.name;
    let of_mesh = |whole: &Whole| {
        let meshes = [whole.high.mesh.as_deref(), Some(&*whole.high.name)];
        let names = [Some(&*level.name), level.mesh.as_deref()];
        meshes.into_iter().flatten().any(|mesh| names.contains(&Some(mesh)))
    };
    let find =
        |is: &dyn Fn(&Whole) -> bool| wholes.iter().position(|whole| free(&whole) && is(whole));
    find(&of_node).or_else(|| find(&of_mesh))
}

/// Levels whose names say nothing are those of the objects that lack them, if there are as many.
fn by_order(
    wholes: &mut [Whole],
    levels: Vec<Drawn>,
    slot: Slot,
    notes: &mut Notes,
) -> Result<(), (usize, Failure)> {
    let Some(first) = levels.first() else { return Ok(()) };
    let is_plain = wholes.len() == 1 || levels.iter().all(|level| level.is_by_file);
    let lacking = wholes.iter().filter(|whole| !whole.has(slot)).count();
    if !is_plain || lacking != levels.len() {
        return Err((first.file, nobodys(wholes, first)));
    }
    let lacking = wholes.iter_mut().filter(|whole| !whole.has(slot));
    for (whole, level) in lacking.zip(levels) {
        let text = format!("it is taken for {} of {}, by its place", slot.said(), whole.high.name);
        notes.once("level-by-order", &level.said, text);
        *whole.room(slot) = Some(level);
    }
    Ok(())
}

fn nobodys(wholes: &[Whole], level: &Drawn) -> Failure {
    let Drawn { said, name, slot, .. } = level;
    let slot = slot.said();
    if wholes.iter().any(|whole| whole.high.name == *name) {
        return Failure::new(format!("`{said}` is {slot} of `{name}`, which has one already"));
    }
    let failure = Failure::new(format!(
        "`{said}` is {slot} of `{name}`, but there is no object of that name"
    ));
    if wholes.is_empty() {
        return failure
            .with_help("the high level is a mesh with the plain name, or a file of its own");
    }
    let mut names: Vec<_> =
        wholes.iter().take(TOLD).map(|whole| format!("`{}`", whole.high.name)).collect();
    if wholes.len() > TOLD {
        names.push("…".to_owned());
    }
    failure.with_help(format!("there are: {}", names.join(", ")))
}
