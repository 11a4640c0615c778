//! Zooms and frusta, against an oracle in `f64`. `wide::scenes` compares priorities.

use glam::{DMat4, DVec3};
use lodger_core::benefit::{BenefitRule, BenefitTerms, Weights};
use lodger_core::error::{Quantity, ValueError, ValueProblem};
use lodger_core::importance::DistanceImportance;
use lodger_core::{Benefit, Fixed, Micro, Real};
use lodger_scheduler::{
    Actor, ActorId, ActorState, BenefitValue, Budget, Lod, Module, ModuleId, OutsideFactor, Policy,
    QualityCurve, Scene, SceneError, SimdLevel, View, ViewId,
};
use lodger_testkit::SplitMix64;
use proptest::prelude::*;

use crate::scheduler_settings::ns;

fn number<N: Real>(value: f64) -> N {
    N::from_f64(value).unwrap()
}

fn module<N: Real>(name: &str) -> Module<N> {
    Module::new(name, ns(1.0)).benefit_value(BenefitValue::from_ns(500))
}

/// A camera that looks along −z before it is turned around y, then x; the half angles of its sides.
#[derive(Debug, Clone, Copy)]
struct Camera {
    eye: DVec3,
    yaw: f64,
    pitch: f64,
    half_width: f64,
    half_height: f64,
}

impl Camera {
    fn random<N: Real>(random: &mut SplitMix64) -> Self {
        let eye = [(); 3].map(|()| number::<N>(random.real(-20.0, 20.0)).to_f64());
        Self {
            eye: DVec3::from_array(eye),
            yaw: random.real(-4.0, 4.0),
            pitch: random.real(-1.5, 1.5),
            half_width: random.real(0.05, 1.3),
            half_height: random.real(0.05, 1.3),
        }
    }

    fn to_world(self) -> DMat4 {
        let rotation = DMat4::from_rotation_y(self.yaw) * DMat4::from_rotation_x(self.pitch);
        DMat4::from_translation(self.eye) * rotation
    }

    fn view<N: Real>(&self) -> View<N> {
        let view = self.to_world().inverse().to_cols_array_2d();
        // Reverse z without an end, as some engines have it.
        let (x, y) = (1.0 / self.half_width.tan(), 1.0 / self.half_height.tan());
        let projection =
            [[x, 0.0, 0.0, 0.0], [0.0, -y, 0.0, 0.0], [0.0, 0.0, 0.0, -1.0], [0.0, 0.0, 0.1, 0.0]];
        View::from_matrices(view, projection).unwrap()
    }

    /// The signed distances of a point from the four sides, which are turned outwards; positive inside.
    fn distances(&self, point: DVec3, turned: f64) -> [f64; 4] {
        let axis = |axis: DVec3| self.to_world().transform_vector3(axis);
        let (right, up, forward) = (axis(DVec3::X), axis(DVec3::Y), axis(DVec3::NEG_Z));
        let offset = point - self.eye;
        [
            (right, self.half_width),
            (-right, self.half_width),
            (up, self.half_height),
            (-up, self.half_height),
        ]
        .map(|(across, half)| {
            let (sine, cosine) = (half + turned).sin_cos();
            offset.dot(across * cosine + forward * sine)
        })
    }

    /// Whether a sphere is inside; `None` if it touches a side so closely that rounding decides.
    fn contains(&self, point: DVec3, radius: f64, was_inside: bool, margin: f64) -> Option<bool> {
        let sides = self.distances(point, 0.0).into_iter().zip(self.distances(point, margin));
        let mut is_inside = true;
        for (side, turned) in sides {
            let close = |distance: f64| (distance + radius).abs() < 1e-4 * radius;
            if close(side) || was_inside && close(turned) {
                return None;
            }
            is_inside &= side >= -radius || was_inside && turned >= -radius;
        }
        Some(is_inside)
    }
}

