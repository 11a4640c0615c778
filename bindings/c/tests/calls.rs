//! The functions of the header, called as C calls them.
#![allow(unsafe_code, reason = "making a pointer for a C function is unsafe")]
#![allow(clippy::float_cmp, reason = "the same bits are meant")]

use std::ffi::{CStr, c_char, c_void};

use lodger::abi::{
    ActorDesc, ActorReport, LevelChangeRecord, MODULE_ALL_OR_NOTHING, MODULE_DIMINISHING,
    MODULE_NO_BENEFIT_VALUE, ModuleDesc, SceneReport, Status, UNKNOWN, column,
};
use lodger::*;
use pointers::{input, inputs, output, outputs, struct_size};

mod pointers;

fn values<T>(values: &[T]) -> In<c_void> {
    // SAFETY: a slice is valid for reading.
    unsafe { In::new(values.as_ptr().cast()) }
}

fn last_error() -> String {
    let mut text = [0 as c_char; 200];
    lodger_last_error(outputs(&mut text), text.len());
    // SAFETY: it ends with NUL, as the header promises.
    unsafe { CStr::from_ptr(text.as_ptr()) }.to_str().unwrap().to_owned()
}

/// A scene that tracks changes: one module at 100 ns a unit, and a view from the origin.
struct TestScene {
    scene: u32,
    module: u32,
    view: u64,
}

impl TestScene {
    fn new(budget_ns: u64) -> Self {
        let (mut scene, mut module, mut view) = (0, 0, 0);
        assert_eq!(lodger_scene_create(budget_ns, output(&mut scene)), Status::OK);
        let desc =
            ModuleDesc { name: input_text(c"capes"), unit_cost_ns: 100.0, ..ModuleDesc::default() };
        assert_eq!(lodger_module_add(scene, input(&desc), output(&mut module)), Status::OK);
        assert_eq!(lodger_view_add(scene, input(&[0.0; 3]), output(&mut view)), Status::OK);
        assert_eq!(lodger_scene_track_changes(scene, 1), Status::OK);
        Self { scene, module, view }
    }

    fn spawn(&self, descs: &[ActorDesc]) -> Result<Vec<u64>, Status> {
        let mut actors = vec![0; descs.len()];
        let stride = size_of::<ActorDesc>();
        let out = outputs(&mut actors);
        match lodger_actors_spawn(self.scene, self.module, inputs(descs), stride, descs.len(), out)
        {
            Status::OK => Ok(actors),
            status => Err(status),
        }
    }

    fn tick(&self) -> SceneReport {
        let mut report =
            SceneReport { size: struct_size::<SceneReport>(), ..SceneReport::default() };
        assert_eq!(lodger_tick(self.scene, output(&mut report)), Status::OK);
        report
    }

    fn levels(&self, actors: &[u64]) -> (Status, Vec<u8>) {
        let mut levels = vec![99; actors.len()];
        let out = outputs(&mut levels);
        (lodger_actors_levels(self.scene, inputs(actors), actors.len(), out, 1), levels)
    }
}

impl Drop for TestScene {
    fn drop(&mut self) {
        assert_eq!(lodger_scene_destroy(self.scene), Status::OK);
    }
}

fn input_text(text: &'static CStr) -> In<c_char> {
    // SAFETY: it is static and ends with NUL.
    unsafe { In::new(text.as_ptr()) }
}

const WORK: [u32; 3] = [0, 10, 40];

fn actor(x: f64, key: u64) -> ActorDesc {
    ActorDesc {
        work: inputs(&WORK),
        levels: 3,
        position: [x, 0.0, 0.0],
        key,
        ..ActorDesc::default()
    }
}

