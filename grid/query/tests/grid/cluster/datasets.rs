//! A dataset on a cluster: its views are worked out there.

use std::num::NonZeroUsize;
use std::path::Path;

use arrow::util::pretty::pretty_format_batches;
use lodger_grid::query::{Options, Session};
use tempfile::TempDir;
use uuid::Uuid;

use super::processes::Cluster;
use crate::samples::{archive, mesh, object, take_in};

/// Questions to the tables and the views.
const QUESTIONS: [&str; 6] = [
    "SELECT count(*), sum(bytes), count(error) FROM assets",
    "SELECT kind, count(*), sum(millionths(streaming)), sum(millionths(physics)) FROM prices
        GROUP BY kind ORDER BY kind",
    "SELECT count(*), sum(streaming_millionths), sum(physics_millionths), sum(server_millionths), sum(land_impact)
        FROM objects",
    "SELECT * FROM objects ORDER BY land_impact DESC NULLS LAST, object LIMIT 9",
    "SELECT id, lowest, high, physics_mesh FROM assets WHERE kind = 'mesh' ORDER BY id LIMIT 9",
    "SELECT a.id FROM assets a LEFT ANTI JOIN parts p ON p.mesh = a.id WHERE a.kind = 'mesh' ORDER BY a.id",
];

/// A dataset of some files.
fn dataset() -> (TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("dataset");
    let regions: Vec<_> = (0..4).map(|n| region(folder.path(), n)).collect();
    let regions: Vec<&Path> = regions.iter().map(AsRef::as_ref).collect();
    take_in(&regions, &out, lodger_grid::ingest::Options::default());
    (folder, out.to_str().expect("a path").to_owned())
}

fn region(folder: &Path, number: u32) -> std::path::PathBuf {
    let path = folder.join(format!("region{number}.oar"));
    let mut entries = vec![("archive.xml".to_owned(), b"<archive/>".to_vec())];
    for n in number * 20..number * 20 + 20 {
        let id = u128::from(n) + 1;
        entries.push((format!("assets/{}_mesh.llmesh", Uuid::from_u128(id)), mesh(n)));
        let shown = (n % 3 > 0).then_some(id + u128::from(n % 2));
        let text = object(id * 1_000, shown, (n % 5) as usize);
        entries.push((format!("objects/{n}.xml"), text.into_bytes()));
    }
    archive(&path, &entries);
    path
}

async fn answer(session: &Session, question: &str) -> String {
    let (_, rows) =
        session.sql(question).await.unwrap_or_else(|error| panic!("{question}: {error}"));
    let rows: Vec<_> = rows.into_iter().filter(|rows| rows.num_rows() > 0).collect();
    pretty_format_batches(&rows).expect("a table").to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dataset_has_the_same_answers_on_a_cluster() {
    let (_folder, dataset) = dataset();
    let cluster = Cluster::start(2);
    let options = |partitions, cluster: Option<&Cluster>| Options {
        rules: "viewer",
        partitions: NonZeroUsize::new(partitions),
        memory: 256 << 20,
        cluster: cluster.map(|cluster| cluster.address().to_owned()),
    };
    let here = Session::open(&dataset, &options(1, None)).await.expect("a dataset");
    for partitions in [1, 2, 8] {
        let options = options(partitions, Some(&cluster));
        let there = Session::open(&dataset, &options).await.expect("a dataset");
        for question in QUESTIONS {
            let expected = answer(&here, question).await;
            let found = answer(&there, question).await;
            assert_eq!(found, expected, "{question}\nin {partitions} partitions");
        }
    }
}
