//! Random changes of the world against a scene that is built by hand, and allocations of a frame.

use std::collections::HashMap;

use bevy_lodger::scheduler::View;

use crate::prelude::*;

const TABLES: [&[u32]; 3] = [&[0, 10, 100, 1_000], &[1, 1, 40, 500], &[5, 60, 70, 80]];
const BUDGET: Budget = Budget::from_ns(1_500_000);

#[derive(Debug, Clone, Copy)]
struct EntitySpec {
    place: [f32; 3],
    /// The radius and the table of an actor; `None` for another entity.
    shape: Option<(f32, usize)>,
    forced: Option<u8>,
    range: Option<(u8, u8)>,
    priority: Option<f32>,
    is_hidden: bool,
}

fn outside() -> OutsideFactor {
    OutsideFactor::new(0.25).expect("at most 1")
}

fn actor((radius, table): (f32, usize)) -> Actor {
    LodActor::new(radius, TABLES[table])
}

struct RandomWorld {
    app: App,
    camera: Entity,
    random: Random,
    specs: HashMap<Entity, EntitySpec>,
    /// All entities in the order of their spawns, so that a seed is reproducible.
    entities: Vec<Entity>,
}

impl RandomWorld {
    fn new(seed: u64, policy: Policy) -> Self {
        let mut app = app(BUDGET);
        let camera = app.spawn((Transform::default(), LodView));
        app.insert_resource(LodSettings { policy, ..LodSettings::default() });
        let mut plan = app.world_mut().resource_mut::<LodPlan>();
        plan.module_mut::<Animation>().unwrap().set_outside(outside()).unwrap();
        Self { app, camera, random: Random::new(seed), specs: HashMap::new(), entities: Vec::new() }
    }

    fn place(&mut self) -> [f32; 3] {
        [self.random.metres(60), self.random.metres(4), self.random.metres(60)]
    }

    fn shape(&mut self) -> (f32, usize) {
        (0.1 + self.random.metres(2).abs(), self.random.below(3) as usize)
    }

    fn any_entity(&mut self) -> Option<Entity> {
        let count = u32::try_from(self.entities.len()).expect("few");
        (count > 0).then(|| self.entities[self.random.below(count) as usize])
    }

    fn spec(&mut self) -> EntitySpec {
        let (place, shape) = (self.place(), Some(self.shape()));
        EntitySpec { place, shape, forced: None, range: None, priority: None, is_hidden: false }
    }

    fn spawn(&mut self, spec: EntitySpec) {
        let entity = self.app.spawn(Transform::from_translation(spec.place.into()));
        if let Some(shape) = spec.shape {
            self.app.insert(entity, actor(shape));
        }
        self.specs.insert(entity, spec);
        self.entities.push(entity);
        self.constrain(entity);
    }

    fn spawn_batch(&mut self) {
        let batch: Vec<_> = (0..5).map(|_| self.spec()).collect();
        let bundles = batch.iter().map(|spec| {
            let transform = Transform::from_translation(spec.place.into());
            (transform, actor(spec.shape.expect("an actor")))
        });
        let entities = self.app.world_mut().spawn_lods::<Animation, _>(bundles);
        self.specs.extend(entities.iter().copied().zip(batch));
        self.entities.extend(entities);
    }

    /// Inserts or removes the components that constrain a level.
    fn constrain(&mut self, entity: Entity) {
        let spec = self.specs[&entity];
        let mut entity = self.app.world_mut().entity_mut(entity);
        match spec.forced {
            Some(level) => entity.insert(Forced::new(level)),
            None => entity.remove::<Forced>(),
        };
        match spec.range {
            Some((lowest, highest)) => entity.insert(Range::new(lowest, highest)),
            None => entity.remove::<Range>(),
        };
        match spec.priority {
            Some(factor) => entity.insert(Prioritised::new(factor)),
            None => entity.remove::<Prioritised>(),
        };
        if spec.is_hidden {
            entity.insert(Hidden::default());
        } else {
            entity.remove::<Hidden>();
        }
    }

