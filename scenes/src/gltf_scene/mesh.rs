//! Boxes and triangles of meshes, and bounding spheres.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;

use glam::{DAffine3, DVec3};
use lodger_gltf::accessor_specs::POSITION;
use lodger_gltf::raw::{Accessor, Document, RawPrimitive};
use lodger_gltf::{AccessorReader, Component, FileQuota, GltfFileError, Index};
use lodger_quota::QuotaExceeded;

type MeshInfo = (OnceCell<Result<u32, String>>, OnceCell<Result<Option<MeshBox>, String>>);

/// The meshes of a file, each computed once. Errors are the predicate of a sentence about a node with the mesh.
pub(super) struct MeshCache<'a> {
    document: &'a Document<'a>,
    pub(super) data: &'a AccessorReader<'a>,
    known: Vec<MeshInfo>,
    measured: RefCell<HashMap<Index, Result<Option<MeshBox>, GltfFileError>>>,
}

impl<'a> MeshCache<'a> {
    pub(super) fn new(
        document: &'a Document<'a>,
        data: &'a AccessorReader<'a>,
        file_quota: &FileQuota<'_>,
    ) -> Result<Self, QuotaExceeded> {
        let meshes = document.meshes.len();
        file_quota.charge_array::<MeshInfo>(meshes)?;
        Ok(Self {
            document,
            data,
            known: (0..meshes).map(|_| MeshInfo::default()).collect(),
            measured: RefCell::default(),
        })
    }

    /// The primitives of a mesh with positions, each with its number.
    pub(super) fn drawn(
        &self,
        mesh: Index,
    ) -> impl Iterator<Item = (usize, &'a RawPrimitive, Index)> {
        let mesh = self.document.meshes.get(mesh.get());
        let primitives = mesh.map_or(&[][..], |mesh| &mesh.primitives).iter().enumerate();
        primitives.filter_map(|(number, part)| Some((number, part, part.attributes.position?)))
    }

    pub(super) fn triangles(&self, mesh: Index) -> Result<u32, String> {
        let (triangles, _) = self.known(mesh)?;
        triangles.get_or_init(|| self.count(mesh).map_err(|error| in_mesh(mesh, &error))).clone()
    }

    /// The box in the mesh's space; `None` if the mesh draws nothing.
    pub(super) fn bounds(&self, mesh: Index) -> Result<Option<MeshBox>, String> {
        let (_, bounds) = self.known(mesh)?;
        let find = || self.find_bounds(mesh).map_err(|error| in_mesh(mesh, &error));
        bounds.get_or_init(find).clone()
    }

    fn known(&self, mesh: Index) -> Result<&MeshInfo, String> {
        let index = mesh.get();
        let missing = || format!("it has mesh {index}, but there is no such mesh");
        self.known.get(index).ok_or_else(missing)
    }

    fn count(&self, mesh: Index) -> Result<u32, String> {
        let mut triangles = 0_u64;
        for (primitive, part, positions) in self.drawn(mesh) {
            triangles = triangles.saturating_add(self.triangles_of(primitive, part, positions)?);
        }
        u32::try_from(triangles).map_err(|_| too_many_triangles(triangles))
    }

    fn triangles_of(
        &self,
        primitive: usize,
        part: &RawPrimitive,
        positions: Index,
    ) -> Result<u64, String> {
        let points = self.positions(primitive, positions)?;
        let (index, counted) = match part.indices {
            Some(index) => (index, self.accessor(primitive, ("its indices are", index))?),
            None => (positions, points),
        };
        let unknown = || format!("primitive {primitive}: accessor {} has no `count`", index.get());
        let corners = counted.count.ok_or_else(unknown)?.0;
        match part.mode.map_or(4, |mode| mode.0) {
            0..=3 => Ok(0),
            4 => Ok(corners / 3),
            5 | 6 => Ok(corners.saturating_sub(2)),
            _ => Err(format!("primitive {primitive}: its mode is none of glTF's, 0 to 6")),
        }
    }

    fn find_bounds(&self, mesh: Index) -> Result<Option<MeshBox>, String> {
        let mut bounds: Option<MeshBox> = None;
        for (primitive, part, index) in self.drawn(mesh) {
            let positions = self.positions(primitive, index)?;
            let found = match declared(positions) {
                Ok(bounds) => Some(bounds),
                Err(bound) => self.measure(primitive, part, index, bound)?,
            };
            bounds = bounds.into_iter().chain(found).reduce(MeshBox::union);
        }
        Ok(bounds)
    }

