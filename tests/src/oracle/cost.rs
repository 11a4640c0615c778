//! Costs in `f64`: the steps and constants of the documents, in their order.
//!
//! Streaming cost follows the listing of the document and the source of the viewers. LODs go from the lowest to the
//! high one; lengths are in metres.

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grid {
    pub discount: f64,
    /// Minimum of charged bytes.
    pub minimum: f64,
    pub bytes_per_triangle: f64,
    pub triangle_budget: f64,
    /// The greatest distance, in metres.
    pub max_distance: f64,
    /// The greatest area, in square metres.
    pub max_area: f64,
    pub factor: f64,
}

pub const NAMED: [(&str, Grid); 3] = [
    ("wiki", grid(128.0, 102_932.0, 1.0)),
    ("viewer", grid(384.0, 102_944.0, 1.0)),
    ("grid", grid(384.0, 102_944.0, 0.85)),
];

const fn grid(discount: f64, max_area: f64, factor: f64) -> Grid {
    Grid {
        discount,
        minimum: 16.0,
        bytes_per_triangle: 16.0,
        triangle_budget: 250_000.0,
        max_distance: 512.0,
        max_area,
        factor,
    }
}

/// Replaces each missing size by the size of the next higher LOD.
#[must_use]
pub fn filled_up(sizes: [i32; 4]) -> [i32; 4] {
    let mut filled = sizes;
    for lod in [2, 1, 0] {
        if filled[lod] <= 0 {
            filled[lod] = filled[lod + 1];
        }
    }
    filled
}

/// Estimated triangles by LOD; all 0 without a high LOD.
#[must_use]
pub fn lod_triangles(grid: &Grid, sizes: [i32; 4]) -> [f64; 4] {
    if sizes[3] <= 0 {
        return [0.0; 4];
    }
    filled_up(sizes)
        .map(|size| (f64::from(size) - grid.discount).max(grid.minimum) / grid.bytes_per_triangle)
}

#[must_use]
pub fn area_shares(grid: &Grid, radius: f64) -> [f64; 4] {
    let d_lowest = (radius / 0.03).min(grid.max_distance);
    let d_low = (radius / 0.06).min(grid.max_distance);
    let d_mid = (radius / 0.24).min(grid.max_distance);

    let mut high = (std::f64::consts::PI * d_mid * d_mid).min(grid.max_area);
    let mut mid = (std::f64::consts::PI * d_low * d_low).min(grid.max_area);
    let mut low = (std::f64::consts::PI * d_lowest * d_lowest).min(grid.max_area);
    let mut lowest = grid.max_area;

    lowest -= low;
    low -= mid;
    mid -= high;
    for area in [&mut lowest, &mut low, &mut mid, &mut high] {
        *area = area.clamp(1.0, grid.max_area);
    }
    let total = high + mid + low + lowest;
    [lowest, low, mid, high].map(|area| area / total)
}

#[must_use]
pub fn streaming_cost(grid: &Grid, radius: f64, sizes: [i32; 4]) -> f64 {
    let weighted = lod_triangles(grid, sizes).into_iter().zip(area_shares(grid, radius));
    let average: f64 = weighted.map(|(triangles, share)| triangles * share).sum();
    average / grid.triangle_budget * 15_000.0 * grid.factor
}

/// The cost by the document's equation, with a scalar.
#[must_use]
pub fn area_form(grid: &Grid, radius: f64, sizes: [i32; 4], cost_scalar: f64) -> f64 {
    if sizes[3] <= 0 {
        return 0.0;
    }
    let weighted = filled_up(sizes).into_iter().zip(area_shares(grid, radius));
    weighted.map(|(size, share)| f64::from(size) * share).sum::<f64>() * cost_scalar
}

#[must_use]
pub fn animated_cost(grid: &Grid, sizes: [i32; 4], is_root: bool) -> f64 {
    let [lowest, low, mid, high] = lod_triangles(grid, sizes);
    let mut charged = high;
    let mut allowed = high;
    for here in [mid, low, lowest] {
        allowed /= 2.0;
        if allowed > here {
            allowed = here;
        }
        if allowed < 64.0 {
            allowed = 64.0;
        }
        if here > allowed {
            charged += here - allowed;
        }
    }
    let skeleton = if is_root { 15.0 } else { 0.0 };
    1.5 * charged / 1000.0 + skeleton
}

/// A corner or a size, in metres.
pub type Vector = [f64; 3];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "independent properties")]
pub struct RepresentationInputs {
    /// Whether it is a box, a sphere or a cylinder.
    pub simple: bool,
    /// Whether it is a mesh asset.
    pub asset: bool,
    /// "none", "hull" or "prim".
    pub shape_type: &'static str,
    /// Whether it has several hulls.
    pub decomposition: bool,
    pub mesh: bool,
    /// Whether it moves or is physical.
    pub dynamic: bool,
    /// Whether a side is shorter than half a metre.
    pub small: bool,
}

