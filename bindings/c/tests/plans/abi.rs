//! The calls made through the functions of the header.

use std::ffi::c_void;
use std::ptr;

use lodger::abi::{
    ACTOR_INVISIBLE, ASSIGNED, ActorDesc, ActorReport, Change, MODULE_CONTINUOUS, MODULE_UNMANAGED,
    ModuleDesc, ModuleReport, NO_CAP, Report, Status, UNLIMITED,
};
use lodger::{
    In, Out, lodger_actor_report_of, lodger_actor_set_qualities, lodger_actor_set_range,
    lodger_actor_set_work, lodger_actors_despawn, lodger_actors_levels, lodger_actors_lods,
    lodger_actors_set, lodger_actors_spawn, lodger_changes, lodger_module_add,
    lodger_module_measured, lodger_module_report_of, lodger_module_set_benefit_value,
    lodger_module_set_lod_cap, lodger_module_set_managed, lodger_module_set_overhead,
    lodger_module_set_rule, lodger_module_set_unit_cost, lodger_scene_advance_ages,
    lodger_scene_certify, lodger_scene_create, lodger_scene_destroy, lodger_scene_set_budget,
    lodger_scene_set_count_unmanaged, lodger_scene_set_headroom_target,
    lodger_scene_set_max_raises, lodger_scene_set_origin, lodger_scene_set_policy,
    lodger_scene_set_stability, lodger_scene_set_trials, lodger_scene_track_changes, lodger_tick,
    lodger_view_add, lodger_view_remove, lodger_view_set,
};

use crate::plans::calls::{self, Call, Column, Row};
use crate::plans::player::Player;
use crate::plans::told::{Told, known};

/// A scene and the handles that were given out, 0 where a call was refused.
#[derive(Default)]
pub(crate) struct ThroughC {
    scene: u32,
    modules: Vec<u32>,
    views: Vec<u64>,
    actors: Vec<u64>,
}

impl Player for ThroughC {
    fn play(&mut self, call: &Call, told: &mut Told) {
        if let Call::Tick(whom, certify) = call {
            self.tick(*whom, *certify, told);
        } else {
            told.call(self.make(call).0);
        }
    }
}

fn one<T>(value: &T) -> In<T> {
    // SAFETY: a reference is good for reading, and outlives the call in all of this file.
    unsafe { In::new(ptr::from_ref(value)) }
}

fn many<T>(values: &[T]) -> In<T> {
    // SAFETY: a slice is good for reading, and outlives the call in all of this file.
    unsafe { In::new(values.as_ptr()) }
}

fn to<T>(value: &mut T) -> Out<T> {
    // SAFETY: a unique reference is good for writing, and outlives the call in all of this file.
    unsafe { Out::new(ptr::from_mut(value)) }
}

fn to_many<T>(values: &mut [T]) -> Out<T> {
    // SAFETY: a unique slice is good for writing, and outlives the call in all of this file.
    unsafe { Out::new(values.as_mut_ptr()) }
}

fn bytes<T>() -> u32 {
    u32::try_from(size_of::<T>()).expect("structs are small")
}

/// Fills the part of a desc that makes a rule.
fn with_rule(desc: ModuleDesc, rule: &calls::Rule) -> ModuleDesc {
    let [weight_distance, weight_age, weight_speed] = rule.weights;
    ModuleDesc {
        importance: rule.importance,
        max_distance: rule.max_distance.unwrap_or(lodger::abi::NO_LIMIT),
        weight_distance,
        weight_age,
        weight_speed,
        bias: rule.bias,
        max_age: rule.max_age,
        max_speed: rule.max_speed,
        ..desc
    }
}

fn levels<T>(table: &[T]) -> u32 {
    u32::try_from(table.len()).expect("tables are short")
}

impl ThroughC {
    fn make(&mut self, call: &Call) -> Status {
        let scene = self.scene;
        match call {
            Call::Create(ns) => lodger_scene_create(ns.unwrap_or(UNLIMITED), to(&mut self.scene)),
            Call::Budget(ns) => lodger_scene_set_budget(scene, ns.unwrap_or(UNLIMITED)),
            Call::Policy(policy) => lodger_scene_set_policy(scene, *policy),
            Call::Stability(margin, reserve) => {
                lodger_scene_set_stability(scene, *margin, *reserve)
            }
            Call::MaxRaises(most) => lodger_scene_set_max_raises(scene, most.unwrap_or(u32::MAX)),
            Call::Trials(trials) => lodger_scene_set_trials(scene, *trials),
            Call::Headroom(part) => lodger_scene_set_headroom_target(scene, *part),
            Call::CountUnmanaged(count) => lodger_scene_set_count_unmanaged(scene, (*count).into()),
            Call::AdvanceAges(seconds) => lodger_scene_advance_ages(scene, *seconds),
            Call::Track(track) => lodger_scene_track_changes(scene, (*track).into()),
            Call::Origin(origin) => lodger_scene_set_origin(scene, one(origin)),
            Call::AddView(eye) => {
                self.views.push(0);
                let last = self.views.last_mut().expect("it was pushed");
                lodger_view_add(scene, one(eye), to(last))
            }
            Call::SetView(which, eye) => lodger_view_set(scene, self.views[*which], one(eye)),
            Call::RemoveView(which) => lodger_view_remove(scene, self.views[*which]),
            Call::AddModule(module) => self.add_module(module),
            Call::Spawn(module, actors) => self.spawn(*module, actors),
            Call::Despawn(whom) => {
                let whom = self.all(whom);
                lodger_actors_despawn(scene, many(&whom), whom.len())
            }
            Call::Set(whom, column, rows, repeats) => self.set(whom, *column, rows, *repeats),
            Call::Destroy => lodger_scene_destroy(scene),
            _ => self.make_of_one(call),
        }
    }

