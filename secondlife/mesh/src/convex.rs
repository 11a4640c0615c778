//! Convex physics blocks: hull and decomposition, and costs that a simulator computed.

use std::borrow::Cow;

use crate::error::{AssetError, AssetErrorKind};
use crate::fields;
use crate::llsd::{LlsdValue, Map};
use crate::quantized::{Domain, Quantized};

const FULL_HULL: u16 = 256;

/// The block `physics_convex`: hull and decomposition, in unit space.
///
/// Source: Second Life wiki, Mesh/Mesh physics, decomposition data block members. Files call "Position" `Positions`
/// and "Hull" `BoundingVerts`; both names are read, those of files are written.
///
/// # Examples
/// ```
/// use lodger_mesh_asset::PhysicsConvex;
///
/// let hull = [[-0.5; 3], [0.5, -0.5, -0.5], [-0.5, 0.5, -0.5], [-0.5, -0.5, 0.5]];
/// // "'0' is special cased to indicate 256 points."
/// let convex = PhysicsConvex::new(&hull, &[&hull[..], &[[0.25; 3]; 256]])?;
/// let value = convex.to_value();
/// let sizes = value.as_map().and_then(|map| map.get("HullList"));
/// assert_eq!(sizes, Some(&[4_u8, 0][..].into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct PhysicsConvex<'a> {
    has_domain: bool,
    sizes: Cow<'a, [u8]>,
    points: Quantized<'a, 3>,
    bounding: Option<Quantized<'a, 3>>,
}