fn zoom_halves_distances<N: Real>() {
    let mut random = SplitMix64::new(2);
    for importance in [DistanceImportance::SolidAngle, DistanceImportance::Angular] {
        let rule = BenefitRule::new(BenefitTerms {
            distance_importance: importance,
            max_distance: Some(number::<N>(100.0)),
            ..BenefitTerms::default()
        });
        let rule = rule.unwrap();
        let (mut zoomed, mut halved) =
            (Scene::<N>::new(Budget::from_ns(0)), Scene::<N>::new(Budget::from_ns(0)));
        let eye = View::from_position([N::ZERO; 3]).unwrap();
        zoomed.add_view(eye.zoom(2.0).unwrap()).unwrap();
        halved.add_view(eye).unwrap();
        let modules = [&mut zoomed, &mut halved]
            .map(|scene| scene.add_module(module("m").rule(rule)).unwrap());
        let mut pairs = Vec::new();
        for _ in 0..3_000 {
            // Even numbers of 2⁻¹⁶, which every type halves exactly.
            let half = [(); 3].map(|()| {
                let bits: i32 = i32::try_from(random.below(1 << 24)).unwrap() - (1 << 23);
                f64::from(bits >> random.below(20)) / 65_536.0
            });
            let radius = number(random.real(0.05, 8.0));
            let at = |scale: f64| Actor::at(half.map(|x| number::<N>(x * scale)), radius, &[0]);
            let ids = (zoomed.spawn(modules[0], at(2.0)), halved.spawn(modules[1], at(1.0)));
            pairs.push((ids.0.unwrap(), ids.1.unwrap()));
        }
        let (plan, expected) = (zoomed.tick(), halved.tick());
        let benefits = pairs.iter().map(|&(zoomed, halved)| {
            let benefit = plan.actor(zoomed).unwrap().benefit;
            assert_eq!(benefit, expected.actor(halved).unwrap().benefit, "{}", N::NAME);
            benefit
        });
        assert!(benefits.filter(|&benefit| benefit > Benefit::ZERO).count() > 1_000);
    }
}

#[test]
fn a_zoom_of_2_halves_all_distances() {
    zoom_halves_distances::<f32>();
    zoom_halves_distances::<f64>();
    zoom_halves_distances::<Fixed>();
    zoom_halves_distances::<Micro>();
}

#[test]
fn the_zoom_of_a_projection_compares_it_with_the_reference() {
    let camera = |half_height: f64| Camera {
        eye: DVec3::ZERO,
        yaw: 0.3,
        pitch: 0.0,
        half_width: 0.7,
        half_height,
    };
    let zoom = |degrees: f64| {
        let view: View<f32> = camera(degrees.to_radians() / 2.0).view();
        view.reference_fov(60.0).unwrap().zoom_factor()
    };
    assert!((zoom(60.0) - 1.0).abs() < 1e-12);
    assert!(
        (zoom(2.0 * (15.0_f64.to_radians().tan()).atan().to_degrees()) - zoom(30.0)).abs() < 1e-12
    );
    // Twice the element [1][1]: from 60° to 32.2°.
    assert!((zoom(32.204_227_503_972_14) - 2.0).abs() < 1e-12);
}

#[test]
fn views_refuse_what_is_no_perspective() {
    let identity = DMat4::IDENTITY.to_cols_array_2d();
    let problem = |result: Result<View<f32>, ValueError>| {
        result.err().map(|error| (error.quantity(), error.problem()))
    };
    let projection = Quantity::Projection;
    let orthographic = View::from_matrices(identity, identity);
    assert_eq!(problem(orthographic), Some((projection, ValueProblem::NotPerspective)));
    let eye = View::from_position([0.0; 3]).unwrap();
    assert_eq!(problem(eye.frustum()), Some((projection, ValueProblem::Missing)));
    assert_eq!(problem(eye.reference_fov(60.0)), Some((projection, ValueProblem::Missing)));
    assert_eq!(problem(eye.zoom(64.1)), Some((Quantity::Zoom, ValueProblem::TooLarge)));
    assert_eq!(problem(eye.zoom(0.015)), Some((Quantity::Zoom, ValueProblem::TooSmall)));
    assert_eq!(problem(eye.zoom(f64::NAN)), Some((Quantity::Zoom, ValueProblem::NotFinite)));
    let camera =
        Camera { eye: DVec3::ONE, yaw: 1.0, pitch: 0.2, half_width: 1.5, half_height: 0.5 };
    let view: View<f32> = camera.view();
    assert_eq!(problem(view.frustum()), None);
    let margin = |degrees| problem(view.frustum_with_margin(degrees));
    assert_eq!(
        margin(4.1),
        Some((Quantity::Margin, ValueProblem::TooLarge)),
        "90° − 1.5 rad is 4.06°"
    );
    assert_eq!(margin(4.0), None);
    assert_eq!(margin(-1.0), Some((Quantity::Margin, ValueProblem::Negative)));
    for (degrees, expected) in [
        (0.0, ValueProblem::NotPositive),
        (180.0, ValueProblem::TooLarge),
        (f64::INFINITY, ValueProblem::NotFinite),
    ] {
        let error = problem(view.reference_fov(degrees));
        assert_eq!(error, Some((Quantity::ReferenceFov, expected)));
    }
    let flat = DMat4::from_cols_array_2d(&[
        [0.0; 4],
        [0.0; 4],
        [0.0, 0.0, 0.0, -1.0],
        [0.0, 0.0, 0.1, 0.0],
    ]);
    let view = View::<f32>::from_matrices(identity, flat.to_cols_array_2d()).unwrap();
    assert_eq!(problem(view.frustum()), Some((Quantity::Margin, ValueProblem::TooLarge)));
}

