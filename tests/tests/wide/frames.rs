//! Frames in a row, of which each is decided twice.

use std::fmt::Debug;

use lodger_core::budget::{
    Decision, Draft, GROUP, Group, Last, Leftovers, Policy, Request, Stability, Standing,
};
use lodger_core::calibration::Headroom;
use lodger_core::units::Budget;

use super::crowds::{Module, modules};
use super::random::Random;
use super::references;
use super::walks::{Memory, Outcome, decide_plainly, decide_widely};

/// What is decided twice.
pub struct Scene {
    modules: Vec<Module>,
    plain: Vec<Outcome>,
    wide: Vec<Outcome>,
    standing: [Standing; 2],
    memory: Memory,
    /// To decide the same with other parts.
    parts: Random,
}

const POLICIES: [Policy; 6] = [
    Policy::Proportional(Leftovers::Keep),
    Policy::Proportional(Leftovers::WithinModule),
    Policy::Proportional(Leftovers::AcrossModules),
    Policy::Proportional(Leftovers::AcrossModules),
    Policy::Proportional(Leftovers::WholeBudget),
    Policy::Optimal,
];

impl Scene {
    /// With at most so many actors.
    pub fn new(most: usize, random: &mut Random) -> Self {
        let modules = modules(most, random);
        let outcomes: Vec<Outcome> = modules.iter().map(Outcome::of).collect();
        let actors = modules.iter().map(Module::rows).sum();
        let trials = if random.one_in(2) { 64 } else { 0 };
        Self {
            modules,
            plain: outcomes.clone(),
            wide: outcomes,
            standing: [Standing::default(); 2],
            memory: Memory::of(actors, trials),
            parts: Random::new(random.bits()),
        }
    }

    /// How many actors there are.
    pub fn actors(&self) -> usize {
        self.modules.iter().map(Module::rows).sum()
    }

    /// A request like the one before, or quite another.
    pub fn request(&self, before: &Request, random: &mut Random) -> Request {
        let mut request = *before;
        if random.one_in(3) {
            request.policy = POLICIES[random.index(POLICIES.len())];
        }
        if random.one_in(2) {
            request.budget = self.budget(random);
        } else if let (Some(ns), true) = (request.budget.ns(), random.one_in(2)) {
            let less = ns.saturating_sub(random.magnitude(6));
            request.budget = Budget::from_ns(less.saturating_add(random.magnitude(6)));
        }
        request.fixed = if random.one_in(8) { random.magnitude(20) } else { 0 };
        let headroom = if random.one_in(8) { random.magnitude_32(24) } else { 0 };
        request.headroom = Headroom::from_bits(headroom);
        let is_steady = random.one_in(12);
        request.stability = if is_steady { Stability::STEADY } else { Stability::OFF };
        request.max_raises = random.one_in(30).then(|| random.below(100) as u32);
        request
    }

    fn budget(&self, random: &mut Random) -> Budget {
        let all = |of: fn(&Module) -> u64| self.modules.iter().map(of).fold(0, u64::saturating_add);
        let minimum = all(|module| module.account().minimum());
        let target = all(|module| module.account().target());
        let maximum = all(Module::maximum);
        let part = |whole: u64, random: &mut Random| {
            minimum.saturating_add(random.below(whole.saturating_sub(minimum).max(1)))
        };
        Budget::from_ns(match random.below(12) {
            0 => return Budget::UNLIMITED,
            1 => random.magnitude(64),
            2 => minimum.saturating_sub(random.magnitude(20)),
            3 => minimum.saturating_add(random.magnitude(20)),
            4 => target.saturating_add(random.magnitude(3)).saturating_sub(random.magnitude(3)),
            5 => maximum.saturating_sub(random.magnitude(24)),
            6..9 => part(target, random),
            9 => part(target.min(maximum), random) / 16,
            _ => part(maximum, random),
        })
    }

