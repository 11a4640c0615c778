//! Arguments of `lodger cost`, and the conditions of a price.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use lodger_core::cost::physics::{ConvexDecomposition, ShapeType, TriangleMesh};
use lodger_core::cost::simulator::SimulatorParameters;
use lodger_core::cost::streaming::{PerLod, StreamingRules};
use lodger_core::cost::{ObjectScale, Provenance, REACH};
use lodger_mesh_asset::AssetLimits;
use lodger_opensim::archive::Archive;
use lodger_opensim::pricing::{
    ArchivePrice, GroupBy, MeshInputs, MeshReadLimits, MeshUse, Pricer, SizeRange, parse_simulator,
};
use lodger_quota::{Quota, QuotaExceeded};
use lodger_terminal::arguments::{list, rules, scale, shape};
use lodger_terminal::{OutputFormat, QuotaArgs};

use super::report::NoteRow;
use super::weights::PriceBasis;

/// Options of the command.
#[derive(Args, Debug)]
pub(crate) struct CostArgs {
    /// Mesh assets, .iar and .oar archives, folders that one was unpacked into, the XML of objects, .toml
    /// files of linksets, or folders of these but the last; region.oar:NAME is one object; `-` reads stdin
    #[arg(value_name = "FILE", required_unless_present = "lod_bytes")]
    pub(crate) files: Vec<PathBuf>,

    /// The bytes of each LOD, in place of a file; 0 for a missing LOD
    #[arg(
        long,
        value_name = "LOWEST,LOW,MEDIUM,HIGH",
        value_parser = lod_bytes,
        conflicts_with = "files",
        allow_hyphen_values = true
    )]
    pub(crate) lod_bytes: Option<PerLod<i32>>,

    /// With --lod-bytes, the vertices of each hull of the decomposition; a single hull is the hull of
    /// the mesh, too
    #[arg(long, value_name = "V1,V2,…", value_parser = hulls, conflicts_with = "files")]
    pub(crate) hulls: Option<ConvexDecomposition>,

    /// With --lod-bytes, the width of each triangle of the physics mesh at the size of --scale, in metres
    #[arg(long, value_name = "WIDTH1,WIDTH2,…", value_parser = widths, conflicts_with = "files")]
    pub(crate) physics_triangles: Option<SweepWidths>,

    /// With --lod-bytes, the number of such meshes in the object, all at one place [default: 1]
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

    /// Constants of the streaming cost
    #[arg(long, default_value = "viewer", value_parser = rules())]
    pub(crate) rules: StreamingRules,

    /// The physics shape type of the object [default: convex-hull; of the prims of a .toml file: prim]
    #[arg(long, value_parser = shape())]
    pub(crate) shape: Option<ShapeType>,

    /// Price the object as one that moves by physics
    #[arg(long)]
    pub(crate) physical: bool,

    /// Number of scripts in the object [default: 0]
    #[arg(long, value_name = "N")]
    pub(crate) scripts: Option<u32>,

    /// Also simulator and region resource cost, with these constants or the set `unofficial-2011`
    #[arg(long, value_name = "FACTOR,HIGH,LOW,LINKSET", value_parser = parse_simulator)]
    pub(crate) simulator: Option<SimulatorParameters>,

    /// Sums of the objects by owner or by parcel, instead of the objects
    #[arg(long, value_parser = group_by(), conflicts_with_all = ["lod_bytes", "sweep", "target", "parts"])]
    pub(crate) by: Option<GroupBy>,

    /// The weights of each part of each object
    #[arg(long, conflicts_with_all = ["lod_bytes", "sweep", "target"])]
    pub(crate) parts: bool,

    /// Cost against size: the longest side from one to another length, 0.000001 to 16384 metres
    #[arg(long, value_name = "FROM..TO", conflicts_with_all = ["target", "all"])]
    pub(crate) sweep: Option<SizeRange>,

    /// Draw the sweep as an SVG picture
    #[arg(long, value_name = "FILE", requires = "sweep")]
    pub(crate) plot: Option<PathBuf>,

    /// The bytes and the size that a land impact of N allows
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000), conflicts_with = "all")]
    pub(crate) target: Option<u32>,

    /// Output format [default: table; of a sweep: csv]
    #[arg(long, value_enum)]
    pub(crate) format: Option<OutputFormat>,

    /// Output file, written as a whole or not at all
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Show all rows in the table, not only the 20 most expensive
    #[arg(long)]
    pub(crate) all: bool,

    #[command(flatten)]
    pub(crate) quota: QuotaArgs,
}

