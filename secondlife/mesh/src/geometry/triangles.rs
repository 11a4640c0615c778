//! Geometry of one face.

use std::borrow::Cow;

use crate::error::AssetErrorKind;
use crate::fields;
use crate::llsd::{LlsdValue, Map};
use crate::quantized::{Domain, Quantized};
use crate::skin::VertexWeights;

/// Bytes of a triangle: three 16-bit indices.
pub(crate) const TRIANGLE: usize = 6;

/// Maximum number of points that triangles can refer to.
pub(crate) const NAMEABLE: usize = 1 << 16;

/// The triangles of a face. Every index refers to a vertex.
///
/// # Examples
/// ```
/// use lodger_mesh_asset::{Domain, Geometry, Quantized};
///
/// let corners = [[0.0; 3], [0.5, 0.0, 0.0], [0.5, 0.5, 0.0], [0.0, 0.5, 0.0]];
/// let up = Quantized::in_domain(&[[0.0, 0.0, 1.0]; 4], Domain::NORMAL);
/// let square = Geometry::new(Quantized::from_points(&corners)?, &[[0, 1, 2], [0, 2, 3]])?;
/// let square = square.with_normals(up)?;
/// assert_eq!((square.triangle_count(), square.positions().len()), (2, 4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Geometry<'a> {
    positions: Quantized<'a, 3>,
    has_domain: bool,
    normals: Option<Quantized<'a, 3>>,
    tex_coords: Option<Quantized<'a, 2>>,
    triangles: Cow<'a, [u8]>,
    weights: Option<VertexWeights<'a>>,
    normalized_scale: Option<[f64; 3]>,
}

