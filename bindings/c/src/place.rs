//! A scene with an origin: places in the world are doubles, and what the ledger computes with is a float.

use lodger_scheduler::{ActorId, Budget, Scene, SceneError, View, ViewId};

use crate::failure::Failure;

/// A scene, where its origin is, and the eyes as they were given.
pub(crate) struct Placed {
    pub(crate) scene: Scene<f32>,
    origin: [f64; 3],
    eyes: Vec<(ViewId, [f64; 3])>,
    /// Metres along an axis: the most that a place was moved by becoming a float, since the last tick.
    lost: f64,
    last: LastTick,
}

/// What a tick leaves to be told of.
#[derive(Clone, Copy, Default)]
struct LastTick {
    lost: f64,
    actors: usize,
}

/// A place from the origin, and by how many metres along an axis it became another.
#[derive(Clone, Copy)]
pub(crate) struct Narrow {
    pub(crate) near: [f32; 3],
    pub(crate) lost: f64,
}

impl Placed {
    pub(crate) fn new(budget: Budget) -> Self {
        let (eyes, last) = (Vec::new(), LastTick::default());
        Self { scene: Scene::new(budget), origin: [0.0; 3], eyes, lost: 0.0, last }
    }

    pub(crate) fn origin(&self) -> [f64; 3] {
        self.origin
    }

    /// Metres along an axis: the most that a place was moved between the last two ticks by becoming a float.
    pub(crate) fn narrowing(&self) -> f64 {
        self.last.lost
    }

    /// How many actors there were in the last tick.
    pub(crate) fn decided(&self) -> usize {
        self.last.actors
    }

    /// Decides, and begins to count anew what places lose.
    pub(crate) fn tick(&mut self) {
        self.scene.tick();
        self.last = LastTick { lost: std::mem::take(&mut self.lost), actors: self.scene.len() };
    }

    /// A place in the world, from the origin.
    #[inline]
    pub(crate) fn narrow(&self, place: [f64; 3]) -> Narrow {
        narrow(place, self.origin)
    }

    /// Counts what the place of somebody who is there has lost.
    pub(crate) fn note_lost(&mut self, lost: f64) {
        self.lost = self.lost.max(lost);
    }

    /// Puts an actor to a place in the world.
    #[inline]
    pub(crate) fn set_position(&mut self, id: ActorId, place: [f64; 3]) -> Result<(), SceneError> {
        let Narrow { near, lost } = self.narrow(place);
        self.scene.set_position(id, near)?;
        self.note_lost(lost);
        Ok(())
    }

    pub(crate) fn add_view(&mut self, eye: [f64; 3]) -> Result<ViewId, Failure> {
        let Narrow { near, lost } = self.narrow(eye);
        let id = self.scene.add_view(View::eye(near)?)?;
        self.eyes.push((id, eye));
        self.note_lost(lost);
        Ok(id)
    }

    pub(crate) fn set_view(&mut self, id: ViewId, eye: [f64; 3]) -> Result<(), Failure> {
        let Narrow { near, lost } = self.narrow(eye);
        self.scene.set_view(id, View::eye(near)?)?;
        for known in self.eyes.iter_mut().filter(|known| known.0 == id) {
            known.1 = eye;
        }
        self.note_lost(lost);
        Ok(())
    }

    pub(crate) fn remove_view(&mut self, id: ViewId) -> Result<(), Failure> {
        self.scene.remove_view(id)?;
        self.eyes.retain(|known| known.0 != id);
        Ok(())
    }

    /// Moves the origin, and nobody in the world.
    pub(crate) fn set_origin(&mut self, origin: [f64; 3]) -> Result<(), Failure> {
        if !origin.iter().all(|axis| axis.is_finite()) {
            return Err(Failure::Refused("origin: not a finite number"));
        }
        let mut lost = 0.0_f64;
        let mut views = Vec::with_capacity(self.eyes.len());
        for &(id, eye) in &self.eyes {
            let eye = narrow(eye, origin);
            views.push((id, View::eye(eye.near)?));
            lost = lost.max(eye.lost);
        }
        let before = self.origin;
        let moved = |axis: usize, number: f32| before[axis] + f64::from(number) - origin[axis];
        self.each_coordinate(|axis, number| {
            let is_lost = number.is_finite() && !to_f32(moved(axis, *number)).is_finite();
            let too_far = Failure::Refused("origin: an actor is further from it than a float goes");
            if is_lost { Err(too_far) } else { Ok(()) }
        })?;
        self.each_coordinate(|axis, number| {
            let exact = moved(axis, *number);
            *number = to_f32(exact);
            lost = lost.max(difference(exact, *number));
            Ok(())
        })?;
        for (id, view) in views {
            self.scene.set_view(id, view)?;
        }
        self.origin = origin;
        self.note_lost(lost);
        Ok(())
    }

    /// Visits the axes of all actors' places.
    fn each_coordinate(
        &mut self,
        mut visit: impl FnMut(usize, &mut f32) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let modules: Vec<_> = self.scene.modules().collect();
        for module in modules {
            let rows = self.scene.positions_mut(module, ..)?;
            for (axis, column) in [rows.x, rows.y, rows.z].into_iter().enumerate() {
                column.iter_mut().try_for_each(|number| visit(axis, number))?;
            }
        }
        Ok(())
    }
}

#[inline]
fn narrow(place: [f64; 3], origin: [f64; 3]) -> Narrow {
    let mut narrow = Narrow { near: [0.0; 3], lost: 0.0 };
    for axis in 0..3 {
        let exact = place[axis] - origin[axis];
        narrow.near[axis] = to_f32(exact);
        narrow.lost = narrow.lost.max(difference(exact, narrow.near[axis]));
    }
    narrow
}

/// By how much a number became another; 0 for what is not finite, which is quarantined or refused elsewhere.
#[inline]
fn difference(exact: f64, narrow: f32) -> f64 {
    let lost = (exact - f64::from(narrow)).abs();
    if lost.is_finite() { lost } else { 0.0 }
}

#[inline]
#[allow(clippy::cast_possible_truncation)] // rounding to the nearest is what is meant
fn to_f32(number: f64) -> f32 {
    number as f32
}