impl<'a> PhysicsConvex<'a> {
    /// Encodes the hull around the mesh, and the hulls of a decomposition with 1 to 256 points each.
    ///
    /// # Errors
    /// [`AssetErrorKind::Count`] for a hull of the decomposition without points or with more than 256,
    /// [`AssetErrorKind::NotFinite`].
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::PhysicsConvex;
    /// let hull = [[-0.5; 3], [0.5, -0.5, -0.5], [-0.5, 0.5, -0.5], [-0.5, -0.5, 0.5]];
    /// assert_eq!(PhysicsConvex::new(&hull, &[hull, hull])?.points().len(), 8);
    /// assert!(PhysicsConvex::new(&hull, &[[[0.0; 3]; 257]]).is_err(), "at most 256 points");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new<H: AsRef<[[f32; 3]]>>(
        bounding: &[[f32; 3]],
        hulls: &[H],
    ) -> Result<PhysicsConvex<'static>, AssetErrorKind> {
        Self::quantized(bounding, hulls, Quantized::in_domain)
    }

    /// Encodes hulls as [`new`](Self::new) does, with coordinates rounded down as in viewers ([`Domain::floor`]).
    ///
    /// Source: `LLModel::Decomposition::asLLSD` of the viewer (`indra/llprimitive/llmodel.cpp`).
    ///
    /// # Errors
    /// The errors of [`new`](Self::new).
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::PhysicsConvex;
    /// let hull = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.333_33, 0.777_77, 1.0]];
    /// let convex = PhysicsConvex::floored(&hull, &[hull])?;
    /// assert_eq!(convex.points().steps_at(3), Some([21_844, 50_971, 65_535]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn floored<H: AsRef<[[f32; 3]]>>(
        bounding: &[[f32; 3]],
        hulls: &[H],
    ) -> Result<PhysicsConvex<'static>, AssetErrorKind> {
        Self::quantized(bounding, hulls, Quantized::floored)
    }

    fn quantized<H: AsRef<[[f32; 3]]>>(
        bounding: &[[f32; 3]],
        hulls: &[H],
        quantize: impl Fn(&[[f32; 3]], Domain<3>) -> Quantized<'static, 3>,
    ) -> Result<PhysicsConvex<'static>, AssetErrorKind> {
        let points: Vec<_> = hulls.iter().flat_map(AsRef::as_ref).copied().collect();
        let all: Vec<_> = points.iter().chain(bounding).copied().collect();
        let domain = Domain::from_points(&all)?;
        let sizes: Result<_, _> = hulls.iter().map(|hull| size(hull.as_ref().len())).collect();
        Ok(PhysicsConvex {
            has_domain: true,
            sizes: Cow::Owned(sizes?),
            points: quantize(&points, domain),
            bounding: Some(quantize(bounding, domain)),
        })
    }

    /// Decodes the block. A missing `Min` or `Max`, which the document requires, is −½ or ½, as in viewers.
    ///
    /// # Errors
    /// [`AssetErrorKind::Count`] if the sum of `HullList` is not the number of `Positions`;
    /// [`AssetErrorKind::WrongType`], [`AssetErrorKind::Length`], [`AssetErrorKind::NotFinite`].
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::PhysicsConvex;
    /// use lodger_mesh_asset::llsd::{LlsdValue, Map};
    ///
    /// let map: Map = [("Hull", vec![0; 24])].into_iter().collect();
    /// let value = LlsdValue::Map(map);
    /// let convex = PhysicsConvex::from_value(&value)?;
    /// assert_eq!(convex.bounding().map(|hull| hull.len()), Some(4));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_value(value: &LlsdValue<'a>) -> Result<Self, AssetError> {
        let map = value
            .as_map()
            .ok_or(AssetErrorKind::WrongType { field: "physics_convex", expected: "a map" })?;
        let (domain, has_domain) = Domain::read(map, Domain::UNIT)?;
        let points = named(map, "Positions", "Position")?.unwrap_or_default();
        let bounding = named(map, "BoundingVerts", "Hull")?
            .map(|bytes| Quantized::from_bytes("BoundingVerts", bytes, domain))
            .transpose()?;
        let this = Self {
            has_domain,
            sizes: fields::binary(map, "HullList")?.unwrap_or_default(),
            points: Quantized::from_bytes("Positions", points, domain)?,
            bounding,
        };
        let expected = this.hull_sizes().map(usize::from).sum();
        if this.points.len() != expected {
            let found = this.points.len();
            return Err(AssetError::from(AssetErrorKind::Count {
                field: "Positions",
                found,
                expected,
            }));
        }
        Ok(this)
    }

    /// Encodes the block as a map.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::PhysicsConvex;
    /// let convex = PhysicsConvex::new(&[[0.0; 3], [1.0; 3]], &[[[0.5; 3]]])?;
    /// let value = convex.to_value();
    /// let keys = value.as_map().into_iter().flat_map(|map| map.iter()).map(|(key, _)| key);
    /// assert!(keys.eq(["BoundingVerts", "HullList", "Max", "Min", "Positions"]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn to_value(&self) -> LlsdValue<'_> {
        let mut map = Map::new();
        if let Some(bounding) = &self.bounding {
            map.insert("BoundingVerts", bounding.value());
        }
        if !self.sizes.is_empty() {
            map.insert("HullList", &*self.sizes);
        }
        if self.has_domain {
            for (key, corner) in self.points.domain().entries() {
                map.insert(key, corner);
            }
        }
        if !self.points.is_empty() {
            map.insert("Positions", self.points.value());
        }
        LlsdValue::Map(map)
    }

    /// Whether the file had `Min` and `Max`.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::PhysicsConvex;
    /// use lodger_mesh_asset::llsd::{LlsdValue, Map};
    ///
    /// let bare = LlsdValue::Map(Map::new());
    /// assert!(!PhysicsConvex::from_value(&bare)?.has_domain());
    /// assert!(PhysicsConvex::new(&[[0.0; 3]], &[[[0.5; 3]]])?.has_domain());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn has_domain(&self) -> bool {
        self.has_domain
    }

    /// The points of the hull around the mesh, which the document requires.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::PhysicsConvex;
    /// let convex = PhysicsConvex::new(&[[0.0; 3], [1.0; 3]], &[[[0.5; 3]]])?;
    /// let hull = convex.bounding().ok_or("no hull")?;
    /// assert!(hull.iter().eq([[0.0; 3], [1.0; 3]]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn bounding(&self) -> Option<&Quantized<'a, 3>> {
        self.bounding.as_ref()
    }

    /// The number of hulls of the decomposition; 0 without one.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::PhysicsConvex;
    /// let tetrahedron = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// assert_eq!(PhysicsConvex::new(&tetrahedron, &[tetrahedron; 3])?.hull_count(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn hull_count(&self) -> usize {
        self.sizes.len()
    }

    /// The number of points of each hull of the decomposition.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::PhysicsConvex;
    /// let convex = PhysicsConvex::new(&[[0.0; 3]], &[vec![[0.0; 3]; 4], vec![[1.0; 3]; 256]])?;
    /// assert!(convex.hull_sizes().eq([4, 256]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn hull_sizes(&self) -> impl ExactSizeIterator<Item = u16> {
        self.sizes.iter().map(|&size| match size {
            0 => FULL_HULL,
            size => size.into(),
        })
    }

    /// The points of all hulls of the decomposition, in order.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::PhysicsConvex;
    /// let convex = PhysicsConvex::new(&[[0.0; 3]], &[[[0.0; 3], [1.0; 3]], [[1.0; 3], [0.0; 3]]])?;
    /// assert_eq!(convex.points().get(2), Some([1.0; 3]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn points(&self) -> &Quantized<'a, 3> {
        &self.points
    }

    /// The points of each hull of the decomposition.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::PhysicsConvex;
    /// let convex = PhysicsConvex::new(&[[0.0; 3]], &[vec![[0.0; 3]], vec![[1.0; 3], [0.0; 3]]])?;
    /// let second = convex.hulls().nth(1).ok_or("one hull")?;
    /// assert!(second.eq([[1.0; 3], [0.0; 3]]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn hulls(&self) -> impl Iterator<Item = impl ExactSizeIterator<Item = [f32; 3]>> {
        let mut rest = self.points.iter();
        self.hull_sizes().map(move |size| {
            let size = usize::from(size);
            let hull = rest.clone().take(size);
            if let Some(last) = size.checked_sub(1) {
                rest.nth(last);
            }
            hull
        })
    }
}

