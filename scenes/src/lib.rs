//! What people write, with places for errors: scene TOML, linkset TOML, glTF.
#![forbid(unsafe_code)]
