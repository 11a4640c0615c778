//! The folder that a page's commands run in, with the files that pages take for granted.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::archive_files::{ArchiveFile, PartXml, id, parcel, region_object};
use crate::assets::{bytes, strip, tetrahedron};
use crate::gltf::{document, glb_with};
use crate::run::Folder;
use crate::streamed_sog_index::index;
use lodger_mesh_asset::{AssetBuilder, Block, Convex};

/// Where `lodger` is for a page, by either name.
const PRELUDE: &str = "exec 2>&1\n\
    lodger() { \"$LODGER\" \"$@\"; }\n\
    cargo() {\n\
      test \"$1 $2 $3\" = 'run --release --' || { echo \"cargo $*: is no command to be run here\"; return 127; }\n\
      shift 3\n\
      lodger \"$@\"\n\
    }\n";

/// A house of two walls and a roof, which may be linked.
const HOUSE: &str = "[[object]]\nname = \"house\"\n\
    [[object.prim]]\nposition = [0, 0, 0]\nscale = [10, 0.5, 5]\n\
    [[object.prim]]\nposition = [0, 8, 0]\nscale = [10, 0.5, 5]\n\
    [[object]]\nname = \"roof\"\n\
    [[object.prim]]\nposition = [0, 4, 3]\nscale = [10, 9, 0.5]\n";

/// Two tiles of a map, paid in bytes.
const TILES: &str = "unit = \"byte\"\nbudget = 1000000\npolicy = \"optimal\"\n\
    [[view]]\neye = [0, 500, 0]\n\
    [[module]]\nname = \"tiles\"\n\
    [[actor]]\nname = \"0/0\"\nmodule = \"tiles\"\nposition = [0, 0, 0]\nradius = 700\n\
    work = [40000, 600000, 9000000]\n\
    [[actor]]\nname = \"0/1\"\nmodule = \"tiles\"\nposition = [2000, 0, 0]\nradius = 700\n\
    work = [40000, 600000, 9000000]\n";

/// The folder of a page.
pub(super) struct Stage(Folder);

impl Stage {
    /// A folder with a mesh, a region, a linkset, a glTF scene, a Streamed SOG and tiles.
    pub(super) fn new() -> Self {
        let folder = Folder::new()
            .with("hat.llmesh", bytes(&hat()))
            .with("draft.llmesh", bytes(&draft()))
            .with("region.oar", region())
            .with("house.toml", HOUSE)
            .with("tiles.toml", TILES)
            .with("truck.glb", glb_with(&truck(), &[]))
            .with("lod-meta.json", index());
        fs::create_dir(folder.path("docs")).expect("a folder");
        Self(folder)
    }

    /// Writes a file that a page shows.
    pub(super) fn write(&self, name: &str, text: &str) {
        fs::write(self.0.path(name), text).expect("a file");
    }

    /// Runs a command: how it ended, and what it said.
    pub(super) fn run(&self, command: &str) -> (Option<i32>, String) {
        let mut sh = Command::new("sh");
        // What `lodger` needs to be started from a test is in the command that the folder makes.
        let lodger = self.0.command(&[]);
        sh.arg("-c").arg(format!("{PRELUDE}{command}"));
        sh.current_dir(self.0.path(".")).stdin(std::process::Stdio::null());
        sh.env("LODGER", lodger.get_program()).env_remove("CLICOLOR_FORCE");
        let output = sh.output().expect("there is a sh");
        (output.status.code(), String::from_utf8(output.stdout).expect("UTF-8"))
    }

    /// Which files that commands wrote to `docs/` differ from those that are there. With `LODGER_BLESS`
    /// those are replaced.
    pub(super) fn compare(&self, root: &Path) -> Vec<String> {
        let written = fs::read_dir(self.0.path("docs")).expect("a folder").flatten();
        let mut differences = Vec::new();
        for file in written {
            let now = fs::read(file.path()).expect("readable");
            let kept = root.join("docs").join(file.file_name());
            if std::env::var_os("LODGER_BLESS").is_some() {
                fs::write(&kept, &now).expect("writable");
            } else if fs::read(&kept).ok().is_none_or(|kept| kept != now) {
                differences
                    .push(format!("{} is not what the page's command writes", kept.display()));
            }
        }
        differences
    }
}

/// A mesh of four levels and a hull.
fn hat() -> AssetBuilder<'static> {
    let mut builder = AssetBuilder::new();
    for (block, triangles) in Block::LODS.into_iter().zip([60, 240, 960, 3_600]) {
        builder.set_lod(block, &strip(triangles)).expect("a short block");
    }
    let convex = Convex::new(&tetrahedron(), &[tetrahedron()]);
    builder.set_convex(&convex.expect("a hull")).expect("a short block");
    builder
}

/// The same with a low level that is finer than the medium one, and without a hull.
fn draft() -> AssetBuilder<'static> {
    let mut builder = AssetBuilder::new();
    for (block, triangles) in Block::LODS.into_iter().zip([60, 1_200, 960, 3_600]) {
        builder.set_lod(block, &strip(triangles)).expect("a short block");
    }
    builder
}

/// A region of two parcels with a house of three parts, a porch and a lamp.
fn region() -> Vec<u8> {
    let hat = |name: &str| PartXml::mesh(name, &id(1));
    let house = hat("House").scale("10", "10", "4").at("20", "20", "21").owner(&id(51)).id(&id(11));
    let offset = |part: PartXml, along: &str| {
        part.with("OffsetPosition", &format!("<X>0</X><Y>{along}</Y><Z>0.5</Z>"))
    };
    let wall = offset(PartXml::cube("wall").scale("8", "0.5", "3").id(&id(12)), "5");
    let chimney = offset(hat("chimney").scale("1", "1", "2").id(&id(13)), "-3");
    let porch = hat("Porch").scale("4", "2", "3").at("26", "20", "21").owner(&id(51)).id(&id(14));
    let lamp =
        hat("Lamp").scale("0.5", "0.5", "2").at("200", "40", "21").owner(&id(52)).id(&id(15));
    let half = |name, number, owner, west| {
        parcel(&id(number), name, &id(owner), 64, move |x, _| (x < 32) == west)
    };
    ArchiveFile::new()
        .with_mesh(&id(1), bytes(&self::hat()))
        .with("objects/house.xml", region_object(&house, &[wall, chimney]))
        .with("objects/porch.xml", region_object(&porch, &[]))
        .with("objects/lamp.xml", region_object(&lamp.scripts(2), &[]))
        .with_parcel("", &id(71), half("West", 71, 51, true))
        .with_parcel("", &id(72), half("East", 72, 52, false))
        .gzip()
}

/// A cart of two boxes.
fn truck() -> Value {
    document()
}
