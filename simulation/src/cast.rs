//! Who may be shown at which levels: all that a candidate need know of the scene.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::rc::Rc;

use lodger_scheduler::{ActorId, Control, Quality, Scene, SceneError};

use crate::stage::Stage;

/// The actors of a stage as every candidate sees them.
#[derive(Debug)]
pub(crate) struct Cast {
    /// Nanoseconds; infinite if unlimited.
    pub(crate) budget_ns: f64,
    /// Whether what a module takes is paid from the budget.
    pub(crate) on_the_books: Vec<bool>,
    /// The actors, as the stage numbers them.
    pub(crate) roles: Vec<Role>,
}

/// What an actor may be given.
#[derive(Debug, Clone)]
pub(crate) struct Role {
    pub(crate) module: usize,
    /// Whether there is something to decide, and its level counts.
    pub(crate) is_automatic: bool,
    pub(crate) ladder: Rc<Ladder>,
}

/// The valid levels of actors.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Ladder {
    lowest: u8,
    highest: u8,
    units: Vec<u32>,
    qualities: Vec<Quality>,
}

impl Cast {
    /// Who is forced or not managed has the one level that the first plan says.
    pub(crate) fn new(stage: &Stage) -> Result<Self, SceneError> {
        let mut scene = stage.scene.clone();
        scene.tick();
        let mut ladders = HashMap::new();
        let numbers: HashMap<_, _> =
            stage.modules.iter().zip(0..).map(|((id, _), n)| (*id, n)).collect();
        let role = |(id, _): &(_, _)| {
            let plan = scene.plan().actor(*id).ok_or(SceneError::StaleActor)?;
            let is_automatic = plan.control == Control::Automatic;
            let range = if is_automatic {
                range(&scene, *id)
            } else {
                (plan.lod.level(), plan.lod.level())
            };
            let ladder = Ladder::new(&scene, *id, range).ok_or(SceneError::StaleActor)?;
            let ladder = ladders.entry(ladder).or_insert_with_key(|ladder| Rc::new(ladder.clone()));
            let module = numbers.get(&plan.module).copied().ok_or(SceneError::ForeignModule)?;
            Ok(Role { module, is_automatic, ladder: Rc::clone(ladder) })
        };
        let roles = stage.actors.iter().map(role).collect::<Result<_, SceneError>>()?;
        let counted = |id| scene.counts_unmanaged() || scene.is_managed(id) == Some(true);
        #[expect(clippy::cast_precision_loss, reason = "53 bits are enough for a time")]
        let budget_ns = scene.budget().ns().map_or(f64::INFINITY, |ns| ns as f64);
        let on_the_books = stage.modules.iter().map(|(id, _)| counted(*id)).collect();
        Ok(Self { budget_ns, on_the_books, roles })
    }

    /// What the levels of all actors are worth, of which each has a benefit.
    pub(crate) fn value(&self, benefits: &[f64], levels: &[u8]) -> f64 {
        let automatic = self.roles.iter().zip(benefits.iter().zip(levels));
        let worth = automatic.filter(|(role, _)| role.is_automatic);
        worth.map(|(role, (benefit, level))| benefit * role.ladder.quality(*level)).sum()
    }

    /// The units of work of each module.
    pub(crate) fn units(&self, levels: &[u8]) -> Vec<u64> {
        let mut units = vec![0; self.on_the_books.len()];
        for (role, level) in self.roles.iter().zip(levels) {
            units[role.module] += u64::from(role.ladder.units(*level));
        }
        units
    }

    /// The sum over the modules that are paid from the budget.
    pub(crate) fn paid(&self, of_modules: &[f64]) -> f64 {
        let counted = of_modules.iter().zip(&self.on_the_books).filter(|(_, counted)| **counted);
        counted.map(|(number, _)| number).sum()
    }
}

fn range(scene: &Scene<f32>, id: ActorId) -> (u8, u8) {
    let (lowest, highest) = scene.lod_range(id).map_or((0, 0), RangeInclusive::into_inner);
    let cap = scene.module_of(id).and_then(|module| scene.lod_cap(module)).flatten();
    (lowest, cap.map_or(highest, |cap| highest.min(cap)).max(lowest))
}

impl Ladder {
    fn new(scene: &Scene<f32>, id: ActorId, (lowest, highest): (u8, u8)) -> Option<Self> {
        let valid = usize::from(lowest)..=usize::from(highest);
        let units = scene.work(id)?.get(valid.clone())?.to_vec();
        let qualities = scene.qualities(id)?.get(valid)?.to_vec();
        Some(Self { lowest, highest, units, qualities })
    }

    /// The lowest valid level.
    pub(crate) fn lowest(&self) -> u8 {
        self.lowest
    }

    /// The highest valid level.
    pub(crate) fn highest(&self) -> u8 {
        self.highest
    }

    /// The valid levels, the lowest first.
    pub(crate) fn levels(&self) -> RangeInclusive<u8> {
        self.lowest..=self.highest
    }

    /// The units of work at a valid level.
    pub(crate) fn units(&self, level: u8) -> u32 {
        self.units[usize::from(level - self.lowest)]
    }

    /// How good a valid level is, from 0 to 1.
    pub(crate) fn quality(&self, level: u8) -> f64 {
        self.qualities[usize::from(level - self.lowest)].to_f64()
    }
}
