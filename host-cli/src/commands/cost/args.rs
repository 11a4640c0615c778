//! The command line of `lodger cost`.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use lodger_core::cost::ObjectScale;
use lodger_core::cost::physics::{Hulls, ShapeType};
use lodger_core::cost::simulator::Parameters;
use lodger_core::cost::streaming::{Lods, Rules};
use lodger_input::{Unfit, Widths, hulls, rules, scale, shape, widths};
use lodger_opensim::pricing::{GroupBy, SizeRange, parse_simulator};
use lodger_terminal::AllowanceArgs;

/// What to price, under which conditions, and how to show it.
#[derive(Args, Debug)]
pub(crate) struct CostArgs {
    /// Mesh assets, .iar and .oar archives, folders that one was unpacked into, the XML of objects, .toml
    /// files of linksets, or folders of these but the last; region.oar:NAME is one object; `-` reads stdin
    #[arg(value_name = "FILE", required_unless_present = "lod_bytes")]
    pub(crate) files: Vec<PathBuf>,

    /// What if: the bytes of each LOD instead of a file, 0 for one that is missing
    #[arg(
        long,
        value_name = "LOWEST,LOW,MEDIUM,HIGH",
        value_parser = lod_bytes,
        conflicts_with = "files",
        allow_hyphen_values = true
    )]
    pub(crate) lod_bytes: Option<Lods<i32>>,

    /// What if: the vertices of each hull of the decomposition; a single hull is the one around the mesh,
    /// too
    #[arg(long, value_name = "V1,V2,…", value_parser = hulls, conflicts_with = "files")]
    pub(crate) hulls: Option<Hulls>,

    /// What if: the width of each triangle of the physics mesh at the size of --scale, in metres
    #[arg(long, value_name = "WIDTH1,WIDTH2,…", value_parser = widths, conflicts_with = "files")]
    pub(crate) physics_triangles: Option<Widths>,

    /// What if: how many such meshes are linked into the object, all at one place [default: 1]
    #[arg(
        long,
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..=256),
        conflicts_with_all = ["files", "target"]
    )]
    pub(crate) prims: Option<u32>,

    /// The size of the object in metres; an asset has none [default: 1,1,1]
    #[arg(long, value_name = "X,Y,Z", value_parser = scale, allow_hyphen_values = true)]
    pub(crate) scale: Option<ObjectScale<f64>>,

    /// Whose constants the streaming cost follows
    #[arg(long, default_value = "viewer", value_parser = rules())]
    pub(crate) rules: Rules,

    /// The physics shape type of the object [default: convex-hull; of the prims of a .toml file: prim]
    #[arg(long, value_parser = shape())]
    pub(crate) shape: Option<ShapeType>,

    /// Price the object as one that moves by physics
    #[arg(long)]
    pub(crate) physical: bool,

    /// How many scripts are in the object [default: 0]
    #[arg(long, value_name = "N")]
    pub(crate) scripts: Option<u32>,

    /// Also simulator and region resource cost, by these constants or by those of `unofficial-2011`
    #[arg(long, value_name = "FACTOR,HIGH,LOW,LINKSET", value_parser = parse_simulator)]
    pub(crate) simulator: Option<Parameters>,

    /// Sums of the objects by owner or by parcel, instead of the objects
    #[arg(long, value_parser = group_by(), conflicts_with_all = ["lod_bytes", "sweep", "target", "parts"])]
    pub(crate) by: Option<GroupBy>,

    /// What each part of each object weighs
    #[arg(long, conflicts_with_all = ["lod_bytes", "sweep", "target"])]
    pub(crate) parts: bool,

    /// Cost against size: the longest side from one to another length, 0.000001 to 16384 metres
    #[arg(long, value_name = "FROM..TO", conflicts_with_all = ["target", "all"])]
    pub(crate) sweep: Option<SizeRange>,

    /// Draw the sweep as an SVG picture
    #[arg(long, value_name = "FILE", requires = "sweep")]
    pub(crate) plot: Option<PathBuf>,

    /// How many bytes and what size a land impact of N allows
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000), conflicts_with = "all")]
    pub(crate) target: Option<u32>,

    /// How to show the costs [default: table; of a sweep: csv]
    #[arg(long)]
    pub(crate) format: Option<Format>,

    /// Write to a file, as a whole or not at all
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Show every row in the table, not only the 20 most expensive
    #[arg(long)]
    pub(crate) all: bool,

    #[command(flatten)]
    pub(crate) allowance: AllowanceArgs,
}

/// How costs are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For eyes
    Table,
    /// One document, for scripts
    Json,
    /// One row per file, object or size, for spreadsheets
    Csv,
}

impl CostArgs {
    /// The options that only mesh assets heed, as they were given.
    pub(crate) fn of_meshes(&self) -> Vec<&'static str> {
        let given = [
            (self.scale.is_some(), "--scale"),
            (self.shape.is_some(), "--shape"),
            (self.physical, "--physical"),
            (self.scripts.is_some(), "--scripts"),
        ];
        given.into_iter().filter_map(|(is_given, option)| is_given.then_some(option)).collect()
    }
}

/// What objects are summed by.
fn group_by() -> impl TypedValueParser<Value = GroupBy> {
    let names = PossibleValuesParser::new(["owner", "parcel"]);
    names.map(|name| if name == "owner" { GroupBy::Owner } else { GroupBy::Parcel })
}

fn lod_bytes(text: &str) -> Result<Lods<i32>, Unfit> {
    let size = |part: &str| part.trim().parse().ok().filter(|size: &i32| *size >= 0);
    let sizes = text.split(',').map(size).collect::<Option<Vec<_>>>().ok_or(Unfit::NoBytes)?;
    let [lowest, low, medium, high] = sizes.try_into().map_err(|_| Unfit::NoBytes)?;
    Ok(Lods { lowest, low, medium, high })
}
