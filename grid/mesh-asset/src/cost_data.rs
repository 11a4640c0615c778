//! What a simulator computed and wrote into the asset.

use crate::error::{Error, Problem};
use crate::fields;
use crate::llsd::{Map, Value};

/// `physics_cost_data`: physics costs that a simulator computed. Every part may be missing.
///
/// Where the cost of a hull or a decomposition is here, it is exact, and no formula is needed.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PhysicsCostData {
    /// `hull`: the cost of the hull.
    pub hull: Option<f64>,
    /// `hull_discounted_vertices`: the vertices that this cost counts.
    pub hull_discounted_vertices: Option<i32>,
    /// `decomposition`: the cost of the decomposition.
    pub decomposition: Option<f64>,
    /// `decomposition_hulls`: its hulls.
    pub decomposition_hulls: Option<i32>,
    /// `decomposition_discounted_vertices`: the vertices that this cost counts.
    pub decomposition_discounted_vertices: Option<i32>,
    /// `mesh`: nine numbers of which no document says what they are.
    pub mesh: Option<[f64; 9]>,
    /// `mesh_triangles`: the triangles of the physics mesh.
    pub mesh_triangles: Option<i32>,
}

impl PhysicsCostData {
    /// Decodes the map.
    ///
    /// # Errors
    /// [`Problem::WrongType`]; [`Problem::NotFinite`] and [`Problem::Negative`] for a cost.
    pub fn from_value(value: &Value) -> Result<Self, Error> {
        let map = value
            .as_map()
            .ok_or(Problem::WrongType { field: "physics_cost_data", expected: "a map" })?;
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

    /// The map that [`from_value`](Self::from_value) reads.
    #[must_use]
    pub fn to_value(&self) -> Value<'static> {
        let real = |value: Option<f64>| value.map(Value::Real);
        let integer = |value: Option<i32>| value.map(Value::Integer);
        let mesh = self.mesh.map(|mesh| mesh.map(Value::Real).into_iter().collect());
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
        Value::Map(present.collect())
    }
}

fn cost(map: &Map, field: &'static str) -> Result<Option<f64>, Problem> {
    match fields::real(map, field)? {
        Some(cost) if !cost.is_finite() => Err(Problem::NotFinite(field)),
        Some(cost) if cost < 0.0 => Err(Problem::Negative(field)),
        cost => Ok(cost),
    }
}

/// An integer, which some files have as a real.
#[allow(clippy::cast_possible_truncation)] // a whole number within i32
fn count(map: &Map, field: &'static str) -> Result<Option<i32>, Problem> {
    let whole = |count: &f64| count.fract() == 0.0 && count.abs() <= f64::from(i32::MAX);
    match fields::real(map, field)? {
        None => Ok(None),
        Some(count) if whole(&count) => Ok(Some(count as i32)),
        Some(_) => Err(Problem::WrongType { field, expected: "a whole number" }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn a_cost_is_a_number_of_at_least_0_and_a_count_is_whole() {
        let read = |key: &'static str, value: f64| {
            PhysicsCostData::from_value(&Value::Map([(key, value)].into_iter().collect()))
        };
        assert!(read("hull", f64::NAN).is_err());
        assert!(read("decomposition", -1.0).is_err());
        assert_eq!(read("mesh_triangles", 3.0).unwrap().mesh_triangles, Some(3));
        assert!(read("mesh_triangles", 3.5).is_err());
    }
}