/// The representation of a prim: "none", "prim", "hull", "decomposition" or "mesh".
#[must_use]
pub fn representation(of: RepresentationInputs) -> &'static str {
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

#[must_use]
pub fn hull_cost(vertices: u32, hulls: u32) -> f64 {
    (f64::from(vertices) + f64::from(hulls)) * 4.0 / 100.0
}

fn minus(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn length(a: Vector) -> f64 {
    a[0].hypot(a[1]).hypot(a[2])
}

#[must_use]
pub fn scaled(triangle: [Vector; 3], scale: Vector) -> [Vector; 3] {
    triangle.map(|[x, y, z]| [x * scale[0], y * scale[1], z * scale[2]])
}

fn longest_edge([a, b, c]: [Vector; 3]) -> f64 {
    length(minus(b, a)).max(length(minus(c, b))).max(length(minus(a, c)))
}

/// Twice the area of a triangle, divided by its longest edge.
#[must_use]
pub fn width(triangle: [Vector; 3]) -> f64 {
    let (u, v) = (minus(triangle[1], triangle[0]), minus(triangle[2], triangle[0]));
    let cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    let area = length(cross) / 2.0;
    if area == 0.0 { 0.0 } else { 2.0 * area / longest_edge(triangle) }
}

/// The ratio of the longest edge of a triangle to its width.
#[must_use]
pub fn slenderness(triangle: [Vector; 3]) -> f64 {
    longest_edge(triangle) / width(triangle)
}

#[must_use]
pub fn mesh_cost(triangles: &[[Vector; 3]], scale: Vector) -> f64 {
    let number = u32::try_from(triangles.len()).map_or(f64::MAX, f64::from);
    let reciprocals: f64 =
        triangles.iter().map(|&triangle| 1.0 / width(scaled(triangle, scale))).sum();
    let mean = (number / reciprocals).clamp(0.001, 20.0);
    (0.05 * number / mean).max(0.5)
}

/// The cost of a physical linkset, with the penalty for its size.
#[must_use]
pub fn penalised(base: f64, [x, y, z]: Vector) -> f64 {
    let faces = [x * y, y * z, x * z];
    base + base * 0.04 * (faces.iter().sum::<f64>() / 3.0)
}

/// The profile of a prim, which is swept along its path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    Triangle,
    Square,
    Circle,
    /// Half a circle, with its ends on the axis.
    HalfCircle,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Path {
    Straight,
    Circle,
}

/// Circle detail by LOD, from the lowest.
const DETAIL: [f64; 4] = [1.0, 1.5, 2.5, 4.0];

fn around(lod: usize) -> f64 {
    6.0 * DETAIL[lod]
}

/// Triangles of a prim in a LOD, counted from the lowest.
#[must_use]
pub fn prim_triangles(profile: Profile, path: Path, lod: usize) -> f64 {
    let (edges, cap) = match profile {
        // Small caps are cut from corner to corner, circular ones around their centre.
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

#[must_use]
pub fn prim_corners(profile: Profile, path: Path) -> u32 {
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

/// Triangles of a sculpted prim in a LOD, counted from the lowest.
#[must_use]
pub fn sculpt_triangles(lod: usize) -> u32 {
    let quads = [6_u32, 8, 16, 32][lod];
    quads.pow(2) * 2
}

/// The simulator cost of a linkset. Parameters: factor, active cost high and low, linkset factor.
#[must_use]
pub fn simulator_cost(parameters: [f64; 4], objects: u32, active: bool) -> f64 {
    let [factor, high, low, linkset] = parameters;
    let objects = f64::from(objects);
    factor * (if active { high } else { low }) * (objects + linkset / objects)
}

#[must_use]
pub fn server_weight(prims: u32, scripts: u32, one_free: bool) -> f64 {
    let (prims, mut scripts) = (f64::from(prims), f64::from(scripts));
    if one_free && scripts > 0.0 {
        scripts -= 1.0;
    }
    (prims / 2.0 + scripts / 4.0).min(prims)
}

/// The land impact, and the name of the weight that limits it.
#[must_use]
pub fn land_impact(streaming: f64, physics: f64, server: f64) -> (f64, &'static str) {
    let greatest = streaming.max(physics).max(server);
    let by = if streaming >= greatest {
        "streaming"
    } else if physics >= greatest {
        "physics"
    } else {
        "server"
    };
    (greatest.round().max(1.0), by)
}