impl<'a> Geometry<'a> {
    /// Builds triangles over positions in unit space.
    ///
    /// # Errors
    /// [`AssetErrorKind::Index`] for a triangle whose vertex does not exist.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// let points = Quantized::from_points(&[[0.0; 3], [0.5, 0.0, 0.0], [0.0, 0.5, 0.0]])?;
    /// let wrong = Geometry::new(points, &[[0, 1, 2], [0, 1, 3]]);
    /// assert_eq!(wrong, Err(AssetErrorKind::Index { triangle: 1, index: 3, vertices: 3 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(
        positions: Quantized<'a, 3>,
        triangles: &[[u16; 3]],
    ) -> Result<Self, AssetErrorKind> {
        let indices = triangles.iter().flatten();
        let bytes = indices.flat_map(|index| index.to_le_bytes()).collect();
        Self::checked(positions, true, bytes)
    }

    fn checked(
        positions: Quantized<'a, 3>,
        has_domain: bool,
        triangles: Cow<'a, [u8]>,
    ) -> Result<Self, AssetErrorKind> {
        let this = Self {
            positions,
            has_domain,
            normals: None,
            tex_coords: None,
            triangles,
            weights: None,
            normalized_scale: None,
        };
        let vertices = this.positions.len();
        for (triangle, indices) in this.triangles().enumerate() {
            if let Some(&index) = indices.iter().find(|&&index| usize::from(index) >= vertices) {
                return Err(AssetErrorKind::Index { triangle, index, vertices });
            }
        }
        Ok(this)
    }

    /// Adds normals.
    ///
    /// # Errors
    /// [`AssetErrorKind::Count`] unless each position has one normal.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// let points = Quantized::from_points(&[[0.0; 3], [0.5, 0.0, 0.0], [0.0, 0.5, 0.0]])?;
    /// let one = Quantized::in_domain(&[[0.0, 0.0, 1.0]], Domain::NORMAL);
    /// let error = Geometry::new(points, &[[0, 1, 2]])?.with_normals(one);
    /// assert_eq!(error, Err(AssetErrorKind::Count { field: "Normal", found: 1, expected: 3 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_normals(mut self, normals: Quantized<'a, 3>) -> Result<Self, AssetErrorKind> {
        self.one_each("Normal", normals.len())?;
        self.normals = Some(normals);
        Ok(self)
    }

    /// Adds texture coordinates.
    ///
    /// # Errors
    /// [`AssetErrorKind::Count`] unless each position has one coordinate.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// let points = Quantized::from_points(&[[0.0; 3], [0.5, 0.0, 0.0], [0.0, 0.5, 0.0]])?;
    /// let uv = Quantized::from_points(&[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])?;
    /// let face = Geometry::new(points, &[[0, 1, 2]])?.with_tex_coords(uv)?;
    /// assert_eq!(face.tex_coords().and_then(|uv| uv.get(1)), Some([1.0, 0.0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_tex_coords(mut self, tex_coords: Quantized<'a, 2>) -> Result<Self, AssetErrorKind> {
        self.one_each("TexCoord0", tex_coords.len())?;
        self.tex_coords = Some(tex_coords);
        Ok(self)
    }

    /// Adds joint weights.
    ///
    /// # Errors
    /// [`AssetErrorKind::Count`] unless each position has one list.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// let points = Quantized::from_points(&[[0.0; 3], [0.5, 0.0, 0.0], [0.0, 0.5, 0.0]])?;
    /// let rigid = Influences::new([Influence { joint: 1, weight: 65_535 }]);
    /// let face = Geometry::new(points, &[[0, 1, 2]])?.with_weights(VertexWeights::new(&[rigid; 3]))?;
    /// assert_eq!(face.weights().map(VertexWeights::len), Some(3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_weights(mut self, weights: VertexWeights<'a>) -> Result<Self, AssetErrorKind> {
        self.one_each("Weights", weights.len())?;
        self.weights = Some(weights);
        Ok(self)
    }

    /// Adds the original size of the model in metres, before it was scaled to unit space.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// let face = Geometry::new(Quantized::from_points(&[])?, &[])?;
    /// let face = face.with_normalized_scale([2.0, 0.5, 1.0]);
    /// assert_eq!(face.normalized_scale(), Some([2.0, 0.5, 1.0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn with_normalized_scale(mut self, scale: [f64; 3]) -> Self {
        self.normalized_scale = Some(scale);
        self
    }

    fn one_each(&self, field: &'static str, found: usize) -> Result<(), AssetErrorKind> {
        let expected = self.positions.len();
        if found == expected {
            return Ok(());
        }
        Err(AssetErrorKind::Count { field, found, expected })
    }

    pub(crate) fn from_map(map: &Map<'a>) -> Result<Self, AssetErrorKind> {
        let (domain, has_domain) = read_domain(map, "PositionDomain", Domain::UNIT)?;
        let positions = required(map, "Position")?;
        let positions = Quantized::from_bytes("Position", positions, domain)?;
        let triangles = complete_triangles(required(map, "TriangleList")?);
        let mut this = Self::checked(positions, has_domain, triangles)?;
        if let Some(bytes) = fields::binary(map, "Normal")? {
            let normals = Quantized::from_bytes("Normal", bytes, Domain::NORMAL)?;
            this = this.with_normals(normals)?;
        }
        if let Some(bytes) = fields::binary(map, "TexCoord0")? {
            let (domain, _) = read_domain(map, "TexCoord0Domain", Domain::TEXTURE)?;
            let tex_coords = Quantized::from_bytes("TexCoord0", bytes, domain)?;
            this = this.with_tex_coords(tex_coords)?;
        }
        if let Some(bytes) = fields::binary(map, "Weights")? {
            let weights = VertexWeights::from_bytes(bytes, this.positions.len())?;
            this = this.with_weights(weights)?;
        }
        // No appearance depends on it, so an invalid size counts as missing.
        this.normalized_scale = fields::reals(map, "NormalizedScale", "").unwrap_or_default();
        Ok(this)
    }

    /// Encodes the face with sorted keys, as viewers do.
    pub(crate) fn to_map(&self) -> Map<'_> {
        let mut map = Map::new();
        if let Some(normals) = &self.normals {
            map.insert("Normal", normals.value());
        }
        if let Some(scale) = self.normalized_scale {
            map.insert(
                "NormalizedScale",
                scale.map(LlsdValue::Real).into_iter().collect::<LlsdValue>(),
            );
        }
        map.insert("Position", self.positions.value());
        if self.has_domain {
            let domain: Map = self.positions.domain().entries().into_iter().collect();
            map.insert("PositionDomain", domain);
        }
        if let Some(tex_coords) = &self.tex_coords {
            map.insert("TexCoord0", tex_coords.value());
            let domain: Map = tex_coords.domain().entries().into_iter().collect();
            map.insert("TexCoord0Domain", domain);
        }
        map.insert("TriangleList", &*self.triangles);
        if let Some(weights) = &self.weights {
            map.insert("Weights", weights.bytes());
        }
        map
    }

    /// The positions of the vertices in unit space.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// let face = Geometry::new(Quantized::from_points(&[[0.0; 3], [0.5; 3]])?, &[])?;
    /// assert_eq!(face.positions().get(1), Some([0.5; 3]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn positions(&self) -> &Quantized<'a, 3> {
        &self.positions
    }

    /// Whether the file has the domain of the positions, with both corners.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::Face;
    /// use lodger_mesh_asset::llsd::Map;
    ///
    /// let fields = [("Position", vec![0; 6]), ("TriangleList", vec![0; 6])];
    /// let face = Face::from_map(&fields.into_iter().collect::<Map>())?;
    /// assert_eq!(face.geometry().map(|face| face.has_domain()), Some(false));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn has_domain(&self) -> bool {
        self.has_domain
    }

    /// The normals, one for each position.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// let file = std::fs::read("samples/strip.llmesh")?;
    /// let block = Asset::parse(&file)?.inflate(AssetBlock::LowestLod)?.ok_or("no lowest LOD")?;
    /// let lod = block.lod()?;
    /// let normals = lod.faces()[0].geometry().and_then(|face| face.normals()).ok_or("none")?;
    /// assert_eq!((normals.len(), normals.steps_at(0)), (4, Some([32_768, 32_768, 65_535])));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn normals(&self) -> Option<&Quantized<'a, 3>> {
        self.normals.as_ref()
    }

    /// The texture coordinates, one for each position.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// let file = std::fs::read("samples/strip.llmesh")?;
    /// let block = Asset::parse(&file)?.inflate(AssetBlock::LowestLod)?.ok_or("no lowest LOD")?;
    /// let lod = block.lod()?;
    /// let uv = lod.faces()[0].geometry().and_then(|face| face.tex_coords()).ok_or("none")?;
    /// assert_eq!(uv.get(3), Some([1.0, 0.5]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn tex_coords(&self) -> Option<&Quantized<'a, 2>> {
        self.tex_coords.as_ref()
    }

    /// The joint influences, one list for each position.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// let file = std::fs::read("samples/strip.llmesh")?;
    /// let block = Asset::parse(&file)?.inflate(AssetBlock::LowestLod)?.ok_or("no lowest LOD")?;
    /// let lod = block.lod()?;
    /// let weights = lod.faces()[0].geometry().and_then(|face| face.weights()).ok_or("none")?;
    /// assert!(weights.iter().map(|vertex| vertex.as_slice().len()).eq([0, 1, 2, 3]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn weights(&self) -> Option<&VertexWeights<'a>> {
        self.weights.as_ref()
    }

    /// `NormalizedScale`: the original size of the model in metres, from which viewers compute tangents; older files
    /// have none.
    ///
    /// Source: `LLModel::writeModel` of the viewer (`indra/llprimitive/llmodel.cpp`), since its glTF materials.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// let file = std::fs::read("samples/strip.llmesh")?;
    /// let block = Asset::parse(&file)?.inflate(AssetBlock::LowestLod)?.ok_or("no lowest LOD")?;
    /// let lod = block.lod()?;
    /// assert_eq!(lod.faces()[0].geometry().map(|face| face.normalized_scale()), Some(None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn normalized_scale(&self) -> Option<[f64; 3]> {
        self.normalized_scale
    }

    /// The number of triangles.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// let points = Quantized::from_points(&[[0.0; 3], [0.5, 0.0, 0.0], [0.0, 0.5, 0.0]])?;
    /// assert_eq!(Geometry::new(points, &[[0, 1, 2], [2, 1, 0]])?.triangle_count(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn triangle_count(&self) -> usize {
        self.triangles.len() / TRIANGLE
    }

    /// The vertex indices of the triangles.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// let points = Quantized::from_points(&[[0.0; 3], [0.5, 0.0, 0.0], [0.0, 0.5, 0.0]])?;
    /// let face = Geometry::new(points, &[[0, 1, 2], [2, 1, 0]])?;
    /// assert!(face.triangles().eq([[0, 1, 2], [2, 1, 0]]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn triangles(&self) -> impl ExactSizeIterator<Item = [u16; 3]> {
        let index = |bytes: &[u8; TRIANGLE], i| u16::from_le_bytes([bytes[i], bytes[i + 1]]);
        let chunks = self.triangles.as_chunks::<TRIANGLE>().0.iter();
        chunks.map(move |bytes| [0, 2, 4].map(|i| index(bytes, i)))
    }

    /// The corners of the triangles in unit space.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// let points = Quantized::from_points(&[[0.0; 3], [0.5, 0.0, 0.0], [0.0, 0.5, 0.0]])?;
    /// let face = Geometry::new(points, &[[2, 1, 0]])?;
    /// assert_eq!(face.corners().next(), Some([[0.0, 0.5, 0.0], [0.5, 0.0, 0.0], [0.0; 3]]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn corners(&self) -> impl ExactSizeIterator<Item = [[f32; 3]; 3]> {
        self.triangles()
            .map(|indices| indices.map(|i| self.positions.get(i.into()).unwrap_or_default()))
    }
}