    fn set_place(&mut self, entity: Entity) {
        let place = self.place();
        self.specs.get_mut(&entity).expect("spawned").place = place;
        set(&mut self.app, entity, Transform::from_translation(place.into()));
    }

    /// Turns the camera, and gives it a lens or takes it.
    fn set_camera(&mut self) {
        let mut turned = Transform::default();
        turned.rotate_y(self.random.metres(4));
        set(&mut self.app, self.camera, turned);
        // Between 53° and 127° from the lower to the upper side, with Bevy's infinite depth.
        let scale = 0.5 + self.random.metres(6).abs() / 2.0;
        let clip_from_view =
            [[scale, 0., 0., 0.], [0., scale, 0., 0.], [0., 0., 0., -1.], [0., 0., 0.1, 0.]];
        let mut lens = LodProjection::new(clip_from_view);
        match self.random.below(4) {
            0 => return self.app.remove::<LodProjection>(self.camera),
            1 => lens = lens.with_reference_fov(60.0),
            // A scene that is built anew knows nothing of the last frame, so the frustum has no margin.
            2 => lens.margin = Some(0.0),
            _ => lens = LodProjection { margin: Some(0.0), ..lens.with_reference_fov(60.0) },
        }
        self.app.insert(self.camera, lens);
    }

    fn view(&self) -> View<f32> {
        let camera = self.app.world().entity(self.camera);
        let Some(lens) = camera.get::<LodProjection>() else {
            return View::from_position([0.0; 3]).expect("finite");
        };
        let at = camera.get::<GlobalTransform>().expect("a camera has a transform");
        let view_from_world = at.to_matrix().inverse().to_cols_array_2d();
        let mut view = View::from_matrices(view_from_world, lens.clip_from_view).expect("valid");
        if let Some(degrees) = lens.reference_fov {
            view = view.reference_fov(degrees.into()).expect("valid");
        }
        if let Some(degrees) = lens.margin {
            view = view.frustum_with_margin(degrees.into()).expect("valid");
        }
        view.moved_to([0.0; 3]).expect("finite")
    }

    fn change(&mut self) {
        let kind = self.random.below(26);
        match kind {
            25 => return self.set_camera(),
            0..6 => {
                let spec = self.spec();
                return self.spawn(spec);
            }
            6 => {
                let spec = EntitySpec { shape: None, ..self.spec() };
                return self.spawn(spec);
            }
            7 => return self.spawn_batch(),
            19 => {
                return self.entities.clone().into_iter().for_each(|entity| self.set_place(entity));
            }
            _ => {}
        }
        let Some(entity) = self.any_entity() else { return };
        let shape = self.shape();
        let (spec, random) = (self.specs.get_mut(&entity).expect("spawned"), &mut self.random);
        match kind {
            8 | 9 => {
                self.app.world_mut().despawn(entity);
                self.specs.remove(&entity);
                self.entities.retain(|&other| other != entity);
                return;
            }
            10 => {
                spec.shape = None;
                return self.app.remove::<Actor>(entity);
            }
            11..14 => {
                spec.shape = Some(shape);
                return self.app.insert(entity, actor(shape));
            }
            14 => spec.forced = Some(random.level(5)),
            15 => spec.forced = None,
            16 => {
                let lowest = random.level(4);
                spec.range = Some((lowest, lowest + random.level(4 - lowest)));
            }
            17 => spec.range = None,
            18 => spec.is_hidden = !spec.is_hidden,
            22 | 23 => spec.priority = Some(random.metres(7).abs()),
            24 => spec.priority = None,
            _ => return self.set_place(entity),
        }
        self.constrain(entity);
    }

    /// Despawns all entities and spawns equal ones, as a reload of a level does.
    fn reload(&mut self) {
        let specs: Vec<_> = self.entities.iter().map(|entity| self.specs[entity]).collect();
        self.clear();
        for spec in specs {
            self.spawn(spec);
        }
    }

    fn clear(&mut self) {
        self.specs.clear();
        for entity in self.entities.drain(..) {
            self.app.world_mut().despawn(entity);
        }
    }

