//! The command line, and the packing options that it states.

use std::convert::Infallible;
use std::path::PathBuf;

use clap::Parser;
use clap::builder::TypedValueParser;
use lodger_core::cost::physics::ShapeType;
use lodger_core::cost::streaming::StreamingRules;
use lodger_pack::{
    CollisionKind, LodRule, MAX_SIDE, Model, Note, PackOptions, SkinChoice, TriangleTarget,
};
use lodger_terminal::arguments::{named, number, rules, scale, shape};
use lodger_terminal::{OutputFormat, QuotaArgs};

const EXIT_CODES: &str = "Exit codes: 0 fine, 1 packed, and lint warns of something in it, 2 usage or \
    input: nothing was written. Use --help for more.";

/// An error of [`lods`].
const LODS: &str = "`auto`, or the triangles of medium, low and lowest are expected, as in 900,300,100 or 30%,10%,3%";
/// An error of [`lods`].
const RISES: &str = "a level has no more triangles than the one above it";

/// Pack a model into mesh assets of the land impact that you want.
#[derive(Debug, Parser)]
#[command(
    name = "lodger pack",
    bin_name = "lodger pack",
    version,
    long_about = "Pack a model into mesh assets of the land impact that you want.\n\n\
        Lower levels of detail and a physics shape are made, measured, and chosen so that the visible \
        difference from the model is least for that land impact.",
    after_long_help = include_str!("help.txt"),
    after_help = EXIT_CODES,
    arg_required_else_help = true,
)]
pub(crate) struct PackCli {
    /// A glTF 2.0 model (.glb or .gltf); of several files, each is a level by the end of its name, as
    /// --help says
    #[arg(value_name = "MODEL", required = true)]
    pub(crate) models: Vec<PathBuf>,

    /// The folder for the written files; created if missing
    #[arg(long, value_name = "DIR")]
    pub(crate) output: PathBuf,

    /// The greatest land impact of all objects, linked [default: of the viewer's own levels, each a
    /// third of the one above]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) land_impact: Option<u32>,

    /// The size of the whole model in metres, at most 64 a side [default: its own]
    #[arg(long, value_name = "X,Y,Z", value_parser = size, allow_hyphen_values = true)]
    pub(crate) scale: Option<[f64; 3]>,

    /// Whether assets keep the skins of their meshes
    #[arg(long, value_name = "KIND", default_value = "keep", value_parser = skin())]
    pub(crate) skin: SkinChoice,

    /// The triangles of medium, low and lowest, as 900,300,100 or 30%,10%,3%, or `auto` to select all
    /// [default: levels of the model are kept, the others selected]
    #[arg(long, value_name = "LIST", value_parser = lods, allow_hyphen_values = true)]
    pub(crate) lods: Option<LodRule>,

    /// Never simplify the high level, even if nothing else fits
    #[arg(long)]
    pub(crate) keep_high: bool,

    /// The physics shape type that prices are for [default: convex-hull; none with --physics none]
    #[arg(long, value_parser = shape())]
    pub(crate) shape: Option<ShapeType>,

    /// The physics shape: none, box, hull, parts, mesh, or a glTF file with it [default: the model's,
    /// if every object has one, else hull]
    #[arg(long, value_name = "KIND", value_parser = physics)]
    pub(crate) physics: Option<PhysicsSource>,

    /// The greatest physics cost of all objects [default: limited by the land impact]
    #[arg(long, value_name = "N", value_parser = cost, allow_hyphen_values = true)]
    pub(crate) physics_cost: Option<f64>,

    /// The rules of the streaming cost
    #[arg(long, default_value = "viewer", value_parser = rules())]
    pub(crate) rules: StreamingRules,

    /// Write an HTML page with all levels beside the model
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,

    /// Overwrite existing files; a symbolic link is replaced
    #[arg(long)]
    pub(crate) force: bool,

    /// The format of the summary
    #[arg(long, default_value = "table", value_parser = OutputFormat::table_or_json())]
    pub(crate) format: OutputFormat,

    #[command(flatten)]
    pub(crate) quota: QuotaArgs,
}

impl PackCli {
    pub(crate) fn named(&self) -> Vec<PathBuf> {
        let physics = match &self.physics {
            Some(PhysicsSource::File(file)) => Some(file),
            _ => None,
        };
        self.models.iter().chain(physics).cloned().collect()
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PhysicsSource {
    Made(CollisionKind),
    File(PathBuf),
}

fn skin() -> impl TypedValueParser<Value = SkinChoice> {
    named([
        ("keep", "They do; all joints must be those of the avatar's skeleton", SkinChoice::Keep),
        ("rest", "They have the meshes in their rest pose, without skins", SkinChoice::Rest),
    ])
}

fn physics(text: &str) -> Result<PhysicsSource, Infallible> {
    Ok(PhysicsSource::Made(match text {
        "none" => CollisionKind::None,
        "box" => CollisionKind::Box,
        "hull" => CollisionKind::Hull,
        "parts" => CollisionKind::Parts,
        "mesh" => CollisionKind::Mesh,
        file => return Ok(PhysicsSource::File(PathBuf::from(file))),
    }))
}

fn size(text: &str) -> Result<[f64; 3], String> {
    let sides = scale(text)?.sides();
    let fits = sides.iter().all(|side| *side > 0.0 && *side <= MAX_SIDE);
    fits.then_some(sides).ok_or_else(|| "each side is above 0 and at most 64 m".to_owned())
}

fn cost(text: &str) -> Result<f64, &'static str> {
    let cost = number(text)?;
    (cost > 0.0 && cost.is_finite()).then_some(cost).ok_or("a cost is above 0 and finite")
}

fn lods(text: &str) -> Result<LodRule, &'static str> {
    if text.trim() == "auto" {
        return Ok(LodRule::Auto);
    }
    let shares = text.split(',').map(share).collect::<Option<Vec<_>>>().ok_or(LODS)?;
    let shares: [TriangleTarget; 3] = shares.try_into().map_err(|_| LODS)?;
    let rises = shares.windows(2).any(|pair| match *pair {
        [TriangleTarget::Count(above), TriangleTarget::Count(below)] => below > above,
        [TriangleTarget::Ratio(above), TriangleTarget::Ratio(below)] => below > above,
        _ => false,
    });
    if rises { Err(RISES) } else { Ok(LodRule::Triangles(shares)) }
}

