//! The command line.

use std::convert::Infallible;
use std::path::PathBuf;

use clap::Parser;
use clap::builder::TypedValueParser;
use lodger_core::cost::physics::ShapeType;
use lodger_core::cost::streaming::Rules;
use lodger_pack::{LodRule, PhysicsChoice, Share, SkinChoice};
use lodger_terminal::arguments::{named, number, rules, scale, shape};
use lodger_terminal::{OutputFormat, QuotaArgs};

/// What the program ends with.
const EXIT_CODES: &str = "Exit codes: 0 fine, 1 packed, and lint warns of something in it, 2 usage or \
    input: nothing was written. Use --help for more.";

/// Message of [`lods`].
const LODS: &str = "`auto`, or the triangles of medium, low and lowest are expected, as in 900,300,100 or 30%,10%,3%";
/// Another message of [`lods`].
const RISES: &str = "a level has no more triangles than the one above it";

/// No prim is larger, in metres.
const LONGEST_SIDE: f64 = 64.0;

/// Pack a model into mesh assets of the land impact that you want.
#[derive(Debug, Parser)]
#[command(
    name = "lodger pack",
    bin_name = "lodger pack",
    version,
    long_about = "Pack a model into mesh assets of the land impact that you want.\n\n\
        Lower levels of detail and a physics shape are made, measured, and chosen so that what is seen \
        differs least from the model for that land impact.",
    after_long_help = include_str!("help.txt"),
    after_help = EXIT_CODES,
    arg_required_else_help = true,
)]
pub(crate) struct Cli {
    /// A glTF 2.0 model (.glb or .gltf); of several files, each is a level by the end of its name, as
    /// --help says
    #[arg(value_name = "MODEL", required = true)]
    pub(crate) models: Vec<PathBuf>,

    /// The folder for what is made; it is made too
    #[arg(long, value_name = "DIR")]
    pub(crate) output: PathBuf,

    /// The land impact of all objects, linked, which is not exceeded [default: that of the viewer's
    /// own levels, each a third of the one above]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) land_impact: Option<u32>,

    /// The size of the whole model in metres, at most 64 a side [default: its own]
    #[arg(long, value_name = "X,Y,Z", value_parser = size, allow_hyphen_values = true)]
    pub(crate) scale: Option<[f64; 3]>,

    /// Whether assets keep the skins of their meshes
    #[arg(long, value_name = "KIND", default_value = "keep", value_parser = skin())]
    pub(crate) skin: SkinChoice,

    /// The triangles of medium, low and lowest, as 900,300,100 or 30%,10%,3%, or `auto`: all are chosen
    /// [default: those that the model brings, the others chosen]
    #[arg(long, value_name = "LIST", value_parser = lods, allow_hyphen_values = true)]
    pub(crate) lods: Option<LodRule>,

    /// Never simplify the high level, even if nothing else fits
    #[arg(long)]
    pub(crate) keep_high: bool,

    /// The physics shape type that prices are for [default: convex-hull; none with --physics none]
    #[arg(long, value_parser = shape())]
    pub(crate) shape: Option<ShapeType>,

    /// The physics shape: none, box, hull, parts, mesh, or a glTF file with it [default: that of the
    /// model, if every object brings one, else hull]
    #[arg(long, value_name = "KIND", value_parser = physics)]
    pub(crate) physics: Option<PhysicsSource>,

    /// What the physics shapes of all objects may cost [default: what the land impact allows]
    #[arg(long, value_name = "N", value_parser = cost, allow_hyphen_values = true)]
    pub(crate) physics_cost: Option<f64>,

    /// Whose constants the streaming cost follows
    #[arg(long, default_value = "viewer", value_parser = rules())]
    pub(crate) rules: Rules,

    /// One HTML page with all levels beside the model
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,

    /// Overwrite what is there; a symbolic link is replaced
    #[arg(long)]
    pub(crate) force: bool,

    /// How to show what was made
    #[arg(long, default_value = "table", value_parser = OutputFormat::table_or_json())]
    pub(crate) format: OutputFormat,

    #[command(flatten)]
    pub(crate) quota: QuotaArgs,
}

impl Cli {
    /// The files that are named to be read.
    pub(crate) fn named(&self) -> Vec<PathBuf> {
        let physics = match &self.physics {
            Some(PhysicsSource::File(file)) => Some(file),
            _ => None,
        };
        self.models.iter().chain(physics).cloned().collect()
    }
}

/// Where the physics shape comes from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PhysicsSource {
    /// It is made.
    Made(PhysicsChoice),
    /// A file has it.
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
        "none" => PhysicsChoice::None,
        "box" => PhysicsChoice::Box,
        "hull" => PhysicsChoice::Hull,
        "parts" => PhysicsChoice::Parts,
        "mesh" => PhysicsChoice::Mesh,
        file => return Ok(PhysicsSource::File(PathBuf::from(file))),
    }))
}

fn size(text: &str) -> Result<[f64; 3], String> {
    let sides = scale(text)?.sides();
    let fits = sides.iter().all(|side| *side > 0.0 && *side <= LONGEST_SIDE);
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
    let shares: [Share; 3] = shares.try_into().map_err(|_| LODS)?;
    let rises = shares.windows(2).any(|pair| match *pair {
        [Share::Count(above), Share::Count(below)] => below > above,
        [Share::Part(above), Share::Part(below)] => below > above,
        _ => false,
    });
    if rises { Err(RISES) } else { Ok(LodRule::Triangles(shares)) }
}

fn share(text: &str) -> Option<Share> {
    let text = text.trim();
    let Some(percent) = text.strip_suffix('%') else {
        return text.parse().ok().filter(|count| *count > 0).map(Share::Count);
    };
    let part = percent.trim_end().parse::<f64>().ok()? / 100.0;
    (part > 0.0 && part <= 1.0).then_some(Share::Part(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_that_of_a_prim() {
        assert_eq!(size("1, 0.01,64").ok(), Some([1.0, 0.01, 64.0]));
        for wrong in ["0,1,1", "1,1,64.1", "nan,1,1", "1,-1,1", "inf,1,1", "1,1", "a,b,c", ""] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn levels_are_counts_or_parts() {
        let rule = |text| lods(text).ok();
        assert_eq!(rule("auto"), Some(LodRule::Auto));
        let counts = [900, 300, 300].map(Share::Count);
        assert_eq!(rule("900, 300,300"), Some(LodRule::Triangles(counts)));
        let mixed = [Share::Part(1.0), Share::Part(0.125), Share::Count(12)];
        assert_eq!(rule("100%,12.5 %,12"), Some(LodRule::Triangles(mixed)));
        for wrong in ["", "automatic", "1,1", "1,1,1,1", "0,0,0", "-1,1,1", "101%,1%,1%", "0%,1,1"]
        {
            assert!(matches!(lods(wrong), Err(LODS)), "{wrong}");
        }
        for wrong in ["100,300,900", "3%,10%,30%", "9,8,9"] {
            assert!(matches!(lods(wrong), Err(RISES)), "{wrong}");
        }
    }

    #[test]
    fn a_cost_is_something() {
        assert_eq!(cost("0.36").ok(), Some(0.36));
        assert!(["0", "-1", "inf", "nan", "much"].iter().all(|wrong| cost(wrong).is_err()));
    }

    #[test]
    fn what_is_no_kind_of_shape_is_a_file() {
        assert_eq!(physics("parts").ok(), Some(PhysicsSource::Made(PhysicsChoice::Parts)));
        assert_eq!(physics("hul").ok(), Some(PhysicsSource::File("hul".into())));
    }
}
