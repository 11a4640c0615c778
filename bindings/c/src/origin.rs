//! A scene with an origin: positions in the world are doubles; the scheduler uses floats relative to the origin.

use lodger_scheduler::{ActorId, Budget, Scene, SceneError, View, ViewId};

use crate::error::CallError;

/// A scene with its origin, and its views in the world.
pub(crate) struct OriginScene {
    pub(crate) scene: Scene<f32>,
    origin: [f64; 3],
    views: Vec<PlacedView>,
    /// The largest rounding error of a position since the last tick, in metres along an axis.
    rounding_error: f64,
    last_tick: LastTick,
}

/// A view with its exact position in the world.
#[derive(Clone, Copy)]
struct PlacedView {
    id: ViewId,
    eye: [f64; 3],
    view: View<f32>,
}

#[derive(Clone, Copy, Default)]
struct LastTick {
    rounding_error: f64,
    actors: usize,
}

/// A position relative to the origin; its rounding error is in metres along an axis.
#[derive(Clone, Copy)]
pub(crate) struct RelativePosition {
    pub(crate) near: [f32; 3],
    pub(crate) rounding_error: f64,
}

impl OriginScene {
    pub(crate) fn new(budget: Budget) -> Self {
        let (views, last_tick) = (Vec::new(), LastTick::default());
        Self { scene: Scene::new(budget), origin: [0.0; 3], views, rounding_error: 0.0, last_tick }
    }

    pub(crate) fn origin(&self) -> [f64; 3] {
        self.origin
    }

    /// Returns the largest rounding error between the last two ticks, in metres along an axis.
    pub(crate) fn last_rounding(&self) -> f64 {
        self.last_tick.rounding_error
    }

    pub(crate) fn ticked_actors(&self) -> usize {
        self.last_tick.actors
    }

    pub(crate) fn tick(&mut self) {
        self.scene.tick();
        let rounding_error = std::mem::take(&mut self.rounding_error);
        self.last_tick = LastTick { rounding_error, actors: self.scene.len() };
    }

    #[inline]
    pub(crate) fn to_relative(&self, position: [f64; 3]) -> RelativePosition {
        to_relative(position, self.origin)
    }

    pub(crate) fn note_rounding(&mut self, rounding_error: f64) {
        self.rounding_error = self.rounding_error.max(rounding_error);
    }

    #[inline]
    pub(crate) fn set_position(&mut self, id: ActorId, place: [f64; 3]) -> Result<(), SceneError> {
        let RelativePosition { near, rounding_error } = self.to_relative(place);
        self.scene.set_position(id, near)?;
        self.note_rounding(rounding_error);
        Ok(())
    }

    pub(crate) fn add_view(&mut self, eye: [f64; 3]) -> Result<ViewId, CallError> {
        let RelativePosition { near, rounding_error } = self.to_relative(eye);
        let view = View::from_position(near)?;
        let id = self.scene.add_view(view)?;
        self.views.push(PlacedView { id, eye, view });
        self.note_rounding(rounding_error);
        Ok(id)
    }

    /// Moves a view; its zoom and its frustum stay.
    pub(crate) fn move_view(&mut self, id: ViewId, eye: [f64; 3]) -> Result<(), CallError> {
        // An invalid position is reported before an invalid view.
        View::from_position(self.to_relative(eye).near)?;
        let view = self.view(id)?;
        self.set_view(id, eye, view)
    }

    /// Returns a view; its position is relative to the origin.
    pub(crate) fn view(&self, id: ViewId) -> Result<View<f32>, CallError> {
        let known = self.views.iter().find(|known| known.id == id);
        known.map(|known| known.view).ok_or(CallError::NoSuchView)
    }

    /// Replaces the zoom and the frustum of a view, at its present position.
    pub(crate) fn set_lens(&mut self, id: ViewId, view: View<f32>) -> Result<(), CallError> {
        let known = self.views.iter().find(|known| known.id == id);
        let eye = known.ok_or(CallError::NoSuchView)?.eye;
        self.set_view(id, eye, view)
    }

    /// Replaces a view and moves it to a position in the world.
    pub(crate) fn set_view(
        &mut self,
        id: ViewId,
        eye: [f64; 3],
        view: View<f32>,
    ) -> Result<(), CallError> {
        let RelativePosition { near, rounding_error } = self.to_relative(eye);
        let view = view.moved_to(near)?;
        self.scene.set_view(id, view)?;
        for known in self.views.iter_mut().filter(|known| known.id == id) {
            *known = PlacedView { id, eye, view };
        }
        self.note_rounding(rounding_error);
        Ok(())
    }

    pub(crate) fn remove_view(&mut self, id: ViewId) -> Result<(), CallError> {
        self.scene.remove_view(id)?;
        self.views.retain(|known| known.id != id);
        Ok(())
    }

    /// Moves the origin; positions in the world stay.
    pub(crate) fn set_origin(&mut self, origin: [f64; 3]) -> Result<(), CallError> {
        if !origin.iter().all(|axis| axis.is_finite()) {
            return Err(CallError::Invalid("origin: not a finite number"));
        }
        let mut largest = 0.0_f64;
        let mut views = self.views.clone();
        for PlacedView { eye, view, .. } in &mut views {
            let eye = to_relative(*eye, origin);
            *view = view.moved_to(eye.near)?;
            largest = largest.max(eye.rounding_error);
        }
        let before = self.origin;
        let moved = |axis: usize, number: f32| before[axis] + f64::from(number) - origin[axis];
        self.for_each_coordinate(|axis, number| {
            let is_too_far = number.is_finite() && !to_f32(moved(axis, *number)).is_finite();
            let too_far = CallError::Invalid("origin: an actor is too far from it for a float");
            if is_too_far { Err(too_far) } else { Ok(()) }
        })?;
        self.for_each_coordinate(|axis, number| {
            let exact = moved(axis, *number);
            *number = to_f32(exact);
            largest = largest.max(rounding_error(exact, *number));
            Ok(())
        })?;
        for &PlacedView { id, view, .. } in &views {
            self.scene.set_view(id, view)?;
        }
        self.views = views;
        self.origin = origin;
        self.note_rounding(largest);
        Ok(())
    }

    fn for_each_coordinate(
        &mut self,
        mut visit: impl FnMut(usize, &mut f32) -> Result<(), CallError>,
    ) -> Result<(), CallError> {
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
fn to_relative(position: [f64; 3], origin: [f64; 3]) -> RelativePosition {
    let mut relative = RelativePosition { near: [0.0; 3], rounding_error: 0.0 };
    for axis in 0..3 {
        let exact = position[axis] - origin[axis];
        relative.near[axis] = to_f32(exact);
        let error = rounding_error(exact, relative.near[axis]);
        relative.rounding_error = relative.rounding_error.max(error);
    }
    relative
}

/// Returns 0 for numbers that are not finite, which the scene quarantines or rejects.
#[inline]
fn rounding_error(exact: f64, rounded: f32) -> f64 {
    let error = (exact - f64::from(rounded)).abs();
    if error.is_finite() { error } else { 0.0 }
}

#[inline]
#[allow(clippy::cast_possible_truncation)] // rounds to the nearest
fn to_f32(number: f64) -> f32 {
    number as f32
}
