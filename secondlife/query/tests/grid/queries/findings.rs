use std::path::Path;

use arrow::array::{AsArray, RecordBatch};
use arrow::datatypes::Int64Type;
use lodger_core::cost::physics::ShapeType;
use lodger_core::cost::prims::{SolidKind, SolidPrim};
use lodger_core::cost::streaming::PerLod;
use lodger_functions::MeshRow;
use lodger_grid::dataset::{AssetKind, AssetRow, DatasetWriter, PartKind, PartRow, SourceKind};
use lodger_grid::query::{QueryError, QuerySession};
use lodger_grid::report::{QueryReport, ReportSection, TopBy, top, waste, whatif};
use lodger_opensim::archive::PrimGeometry;
use uuid::Uuid;

use super::{options, texts, wait, whole, write_rows};

fn uuid(number: u128) -> Uuid {
    Uuid::from_u128(number)
}

pub(super) fn mesh(
    number: u128,
    hash: &str,
    bytes: i64,
    change: impl Fn(&mut MeshRow),
) -> AssetRow {
    let mut mesh = MeshRow::default();
    mesh.sizes = Some(PerLod { lowest: 100, low: 200, medium: 300, high: 400 });
    mesh.hull_vertices = Some(8);
    change(&mut mesh);
    AssetRow {
        id: Some(uuid(number)),
        hash: Some(hash.to_owned()),
        bytes: Some(bytes),
        mesh: Some(mesh),
        ..AssetRow::new(AssetKind::Mesh)
    }
}

fn part(object: &str, number: i32, kind: PartKind, mesh: Option<u128>) -> PartRow {
    let is_mesh = kind == PartKind::Mesh;
    let plain = SolidPrim { solid: SolidKind::Box, altered: false };
    PartRow {
        object: object.into(),
        part: number,
        name: None,
        owner: Some(uuid(if object.starts_with('a') { 10 } else { 11 })),
        creator: Some(uuid(12)),
        region: Some("west".into()),
        scale: [10.0; 3],
        kind,
        shape: mesh.map_or(PrimGeometry::Prim(plain), |mesh| PrimGeometry::Mesh(uuid(mesh))),
        shape_type: if is_mesh { ShapeType::ConvexHull } else { ShapeType::Prim },
        physical: false,
        animated: false,
        scripts: 0,
        sizes: (!is_mesh).then_some(PerLod { lowest: 120, low: 120, medium: 120, high: 120 }),
        physics: (!is_mesh).then_some(0.1),
        object_size: [10.0; 3],
    }
}

/// Writes five meshes, one of them unreferenced, and objects of 1, 3 and 5 prims, of a large mesh
/// and of a missing mesh.
fn write(dataset: &Path) {
    let meshes = [
        mesh(1, "aa", 1_100, |mesh| {
            mesh.sizes = Some(PerLod { lowest: 100, low: 200, medium: 300, high: 90_000 });
        }),
        mesh(2, "aa", 1_100, |mesh| (mesh.copied, mesh.copied_bytes) = (2, 500)),
        mesh(3, "aa", 1_100, |mesh| mesh.thin = 7),
        mesh(4, "bb", 5_000, |mesh| (mesh.copied, mesh.copied_bytes) = (1, 300)),
        mesh(5, "cc", 9_000, |mesh| mesh.degenerate = 3),
    ];
    let prims = [("a1", 1), ("a3", 3), ("b5", 5)].into_iter().flat_map(|(object, prims)| {
        (1..=prims).map(move |number| part(object, number, PartKind::Plain, None))
    });
    let shown = [("b-mesh", 1), ("a-mesh", 2), ("b-more", 3), ("b-more2", 4), ("a-missing", 99)];
    let shown = shown.map(|(object, mesh)| part(object, 1, PartKind::Mesh, Some(mesh)));
    let rows = (false, DatasetWriter::FILE_ROWS);
    write_rows(dataset, rows, &meshes, &prims.chain(shown).collect::<Vec<_>>());
}

