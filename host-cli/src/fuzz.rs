//! What `tests/fuzz` and its short run on a stable toolchain drive: bytes in, no files, no terminal.
//!
//! Each function goes the way of its command, down to what would be printed, and says whether the
//! bytes were a valid file.

use std::path::Path;

use crate::args::Rule;
use crate::decide::decide;
use crate::input::{self, GltfConstants, linkset};
use crate::linkset::answer;
use crate::report::Leftovers;
use crate::scene::Overrides;
use crate::show;
use lodger_terminal::Look;
use lodger_terminal::Target;
use lodger_terminal::{Diagnostic, Severity};

/// How wide a message is when nobody reads it.
const WIDTH: usize = 100;

/// A scene, TOML or GLB, as `lodger schedule` reads it.
#[must_use]
pub fn scene(bytes: &[u8]) -> bool {
    told(try_scene(bytes))
}

/// A TOML file of objects, as `lodger linkset` reads it, under both rules.
#[must_use]
pub fn linkset(bytes: &[u8]) -> bool {
    let linkset = linkset::read("linkset.toml".to_owned(), bytes.to_vec());
    told(linkset.and_then(|linkset| {
        for rule in [Rule::Sphere, Rule::Span] {
            let answer = answer(&linkset, rule)?;
            lodger_terminal::output::json(&answer)?;
            show::linkset(&answer, look());
        }
        Ok(())
    }))
}

fn try_scene(bytes: &[u8]) -> Result<(), Diagnostic> {
    let constants = GltfConstants { unit_cost_ns: None, benefit_value: None };
    let name = "scene.toml".to_owned();
    let (scene, remarks) =
        input::read_scene(name, bytes.to_vec(), constants, Overrides::default())?;
    for remark in &remarks {
        remark.render(WIDTH);
    }
    let report = decide(&scene, Leftovers::AcrossModules)
        .map_err(|mistake| scene.diagnose(Severity::Error, mistake))?;
    lodger_terminal::output::json(&report)?;
    show::csv(&report)?;
    show::table(&report, false, look());
    Ok(())
}

fn look() -> Look {
    Look::of(Target::File(Path::new("")))
}

fn told(outcome: Result<(), Diagnostic>) -> bool {
    outcome.map_err(|diagnostic| diagnostic.render(WIDTH)).is_ok()
}