    /// Lets time go by: benefits change, and now and then ladders do.
    pub fn pass(&mut self, random: &mut Random) {
        let scale = self.standing[0].scale;
        for (account, module) in self.modules.iter_mut().enumerate() {
            let (plain, wide) = (&mut self.plain[account], &mut self.wide[account]);
            wide.groups.iter_mut().for_each(Group::begin);
            let mut touched = module.wake(scale, random);
            if random.one_in(10) {
                module.price(random);
                wide.draft = Draft::default();
            }
            if random.one_in(10) {
                module.climb(random);
                plain.forget(module);
                wide.forget(module);
            }
            if random.one_in(4) && module.rows() > 0 {
                // Somebody may be looked at again for nothing.
                touched.push(random.index(module.rows()));
            }
            for row in touched {
                wide.groups[row / GROUP].touch();
            }
            wide.total = random.one_in(2).then(|| module.account().benefit());
            module.last = plain.levels.iter().map(|&level| Last::automatic(level)).collect();
            match (random.below(4), scale) {
                (0, _) => wide.draft = Draft::default(),
                (1 | 2, Some(scale)) => wide.draft(module, scale, random),
                _ => {}
            }
        }
    }

    /// Looks where another scene's pots ran dry.
    pub fn mislead(&mut self, other: &Self) {
        for (wide, other) in self.wide.iter_mut().zip(&other.wide) {
            wide.guess = other.guess;
        }
    }

    /// Decides a frame both ways.
    ///
    /// # Errors
    /// What differs.
    pub fn frame(&mut self, request: &Request) -> Result<Decision, String> {
        let Self { modules, plain, wide, standing: [one, other], memory, parts } = self;
        let expected = decide_plainly(request, one, modules, plain, memory);
        let found = decide_widely(request, other, modules, wide, memory, parts);
        same("decision", &expected, &found)?;
        same("standing", one, other)?;
        for (account, (plain, wide)) in plain.iter().zip(wide).enumerate() {
            let of = |what: &str| format!("{what} of account {account}");
            same_column(&of("level"), &plain.levels, &wide.levels)?;
            same_column(&of("fraction"), &plain.fractions, &wide.fractions)?;
            same(&of("cost"), &plain.assigned, &wide.assigned)?;
            let last = modules[account].last.chunks(GROUP);
            let rows = wide.before.chunks(GROUP).zip(wide.levels.chunks(GROUP));
            for ((group, (before, levels)), last) in wide.groups.iter().zip(rows).zip(last) {
                let kept = if group.has_changed() { before } else { levels };
                let kept: Vec<Last> = kept.iter().copied().map(Last::automatic).collect();
                same_column(&of("level before"), last, &kept)?;
            }
        }
        references::check(modules, request, &expected, plain)?;
        Ok(expected)
    }

    /// All that was decided, for a digest.
    pub fn outcomes(&self) -> &[Outcome] {
        &self.wide
    }
}

fn same<T: PartialEq + Debug>(what: &str, expected: &T, found: &T) -> Result<(), String> {
    if expected == found { Ok(()) } else { Err(format!("{what}: {found:?}, but {expected:?}")) }
}

fn same_column<T: PartialEq + Debug>(
    what: &str,
    expected: &[T],
    found: &[T],
) -> Result<(), String> {
    match expected.iter().zip(found).position(|(a, b)| a != b) {
        Some(row) => same(&format!("{what}, row {row}"), &expected[row], &found[row]),
        None => Ok(()),
    }
}

/// A few frames of one scene, by a number; `see` gets each of them.
///
/// # Errors
/// What differs, and where.
pub fn run(seed: u64, most: usize, mut see: impl FnMut(&Scene, &Decision)) -> Result<(), String> {
    let mut random = Random::new(seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
    let mut scene = Scene::new(most, &mut random);
    let policy = POLICIES[random.index(POLICIES.len())];
    let mut request = Request { budget: scene.budget(&mut random), policy, ..Request::default() };
    if random.one_in(4) {
        let mut other = Scene::new(most, &mut random);
        let request = Request { budget: other.budget(&mut random), ..request };
        other.pass(&mut random);
        other
            .frame(&request)
            .map_err(|difference| format!("seed {seed}, elsewhere: {difference}"))?;
        scene.mislead(&other);
    }
    for frame in 0..=random.below(5) {
        scene.pass(&mut random);
        let decision = scene.frame(&request).map_err(|difference| {
            format!("seed {seed}, at most {most} actors, frame {frame}, {request:?}: {difference}")
        })?;
        see(&scene, &decision);
        request = scene.request(&request, &mut random);
    }
    Ok(())
}