fn reported(
    work: impl AsyncFnOnce(QuerySession) -> Result<QueryReport, QueryError>,
) -> QueryReport {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path());
    let report = wait(async {
        let session =
            QuerySession::open(folder.path().to_str().expect("a name"), &options()).await?;
        work(session).await
    });
    report.expect("a report")
}

fn total(section: &ReportSection, column: &str) -> i64 {
    section.rows.column_by_name(column).expect(column).as_primitive::<Int64Type>().value(0)
}

fn rows(report: &QueryReport) -> &RecordBatch {
    &report.lists[0].rows
}

#[test]
fn waste_is_found_and_counted() {
    let report = reported(async |session| waste(&session, 10).await);
    let total = |column| total(&report.totals, column);
    assert_eq!([total("meshes"), total("bytes")], [5, 17_300]);
    assert_eq!([total("with_copied_lods"), total("copied_bytes")], [2, 800]);
    assert_eq!([total("duplicates"), total("duplicate_bytes")], [2, 2_200]);
    assert_eq!([total("with_thin_triangles"), total("thin_triangles")], [1, 7]);
    assert_eq!([total("with_degenerate_triangles"), total("degenerate_triangles")], [1, 3]);
    assert_eq!([total("unreferenced"), total("unreferenced_bytes")], [1, 9_000]);
    let found = texts(rows(&report), "finding");
    let found: Vec<_> = found.iter().flatten().map(String::as_str).collect();
    let expected = [
        "copied-lods",
        "copied-lods",
        "duplicates",
        "thin-triangles",
        "degenerate-triangles",
        "unreferenced",
    ];
    assert_eq!(found, expected);
    let bytes = [Some(500), Some(300), Some(2_200), None, None, Some(9_000)];
    assert_eq!(whole(rows(&report), "bytes"), bytes);
    let count = [2, 1, 3, 7, 3, 1].map(Some);
    assert_eq!(whole(rows(&report), "count"), count);
    assert_eq!(texts(rows(&report), "id")[5], Some(uuid(5).to_string()));
    assert_eq!(report.sources[0].name, "region.oar");
    let parts: Vec<_> = report.distribution.iter().map(|bin| bin.value).collect();
    assert_eq!(parts[..3], [500, 1_000, 1_500]);
}

#[test]
fn the_most_of_each_finding_is_listed() {
    let report = reported(async |session| waste(&session, 1).await);
    assert_eq!(whole(rows(&report), "bytes"), [Some(500), Some(2_200), None, None, Some(9_000)]);
}

#[test]
fn objects_are_ranked_by_land_impact() {
    let report = reported(async |session| top(&session, "viewer", TopBy::Object, 3).await);
    let objects = texts(rows(&report), "object");
    let impacts = whole(rows(&report), "land_impact");
    assert_eq!(objects[0].as_deref(), Some("b-mesh"));
    assert_eq!(objects[1].as_deref(), Some("b5"));
    assert_eq!(impacts[1], Some(5), "five prims, as long ago");
    assert!(impacts[0] > Some(9), "{impacts:?}");
    assert_eq!(impacts.len(), 3);
    assert_eq!([total(&report.totals, "objects"), total(&report.totals, "unpriced")], [7, 1]);
    assert!(report.notes[0].starts_with("1 object has no price"), "{:?}", report.notes);
    assert_eq!(report.distribution.iter().map(|bin| bin.value).sum::<u64>(), 7);
}

#[test]
fn owners_and_regions_are_sums_of_their_objects() {
    let by = |by| reported(async move |session| top(&session, "viewer", by, 10).await);
    let owners = by(TopBy::Owner);
    let names = [11, 10].map(|owner| Some(uuid(owner).to_string()));
    assert_eq!(texts(rows(&owners), "owner"), names);
    assert_eq!(whole(rows(&owners), "objects"), [Some(4), Some(3)]);
    assert_eq!(whole(rows(&owners), "unpriced"), [Some(0), Some(1)]);
    let sum: i64 = whole(rows(&owners), "land_impact").into_iter().flatten().sum();
    let regions = by(TopBy::Region);
    assert_eq!(whole(rows(&regions), "land_impact"), [Some(sum)]);
    assert_eq!(total(&regions.totals, "land_impact"), sum);
    assert_eq!(total(&by(TopBy::Creator).totals, "land_impact"), sum);
}