/// A scene whose actors have a benefit of 1 where a view sees them, and 0 elsewhere.
struct DrawnScene<N: Real> {
    scene: Scene<N>,
    module: ModuleId,
    actors: Vec<(ActorId, DVec3, f64)>,
}

impl<N: Real> DrawnScene<N> {
    fn new(places: impl Iterator<Item = (DVec3, f64)>) -> Self {
        let rule = BenefitRule::new(BenefitTerms {
            weights: Weights::new(N::ZERO, N::ONE, N::ZERO).unwrap(),
            max_age: Some(N::ONE),
            ..BenefitTerms::default()
        });
        let mut scene = Scene::<N>::new(Budget::from_ns(0));
        let drawn = module("drawn").rule(rule.unwrap()).outside(OutsideFactor::ZERO);
        let module = scene.add_module(drawn).unwrap();
        let mut actors = Vec::new();
        for (place, radius) in places {
            let place = place.to_array().map(number::<N>);
            let radius = number::<N>(radius);
            let id = scene.spawn(module, Actor::at(place, radius, &[0])).unwrap();
            actors.push((id, DVec3::from_array(place.map(N::to_f64)), radius.to_f64()));
        }
        Self { scene, module, actors }
    }

    fn in_view(&mut self) -> Vec<bool> {
        let plan = self.scene.tick();
        let benefits = self.actors.iter().map(|(id, ..)| plan.actor(*id).unwrap().benefit);
        benefits.map(|benefit| benefit > Benefit::ZERO).collect()
    }
}

