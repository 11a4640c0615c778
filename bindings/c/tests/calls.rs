//! The functions of the header, called as C calls them.
#![allow(unsafe_code, reason = "a pointer for a C function is made with a promise")]
#![allow(clippy::float_cmp, reason = "the same bits are meant")]

use std::ffi::{CStr, c_char, c_void};
use std::ptr;

use lodger::abi::{ActorDesc, ActorReport, Change, ModuleDesc, Report, Status, UNKNOWN, column};
use lodger::*;

/// What a value is passed as; it outlives the call in all of these tests.
fn input<T>(value: &T) -> In<T> {
    // SAFETY: a reference is good for reading.
    unsafe { In::new(ptr::from_ref(value)) }
}

fn inputs<T>(values: &[T]) -> In<T> {
    // SAFETY: a slice is good for reading.
    unsafe { In::new(values.as_ptr()) }
}

fn output<T>(value: &mut T) -> Out<T> {
    // SAFETY: a unique reference is good for writing.
    unsafe { Out::new(ptr::from_mut(value)) }
}

fn outputs<T>(values: &mut [T]) -> Out<T> {
    // SAFETY: a unique slice is good for writing.
    unsafe { Out::new(values.as_mut_ptr()) }
}

fn values<T>(values: &[T]) -> In<c_void> {
    // SAFETY: a slice is good for reading.
    unsafe { In::new(values.as_ptr().cast()) }
}

fn last_error() -> String {
    let mut text = [0 as c_char; 200];
    lodger_last_error(outputs(&mut text), text.len());
    // SAFETY: it ends with NUL, as the header promises.
    unsafe { CStr::from_ptr(text.as_ptr()) }.to_str().unwrap().to_owned()
}

fn sized<T: Default>(set: impl FnOnce(&mut T, u32)) -> T {
    let mut value = T::default();
    set(&mut value, u32::try_from(size_of::<T>()).unwrap());
    value
}

/// A scene of one module at 100 ns a unit, watched from the world's middle, that tracks changes.
struct Stage {
    scene: u32,
    module: u32,
    view: u64,
}

impl Stage {
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

    fn tick(&self) -> Report {
        let mut report = sized(|report: &mut Report, size| report.size = size);
        assert_eq!(lodger_tick(self.scene, output(&mut report)), Status::OK);
        report
    }

    fn levels(&self, actors: &[u64]) -> (Status, Vec<u8>) {
        let mut levels = vec![99; actors.len()];
        let out = outputs(&mut levels);
        (lodger_actors_levels(self.scene, inputs(actors), actors.len(), out, 1), levels)
    }
}