#[test]
fn whatif_lists_only_changed_objects() {
    let report = reported(async |session| whatif(&session, "grid", "viewer", 10).await);
    let change = total(&report.totals, "change");
    let (now, then) =
        (total(&report.totals, "land_impact_now"), total(&report.totals, "land_impact_then"));
    assert_eq!(then - now, change);
    assert!(change < 0, "static meshes cost less by the rules of the grid: {now}, {then}");
    assert_eq!(texts(rows(&report), "object")[0].as_deref(), Some("b-mesh"));
    let objects: i64 = whole(rows(&report), "change").into_iter().flatten().sum();
    let owners: i64 = whole(&report.lists[1].rows, "change").into_iter().flatten().sum();
    assert_eq!([objects, owners], [change, change]);
    let by = |rules: &'static str| {
        let report = reported(async move |session| {
            session.set_rules(rules).await?;
            top(&session, rules, TopBy::Object, 1).await
        });
        total(&report.totals, "land_impact")
    };
    assert_eq!([by("viewer"), by("grid")], [now, then]);
    let same = reported(async |session| whatif(&session, "viewer", "viewer", 10).await);
    assert_eq!([total(&same.totals, "change"), total(&same.totals, "changed")], [0, 0]);
}

pub(super) fn written(assets: &[AssetRow], rows: &[PartRow]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    write_rows(folder.path(), (false, 1), assets, rows);
    folder
}

async fn opened(folder: &tempfile::TempDir, partitions: usize) -> Result<QuerySession, QueryError> {
    let partitions = std::num::NonZeroUsize::new(partitions);
    let options = lodger_grid::query::QueryOptions { partitions, ..options() };
    QuerySession::open(folder.path().to_str().expect("a name"), &options).await
}

#[test]
fn an_asset_that_claims_to_cost_anything_makes_no_total_negative() {
    let assets = [1, 2, 3].map(|number| {
        mesh(number, "aa", 10, |mesh| {
            if number < 3 {
                mesh.hull_cost = Some(1e300);
            }
        })
    });
    let parts = [("a1", 1), ("a2", 2), ("b3", 3)]
        .map(|(object, shown)| part(object, 1, PartKind::Mesh, Some(shown)));
    let folder = written(&assets, &parts);
    for partitions in [1, 2, 8] {
        let (object, owner) = wait(async {
            let session = opened(&folder, partitions).await?;
            let object = top(&session, "viewer", TopBy::Object, 10).await?;
            Ok::<_, QueryError>((object, top(&session, "viewer", TopBy::Owner, 10).await?))
        })
        .expect("reports");
        assert_eq!(whole(rows(&object), "physics_millionths")[..2], [Some(i64::MAX); 2]);
        assert_eq!(total(&object.totals, "physics_millionths"), i64::MAX, "{partitions}");
        assert_eq!(whole(rows(&owner), "physics_millionths")[0], Some(i64::MAX), "{partitions}");
        let streaming = whole(rows(&object), "streaming_millionths").into_iter().flatten();
        assert_eq!(total(&object.totals, "streaming_millionths"), streaming.sum::<i64>());
    }
}

#[test]
fn unreadable_objects_are_noted() {
    let bad = AssetRow {
        kind: AssetKind::Object,
        mesh: None,
        error: Some("no XML".to_owned()),
        ..mesh(7, "dd", 100, |_| {})
    };
    let parts = [part("b-mesh", 1, PartKind::Mesh, Some(1))];
    let note = "1 object could not be read: it counts nowhere, and what it shows may be among `unreferenced`";
    let notes = |assets: &[AssetRow]| {
        let folder = written(assets, &parts);
        let reports = wait(async {
            let session = opened(&folder, 1).await?;
            let top = top(&session, "viewer", TopBy::Object, 1).await?;
            let waste = waste(&session, 1).await?;
            Ok::<_, QueryError>([top, waste, whatif(&session, "grid", "viewer", 1).await?])
        });
        reports.expect("reports").map(|report| report.notes.iter().any(|text| text == note))
    };
    let good = mesh(1, "aa", 100, |_| {});
    assert_eq!(notes(&[good.clone(), bad]), [true; 3]);
    assert_eq!(notes(&[good]), [false; 3]);
}

