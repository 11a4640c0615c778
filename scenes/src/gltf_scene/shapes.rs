//! Bounding spheres of a node's mesh, instances or skinned mesh. Errors are the predicate of a sentence about the
//! node.

use std::cell::RefCell;
use std::collections::HashMap;

use glam::{DAffine3, DMat4, DQuat, DVec3};
use lodger_gltf::accessor_specs::{JOINTS, MATRICES, POSITION, WEIGHTS};
use lodger_gltf::raw::{Arity, Document, InstanceAttributes, RawNode, RawPrimitive, RawSkin};
use lodger_gltf::{
    AccessorReader, AccessorSpec, Component, Elements, GltfFileError, Index, PlacedNode,
};

use super::mesh::{MeshBox, MeshCache, MeshSphere};

/// The spheres of nodes, computed once for each mesh and skin.
pub(super) struct SphereCache<'a> {
    pub(super) meshes: &'a MeshCache<'a>,
    pub(super) skins: Skins<'a>,
}

pub(super) struct NodeSpheres {
    pub(super) spheres: Spheres,
    pub(super) unskinned: Option<String>,
}

pub(super) enum Spheres {
    One(MeshSphere),
    Instances(Vec<MeshSphere>),
}

impl SphereCache<'_> {
    /// The spheres of a node's mesh at rest, without morph targets. A skin is ignored if the node has instances.
    pub(super) fn of(
        &self,
        placed: &PlacedNode,
        node: &RawNode<'_>,
        mesh: Index,
    ) -> Result<NodeSpheres, String> {
        if let Some(attributes) = node.instancing() {
            let bounds = self.meshes.bounds(mesh)?;
            let count = instance_count(self.meshes.data, attributes)?;
            let places = transforms(self.meshes.data, attributes)?;
            let file_quota = self.meshes.data.file_quota;
            let charged = file_quota
                .charge_temporary::<MeshSphere>(usize::try_from(count).unwrap_or(usize::MAX));
            charged.map_err(|exceeded| exceeded.to_string())?;
            let spheres = places.map(|place| under(bounds, &(placed.world * place))).collect();
            let unskinned =
                node.skin.map(|_| "it is drawn many times, each in a place of its own".to_owned());
            return Ok(NodeSpheres { spheres: Spheres::Instances(spheres), unskinned });
        }
        let (skinned, unskinned) = match node.skin.map(|skin| self.skins.sphere(mesh, skin)) {
            Some(Ok(sphere)) => (Some(sphere), None),
            Some(Err(error)) => (None, Some(error)),
            None => (None, None),
        };
        let sphere = match skinned {
            Some(sphere) => sphere,
            None => under(self.meshes.bounds(mesh)?, &placed.world),
        };
        Ok(NodeSpheres { spheres: Spheres::One(sphere), unskinned })
    }
}

/// The sphere of a box; a point for a mesh that draws nothing.
fn under(bounds: Option<MeshBox>, world: &DAffine3) -> MeshSphere {
    match bounds {
        Some(bounds) => bounds.sphere_under(world),
        None => MeshSphere { centre: world.translation, radius: 0.0 },
    }
}

const VECTOR: AccessorSpec = AccessorSpec {
    arity: Arity::Three,
    components: &[Component::F32],
    requirement: "that translations and scales have",
    may_be_zeros: false,
};
const ROTATION: AccessorSpec = AccessorSpec {
    arity: Arity::Four,
    components: &[Component::F32, Component::I8, Component::I16],
    requirement: "that rotations have",
    may_be_zeros: false,
};

/// The number of instances; all accessors must agree.
pub(super) fn instance_count(
    data: &AccessorReader<'_>,
    attributes: &InstanceAttributes,
) -> Result<u64, String> {
    let counts = named(attributes)
        .map(|(attribute, index)| data.count(index).map_err(|error| unreadable(attribute, &error)));
    let mut all = None;
    for count in counts {
        let other = count?;
        let first = *all.get_or_insert(other);
        if first != other {
            let instances = format!("of {first} and of {other} instances");
            return Err(format!("the attributes of EXT_mesh_gpu_instancing are {instances}"));
        }
    }
    all.ok_or_else(|| {
        "EXT_mesh_gpu_instancing has none of TRANSLATION, ROTATION and SCALE".to_owned()
    })
}

