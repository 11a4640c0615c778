//! Prims without a mesh, built as they are drawn: a profile is swept along a path, edge by edge.

/// What is swept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// Three corners.
    Triangle,
    /// Four corners.
    Square,
    /// As many corners as the level of detail has.
    Circle,
    /// Half a circle, with its ends on the axis.
    HalfCircle,
}

/// What it is swept along.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Path {
    /// From end to end, where a cap closes it.
    Straight,
    /// Around, back to the beginning.
    Circle,
}

/// By level of detail, from the lowest.
const DETAIL: [f64; 4] = [1.0, 1.5, 2.5, 4.0];

/// The corners of a circle.
fn around(lod: usize) -> f64 {
    6.0 * DETAIL[lod]
}

/// The triangles of a level of detail, counted from the lowest.
#[must_use]
pub fn triangles(profile: Profile, path: Path, lod: usize) -> f64 {
    let (edges, cap) = match profile {
        // Caps of few corners are cut from corner to corner, those of many around their middle.
        Profile::Triangle => (3.0, 1.0),
        Profile::Square => (4.0, 2.0),
        Profile::Circle => (around(lod), around(lod)),
        Profile::HalfCircle => (around(lod) / 2.0, 0.0),
    };
    match path {
        Path::Straight => edges * 2.0 + cap + cap,
        Path::Circle => edges * around(lod) * 2.0,
    }
}

/// The corners of the lowest level of detail.
#[must_use]
pub fn corners(profile: Profile, path: Path) -> u32 {
    let copies = match path {
        Path::Straight => 2,
        Path::Circle => 6,
    };
    match profile {
        Profile::Triangle => 3 * copies,
        Profile::Square => 4 * copies,
        Profile::Circle => 6 * copies,
        // Three edges have four corners, of which the first and the last lie on the axis.
        Profile::HalfCircle => 2 * copies + 2,
    }
}

/// The triangles of a sculpted prim.
#[must_use]
pub fn sculpted(lod: usize) -> u32 {
    let quads = [6_u32, 8, 16, 32][lod];
    quads.pow(2) * 2
}