#[test]
fn other_rules_leave_objects_without_a_price_too() {
    let report = reported(async |session| whatif(&session, "grid", "viewer", 10).await);
    assert!(report.notes[0].starts_with("1 object has no price"), "{:?}", report.notes);
}

#[test]
fn duplicates_have_bytes_and_identifiers() {
    let mut assets = [1, 2, 3, 4, 5, 6].map(|number| mesh(number, "aa", 100, |_| {}));
    (assets[2].hash, assets[3].hash) = (Some("bb".to_owned()), Some("bb".to_owned()));
    assets[2].id = None;
    for missing in &mut assets[4..] {
        (missing.hash, missing.bytes) = (Some("cc".to_owned()), None);
    }
    let folder = written(&assets, &[]);
    let report = wait(async { waste(&opened(&folder, 1).await?, 10).await }).expect("a report");
    assert_eq!(
        [total(&report.totals, "duplicates"), total(&report.totals, "duplicate_bytes")],
        [1, 100]
    );
}

#[test]
fn rows_without_owner_are_noted() {
    let mut nested = part("a1", 1, PartKind::Plain, None);
    let is_noted = |parts: &[PartRow], by| {
        let folder = written(&[], parts);
        let report = wait(async { top(&opened(&folder, 1).await?, "viewer", by, 10).await });
        let notes = report.expect("a report").notes;
        notes.iter().any(|note| note.starts_with("rows without an owner or region"))
    };
    assert!(!is_noted(std::slice::from_ref(&nested), TopBy::Owner));
    (nested.owner, nested.region) = (None, None);
    for by in [TopBy::Object, TopBy::Owner, TopBy::Region] {
        assert!(is_noted(std::slice::from_ref(&nested), by), "{by:?}");
    }
}

#[test]
fn reports_can_be_repeated_in_a_session() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path());
    wait(async {
        let session = opened(&folder, 2).await?;
        let object = top(&session, "viewer", TopBy::Object, 10).await?;
        let owner = top(&session, "viewer", TopBy::Owner, 10).await?;
        assert_eq!(total(&object.totals, "land_impact"), total(&owner.totals, "land_impact"));
        for _ in 0..2 {
            let report = waste(&session, 10).await?;
            assert_eq!(total(&report.totals, "duplicates"), 2);
        }
        let once = whatif(&session, "grid", "viewer", 10).await?;
        let again = whatif(&session, "grid", "viewer", 10).await?;
        assert_eq!(once.totals.rows, again.totals.rows);
        assert_eq!(rows(&once), rows(&again));
        let taken = session.materialize("assets", "SELECT 1 AS one").await;
        assert!(taken.is_err() && session.materialize("assets", "SELECT 1 AS one").await.is_err());
        session.sql("SELECT id FROM assets").await.map(drop)
    })
    .expect("reports");
}

#[test]
fn a_dataset_without_rows_has_reports() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut writer = DatasetWriter::open(folder.path(), false).expect("a dataset");
    writer.begin_source("nothing", SourceKind::Files).expect("a source");
    writer.end_source(true).expect("a commit");
    drop(writer);
    let (top, waste) = wait(async {
        let dataset = folder.path().to_str().expect("a name");
        let session = QuerySession::open(dataset, &options()).await?;
        let ranked = top(&session, "viewer", TopBy::Object, 10).await?;
        Ok::<_, QueryError>((ranked, waste(&session, 10).await?))
    })
    .expect("reports");
    assert_eq!([total(&top.totals, "objects"), total(&waste.totals, "meshes")], [0, 0]);
    assert_eq!([rows(&top).num_rows(), rows(&waste).num_rows()], [0, 0]);
}
