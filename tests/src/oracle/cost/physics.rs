//! Physics cost, shape by shape.

/// A corner or a size, in metres.
pub type Vector = [f64; 3];

/// What a choice of representation depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)] // four independent answers
pub struct Question {
    /// A box, a sphere or a cylinder.
    pub simple: bool,
    /// A mesh asset, not another prim.
    pub asset: bool,
    /// "none", "hull" or "prim".
    pub shape_type: &'static str,
    /// It has several hulls.
    pub decomposition: bool,
    /// It has a physics mesh.
    pub mesh: bool,
    /// It moves, or is physical.
    pub dynamic: bool,
    /// A side is shorter than half a metre.
    pub small: bool,
}

/// What represents a prim: "none", "prim", "hull", "decomposition" or "mesh".
#[must_use]
pub fn representation(of: Question) -> &'static str {
    if of.shape_type == "none" {
        return "none";
    }
    if of.simple {
        return "prim";
    }
    if of.shape_type == "hull" {
        return "hull";
    }
    if of.decomposition {
        return "decomposition";
    }
    if of.mesh && !of.dynamic && !(of.asset && of.small) { "mesh" } else { "hull" }
}

/// Hulls with so many vertices in all; a single hull counts as one.
#[must_use]
pub fn hulls(vertices: u32, hulls: u32) -> f64 {
    (f64::from(vertices) + f64::from(hulls)) * 4.0 / 100.0
}

fn minus(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn length(a: Vector) -> f64 {
    a[0].hypot(a[1]).hypot(a[2])
}

/// A triangle's corners at a scale.
#[must_use]
pub fn scaled(triangle: [Vector; 3], scale: Vector) -> [Vector; 3] {
    triangle.map(|[x, y, z]| [x * scale[0], y * scale[1], z * scale[2]])
}

fn longest_edge([a, b, c]: [Vector; 3]) -> f64 {
    length(minus(b, a)).max(length(minus(c, b))).max(length(minus(a, c)))
}

/// Twice the area over the longest edge.
#[must_use]
pub fn width(triangle: [Vector; 3]) -> f64 {
    let (u, v) = (minus(triangle[1], triangle[0]), minus(triangle[2], triangle[0]));
    let cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    let area = length(cross) / 2.0;
    if area == 0.0 { 0.0 } else { 2.0 * area / longest_edge(triangle) }
}

/// How much longer than wide a triangle is.
#[must_use]
pub fn slenderness(triangle: [Vector; 3]) -> f64 {
    longest_edge(triangle) / width(triangle)
}

/// A physics mesh at a scale.
#[must_use]
pub fn mesh(triangles: &[[Vector; 3]], scale: Vector) -> f64 {
    let number = u32::try_from(triangles.len()).map_or(f64::MAX, f64::from);
    let reciprocals: f64 =
        triangles.iter().map(|&triangle| 1.0 / width(scaled(triangle, scale))).sum();
    let mean = (number / reciprocals).clamp(0.001, 20.0);
    (0.05 * number / mean).max(0.5)
}

/// A physical linkset.
#[must_use]
pub fn penalised(base: f64, [x, y, z]: Vector) -> f64 {
    let faces = [x * y, y * z, x * z];
    base + base * 0.04 * (faces.iter().sum::<f64>() / 3.0)
}
