//! Valid files to start from, made in code.

mod archives;
mod assets;
mod others;
mod scenes;

/// The name and the seeds of every target.
#[must_use]
pub fn all() -> Vec<(&'static str, Vec<Vec<u8>>)> {
    vec![
        ("llsd", assets::llsd()),
        ("asset", assets::assets()),
        ("pricing", assets::asked()),
        ("archive", archives::archives()),
        ("entries", archives::entries()),
        ("objects", archives::objects()),
        ("stream", others::files()),
        ("choice", archives::choices()),
        ("scene", scenes::toml()),
        ("gltf", scenes::gltf()),
        ("linkset", scenes::linksets()),
        ("terminal", others::texts()),
        ("conform", others::requests()),
        ("telemetry", others::frames()),
    ]
}