    /// Compares the plan with that of a scene that is built by hand, with actors in the order of the plugin's slots.
    fn check(&mut self) {
        let plan = self.app.world().resource::<LodPlan>();
        let mut scene = Scene::<f32>::new(BUDGET);
        scene.set_policy(plan.scene().policy()).expect("no module");
        scene.add_view(self.view()).expect("the first");
        let animation = module("animation").outside(outside());
        let animation = scene.add_module(animation).expect("the first");
        let mut expected = Vec::new();
        for actor in plan.scene().actors() {
            let key = plan.scene().key(actor).expect("an actor of the scene");
            let entity = Entity::try_from_bits(key).expect("keys are entities");
            let spec = self.specs.get(&entity).expect("the entity exists");
            let (radius, table) = spec.shape.expect("the entity is an actor");
            let mut actor = scheduler::Actor::at(spec.place, radius, TABLES[table]);
            if let Some((lowest, highest)) = spec.range {
                actor = actor.lod_range(lowest..=highest);
            }
            if let Some(factor) = spec.priority {
                actor = actor.priority(Priority::new(factor.into()).expect("below 16"));
            }
            if let Some(level) = spec.forced {
                actor = actor.forced(scheduler::Lod::new(level, 0));
            }
            let id = scene.spawn(animation, actor.visible(!spec.is_hidden)).expect("valid");
            expected.push((entity, id));
        }
        let count = self.specs.values().filter(|spec| spec.shape.is_some()).count();
        assert_eq!(expected.len(), count);
        let by_hand = scene.tick();
        assert_eq!(by_hand.assigned_ns(), plan.plan().assigned_ns());
        for (entity, id) in expected {
            let lod = by_hand.lod(id).expect("decided");
            assert_eq!(level_of(&self.app, entity), lod.level(), "{:?}", self.specs[&entity]);
        }
        for (&entity, _) in self.specs.iter().filter(|(_, spec)| spec.shape.is_none()) {
            assert!(self.app.world().get::<Lod<Animation>>(entity).is_none());
        }
        assert_eq!(errors(&mut self.app), []);
    }
}

#[test]
fn random_changes_keep_world_and_scene_in_step() {
    let policies = [Policy::default(), Policy::Proportional(Leftovers::Keep), Policy::Optimal];
    for (seed, policy) in (0..48).zip(policies.into_iter().cycle()) {
        let mut world = RandomWorld::new(seed, policy);
        for frame in 0..60 {
            for _ in 0..world.random.below(8) {
                world.change();
            }
            if frame % 20 == 19 {
                world.reload();
            }
            world.app.update();
            world.check();
        }
        world.clear();
        world.app.update();
        assert_eq!(actors(&world.app), 0);
    }
}

#[test]
fn a_warm_frame_without_changes_allocates_nothing() {
    for policy in [Policy::default(), Policy::Proportional(Leftovers::Keep), Policy::Optimal] {
        let mut app = with_camera(Budget::from_ns(20_000_000));
        app.insert_resource(LodSettings { policy, ..LodSettings::default() });
        let mut random = Random::new(7);
        let mut entity = Entity::PLACEHOLDER;
        for _ in 0..5_000 {
            let place = Transform::from_xyz(random.metres(80), 0.0, random.metres(80));
            entity = app.spawn((place, cape()));
        }
        let move_all = |app: &mut App| {
            let mut transforms = app.world_mut().query::<&mut Transform>();
            transforms.iter_mut(app.world_mut()).for_each(|mut transform| transform.set_changed());
        };
        // Both buffers of the messages grow, and all actors move.
        for _ in 0..4 {
            move_all(&mut app);
            app.update();
        }
        level_changes(&mut app);
        let still = allocation_counter::measure(|| app.update());
        assert_eq!(still.count_total, 0, "{policy:?}: nothing moves");
        move_all(&mut app);
        let moving = allocation_counter::measure(|| app.update());
        assert_eq!(moving.count_total, 0, "{policy:?}: all positions are written again");
        assert_eq!(level_changes(&mut app), []);
        assert!(app.world().get::<Lod<Animation>>(entity).is_some());
    }
}