fn share(text: &str) -> Option<TriangleTarget> {
    let text = text.trim();
    let Some(percent) = text.strip_suffix('%') else {
        return text.parse().ok().filter(|count| *count > 0).map(TriangleTarget::Count);
    };
    let part = percent.trim_end().parse::<f64>().ok()? / 100.0;
    (part > 0.0 && part <= 1.0).then_some(TriangleTarget::Ratio(part))
}

/// The packing options of a command line; may add notes to the model.
pub(super) fn pack_options(args: &PackCli, model: &mut Model) -> PackOptions {
    let (physics, note) = collision_kind(args.physics.as_ref(), model);
    model.notes.extend(note);
    let shape = args.shape.unwrap_or(match physics {
        CollisionKind::None => ShapeType::None,
        _ => ShapeType::ConvexHull,
    });
    PackOptions {
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

/// The kind of collision shape. The model's shapes are used only if every object has one: a mesh
/// made for the others could cost too much.
fn collision_kind(
    requested: Option<&PhysicsSource>,
    model: &Model,
) -> (CollisionKind, Option<Note>) {
    match requested {
        Some(PhysicsSource::Made(choice)) => return (choice.clone(), None),
        Some(PhysicsSource::File(_)) => return (CollisionKind::Mesh, None),
        None => {}
    }
    let (all, shaped) = (model.objects.len(), shaped(model));
    if all > 0 && shaped == all {
        return (CollisionKind::Mesh, None);
    }
    let note = (shaped > 0).then(|| Note {
        code: "physics-left-out",
        about: String::new(),
        text: format!(
            "{shaped} of {all} objects bring a physics shape, which is left out for a hull: --physics mesh \
             takes it, and makes the others"
        ),
    });
    (CollisionKind::Hull, note)
}

fn shaped(model: &Model) -> usize {
    model.objects.iter().filter(|object| object.physics.is_some()).count()
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;
    use lodger_pack::{LodMesh, LodRule, ModelObject};

    use super::*;

    #[test]
    fn levels_are_counts_or_parts() {
        let rule = |text| lods(text).ok();
        assert_eq!(rule("auto"), Some(LodRule::Auto));
        let counts = [900, 300, 300].map(TriangleTarget::Count);
        assert_eq!(rule("900, 300,300"), Some(LodRule::Triangles(counts)));
        let mixed =
            [TriangleTarget::Ratio(1.0), TriangleTarget::Ratio(0.125), TriangleTarget::Count(12)];
        assert_eq!(rule("100%,12.5 %,12"), Some(LodRule::Triangles(mixed)));
        for wrong in ["", "automatic", "1,1", "1,1,1,1", "0,0,0", "-1,1,1", "101%,1%,1%", "0%,1,1"]
        {
            assert!(matches!(lods(wrong), Err(LODS)), "{wrong}");
        }
        for wrong in ["100,300,900", "3%,10%,30%", "9,8,9"] {
            assert!(matches!(lods(wrong), Err(RISES)), "{wrong}");
        }
    }

    fn model(shaped: &[bool]) -> Model {
        let object = |is: &bool| ModelObject {
            physics: is.then(LodMesh::default),
            ..ModelObject::default()
        };
        Model { objects: shaped.iter().map(object).collect(), ..Model::default() }
    }

    fn options(arguments: &[&str], model: &mut Model) -> PackOptions {
        let line = [&["lodger pack", "a.glb", "--output", "out"], arguments].concat();
        pack_options(&PackCli::parse_from(line), model)
    }

    #[test]
    fn a_shape_is_taken_where_every_object_brings_one() {
        for (shaped, choice, notes) in [
            (&[true, true][..], CollisionKind::Mesh, 0),
            (&[true, false], CollisionKind::Hull, 1),
            (&[false], CollisionKind::Hull, 0),
        ] {
            let mut model = model(shaped);
            assert_eq!(options(&[], &mut model).physics, choice);
            assert_eq!(model.notes.len(), notes);
        }
    }

    #[test]
    fn a_requested_shape_overrides_the_model() {
        let mut brings = model(&[true]);
        assert_eq!(options(&["--physics", "box"], &mut brings).physics, CollisionKind::Box);
        assert_eq!(options(&["--physics", "a.glb"], &mut model(&[])).physics, CollisionKind::Mesh);
    }

    #[test]
    fn without_a_shape_there_is_nothing_to_collide_with() {
        let shape = |arguments: &[&str]| options(arguments, &mut model(&[])).shape;
        assert_eq!(shape(&[]), ShapeType::ConvexHull);
        assert_eq!(shape(&["--physics", "none"]), ShapeType::None);
        assert_eq!(shape(&["--physics", "none", "--shape", "prim"]), ShapeType::Prim);
        assert_eq!(options(&[], &mut model(&[])).lods, LodRule::Authored);
    }
}
