//! Whatever happens in the world, the scene has its actors, and the plan is that of a scene which was told
//! the same by hand.

use std::collections::HashMap;

use bevy_app::App;
use bevy_ecs::entity::Entity;
use bevy_lodger::scheduler::{self, Actor, Budget, Leftovers, Policy, Scene, View};
use bevy_lodger::{
    ForcedLod, LodActor, LodError, LodHidden, LodPlan, LodRange, LodSettings, SpawnLods,
};
use bevy_transform::components::Transform;

use crate::stage::{Chance, Crowd, actors, heard, level, module, seen, set};

const TABLES: [&[u32]; 3] = [&[0, 10, 100, 1_000], &[1, 1, 40, 500], &[5, 60, 70, 80]];

#[derive(Debug, Clone, Copy)]
struct Told {
    place: [f32; 3],
    shape: Option<(f32, usize)>,
    forced: Option<u8>,
    range: Option<(u8, u8)>,
    is_hidden: bool,
}

struct Play {
    app: App,
    chance: Chance,
    told: HashMap<Entity, Told>,
    /// In the order in which they came, so that a seed is a play.
    cast: Vec<Entity>,
}

impl Play {
    fn new(seed: u64, policy: Policy) -> Self {
        let mut app = seen(Budget::from_ns(1_500_000));
        app.insert_resource(LodSettings { policy, ..LodSettings::default() });
        Self { app, chance: Chance::new(seed), told: HashMap::new(), cast: Vec::new() }
    }

    fn place(&mut self) -> [f32; 3] {
        [self.chance.metres(60), self.chance.metres(4), self.chance.metres(60)]
    }

    fn shape(&mut self) -> (f32, usize) {
        (0.1 + self.chance.metres(2).abs(), self.chance.below(3) as usize)
    }

    fn actor((radius, table): (f32, usize)) -> LodActor<Crowd> {
        LodActor::new(radius, TABLES[table])
    }

    fn anybody(&mut self) -> Option<Entity> {
        let many = u32::try_from(self.cast.len()).expect("few");
        (many > 0).then(|| self.cast[self.chance.below(many) as usize])
    }

    fn come(&mut self, told: Told) {
        let transform = Transform::from_translation(told.place.into());
        let mut entity = self.app.world_mut().spawn(transform);
        if let Some(shape) = told.shape {
            entity.insert(Self::actor(shape));
        }
        let entity = entity.id();
        self.told.insert(entity, told);
        self.cast.push(entity);
        self.say(entity);
    }

    /// Inserts what is told of an entity besides.
    fn say(&mut self, entity: Entity) {
        let told = self.told[&entity];
        let mut entity = self.app.world_mut().entity_mut(entity);
        match told.forced {
            Some(level) => entity.insert(ForcedLod::<Crowd>::new(level)),
            None => entity.remove::<ForcedLod<Crowd>>(),
        };
        match told.range {
            Some((lowest, highest)) => entity.insert(LodRange::<Crowd>::new(lowest, highest)),
            None => entity.remove::<LodRange<Crowd>>(),
        };
        if told.is_hidden {
            entity.insert(LodHidden::<Crowd>::default());
        } else {
            entity.remove::<LodHidden<Crowd>>();
        }
    }

    fn tell(&mut self, change: impl FnOnce(&mut Chance, &mut Told)) {
        let Some(entity) = self.anybody() else { return };
        if let Some(told) = self.told.get_mut(&entity) {
            change(&mut self.chance, told);
        }
        self.say(entity);
    }

    fn newcomer(&mut self) -> Told {
        let (place, shape) = (self.place(), Some(self.shape()));
        Told { place, shape, forced: None, range: None, is_hidden: false }
    }

    fn act(&mut self) {
        match self.chance.below(22) {
            0..6 => {
                let told = self.newcomer();
                self.come(told);
            }
            6 => {
                let told = Told { shape: None, ..self.newcomer() };
                self.come(told);
            }
            7 => self.come_together(),
            8 | 9 => {
                let Some(entity) = self.anybody() else { return };
                self.app.world_mut().despawn(entity);
                self.told.remove(&entity);
                self.cast.retain(|&other| other != entity);
            }
            10 => {
                let Some(entity) = self.anybody() else { return };
                self.app.world_mut().entity_mut(entity).remove::<LodActor<Crowd>>();
                self.told.get_mut(&entity).expect("in the cast").shape = None;
            }
            11..14 => {
                let (Some(entity), shape) = (self.anybody(), self.shape()) else { return };
                self.app.world_mut().entity_mut(entity).insert(Self::actor(shape));
                self.told.get_mut(&entity).expect("in the cast").shape = Some(shape);
            }
            14 => self.tell(|chance, told| told.forced = Some(chance.level(5))),
            15 => self.tell(|_, told| told.forced = None),
            16 => self.tell(|chance, told| {
                let lowest = chance.level(4);
                told.range = Some((lowest, lowest + chance.level(4 - lowest)));
            }),
            17 => self.tell(|_, told| told.range = None),
            18 => self.tell(|_, told| told.is_hidden = !told.is_hidden),
            19 => {
                for entity in self.cast.clone() {
                    let place = self.place();
                    self.go(entity, place);
                }
            }
            _ => {
                let (Some(entity), place) = (self.anybody(), self.place()) else { return };
                self.go(entity, place);
            }
        }
    }

