//! Under which conditions something is priced.

use lodger_allowance::{Allowance, Spent};
use lodger_core::cost::Provenance;
use lodger_core::cost::physics::{ShapeType, TriangleMesh};
use lodger_core::cost::simulator::Parameters;
use lodger_input::Widths;
use lodger_mesh_asset::Limits;
use lodger_opensim::archive::Archive;
use lodger_opensim::pricing::{ArchivePrice, Mesh, MeshUse, Pricing, Within};

use super::args::CostArgs;
use super::report::{NoteRow, PriceBasis};

/// Whose rules are followed, and what an asset does not say.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conditions {
    /// The rules.
    pub(super) pricing: Pricing,
    /// What is made of a mesh.
    pub(super) usage: MeshUse,
    /// The physics shape type of the prims of a linkset file.
    pub(super) of_prims: ShapeType,
    simulator: Option<Parameters>,
    /// Whether the parts of objects are asked for.
    pub(super) parts: bool,
}

impl Conditions {
    /// Those of the command line.
    pub(super) fn new(args: &CostArgs) -> Result<Self, lodger_core::Error> {
        let otherwise = MeshUse::default();
        let usage = MeshUse {
            scale: args.scale.unwrap_or(otherwise.scale),
            shape: args.shape.unwrap_or(otherwise.shape),
            physical: args.physical,
            scripts: args.scripts.unwrap_or(otherwise.scripts),
            prims: args.prims.unwrap_or(otherwise.prims),
        };
        let (mut pricing, simulator) = (Pricing::new(args.rules)?, args.simulator);
        if let Some(parameters) = simulator {
            pricing = pricing.with_simulator(parameters)?;
        }
        let of_prims = args.shape.unwrap_or(ShapeType::Prim);
        Ok(Self { pricing, usage, of_prims, simulator, parts: args.parts })
    }

    /// The mesh of the options, if they say of which bytes.
    pub(super) fn imagined(&self, args: &CostArgs) -> Result<Option<Mesh>, lodger_core::Error> {
        let Some(sizes) = args.lod_bytes else { return Ok(None) };
        let widths = args.physics_triangles.iter().flat_map(Widths::metres);
        let triangles = TriangleMesh::of_widths(widths, self.usage.scale)?;
        Ok(Some(Mesh::imagined(sizes).with_shapes(args.hulls, triangles)))
    }

    /// Prices an archive; `done` is called once for each of its meshes.
    pub(super) fn archive(
        &self,
        archive: &Archive,
        allowance: &Allowance,
        done: impl Fn() + Sync,
    ) -> Result<ArchivePrice, Spent> {
        let within = Within { limits: Limits::default(), allowance };
        if self.parts {
            self.pricing.archive_in_parts(archive, &self.usage, within, |_| done())
        } else {
            self.pricing.archive(archive, &self.usage, within, |_| done())
        }
    }

    /// The rules and constants of the numbers.
    pub(super) fn basis(&self) -> PriceBasis {
        let rules = self.pricing.rules();
        PriceBasis {
            rules: rules.name,
            source: rules.source,
            simulator: self.simulator.map(|parameters| (parameters.name, parameters.provenance)),
        }
    }

    /// Notes about the rules and the constants.
    pub(super) fn notes(&self) -> impl Iterator<Item = NoteRow> + use<> {
        let is_guess = self.pricing.rules().provenance == Provenance::Estimated;
        let grid =
            ("--rules grid", "these rules were announced by the live grid, and are unverified");
        let is_unofficial = self.simulator == Some(Parameters::UNOFFICIAL_2011);
        let simulator = (
            "--simulator unofficial-2011",
            "these constants are from a forum post of August 2011, and are unofficial",
        );
        let notes = [is_guess.then_some(grid), is_unofficial.then_some(simulator)];
        let row = |(file, note): (&str, &str)| NoteRow { file: file.into(), note: note.into() };
        notes.into_iter().flatten().map(row)
    }
}
