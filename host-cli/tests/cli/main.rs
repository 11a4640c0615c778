//! Tests of the real binary.

mod bench;
mod bounds;
mod codes;
mod cost;
mod cost_objects;
mod cost_what_if;
mod errors;
mod formats;
mod gltf;
#[cfg(unix)]
mod guide;
#[cfg(target_os = "linux")]
mod hostile;
mod kinds;
mod linkset;
mod lint;
mod output_paths;
#[cfg(unix)]
mod programs;
mod replay;
mod run;
mod shapes;
#[cfg(unix)]
mod signals;
mod simulate;
mod streamed_sog;
mod units;
mod unpacked;
mod untrusted_text;
