//! Which nodes are in the scene, and where.

use glam::{DMat4, DQuat, DVec3};
use gltf::json::{Root, scene::Node};

use crate::gltf_error::GltfError;

/// A node of the scene with its world transform.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlacedNode {
    /// The node's index in the file.
    pub(super) index: usize,
    /// From the node's space to the world.
    pub(super) world: DMat4,
}

/// The nodes of the default scene, else of the first, by rising index.
pub(super) fn place(root: &Root) -> Result<Vec<PlacedNode>, GltfError> {
    let scene = match root.scene {
        Some(index) => Some(root.get(index).ok_or(GltfError::NoSuchScene(index.value()))?),
        None => root.scenes.first(),
    };
    let mut ahead: Vec<_> = scene
        .into_iter()
        .flat_map(|scene| &scene.nodes)
        .map(|index| (index.value(), DMat4::IDENTITY))
        .collect();
    let mut reached = vec![false; root.nodes.len()];
    let mut placed = Vec::new();
    while let Some((index, parent)) = ahead.pop() {
        let (Some(node), Some(reached)) = (root.nodes.get(index), reached.get_mut(index)) else {
            return Err(GltfError::NoSuchNode(index));
        };
        if std::mem::replace(reached, true) {
            return Err(GltfError::NoTree(index));
        }
        let world = parent * transform(node);
        let children = node.children.iter().flatten();
        ahead.extend(children.map(|child| (child.value(), world)));
        placed.push(PlacedNode { index, world });
    }
    placed.sort_unstable_by_key(|node| node.index);
    Ok(placed)
}

/// Where the camera of the lowest node index is.
pub(super) fn first_camera(root: &Root, nodes: &[PlacedNode]) -> Option<[f64; 3]> {
    let camera =
        nodes.iter().find(|node| root.nodes.get(node.index).is_some_and(|n| n.camera.is_some()))?;
    let eye = camera.world.w_axis.truncate();
    eye.is_finite().then(|| eye.to_array())
}

fn transform(node: &Node) -> DMat4 {
    if let Some(matrix) = node.matrix {
        return DMat4::from_cols_array(&matrix.map(f64::from));
    }
    let vector = |v: [f32; 3]| DVec3::from_array(v.map(f64::from));
    let rotation = node.rotation.unwrap_or_default().0;
    DMat4::from_scale_rotation_translation(
        node.scale.map_or(DVec3::ONE, vector),
        DQuat::from_array(rotation.map(f64::from)),
        node.translation.map_or(DVec3::ZERO, vector),
    )
}