    fn positions(&self, primitive: usize, index: Index) -> Result<&'a Accessor, String> {
        self.accessor(primitive, ("POSITION is", index))
    }

    fn accessor(
        &self,
        primitive: usize,
        (what, index): (&str, Index),
    ) -> Result<&'a Accessor, String> {
        let index = index.get();
        self.document.accessors.get(index).ok_or_else(|| {
            let place = format!("primitive {primitive}: {what} accessor {index}");
            format!("{place}, but there is no such accessor")
        })
    }

    /// Measures the box of positions that lack `bound`.
    fn measure(
        &self,
        primitive: usize,
        part: &RawPrimitive,
        index: Index,
        bound: &'static str,
    ) -> Result<Option<MeshBox>, String> {
        let missing = format!(
            "primitive {primitive}: its POSITION accessor has no `{bound}` of three numbers, as glTF demands"
        );
        let not_measured =
            |error: GltfFileError| format!("{missing}, and cannot be measured: {error}");
        if !self.data.has_data(index) {
            let extensions = part.extensions.as_ref();
            return Err(if extensions.is_some_and(|all| all.draco.is_some()) {
                not_measured(GltfFileError::compressed("KHR_draco_mesh_compression"))
            } else {
                format!("{missing}, and no data to measure")
            });
        }
        let mut measured = self.measured.borrow_mut();
        let found = measured.entry(index).or_insert_with(|| {
            let points = self.data.elements::<3>(index, POSITION)?;
            Ok(MeshBox::around(points.map(DVec3::from_array)))
        });
        found.clone().map_err(not_measured)
    }
}

fn in_mesh(mesh: Index, error: &str) -> String {
    format!("mesh {}: {error}", mesh.get())
}

pub(super) fn too_many_triangles(triangles: u64) -> String {
    format!("it draws {triangles} triangles, more than lodger can count")
}

/// The declared box of an accessor of positions, or the name of the missing bound.
fn declared(positions: &Accessor) -> Result<MeshBox, &'static str> {
    let component = positions.component_type.and_then(|code| Component::from_code(code.0));
    let full_scale = match component {
        Some(component) if positions.normalized => component.full_scale(),
        _ => 1.0,
    };
    // The lowest two normalised integers both mean -1.
    let min = if full_scale > 1.0 { DVec3::NEG_ONE } else { DVec3::NEG_INFINITY };
    let scaled = |at| (DVec3::from_array(at) / full_scale).max(min);
    let corner = |corner: Option<[f64; 3]>| corner.map(scaled);
    Ok(MeshBox {
        min: corner(positions.min.0).ok_or("min")?,
        max: corner(positions.max.0).ok_or("max")?,
    })
}

#[derive(Clone, Copy, Debug)]
pub(super) struct MeshBox {
    pub(super) min: DVec3,
    pub(super) max: DVec3,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct MeshSphere {
    /// Metres.
    pub(super) centre: DVec3,
    /// Metres.
    pub(super) radius: f64,
}

impl MeshBox {
    pub(super) fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    pub(super) fn around(points: impl Iterator<Item = DVec3>) -> Option<Self> {
        points.map(|point| Self { min: point, max: point }).reduce(Self::union)
    }

    /// The radius is half the diagonal times the largest column scale.
    pub(super) fn sphere_under(self, world: &DAffine3) -> MeshSphere {
        let axes = world.matrix3;
        let columns = [axes.x_axis, axes.y_axis, axes.z_axis];
        let scale = columns.map(DVec3::length).into_iter().fold(0.0, f64::max);
        MeshSphere {
            centre: world.transform_point3(self.min.midpoint(self.max)),
            radius: self.min.distance(self.max) / 2.0 * scale,
        }
    }

    pub(super) fn sphere(self) -> MeshSphere {
        MeshSphere {
            centre: self.min.midpoint(self.max),
            radius: self.min.distance(self.max) / 2.0,
        }
    }
}

impl MeshSphere {
    /// A sphere around spheres, centred in the box around them; `None` without spheres.
    pub(super) fn around(spheres: &[Self]) -> Option<Self> {
        if let [sphere] = spheres {
            return Some(*sphere);
        }
        let boxes = spheres.iter().map(|sphere| MeshBox {
            min: sphere.centre - sphere.radius,
            max: sphere.centre + sphere.radius,
        });
        let centre = boxes.reduce(MeshBox::union)?.sphere().centre;
        let reach = |sphere: &Self| sphere.centre.distance(centre) + sphere.radius;
        Some(Self { centre, radius: spheres.iter().map(reach).fold(0.0, f64::max) })
    }

    pub(super) fn is_finite(&self) -> bool {
        self.centre.is_finite() && self.radius.is_finite()
    }
}
