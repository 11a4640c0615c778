//! `docs/formats.md` names every key of every JSON and every column of every CSV, and no other.
//!
//! Each test runs a command on small inputs that between them have all that it can say, collects the paths
//! of their keys, as `modules[].name`, and compares them with the first columns of the tables below the
//! heading of that command.

mod ranges;

use std::collections::BTreeSet;
use std::fs;

use lodger_mesh_asset::{AssetBuilder, Block};
use serde_json::Value;

use crate::archive_files::{ArchiveFile, PartXml, id, parcel, region_object};
use crate::assets::{bytes, good, strip};
use crate::replay::{different, log};
use crate::run::{BASE, CAPE, Folder, Outcome};
use crate::streamed_sog_index::index;
use crate::tables::first_columns;

type Keys = BTreeSet<String>;

/// Where keys are names of what is told, which tables call `NAME`.
const MAPS: [&str; 5] =
    ["ns_per_actor", "spread", "ratios", "sweep[].ns_per_actor", "sweep[].spread"];

/// What the tables below a heading name.
fn named(heading: &str) -> Vec<String> {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/formats.md");
    let page = fs::read_to_string(page).expect("readable");
    let mut tables = first_columns(&page);
    tables.remove(heading).unwrap_or_else(|| panic!("no table below {heading:?}"))
}

/// The paths of all keys of a value.
fn paths(at: &str, value: &Value, keys: &mut Keys) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                let key = if MAPS.contains(&at) { "NAME" } else { key };
                let path = if at.is_empty() { key.to_owned() } else { format!("{at}.{key}") };
                paths(&path, value, keys);
                keys.insert(path);
            }
        }
        Value::Array(list) => list.iter().for_each(|value| paths(&format!("{at}[]"), value, keys)),
        _ => {}
    }
}

fn run(folder: &Folder, arguments: &[&str]) -> Outcome {
    Outcome::of(folder.command(arguments).output().expect("it runs"))
}

/// The keys that some runs of a command bring about.
fn keys(folder: &Folder, runs: &[&[&str]]) -> Keys {
    let mut keys = Keys::new();
    for arguments in runs {
        let outcome = run(folder, &[arguments, &["--format", "json"][..]].concat());
        let value = serde_json::from_str(&outcome.stdout);
        let value: Value = value.unwrap_or_else(|_| panic!("{arguments:?}: {}", outcome.stderr));
        assert_eq!(value["schema"], 1, "{arguments:?}");
        paths("", &value, &mut keys);
    }
    keys
}

#[track_caller]
fn holds(heading: &str, said: &Keys) {
    let list = named(heading);
    let page: Keys = list.iter().cloned().collect();
    assert_eq!(list.len(), page.len(), "a key of {heading:?} stands there twice");
    let missing: Vec<_> = said.difference(&page).collect();
    assert!(missing.is_empty(), "docs/formats.md does not name of {heading:?}: {missing:?}");
    let surplus: Vec<_> = page.difference(said).collect();
    assert!(
        surplus.is_empty(),
        "docs/formats.md names of {heading:?} what is not said: {surplus:?}"
    );
}

#[track_caller]
fn has_columns(heading: &str, folder: &Folder, arguments: &[&str]) {
    let outcome = run(folder, &[arguments, &["--format", "csv"][..]].concat());
    let header = outcome.stdout.lines().next().expect("a header");
    assert_eq!(header.split(',').collect::<Vec<_>>(), named(heading), "{heading}");
}

fn scenes() -> Folder {
    Folder::new().with("scene.toml", format!("{BASE}{CAPE}")).with("lod-meta.json", index())
}

#[test]
fn the_plan() {
    let folder = scenes();
    let (seen, splats) = (&["schedule", "scene.toml"][..], &["schedule", "lod-meta.json"]);
    holds("lodger schedule: JSON in milliseconds", &keys(&folder, &[seen]));
    let in_units = keys(&folder, &[&[&splats[..], &["--budget", "2M", "--eye", "9,2,9"]].concat()]);
    holds("lodger schedule: JSON in another unit", &in_units);
    has_columns("lodger schedule: CSV", &folder, seen);
    let arguments = [&splats[..], &["--budget", "2M", "--eye", "9,2,9"]].concat();
    has_columns("lodger schedule: CSV in another unit", &folder, &arguments);
}

#[test]
fn the_linkset() {
    let prim = |name: &str, x: u32| {
        format!(
            "[[object]]\nname = \"{name}\"\n[[object.prim]]\nposition = [{x}, 0, 0]\nscale = [1, 1, 1]\n"
        )
    };
    let folder = Folder::new().with("far.toml", prim("a", 0) + &prim("b", 900));
    holds("lodger linkset: the sphere rule", &keys(&folder, &[&["linkset", "far.toml"]]));
    let span = keys(&folder, &[&["linkset", "far.toml", "--rule", "span"]]);
    holds("lodger linkset: the span rule", &span);
}