fn required<'a>(map: &Map<'a>, field: &'static str) -> Result<Cow<'a, [u8]>, AssetErrorKind> {
    fields::binary(map, field)?.ok_or(AssetErrorKind::Missing(field))
}

fn complete_triangles(bytes: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    let length = bytes.len() / TRIANGLE * TRIANGLE;
    match bytes {
        Cow::Borrowed(bytes) => Cow::Borrowed(&bytes[..length]),
        Cow::Owned(mut bytes) => {
            bytes.truncate(length);
            Cow::Owned(bytes)
        }
    }
}

fn read_domain<const N: usize>(
    map: &Map,
    field: &'static str,
    otherwise: Domain<N>,
) -> Result<(Domain<N>, bool), AssetErrorKind> {
    match fields::submap(map, field)? {
        Some(map) => Domain::read(map, otherwise),
        None => Ok((otherwise, false)),
    }
}

impl Geometry<'_> {
    /// Whether a triangle has no area: corners coincide or are collinear. Exact, in the integers of the file; an axis
    /// without extent is ignored.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// let points = [[0.0; 3], [0.25, 0.0, 0.0], [0.5, 0.0, 0.0], [0.0, 0.5, 0.0]];
    /// let face = Geometry::new(Quantized::from_points(&points)?, &[])?;
    /// assert!(face.is_degenerate([0, 2, 0]));
    /// assert!(!face.is_degenerate([0, 2, 3]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
    use crate::quantized::{Domain, Quantized};
    use crate::skin::{Influence, Influences};

    const CORNERS: [[f32; 3]; 4] =
        [[-0.5, -0.5, 0.0], [0.5, -0.5, 0.0], [0.5, 0.5, 0.0], [0.0, -0.5, 0.0]];

    fn face(triangles: &[[u16; 3]]) -> Geometry<'static> {
        Geometry::new(Quantized::from_points(&CORNERS).unwrap(), triangles).unwrap()
    }

    fn with(face: &Geometry, field: &'static str, bytes: &[u8]) -> Result<usize, AssetErrorKind> {
        let mut map = face.to_map();
        map.insert(field, bytes.to_vec());
        Geometry::from_map(&map).map(|face| face.triangle_count())
    }

    #[test]
    fn everything_comes_back() {
        let joint = Influence { joint: 3, weight: 65_535 };
        let uv = CORNERS.map(|[x, y, _]| [x, y]);
        let face = face(&[[0, 1, 2]])
            .with_normals(Quantized::in_domain(&[[0.0, 0.0, 1.0]; 4], Domain::NORMAL))
            .and_then(|face| face.with_tex_coords(Quantized::from_points(&uv)?))
            .and_then(|face| face.with_weights(VertexWeights::new(&[Influences::new([joint]); 4])))
            .unwrap();
        let face = face.with_normalized_scale([2.0, 0.5, 1.0]);
        let map = face.to_map();
        let again = Geometry::from_map(&map).unwrap();
        assert_eq!(again, face);
        assert!(again.has_domain());
        assert!(map.iter().map(|(key, _)| key).is_sorted(), "as viewers write them");
    }

    #[test]
    fn an_invalid_size_is_left_out() {
        let face = face(&[]);
        let mut map = face.to_map();
        map.insert("NormalizedScale", 7);
        assert_eq!(Geometry::from_map(&map).unwrap().normalized_scale(), None);
    }

    #[test]
    fn an_incomplete_triangle_is_dropped() {
        let face = face(&[[0, 1, 2]]);
        assert_eq!(with(&face, "TriangleList", &[0; 6 + 5]), Ok(1));
        assert_eq!(with(&face, "TriangleList", &[0; 5]), Ok(0));
    }

    #[test]
    fn a_vertex_that_does_not_exist_is_named() {
        let mut bytes = [0; 12];
        bytes[8] = 4;
        let expected = AssetErrorKind::Index { triangle: 1, index: 4, vertices: 4 };
        assert_eq!(with(&face(&[]), "TriangleList", &bytes), Err(expected));
    }

    #[test]
    fn counts_must_agree() {
        for field in ["Normal", "TexCoord0", "Weights"] {
            let result = with(&face(&[]), field, &[0xff; 12]);
            assert!(matches!(result, Err(AssetErrorKind::Count { .. })), "{field}");
        }
        let cut = with(&face(&[]), "Position", &[0; 8]);
        assert!(matches!(cut, Err(AssetErrorKind::Length { .. })));
    }

    #[test]
    fn a_missing_domain_is_the_unit_cube() {
        let face = face(&[[0, 1, 2]]);
        let kept = face.to_map().into_entries().into_iter();
        let map = kept.filter(|(key, _)| key != "PositionDomain").collect();
        let again = Geometry::from_map(&map).unwrap();
        assert!(!again.has_domain());
        assert_eq!(again.positions().domain(), &Domain::UNIT);
    }

    #[test]
    fn collinear_corners_are_degenerate_on_any_line() {
        let bytes = |steps: &[[u16; 3]]| -> Vec<u8> {
            steps.iter().flatten().flat_map(|step| step.to_le_bytes()).collect()
        };
        let line = bytes(&[[1, 2, 3], [11, 22, 33], [31, 62, 93], [31, 62, 94]]);
        let tall = Domain::new([0.0; 3], [1e-6, 1.0, 1e6]).unwrap();
        let points = Quantized::from_bytes("Position", line.clone(), tall).unwrap();
        let face = Geometry::new(points, &[]).unwrap();
        assert!(
            [[0, 1, 2], [0, 1, 1], [0, 1, 0]]
                .into_iter()
                .all(|indices| face.is_degenerate(indices))
        );
        assert!(!face.is_degenerate([0, 1, 3]), "one step beside it");
        let flat = Domain::new([0.0; 3], [1.0, 1.0, 0.0]).unwrap();
        let points = Quantized::from_bytes("Position", line, flat).unwrap();
        let face = Geometry::new(points, &[]).unwrap();
        assert!(face.is_degenerate([0, 1, 3]), "steps of a flat axis are none");
    }
}
