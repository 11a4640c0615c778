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
use crate::quantized::Quantized;

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
        mut seen: impl FnMut(Block, &Inflated),
    ) -> Result<PhysicsInputs, Error> {
        let mut gathered = Gathered::default();
        if let Some(block) = self.inflate(Block::PhysicsConvex)? {
            gathered.convex(&block.convex()?);
        }
        if let Some(block) = self.inflate(Block::PhysicsMesh)? {
            gathered.mesh(&block.lod()?);
        }
        for block in Block::LODS.into_iter().filter(|block| Block::HULL_SOURCES.contains(block)) {
            if !gathered.lacks_hull() {
                break;
            }
            let Some(inflated) = self.inflate(block)? else { continue };
            seen(block, &inflated);
            gathered.level(block, Ok(&inflated.lod()?));
        }
        gathered.finish(|| self.physics_cost_data())
    }
}

/// What the physics cost depends on, put together as the blocks come, each of them at most once: levels
/// of detail from the lowest to the highest, all else in any order.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    hull: Option<Hull>,
    decomposition: Option<Hulls>,
    mesh: Option<PhysicsMesh>,
    /// How many points the physics mesh names, where it has a triangle.
    of_mesh: Option<u16>,
    /// The same of the first level of detail that a missing hull would be made from.
    of_level: Option<Result<(u16, Block), Error>>,
    /// Why there will be no inputs.
    failed: Option<Error>,
}

impl Gathered {
    /// Takes the hull around everything, unless it has no vertices, and the decomposition.
    pub(crate) fn convex(&mut self, convex: &Convex<'_>) {
        match decomposition(convex).and_then(|hulls| Ok((hulls, hull(convex)?))) {
            Ok((hulls, hull)) => (self.decomposition, self.hull) = (hulls, hull),
            Err(problem) => self.fail(problem.into()),
        }
    }

    /// Takes that a block of physics cannot be read.
    pub(crate) fn fail(&mut self, error: Error) {
        self.failed.get_or_insert(error);
    }

    /// Takes the physics mesh.
    pub(crate) fn mesh(&mut self, mesh: &Faces<'_>) {
        self.mesh = PhysicsMesh::new(mesh);
        self.of_mesh = self.mesh.is_some().then(|| distinct_points(mesh));
    }

    /// Whether there is nothing so far that the hull is, or could be made from.
    pub(crate) fn lacks_hull(&self) -> bool {
        self.hull.is_none() && self.of_mesh.is_none() && self.of_level.is_none()
    }

    /// Takes a level of detail, or why it cannot be read: an uploader would make a hull that is missing
    /// from the first that has a triangle.
    pub(crate) fn level(&mut self, block: Block, level: Result<&Faces<'_>, &Error>) {
        if !Block::HULL_SOURCES.contains(&block) || !self.lacks_hull() {
            return;
        }
        self.of_level = match level {
            Ok(lod) if lod.triangle_count() == 0 => None,
            Ok(lod) => Some(Ok((distinct_points(lod), block))),
            Err(error) => Some(Err(error.clone())),
        };
    }

    /// All of it together.
    pub(crate) fn finish(
        self,
        cost_data: impl FnOnce() -> Result<Option<PhysicsCostData>, Error>,
    ) -> Result<PhysicsInputs, Error> {
        let Self { hull, decomposition, mesh, of_mesh, of_level, failed } = self;
        if let Some(error) = failed {
            return Err(error);
        }
        let of_mesh = of_mesh.map(|points| Ok((points, Block::PhysicsMesh)));
        let (hull, hull_made_from) = match (hull, of_mesh.or(of_level)) {
            (Some(hull), _) => (hull, None),
            (None, Some(made)) => {
                let (points, block) = made?;
                (hull_of(points)?, Some(block))
            }
            (None, None) => return Err(Problem::Missing("a hull around the mesh").into()),
        };
        Ok(PhysicsInputs { hull, hull_made_from, decomposition, mesh, cost_data: cost_data()? })
    }
}

impl PhysicsInputs {
    /// Inputs that were read before and kept apart from their file. The hull counts as one of the file.
    #[must_use]
    pub const fn new(
        hull: Hull,
        decomposition: Option<Hulls>,
        mesh: Option<PhysicsMesh>,
        cost_data: Option<PhysicsCostData>,
    ) -> Self {
        Self { hull, hull_made_from: None, decomposition, mesh, cost_data }
    }

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

/// The hull around everything, unless it has no vertices.
fn hull(convex: &Convex) -> Result<Option<Hull>, Problem> {
    let vertices = convex.bounding().map_or(0, Quantized::len);
    let hull = (vertices > 0).then(|| hull_of(u16::try_from(vertices).unwrap_or(u16::MAX)));
    hull.transpose()
}

fn decomposition(convex: &Convex) -> Result<Option<Hulls>, Problem> {
    let hulls = (convex.hull_count() > 0).then(|| Hulls::new(convex.hull_sizes()));
    hulls.transpose().map_err(Problem::Refused)
}

fn hull_of(points: u16) -> Result<Hull, Problem> {
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
