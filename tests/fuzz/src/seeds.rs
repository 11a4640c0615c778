//! Valid files to start from, made in code.

mod archives;
mod assets;
mod others;
mod scenes;

/// Makes the seeds of a target.
pub type Seeds = fn() -> Vec<Vec<u8>>;

/// The name of every target, and what makes its seeds.
pub const TARGETS: [(&str, Seeds); 15] = [
    ("llsd", assets::llsd),
    ("asset", assets::assets),
    ("pricing", assets::asked),
    ("archive", archives::archives),
    ("entries", archives::entries),
    ("objects", archives::objects),
    ("stream", others::files),
    ("choice", archives::choices),
    ("scene", scenes::toml),
    ("gltf", scenes::gltf),
    ("sog", scenes::sog),
    ("linkset", scenes::linksets),
    ("terminal", others::texts),
    ("conform", others::requests),
    ("telemetry", others::frames),
];

/// The seeds of a target; none for a name that no target has.
#[must_use]
pub fn of(target: &str) -> Vec<Vec<u8>> {
    let named = TARGETS.into_iter().find(|(name, _)| *name == target);
    named.map_or_else(Vec::new, |(_, make)| make())
}
