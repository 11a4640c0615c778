//! Random scripts decide the same through the scheduler and through the header.
#![allow(unsafe_code, reason = "making a pointer for a C function is unsafe")]

use std::ffi::c_void;

use lodger::abi::{
    ACTOR_INVISIBLE, ASSIGNED, ActorDesc, ActorReport, LevelChangeRecord, MODULE_CONTINUOUS,
    MODULE_NO_BENEFIT_VALUE, MODULE_UNMANAGED, ModuleDesc, ModuleReport, NO_CAP, NO_LIMIT,
    SceneReport, Status, UNLIMITED,
};
use lodger::*;
use lodger_testkit::script::{
    ActorSpec, Call, CameraSpec, Column, ModuleSpec, Outcome, Player, Profile, RuleSpec,
    ScenePlayer, calls, same,
};
use pointers::{input, inputs, output, outputs, struct_size};

mod pointers;

/// For each profile. Each scene has at least 20 frames.
const SCENES: u64 = 500;
/// The most changes: one for each spawned actor.
const CHANGES: usize = 128;

#[test]
fn random_plans_through_c_are_those_through_rust() {
    for profile in [Profile::ABI, Profile::ABI.with_lenses()] {
        let mut kinds = [0; 7];
        for seed in 0..SCENES {
            let (mut rust, mut c) = (ScenePlayer::<f32>::new(), AbiPlayer::new());
            let statuses = same(&mut rust, &mut c, &calls(seed, &profile))
                .unwrap_or_else(|difference| panic!("seed {seed}, {profile:?}: {difference}"));
            assert_eq!(lodger_scene_destroy(c.scene), Status::OK);
            kinds.iter_mut().zip(statuses).for_each(|(kind, here)| *kind += here);
        }
        println!("calls by status: {kinds:?}");
        // All statuses of calls on one thread occur.
        assert!([0, 2, 3, 4, 5].iter().all(|&status| kinds[status] > 50), "{kinds:?}");
    }
}

struct AbiPlayer {
    scene: u32,
    modules: Vec<u32>,
    views: Vec<u64>,
    actors: Vec<u64>,
}

fn status(status: Status) -> lodger_testkit::script::Status {
    use lodger_testkit::script::Status as Scripted;

    match status {
        Status::OK => Scripted::Done,
        Status::NO_SUCH_VIEW => Scripted::NoSuchView,
        Status::NO_SUCH_MODULE => Scripted::NoSuchModule,
        Status::NO_SUCH_ACTOR => Scripted::NoSuchActor,
        Status::INVALID_VALUE => Scripted::Invalid,
        other => panic!("no script leads to status {}", other.0),
    }
}

impl Player for AbiPlayer {
    fn name(&self) -> &'static str {
        "C"
    }

    fn call(&mut self, call: &Call) -> Outcome {
        let mut outcome = Outcome::of(status(self.make(call)));
        match call {
            Call::Tick => self.push_plan(&mut outcome),
            Call::Certify => {
                let (mut value, mut bound) = (0.0, 0.0);
                let certified =
                    lodger_scene_certify(self.scene, output(&mut value), output(&mut bound));
                assert_eq!(certified, Status::OK);
                outcome.push("certificate", [value, bound].map(f64::to_bits));
            }
            _ => {}
        }
        outcome
    }

    fn tells(&self, line: &str) -> bool {
        line != "price"
    }
}

fn with_rule(desc: ModuleDesc, rule: &RuleSpec) -> ModuleDesc {
    let [weight_distance, weight_age, weight_speed] = rule.weights;
    ModuleDesc {
        importance: rule.angular.into(),
        max_distance: rule.max_distance.unwrap_or(NO_LIMIT),
        weight_distance,
        weight_age,
        weight_speed,
        bias: rule.bias,
        max_age: rule.max_age.unwrap_or(NO_LIMIT),
        max_speed: rule.max_speed.unwrap_or(NO_LIMIT),
        ..desc
    }
}

