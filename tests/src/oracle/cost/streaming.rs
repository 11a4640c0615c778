//! Streaming cost, by the document's listing and the viewers' source. Sizes and triangles go from the lowest LOD to the
//! high one; lengths are metres.

/// What a grid sets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grid {
    /// Bytes not charged.
    pub discount: f64,
    /// Bytes charged at least.
    pub minimum: f64,
    /// Bytes for a triangle.
    pub bytes_per_triangle: f64,
    /// Triangles for a region.
    pub triangle_budget: f64,
    /// Metres.
    pub max_distance: f64,
    /// Square metres.
    pub max_area: f64,
    /// On the result.
    pub factor: f64,
}

/// The three sets that have names.
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

/// Sizes with the next higher one in place of each that is missing.
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

/// Estimated triangles; none where there is no high LOD.
#[must_use]
pub fn triangles(grid: &Grid, sizes: [i32; 4]) -> [f64; 4] {
    if sizes[3] <= 0 {
        return [0.0; 4];
    }
    filled_up(sizes)
        .map(|size| (f64::from(size) - grid.discount).max(grid.minimum) / grid.bytes_per_triangle)
}

/// The share of the region in which each LOD is seen.
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

/// What static mesh costs.
#[must_use]
pub fn cost(grid: &Grid, radius: f64, sizes: [i32; 4]) -> f64 {
    let weighted = triangles(grid, sizes).into_iter().zip(area_shares(grid, radius));
    let average: f64 = weighted.map(|(triangles, share)| triangles * share).sum();
    average / grid.triangle_budget * 15_000.0 * grid.factor
}

/// The document's equation, with a scalar.
#[must_use]
pub fn area_form(grid: &Grid, radius: f64, sizes: [i32; 4], cost_scalar: f64) -> f64 {
    if sizes[3] <= 0 {
        return 0.0;
    }
    let weighted = filled_up(sizes).into_iter().zip(area_shares(grid, radius));
    weighted.map(|(size, share)| f64::from(size) * share).sum::<f64>() * cost_scalar
}

/// What animated mesh costs.
#[must_use]
pub fn animated(grid: &Grid, sizes: [i32; 4], is_root: bool) -> f64 {
    let [lowest, low, mid, high] = triangles(grid, sizes);
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
