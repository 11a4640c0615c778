//! What is asked of the assets.

use lodger_core::cost::physics::ShapeType;
use lodger_pack::{Model, Note, Options, PhysicsChoice};

use super::args::{Cli, PhysicsSource};

/// What the command line asks for. What it leaves to the model may be worth a note.
pub(super) fn of(args: &Cli, model: &mut Model) -> Options {
    let (physics, note) = physics(args.physics.as_ref(), model);
    model.notes.extend(note);
    let shape = args.shape.unwrap_or(match physics {
        PhysicsChoice::None => ShapeType::None,
        _ => ShapeType::ConvexHull,
    });
    Options {
        land_impact: args.land_impact,
        size: args.scale,
        lods: args.lods.clone().unwrap_or_default(),
        keep_high: args.keep_high,
        shape,
        physics,
        physics_cost: args.physics_cost,
        rules: args.rules,
    }
}

/// A shape that a model brings was made to be used, but a mesh made where there is none would cost more than
/// anybody asked for: so all objects bring one, or none is taken.
fn physics(asked: Option<&PhysicsSource>, model: &Model) -> (PhysicsChoice, Option<Note>) {
    match asked {
        Some(PhysicsSource::Made(choice)) => return (choice.clone(), None),
        Some(PhysicsSource::File(_)) => return (PhysicsChoice::Mesh, None),
        None => {}
    }
    let (all, shaped) = (model.objects.len(), shaped(model));
    if all > 0 && shaped == all {
        return (PhysicsChoice::Mesh, None);
    }
    let note = (shaped > 0).then(|| Note {
        code: "physics-left-out",
        about: String::new(),
        text: format!(
            "{shaped} of {all} objects bring a physics shape, which is left out for a hull: --physics mesh \
             takes it, and makes the others"
        ),
    });
    (PhysicsChoice::Hull, note)
}

fn shaped(model: &Model) -> usize {
    model.objects.iter().filter(|object| object.physics.is_some()).count()
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;
    use lodger_pack::{Level, LodRule, Object};

    use super::*;

    fn model(shaped: &[bool]) -> Model {
        let object = |is: &bool| Object { physics: is.then(Level::default), ..Object::default() };
        Model { objects: shaped.iter().map(object).collect(), ..Model::default() }
    }

    fn asked(arguments: &[&str], model: &mut Model) -> Options {
        let line = [&["lodger pack", "a.glb", "--output", "out"], arguments].concat();
        of(&Cli::parse_from(line), model)
    }

    #[test]
    fn a_shape_is_taken_where_every_object_brings_one() {
        for (shaped, choice, notes) in [
            (&[true, true][..], PhysicsChoice::Mesh, 0),
            (&[true, false], PhysicsChoice::Hull, 1),
            (&[false], PhysicsChoice::Hull, 0),
        ] {
            let mut model = model(shaped);
            assert_eq!(asked(&[], &mut model).physics, choice);
            assert_eq!(model.notes.len(), notes);
        }
    }

    #[test]
    fn what_is_asked_for_is_done_whatever_the_model_brings() {
        let mut brings = model(&[true]);
        assert_eq!(asked(&["--physics", "box"], &mut brings).physics, PhysicsChoice::Box);
        assert_eq!(asked(&["--physics", "a.glb"], &mut model(&[])).physics, PhysicsChoice::Mesh);
    }

    #[test]
    fn without_a_shape_there_is_nothing_to_collide_with() {
        let shape = |arguments: &[&str]| asked(arguments, &mut model(&[])).shape;
        assert_eq!(shape(&[]), ShapeType::ConvexHull);
        assert_eq!(shape(&["--physics", "none"]), ShapeType::None);
        assert_eq!(shape(&["--physics", "none", "--shape", "prim"]), ShapeType::Prim);
        assert_eq!(asked(&[], &mut model(&[])).lods, LodRule::Given);
    }
}
