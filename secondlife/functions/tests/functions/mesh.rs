//! Rows of meshes against lint and pricing of the same files.

use lodger_core::cost::ObjectScale;
use lodger_core::cost::streaming::PerLod;
use lodger_functions::{MeshColumns, MeshRow};
use lodger_mesh_asset::lint::{FindingCost, FindingKind, MAX_THIN_NAMED, lint};
use lodger_mesh_asset::{Asset, AssetBlock, AssetLimits, GeometryCounts};
use lodger_opensim::pricing::MeshInputs;

use super::sample::{self, With};

fn assert_agrees(file: &[u8]) {
    let row = MeshRow::read(file, AssetLimits::default());
    let Ok(asset) = Asset::parse(file) else {
        assert_eq!((row.sizes, row.hull_vertices, row.triangles), (None, None, PerLod::default()));
        assert!(row.error.is_some());
        return;
    };
    assert_eq!(row.sizes, Some(asset.header().lod_bytes()));
    let findings = lint(&asset, ObjectScale::ONE);
    let lods = findings
        .iter()
        .filter(|found| found.block.is_some_and(|block| AssetBlock::LODS.contains(&block)));
    let degenerate = lods.map(|found| match found.kind {
        FindingKind::Degenerate => 1,
        FindingKind::MoreDegenerate { triangles } => triangles,
        _ => 0,
    });
    assert_eq!(row.degenerate, i32::try_from(degenerate.sum::<usize>()).unwrap());
    let thin = findings
        .iter()
        .filter(|found| matches!(found.kind, FindingKind::ThinTriangle { .. }))
        .count();
    assert_eq!(usize::try_from(row.thin).unwrap().min(MAX_THIN_NAMED), thin);
    let copied: Vec<_> = findings
        .iter()
        .filter(|found| matches!(found.kind, FindingKind::SameAsNext { .. }))
        .collect();
    let bytes = copied.iter().map(|found| match found.cost {
        Some(FindingCost::Bytes(bytes)) => i64::from(bytes),
        _ => 0,
    });
    assert_eq!((row.copied, row.copied_bytes), (i32::try_from(copied.len()).unwrap(), bytes.sum()));
    assert_physics_agrees(&row, &asset, file);
    let counts = |count: fn(GeometryCounts) -> usize| {
        let [a, b, c, d] =
            AssetBlock::LODS.map(|block| asset.counts(block).ok().flatten().map(count));
        PerLod { lowest: a, low: b, medium: c, high: d }
            .map(|count| count.map(|count| i32::try_from(count).unwrap()))
    };
    assert_eq!(row.triangles, counts(|counts| counts.triangles));
    assert_eq!(row.vertices, counts(|counts| counts.vertices));
    let unreadable = findings.iter().any(|found| matches!(found.kind, FindingKind::Unreadable(_)));
    assert!(row.error.is_some() || !unreadable);
    assert!(row.error.as_ref().is_none_or(|error| !error.is_empty() && !error.contains('\n')));
}

fn assert_physics_agrees(row: &MeshRow, asset: &Asset<'_>, file: &[u8]) {
    let inputs = match asset.physics() {
        Ok(inputs) => inputs,
        Err(error) => {
            assert_eq!((row.hull_vertices, row.hulls, &row.physics_mesh), (None, None, &None));
            assert_eq!(row.error, Some(error.to_string()), "why it has no price");
            assert!(MeshInputs::read(file, AssetLimits::default()).is_err());
            return;
        }
    };
    assert_eq!(row.hull_vertices, Some(inputs.hull.vertices().into()));
    assert_eq!(row.hull_estimated, Some(inputs.hull_source.is_some()));
    assert_eq!(row.hulls, inputs.decomposition.map(|hulls| hulls.count().into()));
    assert_eq!(row.hull_cost, inputs.cost_data.and_then(|data| data.hull));
    assert_eq!(row.decomposition_cost, inputs.cost_data.and_then(|data| data.decomposition));
    let triangles = inputs.mesh.as_ref().map(|mesh| i32::try_from(mesh.triangle_count()).unwrap());
    assert_eq!(row.physics_triangles, triangles);
    assert_eq!(
        row.physics_mesh.as_deref(),
        inputs.mesh.and_then(|_| asset.raw(AssetBlock::PhysicsMesh))
    );
}

#[test]
fn a_row_agrees_with_lint_and_pricing() {
    let (mut thin, mut copied, mut degenerate) = (0, 0, 0);
    for (with, file) in sample::all() {
        assert_agrees(&file);
        let row = MeshRow::read(&file, AssetLimits::default());
        assert_eq!(row.joints, if with.cost_data { 2 } else { 0 });
        assert_eq!(row.error, None, "{with:?}");
        assert_eq!(row.degenerate, i32::from(with.degenerate));
        assert_eq!(row.thin, if with.mesh { 15 } else { 0 });
        thin += row.thin;
        copied += row.copied;
        degenerate += row.degenerate;
    }
    assert!(thin > 0 && copied > 0 && degenerate > 0);
}

#[test]
fn a_damaged_file_is_a_row_with_an_error() {
    let with = With { hull: true, hulls: true, mesh: true, cost_data: true, ..With::default() };
    let whole = sample::file(2, with);
    assert_agrees(b"");
    assert_agrees(b"no mesh at all");
    for end in 0..whole.len() {
        assert_agrees(&whole[..end]);
    }
    let mut errors = 0;
    for at in 0..whole.len() {
        let mut file = whole.clone();
        file[at] ^= 0x55;
        assert_agrees(&file);
        errors += u32::from(MeshRow::read(&file, AssetLimits::default()).error.is_some());
    }
    assert!(errors > 100, "{errors}");
}

#[test]
fn the_inflated_size_of_a_block_is_limited() {
    let file = sample::file(200, With { hull: true, ..With::default() });
    let row = MeshRow::read(&file, AssetLimits { block_bytes: 256, ..AssetLimits::default() });
    assert!(row.error.is_some_and(|error| error.contains("256 bytes")));
    assert!(row.sizes.is_some_and(|sizes| sizes.high > 0));
}

#[test]
fn columns_are_those_of_their_fields() {
    let mut columns = MeshColumns::default();
    columns.append(None);
    columns.append(Some(&MeshRow::read(
        &sample::file(1, With { mesh: true, ..With::default() }),
        AssetLimits::default(),
    )));
    columns.append(Some(&MeshRow::read(b"bad", AssetLimits::default())));
    let arrays = columns.finish();
    let fields = MeshColumns::fields();
    assert_eq!(arrays.len(), fields.len());
    for (array, field) in arrays.iter().zip(&fields) {
        assert_eq!((array.len(), array.data_type()), (3, field.data_type()), "{field}");
        assert!(array.is_null(0), "{field}");
    }
    let (_, high) = fields.iter().zip(&arrays).find(|(field, _)| field.name() == "high").unwrap();
    assert!(
        high.is_valid(1) && high.is_null(2),
        "the size of a file that is no mesh is null, not 0"
    );
    assert!(columns.finish().iter().all(|array| array.is_empty()));
}