fn levels<T>(table: &[T]) -> u32 {
    u32::try_from(table.len()).expect("tables are short")
}

impl AbiPlayer {
    fn new() -> Self {
        let (modules, views, actors) = (Vec::new(), Vec::new(), Vec::new());
        let mut player = Self { scene: 0, modules, views, actors };
        assert_eq!(lodger_scene_create(UNLIMITED, output(&mut player.scene)), Status::OK);
        player
    }

    /// Returns 0 for an unknown number.
    fn actor(&self, number: usize) -> u64 {
        self.actors.get(number).copied().unwrap_or(0)
    }

    fn module(&self, number: usize) -> u32 {
        self.modules.get(number).copied().unwrap_or(0)
    }

    fn view(&self, number: usize) -> u64 {
        self.views.get(number).copied().unwrap_or(0)
    }

    fn make(&mut self, call: &Call) -> Status {
        let scene = self.scene;
        match call {
            Call::SetBudget(ns) => lodger_scene_set_budget(scene, ns.unwrap_or(UNLIMITED)),
            Call::SetPolicy(policy) => lodger_scene_set_policy(scene, (*policy).into()),
            Call::SetHysteresis { margin, dead_band } => {
                lodger_scene_set_hysteresis(scene, *margin, *dead_band)
            }
            Call::SetMaxUpgrades(most) => {
                lodger_scene_set_max_upgrades(scene, most.unwrap_or(u32::MAX))
            }
            Call::SetSearchMoves(moves) => lodger_scene_set_search_moves(scene, (*moves).into()),
            Call::SetHeadroomTarget(part) => lodger_scene_set_headroom_target(scene, *part),
            Call::FrameDone => lodger_scene_frame_done(scene),
            Call::ScaleCosts { numerator, denominator } => {
                lodger_scene_scale_costs(scene, *numerator, *denominator)
            }
            Call::SetOwnCost(ns) => lodger_scene_set_own_cost(scene, *ns),
            Call::ObserveOwnTime(ns) => lodger_scene_observe_own_time(scene, *ns),
            Call::SetCautiousStart(is_on) => {
                lodger_scene_set_cautious_start(scene, (*is_on).into())
            }
            Call::SetUnmanagedInBudget(is_in) => {
                lodger_scene_set_unmanaged_in_budget(scene, (*is_in).into())
            }
            Call::AdvanceAges(seconds) => lodger_scene_advance_ages(scene, *seconds),
            Call::TrackChanges(track) => lodger_scene_track_changes(scene, (*track).into()),
            Call::SetOrigin(origin) => lodger_scene_set_origin(scene, input(origin)),
            Call::AddView(eye) => {
                let mut view = 0;
                let status = lodger_view_add(scene, input(eye), output(&mut view));
                keep(&mut self.views, view, status)
            }
            Call::SetView { view, eye } => lodger_view_set(scene, self.view(*view), input(eye)),
            Call::SetZoom { view, zoom } => lodger_view_set_zoom(scene, self.view(*view), *zoom),
            Call::SetMatrices { view, camera } => self.set_matrices(*view, camera),
            Call::RemoveView(view) => lodger_view_remove(scene, self.view(*view)),
            Call::AddModule(spec) => self.add_module(spec),
            Call::Spawn { module, actors } => self.spawn(*module, actors),
            Call::Despawn(actors) => {
                let actors = self.handles(actors);
                lodger_actors_despawn(scene, inputs(&actors), actors.len())
            }
            Call::Set { actors, column } => self.set(actors, column),
            Call::Tick | Call::Certify => Status::OK,
            _ => self.make_of_one(call),
        }
    }

