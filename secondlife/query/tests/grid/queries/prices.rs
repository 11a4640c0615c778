use std::num::NonZeroUsize;

use lodger_core::cost::streaming::StreamingRules;
use lodger_grid::query::QueryOptions;
use lodger_mesh_asset::AssetLimits;
use lodger_opensim::pricing::{ArchivePrice, MeshReadLimits, MeshUse, Pricer};
use lodger_quota::{Quota, QuotaLimits};

use super::{Region, options, query, real, texts, whole};

const RULES: [(&str, StreamingRules); 3] = [
    ("wiki", StreamingRules::WIKI),
    ("viewer", StreamingRules::VIEWER),
    ("grid", StreamingRules::GRID),
];

fn priced(region: &Region, rules: StreamingRules) -> ArchivePrice {
    let (limits, quota) = (AssetLimits::default(), &Quota::new(QuotaLimits::default()));
    let pricer = Pricer::new(rules).expect("rules that hold");
    let priced = pricer.archive_in_parts(
        &region.archive,
        &MeshUse::default(),
        MeshReadLimits { limits, quota },
        |_| {},
    );
    priced.expect("it is enough")
}

#[test]
fn objects_cost_the_same_bits_as_pricing() {
    for seed in 0..3 {
        let (region, folder) = Region::dataset(seed, 300, 500);
        for (word, rules) in RULES {
            let expected = priced(&region, rules);
            let options = QueryOptions { rules: word, ..options() };
            let objects = query(folder.path(), &options, "SELECT * FROM objects ORDER BY object");
            compare(&objects.expect("a result"), &expected);
        }
    }
}

fn compare(objects: &arrow::array::RecordBatch, expected: &ArchivePrice) {
    assert_eq!(objects.num_rows(), expected.objects.len());
    let bits = |column| real(objects, column).into_iter().map(|cost| cost.map(f64::to_bits));
    let (mut priced, mut old, mut missing) = (0, 0, 0);
    let impacts = whole(objects, "land_impact");
    let prims = whole(objects, "prims");
    let weights: Vec<_> = ["streaming", "physics_base", "physics", "server"]
        .map(|column| bits(column).collect::<Vec<_>>())
        .into();
    let owners = texts(objects, "owner");
    for (row, object) in expected.objects.iter().enumerate() {
        assert_eq!(owners[row], object.owner.map(|owner| owner.to_string()), "{row}");
        let Ok(price) = &object.price else {
            missing += 1;
            assert_eq!(impacts[row], None, "{row}");
            continue;
        };
        let counted = &price.assessment;
        priced += 1;
        old += usize::from(counted.land_impact.limited_by.is_none());
        assert_eq!(impacts[row], Some(counted.land_impact.value.into()), "{row}: {counted:?}");
        assert_eq!(prims[row], Some(counted.prims.into()), "{row}");
        let wanted = [counted.streaming, counted.physics_base, counted.physics, counted.server];
        for (weight, wanted) in weights.iter().zip(wanted) {
            assert_eq!(weight[row], Some(wanted.to_bits()), "{row}: {counted:?}");
        }
    }
    assert!(priced > 150 && old > 5 && missing > 5, "{priced}, {old}, {missing}");
}

#[test]
fn parts_have_the_weights_of_pricing() {
    let (region, folder) = Region::dataset(11, 200, 100_000);
    let expected = priced(&region, StreamingRules::VIEWER);
    let sql = "SELECT * FROM prices ORDER BY object, part";
    let parts = query(folder.path(), &options(), sql).expect("a result");
    let (objects, streaming, physics) =
        (texts(&parts, "object"), real(&parts, "streaming"), real(&parts, "physics"));
    let mut compared = 0;
    for (number, object) in expected.objects.iter().enumerate().filter(|(_, it)| it.price.is_ok()) {
        let key = format!("{number:05}");
        let rows = (0..parts.num_rows()).filter(|row| objects[*row].as_deref() == Some(&key));
        for (row, part) in rows.zip(&object.parts) {
            compared += 1;
            assert_eq!(streaming[row], Some(part.streaming), "{key}");
            assert_eq!(physics[row], Some(part.physics.cost), "{key}");
        }
    }
    assert!(compared > 500, "{compared}");
}

#[test]
fn totals_are_the_same_for_any_partitions() {
    let (region, folder) = Region::dataset(5, 400, 300);
    let sql = "SELECT count(*) AS objects, sum(land_impact) AS land_impact, sum(streaming_millionths) AS streaming, \
               sum(physics_millionths) AS physics, sum(server_millionths) AS server FROM objects";
    let parts = "SELECT sum(millionths(streaming)) AS streaming, sum(millionths(physics)) AS physics FROM prices";
    let with = |partitions| {
        let options = QueryOptions { partitions: NonZeroUsize::new(partitions), ..options() };
        [sql, parts].map(|sql| query(folder.path(), &options, sql).expect("a result"))
    };
    let one = with(1);
    assert_eq!(whole(&one[0], "objects"), [Some(400)]);
    assert_eq!(with(2), one);
    assert_eq!(with(8), one);
    let expected: u64 = priced(&region, StreamingRules::VIEWER)
        .objects
        .iter()
        .filter_map(|object| object.price.as_ref().ok())
        .map(|price| u64::from(price.assessment.land_impact.value))
        .sum();
    assert_eq!(whole(&one[0], "land_impact"), [i64::try_from(expected).ok()]);
}
