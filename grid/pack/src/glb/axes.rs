//! From Z up, as the grid has it, to Y up, as glTF has it.

/// A point or direction: (x, y, z) becomes (x, z, −y).
pub(super) fn y_up<T: Copy + std::ops::Sub<Output = T> + Default>([x, y, z]: [T; 3]) -> [T; 3] {
    // Not −y: that of 0 would be −0.
    [x, z, T::default() - y]
}

/// Texture coordinates: V becomes −V.
pub(super) fn tex_coord([u, v]: [f32; 2]) -> [f32; 2] {
    [u, 0.0 - v]
}

/// A matrix for row vectors, row by row, both of whose spaces change; which is how glTF stores it, column by column for
/// column vectors. The last column is that of an affine matrix.
pub(super) fn matrix(rows: &[f64; 16]) -> [f64; 16] {
    let row = |index: usize| y_up([rows[4 * index], rows[4 * index + 1], rows[4 * index + 2]]);
    // What was the Y axis is −Z now, and what was Z is Y.
    let [x, y, z, t] = [row(0), row(2), row(1).map(|number| 0.0 - number), row(3)];
    [
        x[0], x[1], x[2], 0.0, //
        y[0], y[1], y[2], 0.0, //
        z[0], z[1], z[2], 0.0, //
        t[0], t[1], t[2], 1.0,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn transform([x, y, z]: [f64; 3], m: &[f64; 16]) -> [f64; 3] {
        std::array::from_fn(|i| x * m[i] + y * m[4 + i] + z * m[8 + i] + m[12 + i])
    }

    #[test]
    #[expect(clippy::float_cmp, reason = "all numbers are small multiples of a quarter")]
    fn a_matrix_does_the_same_in_both_spaces() {
        let z_up = [
            0.0, 2.0, 0.5, 0.0, //
            -1.0, 0.25, 3.0, 0.0, //
            7.0, 0.0, -2.0, 0.0, //
            10.0, 20.0, 30.0, 1.0,
        ];
        for point in
            [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.5, -2.0, 4.0]]
        {
            assert_eq!(transform(y_up(point), &matrix(&z_up)), y_up(transform(point, &z_up)));
        }
    }
}
