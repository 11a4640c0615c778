//! What stands in regions, by the dumps of their tables.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use lodger_grid::dataset::Table;
use lodger_grid::ingest::Options;
use lodger_opensim::archive::{PrimColumns, ShapeColumns};
use uuid::Uuid;

use crate::samples::{archive, column, object, rows, take_in};

fn id(number: u128) -> String {
    Uuid::from_u128(number).to_string()
}

/// The dumps of the tables of a region: its prims, each with its object and what stands for its number.
fn region(folder: &Path, name: &str, prims: &[(u128, u128, &str)]) -> [PathBuf; 2] {
    let mut stands =
        format!("UUID,SceneGroupID,RegionUUID,LinkNumber,{}\n", PrimColumns::NAMES.join(","));
    let mut looks = format!("UUID,ExtraParams,{}\n", ShapeColumns::NAMES.join(","));
    for (prim, group, link) in prims {
        let (prim, group, region) = (id(*prim), id(*group), id(9));
        writeln!(stands, "{prim},{group},{region},{link},a prim,,,0,9,9,20,0,0,0,0,0,0,1,0")
            .expect("text");
        writeln!(looks, "{prim},,1,1,1,9,0,0,100,100,0,0,0,16,0,0,0,0,0,0,0,0,1,0").expect("text");
    }
    [("prims", stands), ("primshapes", looks)].map(|(table, text)| {
        let path = folder.join(format!("{name}-{table}.csv"));
        fs::write(&path, text).expect("a file");
        path
    })
}

#[test]
fn regions_whose_dumps_lie_together_are_all_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    let dumps = folder.path().join("dump");
    fs::create_dir(&dumps).expect("a folder");
    let one = region(&dumps, "sim1", &[(1, 1, "1"), (2, 1, "2")]);
    let two = region(&dumps, "sim2", &[(3, 3, "0")]);
    let first = take_in(&[&one[0], &one[1]], &out, Options::default());
    assert_eq!((first.objects, first.parts), (1, 2));
    let second = take_in(&[&two[0], &two[1]], &out, Options::default());
    assert_eq!((second.objects, second.parts, second.known), (1, 1, 0));
    let again = take_in(&[&one[0], &one[1], &two[0], &two[1]], &out, Options::default());
    assert_eq!((again.objects, again.known), (0, 2));
    let mut objects = column(&rows(&out, Table::Parts), "object");
    objects.sort();
    assert_eq!(objects, [id(1), id(1), id(3)]);
}

#[test]
fn an_object_counts_once_wherever_it_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("home.oar");
    let entry =
        |number: u128| (format!("objects/{number}.xml"), object(number, None, 1).into_bytes());
    archive(&path, &[("archive.xml".to_owned(), b"<archive/>".to_vec()), entry(1), entry(5)]);
    let tables = region(folder.path(), "sim", &[(1, 1, "1"), (2, 1, "2"), (7, 7, "0")]);
    let [prims, shapes] = &tables;
    for (number, runs) in [vec![vec![&path, prims, shapes]], vec![vec![prims, shapes], vec![&path]]]
        .iter()
        .enumerate()
    {
        let out = folder.path().join(format!("out{number}"));
        for sources in runs {
            let sources: Vec<&Path> = sources.iter().map(|path| path.as_path()).collect();
            take_in(&sources, &out, Options::default());
        }
        let mut objects = column(&rows(&out, Table::Parts), "object");
        objects.sort();
        assert_eq!(objects, [id(1), id(1), id(5), id(5), id(7)]);
    }
}

#[test]
fn an_object_of_which_a_prim_is_lost_has_no_price() {
    let folder = tempfile::tempdir().expect("a folder");
    let prims = [(1, 1, "1"), (2, 1, "x"), (3, 3, "0"), (4, 4, "1"), (5, 4, "2"), (6, 4, "3")];
    let [prims, shapes] = region(folder.path(), "sim", &prims);
    let text = fs::read_to_string(&prims).expect("a file");
    let text = text.replace(&format!("{},{}", id(5), id(4)), &format!("nobody,{}", id(4)));
    let text = text.replace(
        &format!("{},{},{},3,a prim", id(6), id(4), id(9)),
        &format!("{},{},{},3,\"a \\\"prim\\\", as MySQL has it\"", id(6), id(4), id(9)),
    );
    fs::write(&prims, text).expect("a file");
    let out = folder.path().join("out");
    let summary = take_in(&[&prims, &shapes], &out, Options::default());
    assert_eq!((summary.objects, summary.parts, summary.assets, summary.bad), (1, 1, 2, 2));
    assert_eq!(column(&rows(&out, Table::Parts), "object"), [id(3)]);
    let mut errors = column(&rows(&out, Table::Assets), "error");
    errors.sort();
    assert!(errors[0].contains(&format!("prim {}: `LinkNumber` must be", id(2))), "{errors:?}");
    assert!(errors[1].contains(&id(4)), "{errors:?}");
}
