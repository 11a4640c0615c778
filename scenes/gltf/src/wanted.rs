//! What the accessors of attributes may be.

use crate::component::Component;
use crate::elements::Wanted;
use crate::raw::Arity;

/// What positions may be, those of `KHR_mesh_quantization` too.
pub const POSITION: Wanted = Wanted {
    arity: Arity::Three,
    components: &[Component::F32, Component::I8, Component::U8, Component::I16, Component::U16],
    said: "that positions have",
    may_be_zeros: true,
};
/// What normals may be, those of `KHR_mesh_quantization` too.
pub const NORMAL: Wanted = Wanted {
    arity: Arity::Three,
    components: &[Component::F32, Component::I8, Component::I16],
    said: "that normals have",
    may_be_zeros: true,
};
/// What texture coordinates may be, those of `KHR_mesh_quantization` too.
pub const TEX_COORD: Wanted = Wanted {
    arity: Arity::Two,
    components: &[Component::F32, Component::I8, Component::U8, Component::I16, Component::U16],
    said: "that texture coordinates have",
    may_be_zeros: true,
};
/// What the indices of a primitive may be.
pub const INDICES: Wanted = Wanted {
    arity: Arity::One,
    components: &[Component::U8, Component::U16, Component::U32],
    said: "that indices have",
    may_be_zeros: true,
};
/// What the joints of vertices may be.
pub const JOINTS: Wanted = Wanted {
    arity: Arity::Four,
    components: &[Component::U8, Component::U16],
    said: "that joints have",
    may_be_zeros: true,
};
/// What the weights of joints may be.
pub const WEIGHTS: Wanted = Wanted {
    arity: Arity::Four,
    components: &[Component::F32, Component::U8, Component::U16],
    said: "that weights have",
    may_be_zeros: true,
};
/// What inverse bind matrices may be.
pub const MATRICES: Wanted = Wanted {
    arity: Arity::Sixteen,
    components: &[Component::F32],
    said: "that matrices have",
    may_be_zeros: true,
};