fn named<'a>(
    map: &Map<'a>,
    name: &'static str,
    alias: &'static str,
) -> Result<Option<Cow<'a, [u8]>>, AssetErrorKind> {
    match fields::binary(map, name)? {
        None => fields::binary(map, alias),
        found => Ok(found),
    }
}

fn size(points: usize) -> Result<u8, AssetErrorKind> {
    match (points, u8::try_from(points)) {
        (256, _) => Ok(0),
        (1.., Ok(size)) => Ok(size),
        (found, _) => {
            Err(AssetErrorKind::Count { field: "HullList", found, expected: FULL_HULL.into() })
        }
    }
}

/// The block `physics_cost_data`: exact physics costs that a simulator computed. Any field may be missing.
///
/// # Examples
/// ```
/// use lodger_mesh_asset::PhysicsCostData;
///
/// // The document's duck: "the resulting decomposition has a physics cost of 13".
/// let duck = PhysicsCostData { decomposition: Some(13.0), ..PhysicsCostData::default() };
/// assert_eq!(PhysicsCostData::from_value(&duck.to_value())?, duck);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PhysicsCostData {
    /// `hull`: cost of the hull.
    pub hull: Option<f64>,
    /// `hull_discounted_vertices`: vertices counted for that cost.
    pub hull_discounted_vertices: Option<i32>,
    /// `decomposition`: cost of the decomposition.
    pub decomposition: Option<f64>,
    /// `decomposition_hulls`: number of its hulls.
    pub decomposition_hulls: Option<i32>,
    /// `decomposition_discounted_vertices`: vertices counted for that cost.
    pub decomposition_discounted_vertices: Option<i32>,
    /// `mesh`: nine undocumented numbers.
    pub mesh: Option<[f64; 9]>,
    /// `mesh_triangles`: triangles of the physics mesh.
    pub mesh_triangles: Option<i32>,
}

