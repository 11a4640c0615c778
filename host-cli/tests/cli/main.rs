//! Tests of the real binary.

mod bench;
mod bounds;
mod codes;
mod cost;
mod cost_audit;
mod cost_fixtures;
mod cost_objects;
mod cost_sweep;
mod cost_triangles;
mod cost_what_if;
mod errors;
mod example;
mod formats;
mod gltf;
mod gltf_geometry;
mod gltf_wrong;
#[cfg(unix)]
mod guide;
#[cfg(target_os = "linux")]
mod hostile;
mod kinds;
mod linkset;
mod linkset_objects;
mod lint;
mod lint_archives;
mod object_selection;
mod output;
mod output_paths;
#[cfg(unix)]
mod programs;
mod replay;
mod run;
mod scene_bounds;
mod shapes;
#[cfg(unix)]
mod shell;
#[cfg(unix)]
mod signals;
mod simulate;
mod streamed_sog;
mod threads;
mod units;
mod unpacked;
mod untrusted_text;
