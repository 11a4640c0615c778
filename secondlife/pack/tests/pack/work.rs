//! Packing is charged to the quota, and its work grows nearly linearly with the model.

use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use lodger_pack::{CollisionKind, PackError, PackOptions, PackProgress, pack};
use lodger_quota::{Quota, QuotaExceeded, QuotaLimits};

use crate::models::{Drawing, cloth, fan, navigation, rings, soup, sphere, tubes};
use crate::options;

const ENOUGH: u64 = 1 << 50;

fn worked(drawing: &Drawing, options: &PackOptions, work: u64) -> Result<u64, PackError> {
    let quota = Quota::new(QuotaLimits { work, ..QuotaLimits::default() });
    pack(&mut crate::read_one(drawing), options, &crate::no_parts, &quota, &|_| ())?;
    Ok(quota.worked())
}

#[test]
fn packing_is_charged() {
    let drawings = [soup(300), cloth(12), rings(5, 30), fan(300), tubes(4, 40), navigation(14)];
    for drawing in drawings {
        let options = options(None, None);
        let all = worked(&drawing, &options, ENOUGH).expect("enough");
        // Some nanoseconds for each unit; the work takes more than 30 ms.
        assert!(all > 10_000_000, "{}: {all}", drawing.name);
        assert_eq!(worked(&drawing, &options, all).expect("just enough"), all, "{}", drawing.name);
        for work in [all - 1, all / 2, 1] {
            let error = worked(&drawing, &options, work).expect_err("too little");
            assert!(
                matches!(error, PackError::QuotaExceeded(QuotaExceeded::Work { .. })),
                "{}: {error}",
                drawing.name
            );
        }
    }
}

#[test]
fn each_physics_shape_is_packed_for_exact_work() {
    let shapes = [(soup(10), CollisionKind::Hull), (sphere(1.0, 4), CollisionKind::Mesh)];
    let needed = shapes.map(|(drawing, physics)| {
        let options = PackOptions { physics, ..options(None, None) };
        worked(&drawing, &options, ENOUGH).expect("enough")
    });
    assert_eq!(needed, [2_356_114, 4_880_496]);
}

#[test]
fn ten_times_as_many_triangles_take_hardly_more_than_ten_times_as_much() {
    for (name, few, many) in [
        ("soup", soup(200), soup(2_000)),
        ("fan", fan(200), fan(2_000)),
        ("rings", rings(5, 20), rings(5, 200)),
        ("cloth", cloth(12), cloth(38)),
    ] {
        let [few, many] = [few, many].map(|drawing| worked(&drawing, &options(None, None), ENOUGH));
        let (few, many) = (few.expect("enough"), many.expect("enough"));
        assert!(many < 25 * few, "{name}: {few} and {many}");
    }
}

#[test]
fn decomposition_is_charged_before_it_starts() {
    let drawing = crate::models::sphere(1.0, 6);
    let hull = worked(&drawing, &options(None, None), ENOUGH).expect("enough");
    let parts = PackOptions { physics: CollisionKind::Parts, ..options(None, None) };
    let refused = |work| worked(&drawing, &parts, work).expect_err("nothing is taken apart");
    assert!(matches!(refused(ENOUGH), PackError::Physics { .. }));
    assert!(
        matches!(refused(hull + 10_000_000), PackError::QuotaExceeded(_)),
        "a child takes longer"
    );
}

#[test]
fn a_runaway_decomposition_is_charged_by_its_time() {
    let drawing = crate::models::sphere(1.0, 6);
    let hull = worked(&drawing, &options(None, None), ENOUGH).expect("enough");
    let parts = PackOptions { physics: CollisionKind::Parts, ..options(None, None) };
    let error = |late| {
        let limits = QuotaLimits { work: hull + 200_000_000, ..QuotaLimits::default() };
        let mut model = crate::read_one(&drawing);
        let decompose = |_: &[[f32; 3]], _: &[[u32; 3]], _, _| {
            thread::sleep(late);
            Err("its time is up".to_owned())
        };
        pack(&mut model, &parts, &decompose, &Quota::new(limits), &|_| ()).expect_err("late")
    };
    assert!(matches!(error(Duration::ZERO), PackError::Physics { .. }));
    assert!(matches!(error(Duration::from_secs(1)), PackError::QuotaExceeded(_)));
}

#[test]
fn progress_counts_each_candidate_and_shape() {
    let steps = Mutex::new(Vec::new());
    let see = |step: PackProgress<'_>| {
        let what = match step {
            PackProgress::Simplify(_, done, all) => Some((done, all)),
            PackProgress::Shape(object) => {
                assert_eq!(object, "rings");
                None
            }
            _ => return,
        };
        steps.lock().expect("no panic").push(what);
    };
    let mut model = crate::read_one(&rings(4, 20));
    pack(&mut model, &options(None, None), &crate::no_parts, &crate::plenty(), &see)
        .expect("rings");
    let steps = steps.into_inner().expect("no panic");
    let all = steps.iter().flatten().find(|(done, all)| done == all).expect("all are measured").0;
    let made = steps.iter().filter(|steps| matches!(steps, Some((0, _)))).count();
    assert!(made >= all, "forms are steps as they are made: {made} of {all}");
    assert!(steps.contains(&None));
}