    /// The calls about one actor or one module.
    fn make_of_one(&self, call: &Call) -> Status {
        let scene = self.scene;
        match call {
            Call::Range(whom, lowest, highest) => {
                lodger_actor_set_range(scene, self.actors[*whom], *lowest, *highest)
            }
            Call::Work(whom, work) => {
                lodger_actor_set_work(scene, self.actors[*whom], many(work), levels(work))
            }
            Call::Qualities(whom, None) => {
                lodger_actor_set_qualities(scene, self.actors[*whom], In::NULL, 0)
            }
            Call::Qualities(whom, Some(table)) => {
                let whom = self.actors[*whom];
                lodger_actor_set_qualities(scene, whom, many(table), levels(table))
            }
            Call::UnitCost(module, ns) => {
                lodger_module_set_unit_cost(scene, self.modules[*module], *ns)
            }
            Call::BenefitValue(module, ns) => {
                lodger_module_set_benefit_value(scene, self.modules[*module], *ns)
            }
            Call::Rule(module, rule) => {
                let desc = with_rule(ModuleDesc::default(), rule);
                lodger_module_set_rule(scene, self.modules[*module], one(&desc))
            }
            Call::Managed(module, managed) => {
                lodger_module_set_managed(scene, self.modules[*module], (*managed).into())
            }
            Call::Cap(module, cap) => {
                let cap = cap.map_or(NO_CAP, u32::from);
                lodger_module_set_lod_cap(scene, self.modules[*module], cap)
            }
            Call::Overhead(module, units) => {
                lodger_module_set_overhead(scene, self.modules[*module], *units)
            }
            Call::Measured(module, units, ns) => {
                let units = units.unwrap_or(ASSIGNED);
                lodger_module_measured(scene, self.modules[*module], units, *ns)
            }
            other => unreachable!("{other:?} is made elsewhere"),
        }
    }

    fn all(&self, whom: &[usize]) -> Vec<u64> {
        whom.iter().map(|&actor| self.actors[actor]).collect()
    }

    fn add_module(&mut self, module: &calls::Module) -> Status {
        let continuous = if module.continuous { MODULE_CONTINUOUS } else { 0 };
        let unmanaged = if module.unmanaged { MODULE_UNMANAGED } else { 0 };
        let desc = ModuleDesc {
            flags: continuous | unmanaged,
            qualities: module.qualities.as_deref().map_or(In::NULL, many),
            levels: module.qualities.as_deref().map_or(0, levels),
            overhead: module.overhead,
            unit_cost_ns: module.unit_cost,
            benefit_value_ns: module.benefit_value,
            lod_cap: module.cap.map_or(NO_CAP, u32::from),
            ..ModuleDesc::default()
        };
        self.modules.push(0);
        let last = self.modules.last_mut().expect("it was pushed");
        lodger_module_add(self.scene, one(&with_rule(desc, &module.rule)), to(last))
    }

    fn spawn(&mut self, module: usize, actors: &[calls::Actor]) -> Status {
        let desc = |actor: &calls::Actor| {
            let (lowest, highest) = actor.range.unwrap_or((0, lodger::abi::ALL_LEVELS));
            ActorDesc {
                flags: if actor.invisible { ACTOR_INVISIBLE } else { 0 },
                work: many(&actor.work),
                qualities: actor.qualities.as_deref().map_or(In::NULL, many),
                levels: levels(&actor.work),
                key: actor.key,
                position: actor.position,
                radius: actor.radius,
                age: actor.age,
                speed: actor.speed,
                benefit: actor.benefit.unwrap_or(-1.0),
                forced: actor.forced.unwrap_or(-1.0),
                lowest,
                highest,
                ..ActorDesc::default()
            }
        };
        let descs: Vec<_> = actors.iter().map(desc).collect();
        let (stride, count) = (size_of::<ActorDesc>(), descs.len());
        let mut handles = vec![0; count];
        let out = to_many(&mut handles);
        let module = self.modules[module];
        let status = lodger_actors_spawn(self.scene, module, many(&descs), stride, count, out);
        self.actors.extend(handles);
        status
    }