fn named(attributes: &InstanceAttributes) -> impl Iterator<Item = (&'static str, Index)> {
    let all = [
        ("TRANSLATION", attributes.translation),
        ("ROTATION", attributes.rotation),
        ("SCALE", attributes.scale),
    ];
    all.into_iter().filter_map(|(name, index)| Some((name, index?)))
}

/// The transforms of instances to the node's space. Rotations are normalised.
fn transforms<'d>(
    data: &'d AccessorReader<'_>,
    attributes: &InstanceAttributes,
) -> Result<impl Iterator<Item = DAffine3> + use<'d>, String> {
    let instances = instance_count(data, attributes)?;
    let mut places = read::<3>(data, "TRANSLATION", attributes.translation, VECTOR)?;
    let mut turns = read::<4>(data, "ROTATION", attributes.rotation, ROTATION)?;
    let mut scales = read::<3>(data, "SCALE", attributes.scale, VECTOR)?;
    Ok((0..instances).map(move |_| {
        let place = places.as_mut().and_then(Iterator::next).map_or(DVec3::ZERO, DVec3::from_array);
        let turn = turns.as_mut().and_then(Iterator::next).map_or(DQuat::IDENTITY, rotation);
        let scale = scales.as_mut().and_then(Iterator::next).map_or(DVec3::ONE, DVec3::from_array);
        DAffine3::from_scale_rotation_translation(scale, turn, place)
    }))
}

fn read<'d, const N: usize>(
    data: &'d AccessorReader<'_>,
    attribute: &'static str,
    index: Option<Index>,
    wanted: AccessorSpec,
) -> Result<Option<Elements<'d, N>>, String> {
    let elements = index.map(|index| data.elements(index, wanted)).transpose();
    elements.map_err(|error| unreadable(attribute, &error))
}

fn unreadable(attribute: &str, error: &GltfFileError) -> String {
    format!("the {attribute} of its instances cannot be read: {error}")
}

fn rotation(turn: [f64; 4]) -> DQuat {
    let turn = DQuat::from_array(turn);
    let length = turn.length();
    if length > 0.0 && length.is_finite() { turn / length } else { DQuat::IDENTITY }
}

/// Bytes of a skinned sphere, in a table that doubles.
const SKINNED_SPHERE: u64 = 1_024;

/// The skinned meshes of a file, each computed once. Joints place the vertices; the node's own transform is ignored.
pub(super) struct Skins<'a> {
    document: &'a Document<'a>,
    meshes: &'a MeshCache<'a>,
    nodes: &'a [PlacedNode],
    spheres: RefCell<HashMap<(Index, Index), Result<MeshSphere, String>>>,
}

impl<'a> Skins<'a> {
    /// `nodes` are the scene's, by rising index.
    pub(super) fn new(
        document: &'a Document<'a>,
        meshes: &'a MeshCache<'a>,
        nodes: &'a [PlacedNode],
    ) -> Self {
        Self { document, meshes, nodes, spheres: RefCell::default() }
    }

    pub(super) fn sphere(&self, mesh: Index, skin: Index) -> Result<MeshSphere, String> {
        let mut spheres = self.spheres.borrow_mut();
        let find = || {
            let charged = self.meshes.data.file_quota.charge(SKINNED_SPHERE);
            charged.map_err(|exceeded| no_data("joints")(exceeded.into()))?;
            self.find(mesh, skin)
        };
        spheres.entry((mesh, skin)).or_insert_with(find).clone()
    }

    fn find(&self, mesh: Index, skin: Index) -> Result<MeshSphere, String> {
        let missing = || format!("there is no skin {}", skin.get());
        let joints = self.joints(self.document.skins.get(skin.get()).ok_or_else(missing)?)?;
        let mut bounds: Option<MeshBox> = None;
        for (number, part, positions) in self.meshes.drawn(mesh) {
            let found = skinned_box(self.meshes.data, (number, part, positions), &joints)?;
            bounds = bounds.into_iter().chain(found).reduce(MeshBox::union);
        }
        let sphere = bounds.map(MeshBox::sphere).filter(MeshSphere::is_finite);
        sphere.ok_or_else(|| "its joints put it nowhere".to_owned())
    }

