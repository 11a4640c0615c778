//! A mesh at all sizes, and what a land impact allows it.

use lodger_core::cost::physics::ShapeType;
use lodger_core::cost::streaming::{Lods, MeshLod, Reach, Rules};
use lodger_core::cost::{ObjectScale, REACH};
use lodger_mesh_asset::Limits;
use lodger_opensim::pricing::{Mesh, MeshUse, Pricing, SizeRange};
use lodger_plot::{Picture, svg};

use super::limits::OF_MESHES;

/// How many bytes say what the mesh is used for.
const HEAD: usize = 34;
/// A sweep is 241 even steps, and a few points for each of up to 16 changes of land impact between two.
const MOST_POINTS: usize = 16_000;
/// Bytes of a picture of a sweep.
const MOST_OF_A_PICTURE: usize = 4 << 20;
/// A mesh that is priced at all these sizes has few triangles.
const LIMITS: Limits = Limits { block_bytes: 1 << 13, ..OF_MESHES };

/// What 34 bytes say of an object: its sides, its shape type, whether it moves and is drawn, its scripts, a
/// range of sizes and a land impact.
struct Asked {
    usage: MeshUse,
    drawn: bool,
    range: SizeRange,
    land_impact: u32,
}

/// What is asked of a mesh, and its asset: a sweep is in order and each of its points the price at that
/// size, and it can be drawn; what a land impact allows keeps within it.
///
/// # Panics
/// If anything of this is not so.
#[must_use]
pub fn pricing(bytes: &[u8]) -> bool {
    let Some((head, file)) = bytes.split_at_checked(HEAD) else { return false };
    let (Some(asked), Ok(mesh)) = (asked(head), Mesh::read_counted(file, LIMITS)) else {
        return false;
    };
    let viewer = Pricing::new(Rules::VIEWER).expect("rules that hold");
    details(&viewer, &mesh, &asked.usage);
    let swept = sweep(&viewer, &mesh, &asked);
    assert_eq!(target(&viewer, &mesh, &asked), swept);
    swept
}

fn asked(head: &[u8]) -> Option<Asked> {
    let float = |at: usize| Some(f32::from_le_bytes(head.get(at..at + 4)?.try_into().ok()?).into());
    let double = |at: usize| Some(f64::from_le_bytes(head.get(at..at + 8)?.try_into().ok()?));
    let short = |at: usize| Some(u16::from_le_bytes([*head.get(at)?, *head.get(at + 1)?]));
    let shapes = [ShapeType::Prim, ShapeType::ConvexHull, ShapeType::None];
    Some(Asked {
        usage: MeshUse {
            scale: ObjectScale::new([float(0)?, float(4)?, float(8)?]).ok()?,
            shape: shapes[usize::from(*head.get(12)? % 3)],
            physical: head.get(13)? & 1 != 0,
            scripts: short(14)?.into(),
            ..MeshUse::default()
        },
        drawn: head.get(13)? & 2 != 0,
        range: SizeRange::new(double(16)?, double(24)?).ok()?,
        land_impact: short(32)?.max(1).into(),
    })
}

fn details(viewer: &Pricing, mesh: &Mesh, usage: &MeshUse) {
    let detail = match viewer.mesh_in_detail(mesh, usage) {
        Ok(detail) => detail,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    assert_eq!(viewer.mesh(mesh, usage), Ok(detail.price));
    for remark in &detail.remarks {
        assert!(!remark.to_string().is_empty());
    }
    for parts in [detail.lods.share, detail.lods.area].map(Lods::to_array) {
        assert!(parts.iter().all(|part| (0.0..=1.0).contains(part)), "{parts:?}");
        assert!(parts.iter().sum::<f64>() <= 1.0 + 1e-9, "{parts:?}");
    }
}

/// Whether there is a sweep.
fn sweep(viewer: &Pricing, mesh: &Mesh, asked: &Asked) -> bool {
    let points = match viewer.sweep(mesh, &asked.usage, asked.range) {
        Ok(points) => points,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return false;
        }
    };
    assert!(points.len() <= MOST_POINTS, "{} points", points.len());
    assert!(points.iter().all(|point| asked.range.holds(point.size)));
    assert!(points.iter().map(|point| point.size).is_sorted());
    for point in &points {
        let there = MeshUse { scale: point.price.scale, ..asked.usage };
        assert_eq!(viewer.mesh(mesh, &there), Ok(point.price));
        assert!(point.land_impact() > 0);
    }
    if asked.drawn {
        let (heading, conditions, size) = ("fuzzed", "viewer rules", "the longest side");
        let chosen = Some(asked.usage.scale.longest());
        let picture = Picture { heading, conditions, size, physics: None, points: &points, chosen };
        assert!(svg(&picture).expect("it can be drawn").len() <= MOST_OF_A_PICTURE);
    }
    true
}

/// Whether there is an answer.
fn target(viewer: &Pricing, mesh: &Mesh, asked: &Asked) -> bool {
    let limit = asked.land_impact;
    let target = match viewer.target(mesh, &asked.usage, limit) {
        Ok(target) => target,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return false;
        }
    };
    let impact = |mesh: &Mesh, usage: &MeshUse| {
        viewer.mesh(mesh, usage).map(|price| price.assessment.land_impact.value)
    };
    let resized = |sizes| impact(&Mesh { sizes, ..mesh.clone() }, &asked.usage);
    let is_within = |impact: Result<u32, _>| impact.is_ok_and(|impact| impact <= limit);
    if let Some(together) = target.bytes.together {
        assert!(is_within(resized(together)), "{together:?} bytes cost more than {limit}");
    }
    for lod in MeshLod::ALL {
        if let Some(bytes) = target.bytes.alone.of(lod) {
            let alone = mesh.sizes.with(lod, bytes);
            assert!(is_within(resized(alone)), "{alone:?} bytes cost more than {limit}");
        }
    }
    let at = |scale| impact(mesh, &MeshUse { scale, ..asked.usage });
    match target.size.reach {
        Reach::UpTo(scale) => assert!(is_within(at(scale)), "{scale:?} costs more than {limit}"),
        Reach::Always => {
            let factor = f64::from(REACH) / asked.usage.scale.longest();
            let sides = asked.usage.scale.sides().map(|side| (side * factor).min(REACH.into()));
            let largest = ObjectScale::new(sides).expect("within reach");
            assert!(is_within(at(largest)), "{largest:?} costs more than {limit}");
        }
        Reach::Never => {}
    }
    true
}
