//! What core's cost functions want of an asset: sizes from its header, shapes from its physics.
//!
//! The sizes for the streaming cost are [`Header::lod_bytes`](crate::Header::lod_bytes).

use std::collections::HashSet;

use lodger_core::Real;
use lodger_core::cost::ObjectScale;
use lodger_core::cost::physics::{Body, CostData, Hull, Hulls, Shapes};

use crate::asset::{Asset, Inflated};
use crate::block::Block;
use crate::convex::Convex;
use crate::cost_data::PhysicsCostData;
use crate::error::{Error, Problem};
use crate::geometry::{Faces, NAMEABLE};
use crate::physics_mesh::PhysicsMesh;

/// What the physics cost of an asset depends on, but for the scale of the object: decoded once, and
/// nothing of it borrows from the file.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PhysicsInputs {
    /// The hull around everything.
    pub hull: Hull,
    /// Where the file has no hull although it must: the block that an uploader would make it from.
    /// `hull` is then the most that could come out, so its cost is an upper bound.
    pub hull_made_from: Option<Block>,
    /// The decomposition, if there is one.
    pub decomposition: Option<Hulls>,
    /// The physics mesh; one without a triangle is none.
    pub mesh: Option<PhysicsMesh>,
    /// What a simulator computed; its costs come before any formula.
    pub cost_data: Option<PhysicsCostData>,
}

impl Asset<'_> {
    /// What the physics cost depends on.
    ///
    /// # Errors
    /// What inflating or decoding the physics blocks gives; [`Problem::Refused`] for more hulls or
    /// vertices than core lets in; [`Problem::Missing`] without a hull and a mesh to make it from.
    pub fn physics(&self) -> Result<PhysicsInputs, Error> {
        self.physics_seeing(|_, _| ())
    }

    /// [`physics`](Self::physics); `seen` is shown the levels of detail that it inflates, so that nobody
    /// has to inflate them again: those that a missing hull would be made from.
    ///
    /// # Errors
    /// Those of [`physics`](Self::physics).
    pub fn physics_seeing(
        &self,
        seen: impl FnMut(Block, &Inflated),
    ) -> Result<PhysicsInputs, Error> {
        let (bounding, decomposition) = self.hulls()?;
        let hull = bounding.map(Hull::new).transpose().map_err(Problem::Refused)?;
        let (mesh, points) = self.physics_mesh(hull.is_none())?;
        let (hull, hull_made_from) = match (hull, points) {
            (Some(hull), _) => (hull, None),
            (None, Some(points)) => (made_of(points)?, Some(Block::PhysicsMesh)),
            (None, None) => self.hull_to_be_made(seen)?,
        };
        let cost_data = self.physics_cost_data()?;
        Ok(PhysicsInputs { hull, hull_made_from, decomposition, mesh, cost_data })
    }

    /// The vertices of the hull around everything, unless there are none, and the decomposition.
    fn hulls(&self) -> Result<(Option<u16>, Option<Hulls>), Error> {
        let Some(block) = self.inflate(Block::PhysicsConvex)? else { return Ok((None, None)) };
        let convex = block.convex()?;
        Ok((bounding(&convex), decomposition(&convex)?))
    }

    /// The physics mesh, and, if they are asked for, its points. Neither if it has no triangle.
    fn physics_mesh(&self, points: bool) -> Result<(Option<PhysicsMesh>, Option<u16>), Error> {
        let Some(block) = self.inflate(Block::PhysicsMesh)? else { return Ok((None, None)) };
        let lod = block.lod()?;
        let points = (points && lod.triangle_count() > 0).then(|| distinct_points(&lod));
        Ok((PhysicsMesh::new(&lod), points))
    }

    /// The hull of a file that has neither one nor a physics mesh: around the points of the first level
    /// of detail that has any, all of them corners, up to as many as a hull may have.
    fn hull_to_be_made(
        &self,
        mut seen: impl FnMut(Block, &Inflated),
    ) -> Result<(Hull, Option<Block>), Error> {
        for block in Block::HULL_SOURCES.into_iter().filter(|block| Block::LODS.contains(block)) {
            let Some(inflated) = self.inflate(block)? else { continue };
            seen(block, &inflated);
            let lod = inflated.lod()?;
            if lod.triangle_count() > 0 {
                return Ok((made_of(distinct_points(&lod))?, Some(block)));
            }
        }
        Err(Problem::Missing("a hull around the mesh").into())
    }
}

