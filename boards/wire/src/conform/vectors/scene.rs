//! Random vectors of whole scenes and of policies.

use heapless::Vec;

use super::super::decision::{COSTS, POLICY_ACTORS, PolicyModuleVector, PolicyVector};
use super::super::number::{MODULES, Number, NumberType, ROWS};
use super::super::scene::{ActorVector, ModuleVector, SceneVector, TICKS};
use super::super::view::{CameraVector, ViewVector};
use super::VectorSource;

impl<N: Number> VectorSource<'_, N> {
    pub(super) fn scene(&mut self) -> SceneVector {
        let modules: usize = self.random.up_to(MODULES);
        let modules: Vec<_, MODULES> = (0..modules).map(|_| self.module()).collect();
        // Between nothing and the highest level of all actors.
        let max: u64 = modules.iter().map(ModuleVector::max_cost).fold(0, u64::saturating_add);
        let random = &mut *self.random;
        let budget = |()| match random.below(20) {
            0 => 0,
            1 => u64::MAX,
            2 => random.wide(),
            _ => max / 100 * u64::from(10 + random.below(80)),
        };
        let budgets = [(); TICKS].map(budget);
        // Three in four scenes have one view.
        let views = [1, 1, 1, 0, 2, 2, 1, 1][usize::from(random.byte(8))];
        let views = (0..views).map(|_| self.view()).collect();
        let random = &mut *self.random;
        SceneVector {
            budgets,
            policy: random.byte(6),
            hysteresis: match random.below(4) {
                0 | 1 => [0, 0],
                2 => [26, 8],
                _ => [random.byte(256), random.byte(256)],
            },
            max_upgrades: random.percent(15).then(|| random.byte(6)),
            is_unmanaged_in_budget: random.percent(70),
            views,
            modules,
        }
    }

    /// A view that moves and turns a little from tick to tick; half of them have a frustum.
    fn view(&mut self) -> [ViewVector; TICKS] {
        let random = &mut *self.random;
        let eye = [(); 3].map(|()| random.signed::<N>(50.0));
        let next = eye.map(|bits| {
            let step = N::from_f64(random.unit()).unwrap_or(N::ZERO);
            (N::from_word(bits) + step).word()
        });
        let zoom = match random.below(10) {
            0..6 => None,
            6..9 => Some(float(0.25 + 8.0 * random.unit())),
            _ => Some(random.number::<f32>(NumberType::F32, 70.0)),
        };
        let camera = random.percent(50).then(|| self.camera());
        let later = camera.map(|camera| CameraVector { axes: self.turned(camera.axes), ..camera });
        [ViewVector { eye, zoom, camera }, ViewVector { eye: next, zoom, camera: later }]
    }

    fn camera(&mut self) -> CameraVector {
        let axes = self.axes();
        let random = &mut *self.random;
        let projection = [4.0, 4.0, 0.2, 0.2].map(|scale| float(0.02 + scale * random.unit()));
        let margin = if random.percent(95) { 8.0 * random.unit() } else { 100.0 * random.unit() };
        let reference = random.percent(20).then(|| float(180.0 * random.unit()));
        CameraVector { axes, projection, margin: float(margin), reference }
    }

    /// The columns of a matrix that looks anywhere.
    fn axes(&mut self) -> [[u32; 3]; 3] {
        let random = &mut *self.random;
        let turn = turn(random.unit());
        let [sine, cosine] = turn.map(|part| if random.percent(50) { -part } else { part });
        [[cosine, 0.0, sine], [0.0, 1.0, 0.0], [-sine, 0.0, cosine]].map(|axis| axis.map(float))
    }

    /// Turns a matrix by up to some degrees about y.
    fn turned(&mut self, axes: [[u32; 3]; 3]) -> [[u32; 3]; 3] {
        let [sine, cosine] = turn(0.05 * (self.random.unit() - 0.5));
        axes.map(|axis| {
            let [x, y, z] = axis.map(|bits| f64::from(f32::from_bits(bits)));
            [x * cosine + z * sine, y, z * cosine - x * sine].map(float)
        })
    }

    /// A priority in 1/4096; half of them are 1.
    fn priority(&mut self) -> u16 {
        let random = &mut *self.random;
        if random.percent(50) { 4096 } else { u16::try_from(random.word() >> 16).unwrap_or(0) }
    }

    fn module(&mut self) -> ModuleVector {
        let random = &mut *self.random;
        let (levels, actors) = (random.up_to(ROWS), random.up_to(ROWS + 1) - 1);
        let (a, b) = (random.byte(levels), random.byte(levels));
        let step = [2, 40, 1_000][usize::from(random.byte(3))];
        let mut units = if random.percent(70) { 0 } else { random.below(step) };
        let rise = |_| {
            let now = units;
            units += if random.percent(15) { 0 } else { random.below(step) };
            now
        };
        let work: Vec<u32, ROWS> = (0..levels).map(rise).collect();
        let highest = work.last().copied().unwrap_or(0);
        // Up to 1, 256 or 262 144 ns per unit.
        let unit_cost = u64::from(random.word()) << [0, 8, 8, 18][usize::from(random.byte(4))];
        // Benefits are small.
        let worth = cost(highest, unit_cost).saturating_mul(random.below(60).into());
        let bounded = random.percent(70).then(|| random.sound::<N>(200.0));
        let ageing = random.percent(60).then(|| random.sound::<N>(30.0));
        let actors = (0..actors).map(|_| self.actor(levels)).collect();
        let priority = self.priority();
        let random = &mut *self.random;
        ModuleVector {
            unit_cost,
            benefit_value: if random.percent(5) {
                random.word()
            } else {
                u32::try_from(worth).unwrap_or(u32::MAX)
            },
            managed: random.percent(85),
            priority,
            outside: [4096, 4096, 0, u16::from(random.byte(256)) * 16][usize::from(random.byte(4))],
            cap: random.percent(20).then(|| random.byte(ROWS)),
            overhead: if random.percent(70) { 0 } else { random.below(highest + 1) },
            max_distance: bounded,
            max_age: ageing,
            work,
            range: [a.min(b), a.max(b)],
            actors,
            measured: random.percent(60).then(|| (random.below(4_000), random.below(400_000))),
            leaves: random.percent(30).then(|| random.byte(ROWS)),
        }
    }

    fn actor(&mut self, levels: usize) -> ActorVector {
        let (row, priority) = (self.row(), self.priority());
        let random = &mut *self.random;
        ActorVector {
            row,
            given: random
                .percent(20)
                .then(|| if random.percent(90) { random.below(1 << 16) } else { random.word() }),
            confined: random.percent(30),
            forced: random.percent(12).then(|| random.byte(levels)),
            priority,
        }
    }
}

