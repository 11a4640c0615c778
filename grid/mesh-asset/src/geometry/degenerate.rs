//! Triangles without area.

use super::Geometry;

impl Geometry<'_> {
    /// Whether a triangle has no area: two of its corners coincide, or all are on a line. Exact, in
    /// the integers of the file; an axis without extent counts for nothing.
    #[must_use]
    pub fn is_degenerate(&self, indices: [u16; 3]) -> bool {
        let steps = |i: u16| self.positions().steps_at(i.into()).unwrap_or_default();
        let extent = self.positions().domain().extent();
        let [a, b, c] = indices.map(steps);
        let edge = |to: [u16; 3]| -> [i64; 3] {
            std::array::from_fn(|axis| {
                let flat = extent[axis] == 0.0;
                i64::from(!flat) * (i64::from(to[axis]) - i64::from(a[axis]))
            })
        };
        let (u, v) = (edge(b), edge(c));
        (0..3).all(|i| u[i] * v[(i + 1) % 3] == u[(i + 1) % 3] * v[i])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Domain;
    use crate::quantized::Quantized;

    #[test]
    fn degenerate_is_exact() {
        let corners = [[0.0; 3], [0.4, 0.2, 0.0], [0.0, 0.5, 0.0], [0.2, 0.1, 0.0]];
        let face = Geometry::new(Quantized::from_points(&corners).unwrap(), &[]).unwrap();
        assert!(!face.is_degenerate([0, 1, 2]));
        assert!(face.is_degenerate([0, 1, 1]));
        assert!(face.is_degenerate([0, 1, 0]));
    }

    #[test]
    fn three_on_a_line_are_degenerate_wherever_the_line_lies() {
        let bytes = |steps: &[[u16; 3]]| -> Vec<u8> {
            steps.iter().flatten().flat_map(|step| step.to_le_bytes()).collect()
        };
        let line = bytes(&[[1, 2, 3], [11, 22, 33], [31, 62, 93], [31, 62, 94]]);
        let tall = Domain::new([0.0; 3], [1e-6, 1.0, 1e6]).unwrap();
        let points = Quantized::from_bytes("Position", line.clone(), tall).unwrap();
        let face = Geometry::new(points, &[]).unwrap();
        assert!(face.is_degenerate([0, 1, 2]));
        assert!(!face.is_degenerate([0, 1, 3]), "one step beside it");
        let flat = Domain::new([0.0; 3], [1.0, 1.0, 0.0]).unwrap();
        let points = Quantized::from_bytes("Position", line, flat).unwrap();
        let face = Geometry::new(points, &[]).unwrap();
        assert!(face.is_degenerate([0, 1, 3]), "steps of a flat axis are none");
    }
}
