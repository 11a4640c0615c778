//! Places the nodes of a scene in the world.

use glam::{DAffine3, DMat4, DQuat, DVec3};

use crate::buffers::FileQuota;
use crate::error::GltfFileError;
use crate::lenient::Index;
use crate::raw::{Document, RawNode};

/// A node of a scene with its world transform.
#[derive(Clone, Copy, Debug)]
pub struct PlacedNode {
    /// The index of the node in the file.
    pub index: Index,
    /// The transform from the node to the world.
    pub world: DAffine3,
    /// Whether the node or an ancestor is hidden.
    pub is_hidden: bool,
    /// The outermost node with levels and without a mesh among this node and its ancestors: one actor with all its
    /// descendants.
    pub group: Option<Index>,
}

/// A node with the index of its placed parent.
type PendingNode = (Index, u32);

/// The parent of a root.
const NO_PARENT: u32 = u32::MAX;

/// Places the nodes of a scene by rising index: of `scene`, else of the file's default scene, else of its first.
///
/// # Errors
/// [`QuotaExceeded`](lodger_quota::QuotaExceeded), and errors for a scene or a node that does not exist, and for
/// nodes that do not form a tree.
pub fn place_nodes(
    document: &Document<'_>,
    scene: Option<usize>,
    file_quota: &FileQuota<'_>,
) -> Result<Vec<PlacedNode>, GltfFileError> {
    let roots = roots(document, scene)?;
    let all = document.nodes.len();
    let children: usize = document.nodes.iter().map(|node| node.children.len()).sum();
    file_quota.charge_array::<PendingNode>(roots.len().saturating_add(children))?;
    file_quota.charge_array::<(bool, PlacedNode)>(all)?;
    let mut ahead: Vec<PendingNode> = Vec::with_capacity(roots.len().saturating_add(children));
    ahead.extend(roots.iter().map(|&root| (root, NO_PARENT)));
    let mut reached = vec![false; all];
    let mut placed: Vec<PlacedNode> = Vec::with_capacity(all);
    while let Some((index, parent)) = ahead.pop() {
        let at = index.get();
        let (Some(node), Some(reached)) = (document.nodes.get(at), reached.get_mut(at)) else {
            let message = format!("the scene refers to node {at}, but there is no such node");
            return Err(GltfFileError::new(message));
        };
        if std::mem::replace(reached, true) {
            let message =
                format!("node {at} is reached twice: the nodes of a scene must form a tree");
            return Err(GltfFileError::new(message));
        }
        let own = u32::try_from(placed.len()).unwrap_or(NO_PARENT);
        ahead.extend(node.children.iter().map(|&child| (child, own)));
        placed.push(below(placed.get(parent as usize), index, node));
    }
    placed.sort_unstable_by_key(|node| node.index.0);
    Ok(placed)
}

fn roots<'d>(
    document: &'d Document<'_>,
    scene: Option<usize>,
) -> Result<&'d [Index], GltfFileError> {
    let scenes = &document.scenes;
    let scene = match (scene, document.scene) {
        (Some(index), _) => {
            Some(scenes.get(index).ok_or_else(|| no_such_scene(index, scenes.len()))?)
        }
        (None, Some(index)) => Some(scenes.get(index.get()).ok_or_else(|| {
            let message =
                format!("the default scene is {}, but there is no such scene", index.get());
            GltfFileError::new(message)
        })?),
        (None, None) => scenes.first(),
    };
    Ok(scene.map_or(&[], |scene| &scene.nodes))
}

fn no_such_scene(index: usize, scenes: usize) -> GltfFileError {
    GltfFileError::new(match scenes {
        0 => format!("there is no scene {index}: the file has none"),
        1 => format!("there is no scene {index}: the file has 1, which is scene 0"),
        _ => format!("there is no scene {index}: the file has {scenes}, 0 to {}", scenes - 1),
    })
}

/// Places a node below its parent, or a root.
fn below(parent: Option<&PlacedNode>, index: Index, node: &RawNode<'_>) -> PlacedNode {
    let own = transform(node);
    let is_hidden = parent.is_some_and(|parent| parent.is_hidden) || node.is_hidden();
    let starts_group = node.mesh.is_none() && has_levels(node);
    PlacedNode {
        index,
        world: parent.map_or(own, |parent| parent.world * own),
        is_hidden,
        group: parent.and_then(|parent| parent.group).or(starts_group.then_some(index)),
    }
}

/// Whether a node has a list of levels, valid or not.
fn has_levels(node: &RawNode<'_>) -> bool {
    let ids = node.lod().map(|lod| lod.ids.0.as_deref());
    ids.is_some_and(|ids| ids.is_none_or(|ids| !ids.is_empty()))
}

/// Returns the camera of the camera's node with the lowest index, hidden or not, and the transform from the node to the
/// world, whose translation is finite.
#[must_use]
pub fn first_camera(document: &Document<'_>, nodes: &[PlacedNode]) -> Option<(Index, DAffine3)> {
    let camera = |node: &PlacedNode| document.nodes.get(node.index.get())?.camera;
    let (camera, world) = nodes.iter().find_map(|node| Some((camera(node)?, node.world)))?;
    world.translation.is_finite().then_some((camera, world))
}

fn transform(node: &RawNode<'_>) -> DAffine3 {
    if let Some(matrix) = &node.matrix {
        return DAffine3::from_mat4(DMat4::from_cols_array(&matrix.0.map(f64::from)));
    }
    let vector = |v: [f32; 3]| DVec3::from_array(v.map(f64::from));
    let rotation = node.rotation.map_or(DQuat::IDENTITY, |q| DQuat::from_array(q.0.map(f64::from)));
    DAffine3::from_scale_rotation_translation(
        node.scale.map_or(DVec3::ONE, |scale| vector(scale.0)),
        rotation,
        node.translation.map_or(DVec3::ZERO, |place| vector(place.0)),
    )
}