impl ModuleVector {
    /// The approximate cost of all actors at the highest level, in nanoseconds.
    fn max_cost(&self) -> u64 {
        let units = self.work.last().copied().unwrap_or(0);
        cost(units, self.unit_cost) * self.actors.len() as u64
    }
}

/// The sine and the cosine of an angle, by the tangent of its half.
fn turn(t: f64) -> [f64; 2] {
    [2.0 * t / (1.0 + t * t), (1.0 - t * t) / (1.0 + t * t)]
}

/// The bits of a number in single precision.
#[allow(clippy::cast_possible_truncation)] // rounded
fn float(value: f64) -> u32 {
    (value as f32).to_bits()
}

/// The cost of work in nanoseconds, plus 1.
fn cost(units: u32, unit_cost: u64) -> u64 {
    ((u64::from(units) * (unit_cost >> 16)) >> 16) + 1
}

impl<N: Number> VectorSource<'_, N> {
    pub(super) fn policy(&mut self) -> PolicyVector {
        let modules = [(); 2].map(|()| self.policy_module());
        let random = &mut *self.random;
        // Between nothing and the highest level of all actors.
        let max: u64 = modules.iter().map(PolicyModuleVector::max_cost).sum();
        let part = |percent: u32| max / 100 * u64::from(percent);
        let budget = match random.below(12) {
            0 => u64::MAX,
            1 => random.wide(),
            _ => part(random.below(110)),
        };
        PolicyVector {
            budget,
            reserved: if random.percent(70) { 0 } else { part(random.below(20)) },
            headroom: if random.percent(60) { 0 } else { random.word() >> 8 },
            policy: if random.percent(75) { 4 } else { random.byte(4) },
            hysteresis: match random.below(3) {
                0 => [0, 0],
                1 => [26, 8],
                _ => [random.byte(256), random.byte(256)],
            },
            max_upgrades: random.percent(15).then(|| random.byte(6)),
            // One in four has from one to three passes, without another random number.
            max_passes: u8::try_from(budget % 12).ok().filter(|passes| (1..4).contains(passes)),
            modules,
        }
    }

    fn policy_module(&mut self) -> PolicyModuleVector {
        let random = &mut *self.random;
        let (levels, actors) = (random.up_to(COSTS), random.up_to(POLICY_ACTORS + 1) - 1);
        let second = random.byte(levels + 1);
        let steps = [1, 100, 100_000, u32::MAX / 8][usize::from(random.byte(4))];
        let even = random.percent(20);
        let mut costs = Vec::new();
        let mut qualities = Vec::new();
        let (mut cost, mut quality) = (0_u32, 0_u16);
        for place in 0..levels {
            if place == usize::from(second) {
                (cost, quality) = (0, 0);
            }
            cost = cost.saturating_add(if random.percent(15) { 0 } else { random.below(steps) });
            let rise = if even { 2_700 } else { random.below(6_000) };
            quality = quality.saturating_add(u16::try_from(rise).unwrap_or(0)).min(1 << 15);
            let _ = costs.push(cost);
            let _ = qualities.push(quality);
        }
        // Equal actors make ties.
        let same = random.percent(20).then(|| random.below(1 << 17));
        let benefit = |_| {
            same.unwrap_or_else(|| {
                if random.percent(95) { random.below(1 << 16) } else { random.word() >> 8 }
            })
        };
        let first: Vec<u32, POLICY_ACTORS> = (0..actors).map(benefit).collect();
        let random = &mut *self.random;
        let near = |&benefit: &u32| {
            let change = random.below(benefit / 4 + 1);
            if random.percent(50) { benefit + change } else { benefit - change }
        };
        let later = first.iter().map(near).collect();
        PolicyModuleVector {
            benefit_value: random.below(400_000),
            continuous: random.percent(20),
            costs,
            qualities,
            second,
            benefits: [first, later],
        }
    }
}

impl PolicyModuleVector {
    /// The cost of all actors at the most expensive level.
    fn max_cost(&self) -> u64 {
        let [first, _] = &self.benefits;
        let max = self.costs.iter().max().copied().unwrap_or(0);
        u64::from(max) * first.len() as u64
    }
}