impl PhysicsInputs {
    /// What a mesh asset of that scale offers the physics engine.
    ///
    /// # Errors
    /// Those of [`shapes`](Self::shapes).
    pub fn body<N: Real>(&self, scale: ObjectScale<N>) -> Result<Body<N>, Error> {
        self.shapes(scale).map(Body::Mesh)
    }

    /// Its shapes at that scale, on any number type.
    ///
    /// # Errors
    /// [`Problem::Refused`] for a corner of the physics mesh beyond core's reach, or a cost that the
    /// number type has no room for.
    pub fn shapes<N: Real>(&self, scale: ObjectScale<N>) -> Result<Shapes<N>, Error> {
        let mesh = self.mesh.as_ref().map(|mesh| mesh.measure(scale)).transpose()?;
        Ok(Shapes { mesh, ..self.hulls()? })
    }

    /// Its shapes but for the physics mesh, which would have to be measured: all that counts unless
    /// the shape type is [`Prim`](lodger_core::cost::physics::ShapeType::Prim).
    ///
    /// # Errors
    /// [`Problem::Refused`] for a cost that the number type has no room for.
    pub fn hulls<N: Real>(&self) -> Result<Shapes<N>, Error> {
        let cost_data = self.cost_data.as_ref().map(PhysicsCostData::costs).transpose()?;
        let (hull, decomposition) = (self.hull, self.decomposition);
        Ok(Shapes { hull, decomposition, mesh: None, cost_data })
    }
}

impl PhysicsCostData {
    /// The costs that come before any formula.
    ///
    /// # Errors
    /// [`Problem::NotFinite`] and [`Problem::Refused`] for a cost that the number type has no room for.
    pub fn costs<N: Real>(&self) -> Result<CostData<N>, Problem> {
        let number = |cost: Option<f64>, field| {
            let number = |cost| N::from_f64(cost).ok_or(Problem::NotFinite(field));
            cost.map(number).transpose()
        };
        let (hull, hulls) =
            (number(self.hull, "hull")?, number(self.decomposition, "decomposition")?);
        CostData::new(hull, hulls).map_err(Problem::Refused)
    }
}

/// The vertices of the hull around everything, unless there are none.
fn bounding(convex: &Convex) -> Option<u16> {
    let vertices = convex.bounding()?.len();
    (vertices > 0).then_some(u16::try_from(vertices).unwrap_or(u16::MAX))
}

fn decomposition(convex: &Convex) -> Result<Option<Hulls>, Problem> {
    let hulls = (convex.hull_count() > 0).then(|| Hulls::new(convex.hull_sizes()));
    hulls.transpose().map_err(Problem::Refused)
}

fn made_of(points: u16) -> Result<Hull, Problem> {
    Hull::new(points).map_err(Problem::Refused)
}

/// How many different points triangles name, up to as many as a hull may have.
fn distinct_points(mesh: &Faces) -> u16 {
    let most = usize::from(Hull::MOST_VERTICES);
    let mut found = HashSet::new();
    for (_, face) in mesh.geometries() {
        let points = face.positions();
        let mut named = vec![false; points.len().min(NAMEABLE)];
        for index in face.triangles().flatten() {
            if let Some(named) = named.get_mut(usize::from(index)) {
                *named = true;
            }
        }
        for (point, _) in points.iter().zip(named).filter(|(_, named)| *named) {
            found.insert(point.map(f32::to_bits));
            if found.len() == most {
                return Hull::MOST_VERTICES;
            }
        }
    }
    u16::try_from(found.len()).unwrap_or(Hull::MOST_VERTICES)
}