impl CostArgs {
    /// The given options that apply to mesh assets only.
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

fn group_by() -> impl TypedValueParser<Value = GroupBy> {
    let names = PossibleValuesParser::new(["owner", "parcel"]);
    names.map(|name| if name == "owner" { GroupBy::Owner } else { GroupBy::Parcel })
}

fn lod_bytes(text: &str) -> Result<PerLod<i32>, &'static str> {
    let sizes = list(text).filter(|sizes| sizes.iter().all(|size: &i32| *size >= 0));
    let sizes = sizes.and_then(|sizes| <[i32; 4]>::try_from(sizes).ok());
    let sizes = sizes.ok_or("four whole numbers of bytes are expected, as in 400,900,2500,9000")?;
    let [lowest, low, medium, high] = sizes;
    Ok(PerLod { lowest, low, medium, high })
}

fn hulls(text: &str) -> Result<ConvexDecomposition, &'static str> {
    let hulls = list::<u16>(text).and_then(|vertices| ConvexDecomposition::new(vertices).ok());
    hulls.ok_or("the vertices of up to 256 hulls are expected, 1 to 256 each, as in 24,8,30")
}

/// The widths of triangles in metres.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SweepWidths(Arc<[f64]>);

impl SweepWidths {
    fn metres(&self) -> impl Iterator<Item = f64> {
        self.0.iter().copied()
    }
}

fn widths(text: &str) -> Result<SweepWidths, &'static str> {
    let within_reach = |width: &f64| (0.0..=f64::from(REACH)).contains(width);
    let widths = list(text).filter(|widths| widths.iter().all(within_reach));
    let widths = widths.ok_or("widths of 0 to 16384 m are expected, as in 0.5,0.5,0.25")?;
    Ok(SweepWidths(widths.into()))
}

/// Rules, and properties that an asset does not have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conditions {
    pub(super) pricer: Pricer,
    pub(super) usage: MeshUse,
    pub(super) of_prims: ShapeType,
    simulator: Option<SimulatorParameters>,
    pub(super) parts: bool,
}

impl Conditions {
    pub(super) fn new(args: &CostArgs) -> Result<Self, lodger_core::ValueError> {
        let otherwise = MeshUse::default();
        let usage = MeshUse {
            scale: args.scale.unwrap_or(otherwise.scale),
            shape: args.shape.unwrap_or(otherwise.shape),
            physical: args.physical,
            scripts: args.scripts.unwrap_or(otherwise.scripts),
            prims: args.prims.unwrap_or(otherwise.prims),
        };
        let (mut pricer, simulator) = (Pricer::new(args.rules)?, args.simulator);
        if let Some(parameters) = simulator {
            pricer = pricer.with_simulator(parameters)?;
        }
        let of_prims = args.shape.unwrap_or(ShapeType::Prim);
        Ok(Self { pricer, usage, of_prims, simulator, parts: args.parts })
    }

    /// The mesh of `--lod-bytes`, if given.
    pub(super) fn imagined(
        &self,
        args: &CostArgs,
    ) -> Result<Option<MeshInputs>, lodger_core::ValueError> {
        let Some(sizes) = args.lod_bytes else { return Ok(None) };
        let widths = args.physics_triangles.iter().flat_map(SweepWidths::metres);
        let triangles = TriangleMesh::of_widths(widths, self.usage.scale)?;
        Ok(Some(MeshInputs::from_lod_bytes(sizes).with_shapes(args.hulls, triangles)))
    }

    pub(super) fn archive(
        &self,
        archive: &Archive,
        quota: &Quota,
        done: impl Fn() + Sync,
    ) -> Result<ArchivePrice, QuotaExceeded> {
        let within = MeshReadLimits { limits: AssetLimits::default(), quota };
        if self.parts {
            self.pricer.archive_in_parts(archive, &self.usage, within, |_| done())
        } else {
            self.pricer.archive(archive, &self.usage, within, |_| done())
        }
    }

    pub(super) fn basis(&self) -> PriceBasis {
        let rules = self.pricer.rules();
        PriceBasis {
            rules: rules.name,
            source: rules.source,
            simulator: self.simulator.map(|parameters| (parameters.name, parameters.provenance)),
        }
    }

    pub(super) fn notes(&self) -> impl Iterator<Item = NoteRow> + use<> {
        let is_estimate = self.pricer.rules().provenance == Provenance::Estimated;
        let grid =
            ("--rules grid", "these rules were announced by the live grid, and are unverified");
        let is_unofficial = self.simulator == Some(SimulatorParameters::UNOFFICIAL_2011);
        let simulator = (
            "--simulator unofficial-2011",
            "these constants are from a forum post of August 2011, and are unofficial",
        );
        let notes = [is_estimate.then_some(grid), is_unofficial.then_some(simulator)];
        let row = |(file, note): (&str, &str)| NoteRow { file: file.into(), note: note.into() };
        notes.into_iter().flatten().map(row)
    }
}
