//! Why a model becomes no asset, as it is told.

use lodger_core::cost::land_impact::ObjectWeight;
use lodger_pack::Error;
use lodger_terminal::Diagnostic;

/// What is wrong, and what to do about it. `path` says what the user calls a file of that name.
pub(super) fn told(error: &Error, path: Option<&dyn Fn(&str) -> String>) -> Diagnostic {
    if let Error::Model { file, problem, help, is_of_skin } = error {
        let file = path.map_or_else(|| file.clone(), |path| path(file));
        let told = Diagnostic::error(format!("`{file}`: {problem}"));
        let option =
            is_of_skin.then_some("--skin rest packs the mesh in its rest pose, without its skin");
        let lines = help.as_deref().into_iter().chain(option);
        return lines.fold(told, Diagnostic::help);
    }
    let told = Diagnostic::error(error.to_string());
    match help(error) {
        Some(line) => told.help(line),
        None => told,
    }
}

fn help(error: &Error) -> Option<&'static str> {
    Some(match error {
        Error::TooLarge { .. } => {
            "give the whole model a smaller size with --scale X,Y,Z, in metres"
        }
        Error::TooDear(what) => match what.limiting {
            ObjectWeight::Streaming => {
                "raise --land-impact, give a smaller --scale, or leave out --keep-high and levels of \
                 your own"
            }
            ObjectWeight::Physics if what.physics_cost.is_some() => {
                "raise --physics-cost, or take another --physics: hull is the cheapest that collides, \
                 none counts nothing"
            }
            ObjectWeight::Physics => {
                "raise --land-impact, or take another --physics: hull is the cheapest that collides, \
                 none counts nothing"
            }
            ObjectWeight::Server => {
                "raise --land-impact, or join meshes: each object counts half, and has at most 8 \
                 materials"
            }
        },
        Error::Physics { .. } => "take another --physics: hull and box always can be made",
        _ => return None,
    })
}