impl Drop for Stage {
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
fn a_frame_gives_the_near_more_and_lists_who_changed() {
    let stage = Stage::new(6_000);
    let actors = stage.spawn(&[actor(2.0, 7), actor(4.0, 8)]).unwrap();
    let report = stage.tick();
    assert_eq!((report.actors, report.changes, report.assigned_ns), (2, 2, 5_000));
    assert_eq!(stage.levels(&actors), (Status::OK, vec![2, 1]));

    let (mut changes, mut count) = ([Change::default(); 1], 0);
    let answer = lodger_changes(stage.scene, outputs(&mut changes), 1, output(&mut count));
    assert_eq!((answer, count), (Status::OK, 2));
    assert_eq!((changes[0].key, changes[0].from, changes[0].to), (7, -1, 2));

    // The one that was far comes nearest, by a batch with the stride of a struct of the caller's.
    let places = [[9.0_f32, 0.0, 0.0, 5.5], [1.0, 0.0, 0.0, 5.5]];
    let set = |stride| {
        lodger_actors_set(
            stage.scene,
            inputs(&actors),
            2,
            column::POSITION,
            values(&places),
            stride,
        )
    };
    assert_eq!(set(16), Status::OK);
    assert_eq!(stage.tick().flips, 2);
    assert_eq!(stage.levels(&actors), (Status::OK, vec![1, 2]));
    // The first place for all.
    assert_eq!(set(0), Status::OK);
    assert_eq!([set(8), set(13)], [Status::INVALID_ARGUMENT; 2]);

    let mut report = sized(|report: &mut ActorReport, size| report.size = size);
    let answer = lodger_actor_report_of(stage.scene, actors[1], output(&mut report));
    assert_eq!((answer, report.key, report.level, report.cost_ns), (Status::OK, 8, 2.0, 4_000));
    assert_ne!(report.share_ns, UNKNOWN);
}

#[test]
fn spawning_is_all_or_none_and_names_the_place() {
    let stage = Stage::new(6_000);
    let bad = ActorDesc { radius: -1.0, ..actor(1.0, 0) };
    assert_eq!(stage.spawn(&[actor(1.0, 0), bad]), Err(Status::REFUSED));
    assert!(last_error().contains("radius"), "{}", last_error());
    let flagged = ActorDesc { flags: 2, ..actor(1.0, 0) };
    assert_eq!(stage.spawn(&[actor(1.0, 0), flagged]), Err(Status::INVALID_ARGUMENT));
    assert!(last_error().starts_with("element 1: "), "{}", last_error());
    assert_eq!(stage.tick().actors, 0);
}

#[test]
fn a_batch_serves_whom_it_can() {
    let stage = Stage::new(6_000);
    let actors = stage.spawn(&[actor(2.0, 0), actor(4.0, 0), actor(9.0, 0)]).unwrap();
    assert_eq!(lodger_actors_despawn(stage.scene, input(&actors[1]), 1), Status::OK);
    let forced = [1.0_f32, 1.0, 2.0];
    let set =
        lodger_actors_set(stage.scene, inputs(&actors), 3, column::FORCED, values(&forced), 4);
    assert_eq!(set, Status::NO_SUCH_ACTOR);
    assert!(last_error().starts_with("element 1: "), "{}", last_error());
    stage.tick();
    assert_eq!(stage.levels(&actors), (Status::NO_SUCH_ACTOR, vec![1, 0, 2]));
    // Who came since the tick has no level yet, which is no failure.
    let late = stage.spawn(&[actor(2.0, 0)]).unwrap();
    assert_eq!(stage.levels(&late), (Status::OK, vec![0]));
}

#[test]
fn structs_may_be_shorter_or_longer() {
    #[repr(C)]
    struct Longer {
        desc: ActorDesc,
        rest: [u8; 16],
    }
    let stage = Stage::new(6_000);
    let spawn = |size: usize, rest: u8| {
        let mut longer = Longer { desc: actor(2.0, 3), rest: [0; 16] };
        longer.desc.size = u32::try_from(size).unwrap();
        longer.rest[15] = rest;
        let descs = input(&longer).into_first();
        lodger_actors_spawn(stage.scene, stage.module, descs, size_of::<Longer>(), 1, Out::NULL)
    };
    let whole = size_of::<ActorDesc>();
    assert_eq!([spawn(whole, 0), spawn(whole + 16, 0), spawn(whole, 1)], [Status::OK; 3]);
    // Without the last fields it is an automatic actor.
    assert_eq!(spawn(whole - 8, 0), Status::OK);
    assert_eq!(
        [spawn(whole + 16, 1), spawn(0, 0), spawn(7, 0), spawn(12, 0), spawn(1 << 30, 0)],
        [Status::INVALID_ARGUMENT; 5]
    );
    let mut report = Report { size: 16, narrowing: 5.0, ..Report::default() };
    assert_eq!(lodger_tick(stage.scene, output(&mut report)), Status::OK);
    assert_eq!(
        (report.size, report.budget_ns, report.actors, report.narrowing),
        (16, 6_000, 0, 5.0)
    );
}

trait First {
    fn into_first(self) -> In<ActorDesc>;
}

impl<T> First for In<T> {
    /// A pointer to a struct as one to its first field.
    fn into_first(self) -> In<ActorDesc> {
        // SAFETY: the pointer has the same bits, and the header allows a longer struct.
        unsafe { std::mem::transmute_copy(&self) }
    }
}

#[test]
fn far_from_the_origin_places_keep_their_worth() {
    let stage = Stage::new(6_000);
    let far = 20_000_000.0;
    let near = stage.spawn(&[actor(far + 2.25, 0), actor(far + 2.75, 0)]).unwrap();
    assert_eq!(lodger_view_set(stage.scene, stage.view, input(&[far, 0.0, 0.0])), Status::OK);
    assert_eq!(stage.tick().narrowing, 0.75);
    // Seen from the new origin, in doubles, nothing is lost.
    assert_eq!(lodger_scene_set_origin(stage.scene, input(&[far, 0.0, 0.0])), Status::OK);
    let places = [[far + 2.25, 0.0, 0.0], [far + 2.75, 0.0, 0.0]];
    let kind = column::POSITION_F64;
    assert_eq!(
        lodger_actors_set(stage.scene, inputs(&near), 2, kind, values(&places), 24),
        Status::OK
    );
    assert_eq!(stage.tick().narrowing, 0.0);
    let benefit = |actor| {
        let mut report = sized(|report: &mut ActorReport, size| report.size = size);
        assert_eq!(lodger_actor_report_of(stage.scene, actor, output(&mut report)), Status::OK);
        report.benefit
    };
    assert!(benefit(near[0]) > benefit(near[1]));
    // And the world is where it was for those who are not given again.
    let mut origin = [0.0; 3];
    assert_eq!(lodger_scene_set_origin(stage.scene, input(&[far - 64.0, 0.0, 0.0])), Status::OK);
    assert_eq!(lodger_scene_origin(stage.scene, output(&mut origin)), Status::OK);
    assert_eq!(origin, [far - 64.0, 0.0, 0.0]);
    let before = benefit(near[0]);
    stage.tick();
    assert!((benefit(near[0]) - before).abs() <= 1.0 / 65_536.0);
    assert_eq!(lodger_scene_set_origin(stage.scene, input(&[f64::NAN, 0.0, 0.0])), Status::REFUSED);
}

#[test]
fn handles_of_elsewhere_are_noticed() {
    let (one, other) = (Stage::new(1_000), Stage::new(1_000));
    let actors = one.spawn(&[actor(1.0, 0)]).unwrap();
    assert_eq!(other.levels(&actors).0, Status::NO_SUCH_ACTOR);
    assert_eq!(lodger_view_remove(other.scene, one.view), Status::NO_SUCH_VIEW);
    assert_eq!(lodger_module_set_overhead(other.scene, one.module, 1), Status::NO_SUCH_MODULE);
    assert_eq!(lodger_module_set_overhead(0, one.module, 1), Status::NO_SUCH_SCENE);
    assert_eq!(lodger_tick(u32::MAX, Out::NULL), Status::NO_SUCH_SCENE);
    for made_up in [0, 1, u64::MAX] {
        assert_eq!(one.levels(&[made_up]), (Status::NO_SUCH_ACTOR, vec![0]));
    }
}

#[test]
fn every_status_has_words() {
    for status in Status::ALL.into_iter().chain([Status(-1), Status(99)]) {
        let text = lodger_status_text(status);
        // SAFETY: static, and ends with NUL, as the header promises.
        assert!(!unsafe { CStr::from_ptr(text) }.is_empty());
    }
    assert_eq!(lodger_tick(0, Out::NULL), Status::NO_SUCH_SCENE);
    let mut cut = [1 as c_char; 6];
    let length = lodger_last_error(outputs(&mut cut), cut.len());
    assert_eq!((length, cut[5]), (last_error().len(), 0));
}
