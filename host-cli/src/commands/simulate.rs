//! `lodger simulate`: a camera moves through a scene, and the scheduler lives through it.

use clap::Args;
use lodger_allowance::Allowance;
use lodger_input::{Asked, SceneArgs, camera_path};
use lodger_scheduler::Policy;
use lodger_simulate::{Options, Way};
use lodger_simulation::{Path, Stage};
use lodger_terminal::{AllowanceArgs, Diagnostic};

use crate::exit::Verdict;
use crate::files::check_outputs;

/// Which scene, and how it is simulated.
#[derive(Args, Debug)]
pub(crate) struct SimulateArgs {
    #[command(flatten)]
    scene: SceneArgs,

    #[command(flatten)]
    options: Options,

    #[command(flatten)]
    allowance: AllowanceArgs,
}

/// Runs the command.
pub(crate) fn run(args: &SimulateArgs) -> Result<Verdict, Diagnostic> {
    let SimulateArgs { scene, options, allowance } = args;
    let outputs = [
        ("--output", options.output.as_deref()),
        ("--report", options.report.as_deref()),
        ("--plot", options.plot.as_deref()),
        ("--record", options.record.as_deref()),
    ];
    let way = if let Way::File(way) = &options.path { Some(way) } else { None };
    let inputs: Vec<_> = scene.scene.iter().chain(way).cloned().collect();
    check_outputs(&outputs, &inputs)?;
    let allowance = Allowance::new(allowance.limits());
    let path = match &options.path {
        Way::Orbit => Path::Orbit,
        Way::Line => Path::Line,
        Way::Still => Path::Still,
        Way::File(file) => Path::File(camera_path(file, &allowance)?),
    };
    if let Some(file) = &scene.scene {
        let stage = read(scene, &outputs, &allowance)?;
        let name = file.display().to_string();
        lodger_simulate::run(options, &name, &path, &allowance, |_| Ok(stage.clone()))?;
    } else {
        let built_in = |seed| built_in(scene, seed);
        lodger_simulate::run(options, "the built-in scene", &path, &allowance, built_in)?;
    }
    Ok(Verdict::Fine)
}

/// The scene of a file.
fn read(
    scene: &SceneArgs,
    outputs: &[(&str, Option<&std::path::Path>)],
    allowance: &Allowance,
) -> Result<Stage, Diagnostic> {
    let (file, remarks) =
        Asked { scene, policy: None, leftovers: None, outputs }.load(allowance)?;
    remarks.iter().for_each(Diagnostic::print);
    match file.unit.name() {
        None => Ok(file.into()),
        Some(unit) => {
            Err(Diagnostic::error(format!("the money of this scene is `{unit}`, and not time"))
                .help("only what takes time can be measured: give a scene with `budget_ms`"))
        }
    }
}

/// The built-in scene, under the policy that it is there to show.
fn built_in(scene: &SceneArgs, seed: u64) -> Result<Stage, Diagnostic> {
    let given = [
        ("--budget", scene.budget.is_some(), "give --budget-ms: its money is time"),
        ("--eye", scene.eye.is_some(), "give --path: the camera moves"),
        ("--unit-cost-ns", scene.unit_cost_ns.is_some(), "leave it out, or give a glTF scene"),
        ("--benefit-value", scene.benefit_value.is_some(), "leave it out, or give a glTF scene"),
        ("--scene", scene.which.is_some(), "leave it out, or give a glTF scene"),
    ];
    if let Some((option, _, help)) = given.into_iter().find(|(_, is_given, _)| *is_given) {
        let message = format!("{option} is not for the built-in scene");
        return Err(Diagnostic::error(message).help(help));
    }
    let refused = |error| Diagnostic::error(format!("the built-in scene: {error}"));
    let mut stage = Stage::crowd(seed).map_err(refused)?;
    stage.scene_mut().set_policy(Policy::Optimal);
    if let Some(budget) = scene.budget_ms {
        stage.scene_mut().set_budget(budget);
    }
    Ok(stage)
}