fn frusta_agree<N: Real>(seed: u64) {
    let mut random = SplitMix64::new(seed);
    let places = (0..1_000).map(|_| {
        let place = [(); 3].map(|()| random.real(-80.0, 80.0));
        (DVec3::from_array(place), random.real(1.0, 4.0))
    });
    let places: Vec<_> = places.collect();
    let mut drawn = DrawnScene::<N>::new(places.into_iter());
    let views: Vec<ViewId> = (0..2)
        .map(|_| {
            let eye = View::from_position([N::ZERO; 3]).unwrap();
            drawn.scene.add_view(eye).unwrap()
        })
        .collect();
    let mut was_inside = vec![[true; 2]; drawn.actors.len()];
    for _ in 0..5 {
        let margin = random.real(0.0, 14.0);
        let cameras = [(); 2].map(|()| Camera::random::<N>(&mut random));
        for (camera, &id) in cameras.iter().zip(&views) {
            let view = camera.view().frustum_with_margin(margin).unwrap();
            drawn.scene.set_view(id, view).unwrap();
        }
        let in_view = drawn.in_view();
        let rows = drawn.actors.iter_mut().zip(&mut was_inside).zip(in_view);
        for (((id, place, radius), was_inside), is_in_view) in rows {
            let contains = |view: usize| {
                cameras[view].contains(*place, *radius, was_inside[view], margin.to_radians())
            };
            let (Some(first), Some(second)) = (contains(0), contains(1)) else {
                // Rounding decides: the actor starts again.
                let state = drawn.scene.state(*id).unwrap();
                let work = Actor::from_state(state, number(*radius), &[0]);
                drawn.scene.despawn(*id).unwrap();
                *id = drawn.scene.spawn(drawn.module, work).unwrap();
                *was_inside = [true; 2];
                continue;
            };
            assert_eq!(is_in_view, first || second, "{} {place} {radius} {cameras:?}", N::NAME);
            *was_inside = [first, second];
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]
    /// 10 000 pairs of views and actors a case and number type; with `PROPTEST_CASES=256` ten million in all.
    #[test]
    fn frusta_agree_with_the_oracle(seed: u64) {
        frusta_agree::<f32>(seed);
        frusta_agree::<f64>(seed);
        frusta_agree::<Fixed>(seed);
        frusta_agree::<Micro>(seed);
    }

    #[test]
    fn a_benefit_is_the_greatest_at_any_view(seed: u64) {
        greatest_at_any_view::<f32>(seed);
        greatest_at_any_view::<Fixed>(seed);
    }
}

/// Compares a scene with several views to scenes with one view each, in which all actors are in view.
fn greatest_at_any_view<N: Real>(seed: u64) {
    let mut random = SplitMix64::new(seed);
    let weights = Weights::normalised(
        number::<N>(random.unit()),
        number(random.unit() * random.below(2) as f64 + 0.01),
        number(random.unit() * random.below(2) as f64),
    );
    let rule = BenefitRule::new(BenefitTerms {
        weights: weights.unwrap(),
        max_distance: random.percent(50).then(|| number(60.0)),
        bias: number(random.pick(&[0.0, 0.25])),
        max_age: Some(number(10.0)),
        max_speed: Some(number(10.0)),
        ..BenefitTerms::default()
    });
    let (rule, outside) = (rule.unwrap(), OutsideFactor::new(random.unit()).unwrap());
    let views = random.within(1, 11_usize);
    let cameras: Vec<_> = (0..views).map(|_| Camera::random::<N>(&mut random)).collect();
    let zooms: Vec<f64> = (0..views).map(|_| random.pick(&[1.0, 0.5, 3.0])).collect();
    let mut scene = Scene::<N>::new(Budget::from_ns(0));
    let several = scene.add_module(module("m").rule(rule).outside(outside)).unwrap();
    let mut singles: Vec<_> = (0..views)
        .map(|_| {
            let mut single = Scene::<N>::new(Budget::from_ns(0));
            let id = single.add_module(module("m").rule(rule)).unwrap();
            (single, id)
        })
        .collect();
    for ((camera, zoom), (single, _)) in cameras.iter().zip(&zooms).zip(&mut singles) {
        let view = camera.view().zoom(*zoom).unwrap();
        scene.add_view(view.frustum().unwrap()).unwrap();
        single.add_view(view).unwrap();
    }
    let mut actors = Vec::new();
    for row in 0..150 {
        let place = DVec3::from_array([(); 3].map(|()| random.real(-60.0, 60.0)));
        let position = place.to_array().map(number::<N>);
        let state = ActorState {
            position,
            age: number(random.real(-1.0, 12.0)),
            speed: number(random.real(0.0, 12.0)),
        };
        let radius = number::<N>(random.real(1.0, 4.0));
        let actor = Actor::from_state(state, radius, &[0]);
        let actor = if row % 9 == 0 { actor.benefit(Benefit::from_bits(5_000)) } else { actor };
        let ids: Vec<_> = singles.iter_mut().map(|(s, id)| s.spawn(*id, actor).unwrap()).collect();
        let place = DVec3::from_array(position.map(N::to_f64));
        actors.push((scene.spawn(several, actor).unwrap(), ids, place, radius.to_f64()));
    }
    for simd_level in SimdLevel::all() {
        // Parts of 64 rows, on the threads of the pool.
        let mut copy = scene.clone();
        copy.set_simd_level(simd_level);
        copy.set_chunk_rows(Some(64));
        assert!(scene.clone().tick().actors().eq(copy.tick().actors()), "{simd_level:?}");
    }
    let plan = scene.tick();
    for (row, (id, ids, place, radius)) in actors.iter().enumerate() {
        let at_view = |view: usize| {
            let (single, _) = &mut singles[view];
            let benefit = single.tick().actor(ids[view]).unwrap().benefit;
            let is_in_view = cameras[view].contains(*place, *radius, true, 2_f64.to_radians())?;
            Some(if is_in_view || row % 9 == 0 { benefit } else { benefit.outside(outside) })
        };
        let benefits: Option<Vec<_>> = (0..views).map(at_view).collect();
        let Some(benefits) = benefits else { continue };
        assert_eq!(Some(plan.actor(*id).unwrap().benefit), benefits.into_iter().max(), "row {row}");
    }
}

#[test]
fn a_view_that_trembles_drops_no_actor_twice() {
    let mut random = SplitMix64::new(90);
    let places: Vec<_> = (0..4_000)
        .map(|_| {
            let place =
                [random.real(-60.0, 60.0), random.real(-9.0, 9.0), random.real(-60.0, 60.0)];
            (DVec3::from_array(place), random.real(0.2, 3.0))
        })
        .collect();
    let mut drawn = DrawnScene::<f32>::new(places.into_iter());
    let camera = |frame: u32, random: &mut SplitMix64| Camera {
        eye: DVec3::ZERO,
        yaw: (f64::from(frame.saturating_sub(60).min(60)) * 1.5 + random.real(-0.5, 0.5))
            .to_radians(),
        pitch: random.real(-0.5, 0.5).to_radians(),
        half_width: 0.7,
        half_height: 0.45,
    };
    // All actors come from outside, so that none is inside only because it is new.
    let below = Camera { pitch: -1.5, ..camera(0, &mut random) };
    let id = drawn.scene.add_view(below.view().frustum().unwrap()).unwrap();
    drawn.in_view();
    let view = camera(0, &mut random).view().frustum().unwrap();
    drawn.scene.set_view(id, view).unwrap();
    let mut before = drawn.in_view();
    let mut changes = vec![[0_u32; 2]; before.len()];
    for frame in 1..180 {
        let view = camera(frame, &mut random).view().frustum().unwrap();
        drawn.scene.set_view(id, view).unwrap();
        let now = drawn.in_view();
        for ((before, now), changes) in before.iter().zip(&now).zip(&mut changes) {
            changes[usize::from(*now)] += u32::from(before != now);
        }
        before = now;
    }
    let most = |change: usize| changes.iter().map(|changes| changes[change]).max();
    assert_eq!([most(0), most(1)], [Some(1), Some(1)], "left and entered at most once each");
}

#[test]
fn new_views_and_actors_begin_inside_and_a_still_view_changes_nothing() {
    // Between the side and the side that is turned outwards, and behind the eye, close to it.
    let beside = DVec3::new(10.0, 0.0, -9.4);
    let behind = DVec3::new(0.0, 0.0, 1.39);
    let mut drawn = DrawnScene::<f32>::new([(beside, 0.2), (behind, 1.0)].into_iter());
    let ahead = Camera {
        eye: DVec3::ZERO,
        yaw: 0.0,
        pitch: 0.0,
        half_width: 45_f64.to_radians(),
        half_height: 0.7,
    };
    let away = Camera { yaw: 3.0, ..ahead };
    let view = |camera: Camera| camera.view().frustum().unwrap();
    let id = drawn.scene.add_view(view(ahead)).unwrap();
    for _ in 0..3 {
        assert_eq!(drawn.in_view(), [true, true]);
        let first = drawn.actors[0].0;
        drawn.scene.set_age(first, 0.0).unwrap();
    }
    let turn = |drawn: &mut DrawnScene<f32>, camera| {
        drawn.scene.set_view(id, view(camera)).unwrap();
        drawn.in_view()
    };
    assert!(!turn(&mut drawn, away)[0]);
    assert_eq!(turn(&mut drawn, ahead), [false, true], "beside, and came from outside");
    // A new actor does not take the bits of the row that another left.
    let (old, ..) = drawn.actors.remove(0);
    drawn.scene.despawn(old).unwrap();
    let new = Actor::at(beside.to_array().map(number::<f32>), 0.2, &[0]);
    let new = drawn.scene.spawn(drawn.module, new).unwrap();
    drawn.actors.insert(0, (new, beside, 0.2));
    assert_eq!(drawn.in_view(), [true, true]);
    assert!(!turn(&mut drawn, away)[0]);
    assert_eq!(turn(&mut drawn, ahead), [false, true]);
    // Another view takes the same slot; and a ninth one needs another byte.
    drawn.scene.remove_view(id).unwrap();
    drawn.scene.add_view(view(ahead)).unwrap();
    assert_eq!(drawn.in_view(), [true, true]);
    let others: Vec<_> = (0..9).map(|_| drawn.scene.add_view(view(away)).unwrap()).collect();
    assert_eq!(drawn.in_view(), [true, true]);
    for id in others {
        drawn.scene.remove_view(id).unwrap();
    }
    assert_eq!(drawn.in_view(), [true, true]);
}

#[test]
fn bits_of_an_engine_replace_the_test() {
    let places = (0..130).map(|i| (DVec3::new(f64::from(i), 0.0, 50.0), 1.0));
    let mut drawn = DrawnScene::<f32>::new(places);
    let camera =
        Camera { eye: DVec3::ZERO, yaw: 0.0, pitch: 0.0, half_width: 0.7, half_height: 0.7 };
    drawn.scene.add_view(camera.view().frustum().unwrap()).unwrap();
    assert_eq!(drawn.in_view(), [false; 130], "all are behind the camera");
    let module = drawn.module;
    let error = drawn.scene.set_in_view(module, &[u64::MAX; 2]);
    let expected = ValueError::new(Quantity::Count, ValueProblem::TooSmall);
    assert_eq!(error, Err(SceneError::Invalid(expected)));
    drawn.scene.set_in_view(module, &[u64::MAX, 0b101, 2]).unwrap();
    let expected = |row: usize| row < 64 || [64, 66, 129].contains(&row);
    assert_eq!(drawn.in_view(), (0..130).map(expected).collect::<Vec<_>>());
    // A benefit that was set is outside too, by half; rows move with their bits.
    let half = OutsideFactor::new(0.5).unwrap();
    drawn.scene.set_outside(module, half).unwrap();
    let (first, last) = (drawn.actors[0].0, drawn.actors[128].0);
    drawn.scene.set_benefit_override(last, Some(Benefit::from_bits(900))).unwrap();
    drawn.scene.despawn(first).unwrap();
    let new = drawn.scene.spawn(module, Actor::from_benefit(Benefit::from_bits(900), &[0]));
    let plan = drawn.scene.tick();
    let benefit = |id| plan.actor(id).unwrap().benefit.bits();
    assert_eq!((benefit(last), benefit(new.unwrap())), (450, 900));
    assert_eq!(benefit(drawn.actors[100].0), 32_768);
    drawn.scene.set_outside(module, OutsideFactor::ZERO).unwrap();
    drawn.scene.test_views(module).unwrap();
    let plan = drawn.scene.tick();
    let count = plan.actors().filter(|actor| actor.benefit > Benefit::ZERO).count();
    assert_eq!(count, 2, "those with a given benefit");
}

#[test]
fn proportional_policies_need_a_benefit_value() {
    let mut scene = Scene::<f32>::new(Budget::from_ns(100));
    let missing = |name: &str| Err(SceneError::NoBenefitValue(name.into()));
    let without = || Module::new("capes", ns(1.0)).quality_curve(QualityCurve::AllOrNothing);
    assert_eq!(scene.add_module(without()).map(|_| ()), missing("capes"));
    let capes = scene.add_module(without().managed(false)).unwrap();
    assert_eq!(scene.set_managed(capes, true), missing("capes"));
    assert_eq!(scene.is_managed(capes), Some(false));
    scene.set_policy(Policy::Optimal).unwrap();
    scene.set_managed(capes, true).unwrap();
    assert_eq!(scene.benefit_value(capes), None);
    assert_eq!(scene.set_policy(Policy::APEX), missing("capes"));
    assert_eq!(scene.policy(), Policy::Optimal);
    let cape = scene.spawn(capes, Actor::from_benefit(Benefit::MAX, &[0, 40, 90])).unwrap();
    assert_eq!(scene.tick().lod(cape).map(Lod::level), Some(2));
    scene.set_benefit_value(capes, BenefitValue::from_ns(40)).unwrap();
    scene.set_policy(Policy::APEX).unwrap();
    let error = missing("capes").unwrap_err().to_string();
    assert!(error.contains("module `capes` has no benefit value"), "{error}");
}