impl PhysicsCostData {
    /// Decodes the map.
    ///
    /// # Errors
    /// [`AssetErrorKind::WrongType`]; [`AssetErrorKind::NotFinite`] and [`AssetErrorKind::Negative`] for a cost.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::PhysicsCostData;
    /// use lodger_mesh_asset::llsd::{LlsdValue, Map};
    ///
    /// let map: Map = [("hull", 0.84), ("mesh_triangles", 185.0)].into_iter().collect();
    /// let data = PhysicsCostData::from_value(&LlsdValue::Map(map))?;
    /// assert_eq!((data.hull, data.mesh_triangles), (Some(0.84), Some(185)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_value(value: &LlsdValue) -> Result<Self, AssetError> {
        let map = value
            .as_map()
            .ok_or(AssetErrorKind::WrongType { field: "physics_cost_data", expected: "a map" })?;
        Ok(Self {
            hull: cost(map, "hull")?,
            hull_discounted_vertices: count(map, "hull_discounted_vertices")?,
            decomposition: cost(map, "decomposition")?,
            decomposition_hulls: count(map, "decomposition_hulls")?,
            decomposition_discounted_vertices: count(map, "decomposition_discounted_vertices")?,
            mesh: fields::reals(map, "mesh", "an array of 9 reals")?,
            mesh_triangles: count(map, "mesh_triangles")?,
        })
    }

    /// Encodes the data as a map.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::PhysicsCostData;
    /// let data = PhysicsCostData { hull: Some(0.84), ..PhysicsCostData::default() };
    /// let value = data.to_value();
    /// assert_eq!(value.as_map().and_then(|map| map.get("hull")), Some(&0.84.into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn to_value(&self) -> LlsdValue<'static> {
        let real = |value: Option<f64>| value.map(LlsdValue::Real);
        let integer = |value: Option<i32>| value.map(LlsdValue::Integer);
        let mesh = self.mesh.map(|mesh| mesh.map(LlsdValue::Real).into_iter().collect());
        let vertices = integer(self.decomposition_discounted_vertices);
        let entries = [
            ("decomposition", real(self.decomposition)),
            ("decomposition_discounted_vertices", vertices),
            ("decomposition_hulls", integer(self.decomposition_hulls)),
            ("hull", real(self.hull)),
            ("hull_discounted_vertices", integer(self.hull_discounted_vertices)),
            ("mesh", mesh),
            ("mesh_triangles", integer(self.mesh_triangles)),
        ];
        let present = entries.into_iter().filter_map(|(key, value)| Some((key, value?)));
        LlsdValue::Map(present.collect())
    }
}

fn cost(map: &Map, field: &'static str) -> Result<Option<f64>, AssetErrorKind> {
    match fields::real(map, field)? {
        Some(cost) if !cost.is_finite() => Err(AssetErrorKind::NotFinite(field)),
        Some(cost) if cost < 0.0 => Err(AssetErrorKind::Negative(field)),
        cost => Ok(cost),
    }
}

