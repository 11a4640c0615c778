//! The few operations on points and directions that the enclosing ball needs.

use crate::real::Real;

pub(super) type Vector = [f64; 3];

pub(super) fn minus([ax, ay, az]: Vector, [bx, by, bz]: Vector) -> Vector {
    [ax - bx, ay - by, az - bz]
}

/// `a + b · factor`.
pub(super) fn along([ax, ay, az]: Vector, [bx, by, bz]: Vector, factor: f64) -> Vector {
    [ax + bx * factor, ay + by * factor, az + bz * factor]
}

pub(super) fn dot([ax, ay, az]: Vector, [bx, by, bz]: Vector) -> f64 {
    ax * bx + ay * by + az * bz
}

pub(super) fn length(vector: Vector) -> f64 {
    Real::sqrt(dot(vector, vector))
}
