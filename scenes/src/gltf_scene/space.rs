//! Boxes and spheres.

use glam::{DAffine3, DVec3};

/// A box along the axes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) min: DVec3,
    pub(super) max: DVec3,
}

/// A sphere in the world.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sphere {
    /// Metres.
    pub(super) centre: DVec3,
    /// Metres.
    pub(super) radius: f64,
}

impl Bounds {
    /// The box around two boxes.
    pub(super) fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// The box around points; none around none.
    pub(super) fn around(points: impl Iterator<Item = DVec3>) -> Option<Self> {
        points.map(|point| Self { min: point, max: point }).reduce(Self::union)
    }

    /// The box's centre, half its diagonal times the largest column scale.
    pub(super) fn sphere_under(self, world: &DAffine3) -> Sphere {
        let axes = world.matrix3;
        let columns = [axes.x_axis, axes.y_axis, axes.z_axis];
        let scale = columns.map(DVec3::length).into_iter().fold(0.0, f64::max);
        Sphere {
            centre: world.transform_point3(self.min.midpoint(self.max)),
            radius: self.min.distance(self.max) / 2.0 * scale,
        }
    }

    /// The sphere through its corners.
    pub(super) fn sphere(self) -> Sphere {
        Sphere { centre: self.min.midpoint(self.max), radius: self.min.distance(self.max) / 2.0 }
    }
}

impl Sphere {
    /// A sphere around spheres: its centre is that of the box around them. None around none.
    pub(super) fn around(spheres: &[Self]) -> Option<Self> {
        if let [sphere] = spheres {
            return Some(*sphere);
        }
        let boxes = spheres.iter().map(|sphere| Bounds {
            min: sphere.centre - sphere.radius,
            max: sphere.centre + sphere.radius,
        });
        let centre = boxes.reduce(Bounds::union)?.sphere().centre;
        let reach = |sphere: &Self| sphere.centre.distance(centre) + sphere.radius;
        Some(Self { centre, radius: spheres.iter().map(reach).fold(0.0, f64::max) })
    }

    /// Whether it is somewhere and has an end.
    pub(super) fn is_finite(&self) -> bool {
        self.centre.is_finite() && self.radius.is_finite()
    }
}