#[test]
fn a_frame_gives_near_actors_more_and_lists_changes() {
    let test = TestScene::new(6_000);
    let actors = test.spawn(&[actor(2.0, 7), actor(4.0, 8)]).unwrap();
    let report = test.tick();
    assert_eq!((report.actors, report.changes, report.assigned_ns), (2, 2, 5_000));
    assert_eq!(test.levels(&actors), (Status::OK, vec![2, 1]));

    let (mut changes, mut count) = ([LevelChangeRecord::default(); 1], 0);
    let answer = lodger_changes(test.scene, outputs(&mut changes), 1, output(&mut count));
    assert_eq!((answer, count), (Status::OK, 2));
    assert_eq!((changes[0].key, changes[0].from, changes[0].to), (7, -1, 2));

    // The far actor moves nearest, in a batch with the stride of a caller's struct.
    let places = [[9.0_f32, 0.0, 0.0, 5.5], [1.0, 0.0, 0.0, 5.5]];
    let set = |stride| {
        lodger_actors_set(test.scene, inputs(&actors), 2, column::POSITION, values(&places), stride)
    };
    assert_eq!(set(16), Status::OK);
    assert_eq!(test.tick().switches, 2);
    assert_eq!(test.levels(&actors), (Status::OK, vec![1, 2]));
    // The first position for all.
    assert_eq!(set(0), Status::OK);
    assert_eq!([set(8), set(13)], [Status::INVALID_ARGUMENT; 2]);

    let mut report = ActorReport { size: struct_size::<ActorReport>(), ..ActorReport::default() };
    let answer = lodger_actor_report_of(test.scene, actors[1], output(&mut report));
    assert_eq!((answer, report.key, report.level, report.cost_ns), (Status::OK, 8, 2.0, 4_000));
    assert_ne!(report.share_ns, UNKNOWN);
}

#[test]
fn spawning_is_all_or_none_and_names_the_element() {
    let test = TestScene::new(6_000);
    let bad = ActorDesc { radius: -1.0, ..actor(1.0, 0) };
    assert_eq!(test.spawn(&[actor(1.0, 0), bad]), Err(Status::INVALID_VALUE));
    assert_eq!(last_error(), "element 1: radius must not be negative");
    let flagged = ActorDesc { flags: 2, ..actor(1.0, 0) };
    assert_eq!(test.spawn(&[actor(1.0, 0), flagged]), Err(Status::INVALID_ARGUMENT));
    assert!(last_error().starts_with("element 1: "), "{}", last_error());
    // Impossible counts are rejected before memory is allocated.
    let (one, out) = (actor(1.0, 0), Out::NULL);
    let spawn = |count| lodger_actors_spawn(test.scene, test.module, input(&one), 0, count, out);
    assert_eq!(
        [spawn(1 << 24), spawn(usize::MAX)],
        [Status::INVALID_VALUE, Status::INVALID_ARGUMENT]
    );
    // A rejected actor does not count in the rounding error.
    assert_eq!(
        test.spawn(&[ActorDesc { radius: -1.0, ..actor(1e12, 0) }]),
        Err(Status::INVALID_VALUE)
    );
    let report = test.tick();
    assert_eq!((report.actors, report.rounding_m), (0, 0.0));
}

#[test]
fn a_batch_applies_to_all_valid_actors() {
    let test = TestScene::new(6_000);
    let actors = test.spawn(&[actor(2.0, 0), actor(4.0, 0), actor(9.0, 0)]).unwrap();
    assert_eq!(lodger_actors_despawn(test.scene, input(&actors[1]), 1), Status::OK);
    let forced = [1.0_f32, 1.0, 2.0];
    let set = lodger_actors_set(test.scene, inputs(&actors), 3, column::FORCED, values(&forced), 4);
    assert_eq!(set, Status::NO_SUCH_ACTOR);
    assert!(last_error().starts_with("element 1: "), "{}", last_error());
    test.tick();
    assert_eq!(test.levels(&actors), (Status::NO_SUCH_ACTOR, vec![1, 0, 2]));
    // A new actor has no level yet, which is not an error.
    let late = test.spawn(&[actor(2.0, 0)]).unwrap();
    assert_eq!(test.levels(&late), (Status::OK, vec![0]));
}