    fn go(&mut self, entity: Entity, place: [f32; 3]) {
        self.told.get_mut(&entity).expect("in the cast").place = place;
        set(&mut self.app, entity, Transform::from_translation(place.into()));
    }

    fn come_together(&mut self) {
        let party: Vec<_> = (0..5).map(|_| self.newcomer()).collect();
        let bundles = party.iter().map(|told| {
            let transform = Transform::from_translation(told.place.into());
            (transform, Self::actor(told.shape.expect("a newcomer has one")))
        });
        let entities = self.app.world_mut().spawn_lods::<Crowd, _>(bundles);
        self.told.extend(entities.iter().copied().zip(party));
        self.cast.extend(entities);
    }

    /// The scene goes, and another one comes, as when a level is loaded again.
    fn reload(&mut self) {
        let again: Vec<_> =
            self.cast.drain(..).map(|entity| (entity, self.told[&entity])).collect();
        self.told.clear();
        for &(entity, _) in &again {
            self.app.world_mut().despawn(entity);
        }
        for (_, told) in again {
            self.come(told);
        }
    }

    /// Plans the same by hand, with actors in the order of the plugin's slots.
    fn check(&mut self) {
        let plan = self.app.world().resource::<LodPlan>();
        let mut bare = Scene::<f32>::new(Budget::from_ns(1_500_000));
        bare.set_policy(plan.scene().policy());
        bare.add_view(View::eye([0.0; 3]).expect("finite")).expect("the first");
        let crowd = bare.add_module(module("crowd")).expect("the first");
        let mut expected = Vec::new();
        for actor in plan.scene().actors() {
            let key = plan.scene().key(actor).expect("is there");
            let entity = Entity::try_from_bits(key).expect("keys are entities");
            let told = self.told.get(&entity).expect("nobody is there who has gone");
            let (radius, table) = told.shape.expect("nobody is there who is no actor");
            let mut actor = Actor::seen(told.place, radius, TABLES[table]);
            if let Some((lowest, highest)) = told.range {
                actor = actor.lod_range(lowest..=highest);
            }
            if let Some(level) = told.forced {
                actor = actor.forced(scheduler::Lod::new(level, 0));
            }
            let id = bare.spawn(crowd, actor.visible(!told.is_hidden)).expect("valid");
            expected.push((entity, id));
        }
        let everybody = self.told.values().filter(|told| told.shape.is_some()).count();
        assert_eq!(expected.len(), everybody);
        let by_hand = bare.tick();
        assert_eq!(by_hand.assigned_ns(), plan.plan().assigned_ns());
        for (entity, id) in expected {
            let lod = by_hand.lod(id).expect("decided");
            assert_eq!(level::<Crowd>(&self.app, entity), lod.level(), "{:?}", self.told[&entity]);
        }
        let bare_entities = self.told.iter().filter(|(_, told)| told.shape.is_none());
        for (&entity, _) in bare_entities {
            assert!(self.app.world().get::<bevy_lodger::Lod<Crowd>>(entity).is_none());
        }
        assert_eq!(heard::<LodError>(&mut self.app), []);
    }
}

fn play(seed: u64, policy: Policy) {
    let mut play = Play::new(seed, policy);
    for frame in 0..60 {
        for _ in 0..play.chance.below(8) {
            play.act();
        }
        if frame % 20 == 19 {
            play.reload();
        }
        play.app.update();
        play.check();
    }
    // All go, and nothing is left.
    for entity in play.cast.drain(..).collect::<Vec<_>>() {
        play.app.world_mut().despawn(entity);
    }
    play.app.update();
    assert_eq!(actors(&play.app), 0);
}

#[test]
fn plays_by_chance_leave_world_and_scene_in_step() {
    for seed in 0..16 {
        play(seed, Policy::default());
        play(1_000 + seed, Policy::Proportional(Leftovers::Keep));
        play(2_000 + seed, Policy::Optimal);
    }
}
