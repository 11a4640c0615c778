//! What was made: its JSON, and what the table shows.

use lodger_core::cost::Provenance;
use lodger_core::cost::land_impact::{LandImpact, ObjectWeight, land_impact};
use lodger_core::cost::physics::ShapeType;
use lodger_opensim::pricing::Pricing;
use lodger_pack::{ASSET_SIZES, Model, Note, Options, Packed, UPLOAD_SIZES};
use lodger_terminal::Diagnostic;
use serde::Serialize;

use super::findings::FindingRow;
use super::places::Places;
use super::rows::ObjectRow;

/// What was made of a model. Serialised, it is the JSON of schema 1.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Summary {
    /// The version of this shape.
    schema: u32,
    pub(super) model: String,
    /// The folder.
    pub(super) output: String,
    pub(super) report: Option<String>,
    /// The land impact that was asked for.
    pub(super) asked: Option<u32>,
    /// The land impact that was held.
    pub(super) target: u32,
    pub(super) land_impact: Impact,
    pub(super) streaming: Streaming,
    pub(super) physics: Physics,
    pub(super) server: Server,
    /// Σ weight·error of all objects and levels.
    pub(super) loss: f64,
    pub(super) objects: Vec<ObjectRow>,
    pub(super) notes: Vec<NoteRow>,
}

/// The land impact of all objects, linked.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Impact {
    pub(super) value: u32,
    pub(super) limited_by: Option<ObjectWeight>,
}

/// What viewers download.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Streaming {
    pub(super) cost: f64,
    pub(super) rules: &'static str,
    /// Of the assets.
    pub(super) provenance: Provenance,
    /// Of what a viewer makes of the .glb files.
    pub(super) upload_provenance: Provenance,
}

/// What things collide with.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Physics {
    pub(super) cost: f64,
    pub(super) shape: ShapeType,
    pub(super) provenance: Provenance,
}

/// What a simulator manages.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Server {
    pub(super) cost: f64,
}

/// What a maker should know.
#[derive(Clone, Debug, Serialize)]
pub(super) struct NoteRow {
    code: &'static str,
    about: String,
    text: String,
    /// All of it in a sentence.
    #[serde(skip)]
    pub(super) told: String,
}

impl Summary {
    /// What is said of what was made. Prices are those of the assets' bytes.
    pub(super) fn new(
        model: &Model,
        packed: &Packed,
        options: &Options,
        places: &Places,
    ) -> Result<Self, Diagnostic> {
        let pricing =
            Pricing::new(options.rules).map_err(|error| Diagnostic::error(error.to_string()))?;
        let row =
            |(index, object)| ObjectRow::new(object, places.name(index), &pricing, options.shape);
        let objects: Result<Vec<_>, _> = packed.objects.iter().enumerate().map(row).collect();
        let objects = objects.map_err(|error| {
            Diagnostic::error(format!("what was made cannot be priced: {error}"))
                .help("this is a mistake of lodger's; nothing was written")
        })?;
        let sum = |cost: fn(&ObjectRow) -> f64| objects.iter().map(cost).sum::<f64>();
        let (streaming, physics) = (sum(|one| one.streaming), sum(|one| one.physics.cost));
        let impact = land_impact(streaming, physics, packed.server);
        if impact.value > packed.target {
            let LandImpact { value, .. } = impact;
            return Err(Diagnostic::error(format!("what was made has a land impact of {value}"))
                .help("this is a mistake of lodger's; nothing was written"));
        }
        let types = objects.iter().flat_map(|object| &object.physics.types);
        let provenance = types.filter(|one| one.shape == options.shape).map(|one| one.provenance);
        Ok(Self {
            schema: 1,
            model: model.name.clone(),
            output: places.folder().display().to_string(),
            report: places.report().map(|path| path.display().to_string()),
            asked: packed.asked,
            target: packed.target,
            land_impact: Impact { value: impact.value, limited_by: impact.limited_by },
            streaming: Streaming {
                cost: streaming,
                rules: options.rules.name,
                provenance: options.rules.provenance.max(ASSET_SIZES),
                upload_provenance: options.rules.provenance.max(UPLOAD_SIZES),
            },
            physics: Physics {
                cost: physics,
                shape: options.shape,
                provenance: provenance.fold(Provenance::Exact, Provenance::max),
            },
            server: Server { cost: packed.server },
            loss: packed.loss,
            objects,
            notes: packed.notes.iter().map(NoteRow::from).collect(),
        })
    }

    /// Whether lint warns of anything in what was made.
    pub(super) fn has_warnings(&self) -> bool {
        self.objects.iter().flat_map(|object| &object.findings).any(FindingRow::is_warning)
    }
}

impl From<&Note> for NoteRow {
    fn from(note: &Note) -> Self {
        let (about, text) = (note.about.clone(), note.text.clone());
        Self { code: note.code, about, text, told: note.to_string() }
    }
}
