//! A mesh at all sizes, and the sizes within a land impact.

use lodger_core::cost::physics::ShapeType;
use lodger_core::cost::streaming::{MeshLod, PerLod, Reach, StreamingRules};
use lodger_core::cost::{ObjectScale, REACH};
use lodger_mesh_asset::{Asset, AssetLimits};
use lodger_opensim::pricing::{MeshInputs, MeshUse, Pricer, SizeRange, SweepEvent, SweepPoint};
use lodger_terminal::plot::{self, PlotEvent, PlotPoint, SweepPlot};

use super::MESH_LIMITS;

const HEAD: usize = 34;
/// The largest sweep: 241 even steps, and a few points for each of up to 16 changes of land impact between two.
const MAX_POINTS: usize = 16_000;
const MAX_PLOT_BYTES: usize = 4 << 20;
/// Small limits, as the mesh is priced at many sizes.
const LIMITS: AssetLimits = AssetLimits { block_bytes: 1 << 13, ..MESH_LIMITS };

struct PricingInput {
    usage: MeshUse,
    is_plotted: bool,
    range: SizeRange,
    land_impact: u32,
}

/// A head and a mesh asset: a sweep is sorted, has the price of each size and can be plotted; sizes within a land
/// impact are within it.
///
/// # Panics
/// If a property does not hold.
#[must_use]
pub fn pricing(bytes: &[u8]) -> bool {
    let Some((head, file)) = bytes.split_at_checked(HEAD) else { return false };
    let (Some(input), Ok(asset)) = (read_head(head), Asset::parse_within(file, LIMITS)) else {
        return false;
    };
    let Ok(mesh) = MeshInputs::from_asset_counted(&asset) else { return false };
    let viewer = Pricer::new(StreamingRules::VIEWER).expect("valid rules");
    details(&viewer, &mesh, &input.usage);
    let swept = sweep(&viewer, &mesh, &input);
    assert_eq!(target(&viewer, &mesh, &input), swept);
    swept
}

fn read_head(head: &[u8]) -> Option<PricingInput> {
    let float = |at: usize| Some(f32::from_le_bytes(head.get(at..at + 4)?.try_into().ok()?).into());
    let double = |at: usize| Some(f64::from_le_bytes(head.get(at..at + 8)?.try_into().ok()?));
    let short = |at: usize| Some(u16::from_le_bytes([*head.get(at)?, *head.get(at + 1)?]));
    let shapes = [ShapeType::Prim, ShapeType::ConvexHull, ShapeType::None];
    Some(PricingInput {
        usage: MeshUse {
            scale: ObjectScale::new([float(0)?, float(4)?, float(8)?]).ok()?,
            shape: shapes[usize::from(*head.get(12)? % 3)],
            physical: head.get(13)? & 1 != 0,
            scripts: short(14)?.into(),
            ..MeshUse::default()
        },
        is_plotted: head.get(13)? & 2 != 0,
        range: SizeRange::new(double(16)?, double(24)?).ok()?,
        land_impact: short(32)?.max(1).into(),
    })
}

fn details(viewer: &Pricer, mesh: &MeshInputs, usage: &MeshUse) {
    let detail = match viewer.mesh_in_detail(mesh, usage) {
        Ok(detail) => detail,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    assert_eq!(viewer.mesh(mesh, usage), Ok(detail.price));
    for remark in &detail.notes {
        assert!(!remark.to_string().is_empty());
    }
    for parts in [detail.lods.share, detail.lods.area].map(PerLod::to_array) {
        assert!(parts.iter().all(|part| (0.0..=1.0).contains(part)), "{parts:?}");
        assert!(parts.iter().sum::<f64>() <= 1.0 + 1e-9, "{parts:?}");
    }
}

fn sweep(viewer: &Pricer, mesh: &MeshInputs, input: &PricingInput) -> bool {
    let points = match viewer.sweep(mesh, &input.usage, input.range) {
        Ok(points) => points,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return false;
        }
    };
    assert!(points.len() <= MAX_POINTS, "{} points", points.len());
    assert!(points.iter().all(|point| input.range.holds(point.size)));
    assert!(points.iter().map(|point| point.size).is_sorted());
    for point in &points {
        let usage = MeshUse { scale: point.price.scale, ..input.usage };
        assert_eq!(viewer.mesh(mesh, &usage), Ok(point.price));
        assert!(point.land_impact() > 0);
    }
    if input.is_plotted {
        let (heading, conditions, size) = ("fuzzed", "viewer rules", "the longest side");
        let chosen = Some(input.usage.scale.longest());
        let points: Vec<_> = points.iter().map(plot_point).collect();
        let picture =
            SweepPlot { heading, conditions, size, physics: None, points: &points, chosen };
        assert!(plot::sweep(&picture).expect("a plot").len() <= MAX_PLOT_BYTES);
    }
    true
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

fn target(viewer: &Pricer, mesh: &MeshInputs, input: &PricingInput) -> bool {
    let limit = input.land_impact;
    let target = match viewer.limits_for(mesh, &input.usage, limit) {
        Ok(target) => target,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return false;
        }
    };
    let impact = |mesh: &MeshInputs, usage: &MeshUse| {
        viewer.mesh(mesh, usage).map(|price| price.assessment.land_impact.value)
    };
    let resized = |sizes| impact(&MeshInputs { sizes, ..mesh.clone() }, &input.usage);
    let is_within = |impact: Result<u32, _>| impact.is_ok_and(|impact| impact <= limit);
    if let Some(together) = target.bytes.scaled {
        assert!(is_within(resized(together)), "{together:?} bytes cost more than {limit}");
    }
    for lod in MeshLod::ALL {
        if let Some(bytes) = target.bytes.each.of(lod) {
            let alone = mesh.sizes.with(lod, bytes);
            assert!(is_within(resized(alone)), "{alone:?} bytes cost more than {limit}");
        }
    }
    let at = |scale| impact(mesh, &MeshUse { scale, ..input.usage });
    match target.size.reach {
        Reach::UpTo(scale) => assert!(is_within(at(scale)), "{scale:?} costs more than {limit}"),
        Reach::Always => {
            let factor = f64::from(REACH) / input.usage.scale.longest();
            let sides = input.usage.scale.sides().map(|side| (side * factor).min(REACH.into()));
            let largest = ObjectScale::new(sides).expect("within reach");
            assert!(is_within(at(largest)), "{largest:?} costs more than {limit}");
        }
        Reach::Never => {}
    }
    true
}
