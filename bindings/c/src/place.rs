//! A scene with an origin: places in the world are doubles, and what the ledger computes with is a float.

use lodger_scheduler::{ActorId, Budget, Scene, SceneError, View, ViewId};

use crate::failure::Failure;

/// A scene, where its origin is, and the eyes as they were given.
pub(crate) struct Placed {
    pub(crate) scene: Scene<f32>,
    origin: [f64; 3],
    eyes: Vec<(ViewId, [f64; 3])>,
    /// Metres along an axis: the most that a place was moved by becoming a float, since the last tick began and in
    /// the ticks before.
    narrowed: f64,
    narrowing: f64,
}

impl Placed {
    pub(crate) fn new(budget: Budget) -> Self {
        let (eyes, narrowed, narrowing) = (Vec::new(), 0.0, 0.0);
        Self { scene: Scene::new(budget), origin: [0.0; 3], eyes, narrowed, narrowing }
    }

    pub(crate) fn origin(&self) -> [f64; 3] {
        self.origin
    }

    /// Metres along an axis: the most that a place was moved between the last two ticks by becoming a float.
    pub(crate) fn narrowing(&self) -> f64 {
        self.narrowing
    }

    /// Decides, and begins to count anew what places lose.
    pub(crate) fn tick(&mut self) {
        self.scene.tick();
        self.narrowing = std::mem::take(&mut self.narrowed);
    }

    /// A place in the world, from the origin.
    #[inline]
    pub(crate) fn narrow(&mut self, place: [f64; 3]) -> [f32; 3] {
        let (narrow, lost) = narrow(place, self.origin);
        self.narrowed = self.narrowed.max(lost);
        narrow
    }

    /// Puts an actor to a place in the world; what a place loses that nobody is put to is not told.
    #[inline]
    pub(crate) fn set_position(&mut self, id: ActorId, place: [f64; 3]) -> Result<(), SceneError> {
        let (narrow, lost) = narrow(place, self.origin);
        self.scene.set_position(id, narrow)?;
        self.narrowed = self.narrowed.max(lost);
        Ok(())
    }

    pub(crate) fn add_view(&mut self, eye: [f64; 3]) -> Result<ViewId, Failure> {
        let narrow = self.narrow(eye);
        let id = self.scene.add_view(View::eye(narrow)?)?;
        self.eyes.push((id, eye));
        Ok(id)
    }

    pub(crate) fn set_view(&mut self, id: ViewId, eye: [f64; 3]) -> Result<(), Failure> {
        let narrow = self.narrow(eye);
        self.scene.set_view(id, View::eye(narrow)?)?;
        for known in self.eyes.iter_mut().filter(|known| known.0 == id) {
            known.1 = eye;
        }
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
        let mut views = Vec::with_capacity(self.eyes.len());
        for &(id, eye) in &self.eyes {
            views.push((id, View::eye(narrow(eye, origin).0)?));
        }
        for (id, view) in views {
            self.scene.set_view(id, view)?;
        }
        let modules: Vec<_> = self.scene.modules().collect();
        for module in modules {
            let rows = self.scene.positions_mut(module, ..)?;
            for (axis, column) in [rows.x, rows.y, rows.z].into_iter().enumerate() {
                for number in column {
                    *number = to_f32(self.origin[axis] + f64::from(*number) - origin[axis]);
                }
            }
        }
        self.origin = origin;
        Ok(())
    }
}

/// A place from the origin, and by how many metres along an axis it was moved.
#[inline]
fn narrow(place: [f64; 3], origin: [f64; 3]) -> ([f32; 3], f64) {
    let (mut narrow, mut lost) = ([0.0; 3], 0.0_f64);
    for axis in 0..3 {
        let exact = place[axis] - origin[axis];
        narrow[axis] = to_f32(exact);
        let moved = (exact - f64::from(narrow[axis])).abs();
        // What is not finite is quarantined or refused elsewhere.
        lost = lost.max(if moved.is_finite() { moved } else { 0.0 });
    }
    (narrow, lost)
}

#[inline]
#[allow(clippy::cast_possible_truncation)] // rounding to the nearest is what is meant
fn to_f32(number: f64) -> f32 {
    number as f32
}