/// Reads an integer, which some files store as a real.
#[allow(clippy::cast_possible_truncation)] // an integer within i32
fn count(map: &Map, field: &'static str) -> Result<Option<i32>, AssetErrorKind> {
    let integer = |count: &f64| count.fract() == 0.0 && count.abs() <= f64::from(i32::MAX);
    match fields::real(map, field)? {
        None => Ok(None),
        Some(count) if integer(&count) => Ok(Some(count as i32)),
        Some(_) => Err(AssetErrorKind::WrongType { field, expected: "an integer" }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tetrahedron(at: f32) -> Vec<[f32; 3]> {
        vec![[at; 3], [at + 0.1, at, at], [at, at + 0.1, at], [at, at, at + 0.1]]
    }

    fn without<'a>(value: &'a LlsdValue<'a>, keys: &[&str]) -> LlsdValue<'a> {
        let entries = value.as_map().unwrap().iter();
        let kept = entries.filter(|(key, _)| !keys.contains(key));
        LlsdValue::Map(kept.map(|(key, value)| (key, value.clone())).collect())
    }

    #[test]
    fn hulls_come_back() {
        let full = vec![[0.25; 3]; 256];
        let hulls = [tetrahedron(0.0), full, tetrahedron(-0.3)];
        let convex = PhysicsConvex::new(&tetrahedron(0.0), &hulls).unwrap();
        let value = convex.to_value();
        let again = PhysicsConvex::from_value(&value).unwrap();
        assert_eq!(again, convex);
        assert_eq!(again.hull_sizes().collect::<Vec<_>>(), [4, 256, 4]);
        assert_eq!(again.points().len(), 264);
        let quantum = again.points().domain().quantum()[0];
        for (hull, points) in again.hulls().zip(&hulls) {
            assert_eq!(hull.len(), points.len());
            for (again, point) in hull.zip(points) {
                assert!((again[0] - point[0]).abs() <= quantum);
            }
        }
    }

    #[test]
    fn floored_hulls_are_never_above() {
        let hull = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.333_33, 0.777_77, 1.0]];
        let convex = PhysicsConvex::floored(&hull, &[hull]).unwrap();
        let steps: Vec<_> = convex.bounding().unwrap().steps().collect();
        assert_eq!(steps[3], [21_844, 50_971, 65_535]);
        assert!(convex.points().steps().eq(steps));
        assert!(PhysicsConvex::floored(&[], &[vec![[0.0; 3]; 257]]).is_err());
    }

    #[test]
    fn a_sum_unlike_positions_is_rejected() {
        let convex = PhysicsConvex::new(&tetrahedron(0.0), &[tetrahedron(0.0)]).unwrap();
        let value = convex.to_value();
        for missing in ["HullList", "Positions"] {
            let value = without(&value, &[missing]);
            let error = PhysicsConvex::from_value(&value).unwrap_err();
            assert!(matches!(error.kind(), AssetErrorKind::Count { .. }), "{missing}");
        }
        let none = without(&value, &["HullList", "Positions"]);
        assert_eq!(PhysicsConvex::from_value(&none).unwrap().hull_count(), 0);
    }

    #[test]
    fn the_names_of_the_document_are_read() {
        let convex = PhysicsConvex::new(&tetrahedron(0.0), &[tetrahedron(0.0)]).unwrap();
        let value = convex.to_value();
        let renamed = |key| match key {
            "Positions" => "Position",
            "BoundingVerts" => "Hull",
            key => key,
        };
        let entries = value.as_map().unwrap().iter();
        let map: Map = entries.map(|(key, value)| (renamed(key), value.clone())).collect();
        assert_eq!(PhysicsConvex::from_value(&map.into()).unwrap(), convex);
    }

    #[test]
    fn a_missing_domain_is_the_unit_cube() {
        let convex = PhysicsConvex::new(&tetrahedron(0.0), &[tetrahedron(0.0)]).unwrap();
        let value = convex.to_value();
        let bare = without(&value, &["Min", "Max"]);
        let again = PhysicsConvex::from_value(&bare).unwrap();
        assert!(!again.has_domain());
        assert_eq!(again.points().domain(), &Domain::UNIT);
        assert!(PhysicsConvex::new(&[], &[vec![[0.0; 3]; 257]]).is_err());
    }

    #[test]
    fn every_part_comes_back() {
        let data = PhysicsCostData {
            hull: Some(0.84),
            hull_discounted_vertices: Some(20),
            decomposition: Some(3.2),
            decomposition_hulls: Some(13),
            decomposition_discounted_vertices: Some(67),
            mesh: Some([0.5; 9]),
            mesh_triangles: Some(185),
        };
        assert_eq!(PhysicsCostData::from_value(&data.to_value()).unwrap(), data);
        let none = PhysicsCostData::default();
        assert_eq!(PhysicsCostData::from_value(&none.to_value()).unwrap(), none);
    }

    #[test]
    fn a_cost_is_a_number_of_at_least_0_and_a_count_is_an_integer() {
        let read = |key: &'static str, value: f64| {
            PhysicsCostData::from_value(&LlsdValue::Map([(key, value)].into_iter().collect()))
        };
        assert!(read("hull", f64::NAN).is_err());
        assert!(read("decomposition", -1.0).is_err());
        assert_eq!(read("mesh_triangles", 3.0).unwrap().mesh_triangles, Some(3));
        assert!(read("mesh_triangles", 3.5).is_err());
    }
}