#[test]
fn structs_may_be_shorter_or_longer() {
    #[repr(C)]
    struct Longer {
        desc: ActorDesc,
        rest: [u8; 16],
    }
    let test = TestScene::new(6_000);
    let spawn = |size: usize, rest: u8| {
        let mut longer = Longer { desc: actor(2.0, 3), rest: [0; 16] };
        longer.desc.size = u32::try_from(size).unwrap();
        longer.rest[15] = rest;
        let descs = input(&longer).into_first();
        lodger_actors_spawn(test.scene, test.module, descs, size_of::<Longer>(), 1, Out::NULL)
    };
    let whole = size_of::<ActorDesc>();
    assert_eq!([spawn(whole, 0), spawn(whole + 16, 0), spawn(whole, 1)], [Status::OK; 3]);
    // Without the last fields the actor is automatic.
    assert_eq!(spawn(whole - 8, 0), Status::OK);
    assert_eq!(
        [spawn(whole + 16, 1), spawn(0, 0), spawn(7, 0), spawn(12, 0), spawn(1 << 30, 0)],
        [Status::INVALID_ARGUMENT; 5]
    );
    let mut report = SceneReport { size: 16, rounding_m: 5.0, ..SceneReport::default() };
    assert_eq!(lodger_tick(test.scene, output(&mut report)), Status::OK);
    assert_eq!(
        (report.size, report.budget_ns, report.actors, report.rounding_m),
        (16, 6_000, 0, 5.0)
    );
}

trait First {
    fn into_first(self) -> In<ActorDesc>;
}

impl<T> First for In<T> {
    fn into_first(self) -> In<ActorDesc> {
        // SAFETY: the pointer has the same bits, and the header allows a longer struct.
        unsafe { std::mem::transmute_copy(&self) }
    }
}

#[test]
fn positions_far_from_the_origin_are_precise() {
    let test = TestScene::new(6_000);
    let far = 20_000_000.0;
    let near = test.spawn(&[actor(far + 2.25, 0), actor(far + 2.75, 0)]).unwrap();
    assert_eq!(lodger_view_set(test.scene, test.view, input(&[far, 0.0, 0.0])), Status::OK);
    assert_eq!(test.tick().rounding_m, 0.75);
    // Relative to the new origin, doubles have no rounding error.
    assert_eq!(lodger_scene_set_origin(test.scene, input(&[far, 0.0, 0.0])), Status::OK);
    let places = [[far + 2.25, 0.0, 0.0], [far + 2.75, 0.0, 0.0]];
    let kind = column::POSITION_F64;
    assert_eq!(
        lodger_actors_set(test.scene, inputs(&near), 2, kind, values(&places), 24),
        Status::OK
    );
    assert_eq!(test.tick().rounding_m, 0.0);
    let benefit = |actor| benefit_of(&test, actor);
    assert!(benefit(near[0]) > benefit(near[1]));
    // Positions in the world stay without a new value.
    let mut origin = [0.0; 3];
    assert_eq!(lodger_scene_set_origin(test.scene, input(&[far - 64.0, 0.0, 0.0])), Status::OK);
    assert_eq!(lodger_scene_origin(test.scene, output(&mut origin)), Status::OK);
    assert_eq!(origin, [far - 64.0, 0.0, 0.0]);
    let before = benefit(near[0]);
    test.tick();
    assert!((benefit(near[0]) - before).abs() <= 1.0 / 65_536.0);
    assert_eq!(
        lodger_scene_set_origin(test.scene, input(&[f64::NAN, 0.0, 0.0])),
        Status::INVALID_VALUE
    );
}

fn benefit_of(test: &TestScene, actor: u64) -> f64 {
    let mut report = ActorReport { size: struct_size::<ActorReport>(), ..ActorReport::default() };
    assert_eq!(lodger_actor_report_of(test.scene, actor, output(&mut report)), Status::OK);
    report.benefit
}