    /// Makes the calls about one actor or module.
    fn make_of_one(&self, call: &Call) -> Status {
        let scene = self.scene;
        match *call {
            Call::SetRange { actor, lowest, highest } => {
                lodger_actor_set_range(scene, self.actor(actor), lowest, highest)
            }
            Call::SetWork { actor, ref work } => {
                lodger_actor_set_work(scene, self.actor(actor), inputs(work), levels(work))
            }
            Call::SetQualities { actor, qualities: None } => {
                lodger_actor_set_qualities(scene, self.actor(actor), In::NULL, 0)
            }
            Call::SetQualities { actor, qualities: Some(ref table) } => {
                let actor = self.actor(actor);
                lodger_actor_set_qualities(scene, actor, inputs(table), levels(table))
            }
            Call::SetUnitCost { module, ns } => {
                lodger_module_set_unit_cost(scene, self.module(module), ns)
            }
            Call::SetBenefitValue { module, ns } => {
                lodger_module_set_benefit_value(scene, self.module(module), ns)
            }
            Call::SetRule { module, ref rule } => {
                let desc = with_rule(ModuleDesc::default(), rule);
                lodger_module_set_rule(scene, self.module(module), input(&desc))
            }
            Call::SetModulePriority { module, priority } => {
                lodger_module_set_priority(scene, self.module(module), priority)
            }
            Call::SetOutside { module, factor } => {
                lodger_module_set_outside(scene, self.module(module), factor)
            }
            Call::TestViews(module) => lodger_module_test_views(scene, self.module(module)),
            Call::SetManaged { module, managed } => {
                lodger_module_set_managed(scene, self.module(module), managed.into())
            }
            Call::SetLodCap { module, cap } => {
                let cap = cap.map_or(NO_CAP, u32::from);
                lodger_module_set_lod_cap(scene, self.module(module), cap)
            }
            Call::SetOverhead { module, units } => {
                lodger_module_set_overhead(scene, self.module(module), units)
            }
            Call::ObserveTime { module, units, ns } => {
                let units = units.unwrap_or(ASSIGNED);
                lodger_module_observe_time(scene, self.module(module), units, ns)
            }
            Call::ObserveShare { module, percent } => {
                let module = self.module(module);
                let planned = self.module_report(module).map_or(0, |plan| plan.assigned_ns);
                let ns = (planned / 100).wrapping_mul(percent);
                lodger_module_observe_time(scene, module, ASSIGNED, ns)
            }
            ref other => unreachable!("{other:?} is not in scripts for C"),
        }
    }

    fn set_matrices(&self, view: usize, camera: &CameraSpec) -> Status {
        let CameraSpec { view: matrix, projection, reference_fov, margin } = camera;
        let [matrix, projection] = [matrix, projection].map(|matrix| {
            <[f64; 16]>::try_from(matrix.as_flattened()).expect("four columns of four numbers")
        });
        lodger_view_set_matrices(
            self.scene,
            self.view(view),
            input(&matrix),
            input(&projection),
            reference_fov.unwrap_or(-1.0),
            margin.unwrap_or(-1.0),
        )
    }

    fn handles(&self, actors: &[usize]) -> Vec<u64> {
        actors.iter().map(|&actor| self.actor(actor)).collect()
    }

    fn add_module(&mut self, spec: &ModuleSpec) -> Status {
        let continuous = if spec.continuous { MODULE_CONTINUOUS } else { 0 };
        let unmanaged = if spec.managed { 0 } else { MODULE_UNMANAGED };
        let no_value = if spec.benefit_value_ns.is_some() { 0 } else { MODULE_NO_BENEFIT_VALUE };
        let desc = ModuleDesc {
            flags: continuous | unmanaged | no_value,
            qualities: spec.qualities.as_deref().map_or(In::NULL, inputs),
            levels: spec.qualities.as_deref().map_or(0, levels),
            overhead: spec.overhead,
            unit_cost_ns: spec.unit_cost_ns,
            benefit_value_ns: spec.benefit_value_ns.unwrap_or(0),
            lod_cap: spec.cap.map_or(NO_CAP, u32::from),
            ..ModuleDesc::default()
        };
        let mut module = 0;
        let desc = with_rule(desc, &spec.rule);
        let status = lodger_module_add(self.scene, input(&desc), output(&mut module));
        keep(&mut self.modules, module, status)
    }