    /// The transform from the mesh to the world of each joint of a skin.
    fn joints(&self, skin: &RawSkin) -> Result<Vec<DAffine3>, String> {
        let inverse = skin.inverse_bind_matrices.map(|index| {
            let matrices = self.meshes.data.elements::<16>(index, MATRICES);
            matrices.map_err(no_data("inverseBindMatrices"))
        });
        let mut inverse = inverse.transpose()?;
        let too_many = no_data("joints");
        self.meshes.data.charge(skin.joints.len() as u64).map_err(&too_many)?;
        let scratch = self.meshes.data.file_quota.charge_temporary::<DAffine3>(skin.joints.len());
        scratch.map_err(|exceeded| too_many(exceeded.into()))?;
        let mut joints = Vec::with_capacity(skin.joints.len());
        for joint in &skin.joints {
            let at = self.nodes.binary_search_by_key(&joint.0, |node| node.index.0);
            let node = at.map_err(|_| {
                format!("node {}, which is a joint, is not in the scene", joint.get())
            })?;
            let bound = match &mut inverse {
                Some(matrices) => matrices.next().ok_or_else(|| {
                    "there are fewer inverse bind matrices than joints".to_owned()
                })?,
                None => DMat4::IDENTITY.to_cols_array(),
            };
            let bound = DAffine3::from_mat4(DMat4::from_cols_array(&bound));
            joints.push(self.nodes[node].world * bound);
        }
        Ok(joints)
    }
}

struct SkinBinding<'d> {
    joints: Elements<'d, 4>,
    weights: Elements<'d, 4>,
}

/// The box around the skinned vertices of a primitive, each at Σ wᵢ·Jᵢ·v. Vertices without weights are skipped.
fn skinned_box(
    data: &AccessorReader<'_>,
    (primitive, part, positions): (usize, &RawPrimitive, Index),
    joints: &[DAffine3],
) -> Result<Option<MeshBox>, String> {
    let vertices = data.elements::<3>(positions, POSITION).map_err(no_data("POSITION"))?;
    let mut bindings = bindings(data, primitive, part)?;
    let is_short = |binding: &SkinBinding<'_>| {
        binding.joints.len() != vertices.len() || binding.weights.len() != vertices.len()
    };
    if bindings.iter().any(is_short) {
        return Err(format!("the attributes of primitive {primitive} are not equally many"));
    }
    let mut bounds: Option<MeshBox> = None;
    for vertex in vertices.map(DVec3::from_array) {
        let (mut sum, mut is_bound) = (DVec3::ZERO, false);
        for binding in &mut bindings {
            let ids = binding.joints.next().unwrap_or_default();
            let weights = binding.weights.next().unwrap_or_default();
            for (id, weight) in ids.into_iter().zip(weights).filter(|(_, weight)| *weight != 0.0) {
                sum += weight * joint(joints, id)?.transform_point3(vertex);
                is_bound = true;
            }
        }
        let point = is_bound.then_some(MeshBox { min: sum, max: sum });
        bounds = bounds.into_iter().chain(point).reduce(MeshBox::union);
    }
    Ok(bounds)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the number was an integer of at most 16 bits"
)]
fn joint(joints: &[DAffine3], id: f64) -> Result<&DAffine3, String> {
    let missing = || format!("a vertex has joint {id}, but the skin has {}", joints.len());
    joints.get(id as usize).ok_or_else(missing)
}

fn bindings<'d>(
    data: &'d AccessorReader<'_>,
    primitive: usize,
    part: &RawPrimitive,
) -> Result<Vec<SkinBinding<'d>>, String> {
    let unbound = |attribute| format!("primitive {primitive} has no {attribute}");
    let binding = part.attributes.binding.as_ref().filter(|binding| !binding.joints.is_empty());
    let all = binding.ok_or_else(|| unbound("JOINTS_0"))?;
    let bind = |(set, &joints): (&u8, &Index)| {
        let weights = all.weights.get(set);
        let weights = weights.ok_or_else(|| unbound("WEIGHTS_n for its JOINTS_n"))?;
        Ok(SkinBinding {
            joints: data.elements(joints, JOINTS).map_err(no_data("JOINTS_n"))?,
            weights: data.elements(*weights, WEIGHTS).map_err(no_data("WEIGHTS_n"))?,
        })
    };
    all.joints.iter().map(bind).collect()
}

fn no_data(what: &str) -> impl Fn(GltfFileError) -> String {
    move |error| format!("{what} cannot be read: {error}")
}