#[test]
fn only_the_optimal_policy_decides_without_a_benefit_value() {
    let (mut scene, mut module) = (0, 0);
    assert_eq!(lodger_scene_create(6_000, output(&mut scene)), Status::OK);
    let desc = ModuleDesc {
        name: input_text(c"capes"),
        flags: MODULE_NO_BENEFIT_VALUE | MODULE_DIMINISHING,
        ..ModuleDesc::default()
    };
    assert_eq!(lodger_module_add(scene, input(&desc), output(&mut module)), Status::INVALID_VALUE);
    assert!(last_error().contains("capes"), "{}", last_error());
    assert_eq!(lodger_scene_set_policy(scene, 4), Status::OK);
    assert_eq!(lodger_module_add(scene, input(&desc), output(&mut module)), Status::OK);
    assert_eq!(lodger_scene_set_policy(scene, 2), Status::INVALID_VALUE);

    let work = [0, 10, 20];
    let forced = ActorDesc { work: inputs(&work), levels: 3, forced: 1.0, ..ActorDesc::default() };
    let (mut actor, size) = (0, size_of::<ActorDesc>());
    let out = output(&mut actor);
    assert_eq!(lodger_actors_spawn(scene, module, input(&forced), size, 1, out), Status::OK);
    assert_eq!(lodger_tick(scene, Out::NULL), Status::OK);
    let mut report = ActorReport { size: struct_size::<ActorReport>(), ..ActorReport::default() };
    assert_eq!(lodger_actor_report_of(scene, actor, output(&mut report)), Status::OK);
    assert_eq!(report.quality, 0.75);

    let qualities = [0.0, 1.0];
    let two = ModuleDesc { flags: MODULE_DIMINISHING | MODULE_ALL_OR_NOTHING, ..desc };
    let both = ModuleDesc { qualities: inputs(&qualities), levels: 2, ..desc };
    for bad in [two, both] {
        let status = lodger_module_add(scene, input(&bad), output(&mut module));
        assert_eq!(status, Status::INVALID_ARGUMENT);
    }
    assert_eq!(lodger_scene_destroy(scene), Status::OK);
}

#[test]
fn foreign_handles_are_detected() {
    let (one, other) = (TestScene::new(1_000), TestScene::new(1_000));
    let actors = one.spawn(&[actor(1.0, 0)]).unwrap();
    assert_eq!(other.levels(&actors).0, Status::NO_SUCH_ACTOR);
    assert_eq!(lodger_view_remove(other.scene, one.view), Status::NO_SUCH_VIEW);
    assert_eq!(lodger_module_set_overhead(other.scene, one.module, 1), Status::NO_SUCH_MODULE);
    assert_eq!(lodger_module_set_overhead(0, one.module, 1), Status::NO_SUCH_SCENE);
    assert_eq!(lodger_tick(u32::MAX, Out::NULL), Status::NO_SUCH_SCENE);
    for made_up in [0, 1, 65_537, u64::MAX, one.view, u64::from(one.module), u64::from(one.scene)] {
        assert_eq!(one.levels(&[made_up]), (Status::NO_SUCH_ACTOR, vec![0]));
    }
    assert_eq!(lodger_view_remove(one.scene, actors[0]), Status::NO_SUCH_VIEW);
    assert_eq!(lodger_module_set_overhead(one.scene, one.scene, 1), Status::NO_SUCH_MODULE);
    assert_eq!(lodger_tick(one.module, Out::NULL), Status::NO_SUCH_SCENE);
}

#[test]
fn every_status_has_a_text() {
    for status in Status::ALL.into_iter().chain([Status(-1), Status(99)]) {
        let text = lodger_status_text(status);
        // SAFETY: static, and ends with NUL, as the header promises.
        assert!(!unsafe { CStr::from_ptr(text) }.is_empty());
    }
    assert_eq!(lodger_tick(0, Out::NULL), Status::NO_SUCH_SCENE);
    let mut whole = [1 as c_char; 200];
    lodger_last_error(outputs(&mut whole), usize::MAX);
    assert_eq!(whole[last_error().len()], 0);
    let mut cut = [1 as c_char; 6];
    let length = lodger_last_error(outputs(&mut cut), cut.len());
    assert_eq!((length, cut[5]), (last_error().len(), 0));
}