    fn spawn(&mut self, module: usize, actors: &[ActorSpec]) -> Status {
        let desc = |spec: &ActorSpec| {
            let (lowest, highest) = spec.range.unwrap_or((0, lodger::abi::ALL_LEVELS));
            ActorDesc {
                flags: if spec.visible { 0 } else { ACTOR_INVISIBLE },
                work: inputs(&spec.work),
                qualities: spec.qualities.as_deref().map_or(In::NULL, inputs),
                levels: levels(&spec.work),
                key: spec.key,
                position: spec.position,
                radius: spec.radius,
                age: spec.age,
                speed: spec.speed,
                benefit: spec.benefit.unwrap_or(-1.0),
                forced: spec.forced.unwrap_or(-1.0),
                lowest,
                highest,
                ..ActorDesc::default()
            }
        };
        let descs: Vec<_> = actors.iter().map(desc).collect();
        let (stride, count) = (size_of::<ActorDesc>(), descs.len());
        let mut handles = vec![0; count];
        let (module, out) = (self.module(module), outputs(&mut handles));
        let status = lodger_actors_spawn(self.scene, module, inputs(&descs), stride, count, out);
        if status == Status::OK {
            self.actors.extend(handles);
        }
        status
    }

    fn set(&self, actors: &[usize], column: &Column) -> Status {
        match column {
            Column::Position(all) => self.set_column(actors, 0, all),
            Column::WorldPosition(all) => self.set_column(actors, 1, all),
            Column::Radius(all) => self.set_column(actors, 2, all),
            Column::Age(all) => self.set_column(actors, 3, all),
            Column::Speed(all) => self.set_column(actors, 4, all),
            Column::Benefit(all) => self.set_column(actors, 5, all),
            Column::Forced(all) => self.set_column(actors, 6, all),
            Column::Visible(all) => self.set_bits(actors, 7, all),
            Column::Key(all) => self.set_column(actors, 8, all),
            Column::Priority(all) => self.set_column(actors, 9, all),
            Column::InView(all) => self.set_bits(actors, 10, all),
            Column::State(_) => unreachable!("the header sets the three one by one"),
        }
    }

    fn set_bits(&self, actors: &[usize], column: u32, bits: &[bool]) -> Status {
        let bytes: Vec<u8> = bits.iter().map(|&bit| bit.into()).collect();
        self.set_column(actors, column, &bytes)
    }

    /// Sends values from within larger rows, like an engine's components.
    fn set_column<T: Copy>(&self, actors: &[usize], column: u32, values: &[T]) -> Status {
        #[repr(C)]
        struct Row<T> {
            entity: u64,
            value: T,
        }

        let row = |(entity, &value): (u64, &T)| Row { entity, value };
        let rows: Vec<Row<T>> = (0..).zip(values).map(row).collect();
        let handles = self.handles(actors);
        let is_shared = values.len() == 1 && actors.len() > 1;
        let stride = if is_shared { 0 } else { size_of::<Row<T>>() };
        let offset = if rows.is_empty() { 0 } else { std::mem::offset_of!(Row<T>, value) };
        // SAFETY: the offset is of a field in the first row, if there is one, and the rows outlive the call.
        let values = unsafe { In::<c_void>::new(rows.as_ptr().byte_add(offset).cast()) };
        lodger_actors_set(self.scene, inputs(&handles), handles.len(), column, values, stride)
    }

    fn push_plan(&self, outcome: &mut Outcome) {
        self.push_report(outcome);
        self.push_levels(outcome);
        self.push_changes(outcome);
        for &module in &self.modules {
            self.push_module(module, outcome);
        }
        for (number, &actor) in self.actors.iter().enumerate() {
            self.push_actor(number, actor, outcome);
        }
    }