    fn set(&self, whom: &[usize], column: Column, rows: &[Row], repeats: bool) -> Status {
        let first = match column {
            Column::Position => ptr::from_ref(&rows[0].place).cast::<c_void>(),
            Column::PositionF64 => ptr::from_ref(&rows[0].world).cast(),
            Column::Visible => ptr::from_ref(&rows[0].visible).cast(),
            Column::Key => ptr::from_ref(&rows[0].key).cast(),
            _ => ptr::from_ref(&rows[0].number).cast(),
        };
        let offset = first.addr() - rows.as_ptr().addr();
        // SAFETY: the offset is that of a field in the first row, and the rows outlive the call.
        let values = unsafe { In::new(rows.as_ptr().byte_add(offset).cast()) };
        let stride = if repeats { 0 } else { size_of::<Row>() };
        let whom = self.all(whom);
        let column = column as u32;
        lodger_actors_set(self.scene, many(&whom), whom.len(), column, values, stride)
    }

    fn tick(&self, whom: [usize; 2], certify: bool, told: &mut Told) {
        self.tell_report(told);
        self.tell_levels(told);
        self.tell_changes(told);
        for module in &self.modules {
            self.tell_module(*module, told);
        }
        for actor in whom {
            self.tell_actor(self.actors[actor], told);
        }
        if certify {
            let (mut value, mut bound) = (0.0, 0.0);
            told.call(lodger_scene_certify(self.scene, to(&mut value), to(&mut bound)).0);
            told.line("certificate", [value, bound].map(f64::to_bits));
        }
    }

    fn tell_report(&self, told: &mut Told) {
        let mut report = Report { size: bytes::<Report>(), ..Report::default() };
        let status = lodger_tick(self.scene, to(&mut report));
        let found = |value: f64| known((value >= 0.0).then_some(value));
        told.line(
            "tick",
            [
                number(status),
                report.load.into(),
                report.budget_ns,
                report.assigned_ns,
                report.fixed_ns,
                report.overcommit_ns,
                report.scale.to_bits(),
                report.headroom.to_bits(),
                found(report.value),
                found(report.upper_bound),
                report.narrowing.to_bits(),
                report.actors,
                report.quarantined,
                report.changes,
                report.flips,
            ],
        );
    }

    fn tell_levels(&self, told: &mut Told) {
        let (scene, count) = (self.scene, self.actors.len());
        let (mut levels, mut lods) = (vec![9_u8; count], vec![9.0_f32; count]);
        let actors = many(&self.actors);
        let status = lodger_actors_levels(scene, actors, count, to_many(&mut levels), 1);
        told.line("levels", [number(status)].into_iter().chain(levels.iter().map(|&l| l.into())));
        let status = lodger_actors_lods(scene, actors, count, to_many(&mut lods), 4);
        let lods = lods.iter().map(|lod| lod.to_bits().into());
        told.line("lods", [number(status)].into_iter().chain(lods));
    }

    fn tell_changes(&self, told: &mut Told) {
        let (mut changes, mut count) = ([Change::default(); 64], 0);
        let status = lodger_changes(self.scene, to_many(&mut changes), 64, to(&mut count));
        if status != Status::OK {
            return;
        }
        for change in &changes[..count.min(64)] {
            let numbers = [
                place_of(&self.actors, &change.actor),
                change.key,
                place_of(&self.modules, &change.module),
                u64::try_from(change.from).unwrap_or(u64::MAX),
                change.to.into(),
                change.fraction.into(),
            ];
            told.line("change", numbers);
        }
    }

    fn tell_module(&self, module: u32, told: &mut Told) {
        let mut plan = ModuleReport { size: bytes::<ModuleReport>(), ..ModuleReport::default() };
        let status = lodger_module_report_of(self.scene, module, to(&mut plan));
        let numbers = [
            number(status),
            plan.managed.into(),
            plan.actors,
            plan.assigned_ns,
            plan.target_ns,
            plan.units,
            plan.benefit.to_bits(),
            plan.unit_cost_ns.to_bits(),
            plan.raw_unit_cost_ns.to_bits(),
            plan.overhead.into(),
            plan.lod_cap.into(),
        ];
        told.line("module", numbers);
    }

    fn tell_actor(&self, actor: u64, told: &mut Told) {
        let mut plan = ActorReport { size: bytes::<ActorReport>(), ..ActorReport::default() };
        let status = lodger_actor_report_of(self.scene, actor, to(&mut plan));
        if status != Status::OK {
            told.line("actor", [number(status)]);
            return;
        }
        let numbers = [
            0,
            plan.reason.into(),
            plan.key,
            plan.share_ns,
            plan.benefit.to_bits(),
            plan.quality.to_bits(),
            plan.level.to_bits(),
            plan.cost_ns.into(),
            place_of(&self.modules, &plan.module),
        ];
        told.line("actor", numbers);
    }
}

fn number(status: Status) -> u64 {
    u64::try_from(status.0).expect("no status is negative")
}

fn place_of<T: PartialEq>(all: &[T], one: &T) -> u64 {
    all.iter().position(|other| other == one).map_or(u64::MAX, |place| place as u64)
}
