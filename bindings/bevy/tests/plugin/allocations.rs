//! A frame without changes allocates nothing, once it is warm.

use bevy_ecs::change_detection::DetectChangesMut;
use bevy_ecs::entity::Entity;
use bevy_lodger::scheduler::{Budget, Leftovers, Policy};
use bevy_lodger::{Lod, LodActor, LodChanged, LodSettings};
use bevy_transform::components::Transform;

use crate::stage::{Chance, Crowd, WORK, heard, seen};

#[test]
fn a_warm_frame_without_changes_allocates_nothing() {
    for policy in [Policy::default(), Policy::Proportional(Leftovers::Keep), Policy::Optimal] {
        let mut app = seen(Budget::from_ns(20_000_000));
        app.insert_resource(LodSettings { policy, ..LodSettings::default() });
        let mut chance = Chance::new(7);
        let entities: Vec<Entity> = (0..5_000)
            .map(|_| {
                let place = Transform::from_xyz(chance.metres(80), 0.0, chance.metres(80));
                app.world_mut().spawn((place, LodActor::<Crowd>::new(1.0, WORK))).id()
            })
            .collect();
        // Both buffers of the messages grow, and everybody moves once.
        for _ in 0..4 {
            let mut transforms = app.world_mut().query::<&mut Transform>();
            transforms.iter_mut(app.world_mut()).for_each(|mut transform| transform.set_changed());
            app.update();
        }
        heard::<LodChanged<Crowd>>(&mut app);
        let still = allocation_counter::measure(|| app.update());
        assert_eq!(still.count_total, 0, "{policy:?}: a world that stands still");
        let mut transforms = app.world_mut().query::<&mut Transform>();
        transforms.iter_mut(app.world_mut()).for_each(|mut transform| transform.set_changed());
        let moving = allocation_counter::measure(|| app.update());
        assert_eq!(moving.count_total, 0, "{policy:?}: all are written, at the same places");
        assert_eq!(heard::<LodChanged<Crowd>>(&mut app), []);
        assert!(app.world().get::<Lod<Crowd>>(entities[0]).is_some());
    }
}
