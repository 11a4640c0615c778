//! Files with which nothing is wrong, to lie beside bad ones.

use std::sync::LazyLock;

use super::make::{mesh, object, tar};

/// The names and bytes of a mesh asset and of an archive.
pub(super) fn files() -> &'static [(&'static str, Vec<u8>); 2] {
    static FILES: LazyLock<[(&str, Vec<u8>); 2]> =
        LazyLock::new(|| [("good.llmesh", mesh::good()), ("good.oar", archive())]);
    &FILES
}

fn archive() -> Vec<u8> {
    let objects = [object::cube("good cube"), object::showing("good mesh", &object::id(1))];
    tar::region(&[(object::id(1), mesh::good())], &objects)
}
