//! Tests of the real binary.

#[path = "../../../grid/opensim/tests/archive/archive_files.rs"]
mod archive_files;
mod assets;
mod bench;
mod bounds;
mod chosen;
mod codes;
mod cost;
mod cost_audit;
mod cost_files;
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
mod hostile;
mod kinds;
mod linkset;
mod linkset_objects;
mod lint;
mod lint_archives;
mod output;
mod places;
#[cfg(unix)]
mod programs;
mod replay;
mod run;
mod scene_bounds;
mod shapes;
#[cfg(unix)]
mod signals;
mod simulate;
mod strangers;
mod streamed_sog;
#[expect(unreachable_pub, reason = "it is public in lodger-tests")]
#[path = "../../../tests/src/streamed_sog.rs"]
mod streamed_sog_index;
#[expect(unreachable_pub, reason = "it is public in lodger-tests")]
#[path = "../../../tests/src/tables.rs"]
mod tables;
mod threads;
mod units;
mod unpacked;
