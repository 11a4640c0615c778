//! Scenes that ask for more than there is, and games that react.

use lodger_scheduler::{Actor, Benefit, BenefitValue, Budget, Load, Module, Scene, UnitCost};

/// A scene of 1 000 ns in which somebody cannot do with less than `least`.
fn scene(least: u32) -> Scene {
    let mut scene = Scene::<f32>::new(Budget::from_ns(1_000));
    let unit = UnitCost::from_ns(1.0).unwrap();
    let module = Module::new("", unit, BenefitValue::from_ns(9_000)).overhead(100);
    let module = scene.add_module(module).unwrap();
    scene.spawn(module, Actor::given(Benefit::MAX, &[least, 5_000])).unwrap();
    scene
}

fn loads(scene: &mut Scene, ticks: usize) -> Vec<Load> {
    (0..ticks).map(|_| scene.tick().load()).collect()
}

#[test]
fn what_counts_is_the_overhead_and_the_minimums_against_the_whole_budget() {
    assert_eq!(loads(&mut scene(800), 4), [Load::Normal; 4]);
    assert_eq!(loads(&mut scene(801), 4), [Load::Tight; 4]);
    assert_eq!(loads(&mut scene(900), 4), [Load::Tight; 4]);
    assert_eq!(loads(&mut scene(901), 3), [Load::Tight, Load::Tight, Load::Infeasible]);
}

#[test]
fn a_game_is_told_of_every_change_once_and_may_react() {
    let mut scene = scene(901);
    let module = scene.modules().next().unwrap();
    let mut told = Vec::new();
    for tick in 0..100 {
        let plan = scene.tick_with(|scene, load| {
            told.push((tick, load));
            if load == Load::Infeasible {
                scene.set_overhead(module, 0).unwrap();
                scene.set_budget(Budget::from_ns(1_001));
            }
        });
        // The plan is that of the tick, whatever the game did.
        let expected = match tick {
            0..=2 => (Budget::from_ns(1_000), 1),
            3..=60 => (Budget::from_ns(1_001), 0),
            _ => (Budget::UNLIMITED, 0),
        };
        assert_eq!((plan.budget(), plan.overcommit_ns()), expected);
        if tick == 60 {
            scene.set_budget(Budget::UNLIMITED);
        }
    }
    let expected = [(0, Load::Tight), (2, Load::Infeasible), (32, Load::Tight), (90, Load::Normal)];
    assert_eq!(told, expected);
}