    fn push_report(&self, outcome: &mut Outcome) {
        let mut report =
            SceneReport { size: struct_size::<SceneReport>(), ..SceneReport::default() };
        assert_eq!(lodger_tick(self.scene, output(&mut report)), Status::OK);
        let found = |value: f64| if value >= 0.0 { value.to_bits() } else { u64::MAX };
        outcome.push(
            "tick",
            [
                report.load.into(),
                report.budget_ns,
                report.assigned_ns,
                report.reserved_ns,
                report.overcommit_ns,
                report.scale.to_bits(),
                report.headroom.to_bits(),
                found(report.value),
                found(report.upper_bound),
                report.actors,
                report.quarantined,
                report.changes,
                report.switches,
            ],
        );
        outcome.push("rounding", [report.rounding_m.to_bits()]);
    }

    fn push_levels(&self, outcome: &mut Outcome) {
        let (scene, count) = (self.scene, self.actors.len());
        let (mut levels, mut lods) = (vec![9_u8; count], vec![9.0_f32; count]);
        let actors = inputs(&self.actors);
        let status = lodger_actors_levels(scene, actors, count, outputs(&mut levels), 1);
        let levels = levels.iter().map(|&level| level.into());
        outcome.push("levels", [number(status)].into_iter().chain(levels));
        let status = lodger_actors_lods(scene, actors, count, outputs(&mut lods), 4);
        let lods = lods.iter().map(|lod| lod.to_bits().into());
        outcome.push("lods", [number(status)].into_iter().chain(lods));
    }

    fn push_changes(&self, outcome: &mut Outcome) {
        let (mut changes, mut count) = ([LevelChangeRecord::default(); CHANGES], 0);
        let status = lodger_changes(self.scene, outputs(&mut changes), CHANGES, output(&mut count));
        if status != Status::OK {
            return;
        }
        for change in &changes[..count.min(CHANGES)] {
            let numbers = [
                place_of(&self.actors, &change.actor),
                change.key,
                place_of(&self.modules, &change.module),
                u64::try_from(change.from).unwrap_or(u64::MAX),
                change.to.into(),
                change.fraction.into(),
            ];
            outcome.push("change", numbers);
        }
    }

    fn module_report(&self, module: u32) -> Option<ModuleReport> {
        let mut plan =
            ModuleReport { size: struct_size::<ModuleReport>(), ..ModuleReport::default() };
        let status = lodger_module_report_of(self.scene, module, output(&mut plan));
        (status == Status::OK).then_some(plan)
    }

    fn push_module(&self, module: u32, outcome: &mut Outcome) {
        let Some(plan) = self.module_report(module) else { return };
        let shared = [
            plan.actors,
            plan.assigned_ns,
            plan.target_ns,
            plan.units,
            plan.unit_cost_ns.to_bits(),
            plan.overhead.into(),
        ];
        outcome.push("module", shared);
        let others = [
            plan.managed.into(),
            plan.benefit.to_bits(),
            plan.raw_unit_cost_ns.to_bits(),
            plan.lod_cap.into(),
        ];
        outcome.push("module-report", others);
    }

    fn push_actor(&self, number: usize, actor: u64, outcome: &mut Outcome) {
        let mut plan = ActorReport { size: struct_size::<ActorReport>(), ..ActorReport::default() };
        if lodger_actor_report_of(self.scene, actor, output(&mut plan)) != Status::OK {
            return;
        }
        let numbers = [
            number as u64,
            plan.reason.into(),
            plan.key,
            plan.share_ns,
            plan.benefit.to_bits(),
            plan.quality.to_bits(),
            plan.level.to_bits(),
            plan.cost_ns.into(),
            place_of(&self.modules, &plan.module),
        ];
        outcome.push("actor", numbers);
    }
}

fn keep<T>(handles: &mut Vec<T>, handle: T, status: Status) -> Status {
    if status == Status::OK {
        handles.push(handle);
    }
    status
}

fn number(status: Status) -> u64 {
    u64::try_from(status.0).expect("no status is negative")
}

fn place_of<T: PartialEq>(all: &[T], one: &T) -> u64 {
    all.iter().position(|other| other == one).map_or(u64::MAX, |place| place as u64)
}
