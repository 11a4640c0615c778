//! Whether an asset keeps the skin of its mesh.

/// Whether an asset keeps the skin of its mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SkinChoice {
    /// The asset keeps the skin. Every joint that a vertex hangs on must be one of the avatar's skeleton.
    #[default]
    Keep,
    /// The asset has the mesh in its rest pose, and no skin. Joints may have any names.
    Rest,
}