/// A region with a mesh that is used, one that is not, a box, parcels, and what cannot be priced.
fn priced() -> Folder {
    let house = PartXml::mesh("House", &id(1)).owner(&id(5)).at("9", "9", "9").id(&id(6));
    let archive = ArchiveFile::new()
        .with_mesh(&id(1), bytes(&good()))
        .with_mesh(&id(2), bytes(&good()))
        .with_mesh(&id(3), "broken")
        .with("objects/house.xml", region_object(&house, &[PartXml::cube("wall")]))
        .with("objects/lost.xml", region_object(&PartXml::mesh("lost", &id(4)), &[]))
        .with_parcel("", &id(7), parcel(&id(7), "West", &id(5), 64, |_, _| true));
    let folder =
        Folder::new().with("region.oar", archive.gzip()).with("hat.llmesh", bytes(&good()));
    // Without a hull, of which there is a note.
    let mut bare = AssetBuilder::new();
    bare.set_lod(Block::HighLod, &strip(8)).expect("a short block");
    folder.with("bare.llmesh", bytes(&bare))
}

#[test]
fn the_costs() {
    let folder = priced();
    let files = &["cost", "region.oar", "hat.llmesh", "bare.llmesh"][..];
    holds("lodger cost: JSON", &keys(&folder, &[files]));
    let with = |option: &[&'static str]| [files, option].concat();
    let more = |option: &[&'static str]| {
        let usual = keys(&folder, &[files]);
        keys(&folder, &[&with(option)]).difference(&usual).cloned().collect::<Keys>()
    };
    holds("lodger cost --parts: JSON", &more(&["--parts"]));
    holds("lodger cost --by: JSON", &more(&["--by", "parcel"]));
    let sweep = &["cost", "hat.llmesh", "--sweep", "1..4"][..];
    let target = &["cost", "hat.llmesh", "--target", "2"][..];
    holds("lodger cost --sweep: JSON", &keys(&folder, &[sweep]));
    // What the mesh costs now is a row of files.
    let target_keys = keys(&folder, &[target]);
    let (now, own): (Keys, Keys) = target_keys.into_iter().partition(|key| key.starts_with("now."));
    let as_file = |key: &String| key.replacen("now.", "files[].", 1);
    let usual = keys(&folder, &[files]);
    assert!(now.iter().all(|key| usual.contains(&as_file(key))), "{now:?}");
    holds("lodger cost --target: JSON", &own);
    let simulator = &["--simulator", "unofficial-2011"][..];
    let also = |arguments: &[&'static str]| {
        let usual = keys(&folder, &[arguments]);
        let all = keys(&folder, &[&[arguments, simulator].concat()]);
        all.difference(&usual).cloned().collect::<Keys>()
    };
    let by = with(&["--by", "parcel"]);
    let mut resource = also(&by);
    resource.extend(also(sweep));
    holds("lodger cost --simulator: JSON", &resource);
    for (arguments, heading) in [
        (files, "lodger cost --simulator: CSV"),
        (&by, "lodger cost --simulator of sums and sizes: CSV"),
        (sweep, "lodger cost --simulator of sums and sizes: CSV"),
        (target, "lodger cost --simulator: CSV"),
    ] {
        let header = |options: &[&str]| {
            let run = run(&folder, &[arguments, options, &["--format", "csv"]].concat());
            run.stdout.lines().next().expect("a header").to_owned()
        };
        let columns = format!("{},{}", header(&[]), named(heading).join(","));
        assert_eq!(header(simulator), columns, "{arguments:?}");
    }
    has_columns("lodger cost: CSV", &folder, files);
    has_columns("lodger cost --parts: CSV", &folder, &with(&["--parts"]));
    has_columns("lodger cost --by: CSV", &folder, &with(&["--by", "owner"]));
    has_columns("lodger cost --sweep: CSV", &folder, sweep);
    has_columns("lodger cost --target: CSV", &folder, target);
}

#[test]
fn the_findings() {
    let mut thin = good();
    thin.set_lod(Block::LowLod, &strip(16)).expect("a short block");
    let folder = priced().with("thin.llmesh", bytes(&thin));
    let files = &["lint", "region.oar", "thin.llmesh", "gone.llmesh"][..];
    let mut said = keys(&folder, &[files]);
    // What a cost counts in is its key: bytes, or the physics of something.
    said.retain(|key| !key.starts_with("files[].findings[].cost."));
    holds("lodger lint: JSON", &said);
}

#[test]
fn the_replay() {
    let folder = Folder::new().with("good.log", log()).with("bad.log", different());
    let said = keys(&folder, &[&["replay", "good.log"], &["replay", "bad.log"]]);
    holds("lodger replay: JSON", &said);
}

#[test]
fn the_simulation() {
    let arguments = &["simulate", "--frames", "61", "--compare"][..];
    let medians = [arguments, &["--seeds", "2"]].concat();
    holds("lodger simulate: JSON", &keys(&Folder::new(), &[arguments, &medians]));
}

#[test]
fn the_bench() {
    let few = &["bench", "--actors", "100", "--seconds", "0"][..];
    let folder = Folder::new();
    let sweep = [few, &["--sweep", "growth.svg"]].concat();
    holds("lodger bench: JSON", &keys(&folder, &[few, &sweep]));
}
