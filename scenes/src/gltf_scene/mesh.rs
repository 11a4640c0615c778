//! What is needed of a mesh: its box and its triangles.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;

use glam::DVec3;
use lodger_allowance::Spent;
use lodger_gltf::raw::{Accessor, Document, Primitive};
use lodger_gltf::wanted::POSITION;
use lodger_gltf::{Component, Data, DataError, Index, Purse};

use super::space::Bounds;
use crate::gltf_error::{MeshError, NodeError};

/// What is found out about a mesh: its triangles and its box.
type Known =
    (OnceCell<Result<u32, Box<MeshError>>>, OnceCell<Result<Option<Bounds>, Box<MeshError>>>);
/// The box of an accessor, in a table that grows to twice its length with the old one beside it.
type Measured = [(Index, Result<Option<Bounds>, DataError>); 6];

/// The meshes of a file. What is asked of one is found out once.
pub(super) struct Meshes<'a> {
    document: &'a Document<'a>,
    pub(super) data: &'a Data<'a>,
    triangles: Vec<OnceCell<Result<u32, Box<MeshError>>>>,
    bounds: Vec<OnceCell<Result<Option<Bounds>, Box<MeshError>>>>,
    /// The boxes of accessors that were measured.
    measured: RefCell<HashMap<Index, Result<Option<Bounds>, DataError>>>,
}

impl<'a> Meshes<'a> {
    pub(super) fn new(
        document: &'a Document<'a>,
        data: &'a Data<'a>,
        purse: &Purse<'_>,
    ) -> Result<Self, Spent> {
        let meshes = document.meshes.len();
        purse.keep_all::<(Known, [MeshError; 2])>(meshes)?;
        purse.keep_all::<Measured>(document.accessors.len())?;
        Ok(Self {
            document,
            data,
            triangles: (0..meshes).map(|_| OnceCell::new()).collect(),
            bounds: (0..meshes).map(|_| OnceCell::new()).collect(),
            measured: RefCell::default(),
        })
    }

    /// The parts of a mesh that are drawn, each with its number: those with positions.
    pub(super) fn drawn(&self, mesh: Index) -> impl Iterator<Item = (usize, &'a Primitive, Index)> {
        let mesh = self.document.meshes.get(mesh.get());
        let primitives = mesh.map_or(&[][..], |mesh| &mesh.primitives).iter().enumerate();
        primitives.filter_map(|(number, part)| Some((number, part, part.attributes.position?)))
    }

    /// How many triangles a mesh draws.
    pub(super) fn triangles(&self, mesh: Index) -> Result<u32, NodeError> {
        let index = mesh.get();
        let known = self.triangles.get(index).ok_or(NodeError::NoSuchMesh(index))?;
        let counted = known.get_or_init(|| self.count(mesh).map_err(Box::new));
        counted.clone().map_err(|error| NodeError::Mesh { index, error: *error })
    }

    /// The box of a mesh in its own space; none if nothing of it is drawn.
    pub(super) fn bounds(&self, mesh: Index) -> Result<Option<Bounds>, NodeError> {
        let index = mesh.get();
        let known = self.bounds.get(index).ok_or(NodeError::NoSuchMesh(index))?;
        let found = known.get_or_init(|| self.find_bounds(mesh).map_err(Box::new));
        found.clone().map_err(|error| NodeError::Mesh { index, error: *error })
    }

    fn count(&self, mesh: Index) -> Result<u32, MeshError> {
        let mut triangles = 0_u64;
        for (primitive, part, positions) in self.drawn(mesh) {
            triangles = triangles.saturating_add(self.triangles_of(primitive, part, positions)?);
        }
        u32::try_from(triangles).map_err(|_| MeshError::TooManyTriangles(triangles))
    }

    fn triangles_of(
        &self,
        primitive: usize,
        part: &Primitive,
        positions: Index,
    ) -> Result<u64, MeshError> {
        let points = self.positions(primitive, positions)?;
        let (index, counted) = match part.indices {
            Some(index) => {
                let missing = MeshError::NoIndices { primitive, accessor: index.get() };
                (index, self.document.accessors.get(index.get()).ok_or(missing)?)
            }
            None => (positions, points),
        };
        let unknown = MeshError::NoCount { primitive, accessor: index.get() };
        let corners = counted.count.ok_or(unknown)?.0;
        match part.mode.map_or(4, |mode| mode.0) {
            0..=3 => Ok(0),
            4 => Ok(corners / 3),
            5 | 6 => Ok(corners.saturating_sub(2)),
            _ => Err(MeshError::NoMode { primitive }),
        }
    }

    fn find_bounds(&self, mesh: Index) -> Result<Option<Bounds>, MeshError> {
        let mut bounds: Option<Bounds> = None;
        for (primitive, part, index) in self.drawn(mesh) {
            let positions = self.positions(primitive, index)?;
            let found = match declared(positions) {
                Ok(bounds) => Some(bounds),
                Err(bound) => self.measure(primitive, part, index, bound)?,
            };
            bounds = bounds.into_iter().chain(found).reduce(Bounds::union);
        }
        Ok(bounds)
    }

    fn positions(&self, primitive: usize, index: Index) -> Result<&'a Accessor, MeshError> {
        let missing = MeshError::NoPositions { primitive, accessor: index.get() };
        self.document.accessors.get(index.get()).ok_or(missing)
    }

    /// The box of positions whose `bound` is not said.
    fn measure(
        &self,
        primitive: usize,
        part: &Primitive,
        index: Index,
        bound: &'static str,
    ) -> Result<Option<Bounds>, MeshError> {
        if !self.data.has_data(index) {
            let extensions = part.extensions.as_ref();
            return Err(if extensions.is_some_and(|all| all.draco.is_some()) {
                let error = DataError::Compressed { extension: "KHR_draco_mesh_compression" };
                MeshError::NotMeasured { primitive, bound, error }
            } else {
                MeshError::NoBounds { primitive, bound }
            });
        }
        let mut measured = self.measured.borrow_mut();
        let found = measured.entry(index).or_insert_with(|| {
            let points = self.data.elements::<3>(index, POSITION)?;
            Ok(Bounds::around(points.map(DVec3::from_array)))
        });
        found.clone().map_err(|error| MeshError::NotMeasured { primitive, bound, error })
    }
}

/// The box that an accessor of positions says to have, or the bound that it lacks.
fn declared(positions: &Accessor) -> Result<Bounds, &'static str> {
    let component = positions.component_type.and_then(|code| Component::from_code(code.0));
    let full_scale = match component {
        Some(component) if positions.normalized => component.full_scale(),
        _ => 1.0,
    };
    // The lowest of normalised integers stands for -1, as the one above it does.
    let least = if full_scale > 1.0 { DVec3::NEG_ONE } else { DVec3::NEG_INFINITY };
    let scaled = |at| (DVec3::from_array(at) / full_scale).max(least);
    let corner = |corner: Option<[f64; 3]>| corner.map(scaled);
    Ok(Bounds {
        min: corner(positions.min.0).ok_or("min")?,
        max: corner(positions.max.0).ok_or("max")?,
    })
}
