//! Cost against size: report, table and picture.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::Path;

use clap::builder::styling::Style;
use comfy_table::Cell;
use lodger_core::cost::land_impact::ObjectWeight;
use lodger_core::cost::physics::{Representation, ShapeType};
use lodger_opensim::pricing::{CurveBreak, MeshUse, SweepEvent, SweepPoint};
use lodger_terminal::layout::{TableColumn, new_table, number};
use lodger_terminal::plot::{self, PlotEvent, PlotPoint, SweepPlot};
use lodger_terminal::{Diagnostic, RenderOptions, hint, length, sanitize, tail};
use serde::Serialize;

use super::render::weights;
use super::weights::PriceBasis;

#[derive(Debug, Serialize)]
pub(crate) struct Sweep {
    schema: u32,
    pub(crate) file: String,
    pub(crate) rules: &'static str,
    rules_source: &'static str,
    variable: &'static str,
    /// The sides for a longest side of 1.
    pub(crate) proportions: [f64; 3],
    pub(crate) points: Vec<SweepRow>,
    #[serde(skip)]
    pub(crate) shape: ShapeType,
    #[serde(skip)]
    pub(crate) physical: bool,
}

#[derive(Debug, Serialize)]
pub(crate) struct SweepRow {
    /// The longest side, in metres.
    pub(crate) size: f64,
    /// The sides of the box, in metres.
    pub(crate) scale: [f64; 3],
    /// The radius of the bounding sphere, in metres.
    pub(crate) radius: f64,
    pub(crate) streaming: f64,
    /// The physics cost with the penalty of a physical object.
    pub(crate) physics: f64,
    pub(crate) representation: Representation,
    pub(crate) server: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    simulator_cost: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    region_cost: Option<f64>,
    pub(crate) land_impact: u32,
    pub(crate) limited_by: Option<ObjectWeight>,
    #[serde(serialize_with = "in_words")]
    pub(crate) mark: Option<SweepEvent>,
}

impl Sweep {
    pub(crate) fn new(
        file: String,
        usage: &MeshUse,
        basis: PriceBasis,
        points: &[SweepPoint],
    ) -> Self {
        let longest = usage.scale.longest();
        Self {
            schema: 1,
            file,
            rules: basis.rules,
            rules_source: basis.source,
            variable: "size: the longest side in metres",
            proportions: usage.scale.sides().map(|side| side / longest),
            points: points.iter().map(SweepRow::from).collect(),
            shape: usage.shape,
            physical: usage.physical,
        }
    }
}

impl From<&SweepPoint> for SweepRow {
    fn from(point: &SweepPoint) -> Self {
        let (price, counted) = (&point.price, &point.price.assessment);
        Self {
            size: point.size,
            scale: price.scale.sides(),
            radius: price.scale.radius(),
            streaming: counted.streaming,
            physics: counted.physics,
            representation: price.physics.representation,
            server: counted.server,
            simulator_cost: counted.resource.map(|costs| costs.simulator),
            region_cost: counted.resource.map(|costs| costs.region),
            land_impact: counted.land_impact.value,
            limited_by: counted.land_impact.limited_by,
            mark: point.event,
        }
    }
}

#[expect(clippy::ref_option, reason = "serde passes fields by reference")]
fn in_words<S: serde::Serializer>(
    mark: &Option<SweepEvent>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    mark.as_ref().map(SweepEvent::to_string).serialize(serializer)
}

pub(super) fn table(sweep: &Sweep, style: RenderOptions) -> String {
    let name = style.paint(Style::new().bold(), &sanitize(&sweep.file));
    let mut text = format!("{name} from small to large: {}\n", variable(sweep));
    let note =
        "Only where something changes; --format csv shows all sizes, --plot FILE.svg a picture.";
    text += &(hint(note, style) + "\n");
    let numbers = ["Size m", "Streaming", "Physics", "Server", "Impact"].map(TableColumn::Number);
    let mut table = new_table(style, &[&numbers[..], &[TableColumn::Words("Change")]].concat());
    let digits = |of: fn(&SweepRow) -> f64| weights(sweep.points.iter().map(of));
    let digits = [digits(|at| at.streaming), digits(|at| at.physics), digits(|at| at.server)];
    let last = sweep.points.len().saturating_sub(1);
    for (index, point) in sweep.points.iter().enumerate() {
        let is_end = index == 0 || index == last;
        if !is_end && matches!(point.mark, None | Some(SweepEvent::Bend(CurveBreak::Shut(_)))) {
            continue;
        }
        let mut cells = vec![number(length(point.size))];
        let costs = [point.streaming, point.physics, point.server].into_iter().zip(digits);
        cells.extend(costs.map(|(cost, column)| number(column.show(cost))));
        cells.push(number(point.land_impact.to_string()));
        cells.push(Cell::new(point.mark.as_ref().map(SweepEvent::to_string).unwrap_or_default()));
        table.add_row(cells);
    }
    text += &(table.trim_fmt() + "\n");
    if let Some(why) = without_flip(sweep) {
        text += &hint(&why, style);
    }
    text
}

fn variable(sweep: &Sweep) -> String {
    let [x, y, z] = sweep.proportions.map(length);
    if [&x, &y, &z].iter().all(|side| side.as_str() == "1") {
        "a cube of this side".to_owned()
    } else {
        format!("longest side; proportions {x} : {y} : {z}")
    }
}

/// The reason that the physics does not flip, if it does not.
fn without_flip(sweep: &Sweep) -> Option<String> {
    if sweep.points.iter().any(|point| point.mark == Some(SweepEvent::Flip)) {
        return None;
    }
    let first = sweep.points.first()?.representation;
    let always = sweep.points.iter().all(|point| point.representation == first);
    always.then(|| match first {
        Representation::None => "no 0.5 m flip: no physics".to_owned(),
        used => format!("no 0.5 m flip: physics is a {used} at every size"),
    })
}

const MAX_NAME: usize = 44;

pub(super) fn plot(sweep: &Sweep, points: &[SweepPoint]) -> Result<String, Diagnostic> {
    let file = Path::new(&sweep.file).file_name().map(OsStr::to_string_lossy);
    let file = sanitize(file.as_deref().unwrap_or(&sweep.file));
    let rules = if sweep.rules == "grid" { "grid (unverified)" } else { sweep.rules };
    let mut conditions = format!("{rules} rules, shape type {}", sweep.shape);
    if sweep.physical {
        conditions += ", physical";
    }
    let unchanged = without_flip(sweep);
    if let Some(why) = &unchanged {
        let _ = write!(conditions, "; {why}");
    }
    let shown: Vec<_> = points.iter().map(plot_point).collect();
    let picture = SweepPlot {
        heading: &format!("Costs of {} by size", tail(&file, MAX_NAME)),
        conditions: &conditions,
        size: &variable(sweep),
        physics: unchanged.and(points.first()).map(|point| point.price.physics.representation),
        points: &shown,
        chosen: None,
    };
    plot::sweep(&picture)
}

fn plot_point(point: &SweepPoint) -> PlotPoint {
    let counted = &point.price.assessment;
    PlotPoint {
        size: point.size,
        streaming: counted.streaming,
        physics: counted.physics,
        server: counted.server,
        land_impact: point.land_impact(),
        event: match point.event {
            Some(SweepEvent::Bend(bend)) => Some(PlotEvent::Bend(bend.label())),
            Some(SweepEvent::Flip) => Some(PlotEvent::Flip),
            Some(SweepEvent::Step { .. }) | None => None,
        },
    }
}
