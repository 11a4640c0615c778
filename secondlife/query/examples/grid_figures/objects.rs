//! Objects in regions, as rows of the three tables of a simulator.
//!
//! Source: `OpenSimulator`, `RegionStore.migrations` of its data layer for `MySQL`, without columns
//! that do not affect costs: permissions, sounds, particles, cameras.

use csv::Writer;
use uuid::Uuid;

use crate::GridRandom;
use crate::{ThingKind, id};

const KIND: u64 = 200;
const MAX_PARTS: u64 = 16;
const RESIDENTS: u64 = 2000;
const REGIONS: u64 = 64;

const PRIMS: &str = "CreationDate Name Description ObjectFlags PositionX PositionY PositionZ GroupPositionX \
    GroupPositionY GroupPositionZ RotationX RotationY RotationZ RotationW UUID RegionUUID CreatorID \
    OwnerID SceneGroupID LinkNumber PhysicsShapeType";
const SHAPES: &str = "Shape ScaleX ScaleY ScaleZ PCode PathBegin PathEnd PathScaleX PathScaleY PathShearX PathShearY \
    PathSkew PathCurve PathRadiusOffset PathRevolutions PathTaperX PathTaperY PathTwist \
    PathTwistBegin ProfileBegin ProfileEnd ProfileCurve ProfileHollow State Texture ExtraParams UUID";

const ITEMS: [&str; 7] = ["invType", "assetType", "name", "itemID", "primID", "assetID", "ownerID"];

pub(crate) struct RegionTables {
    seed: u64,
    meshes: u64,
    parts: u64,
    prims: Writer<Vec<u8>>,
    shapes: Writer<Vec<u8>>,
    contents: Writer<Vec<u8>>,
}

/// Values that all parts of an object share.
struct ObjectValues {
    number: u64,
    root: Uuid,
    region: Uuid,
    owner: Uuid,
    creator: Uuid,
    flags: &'static str,
    place: [f32; 3],
}

impl RegionTables {
    pub(crate) fn new(seed: u64, meshes: u64) -> Self {
        let writer = || Writer::from_writer(Vec::new());
        let (prims, shapes, contents) = (writer(), writer(), writer());
        Self { seed, meshes, parts: 0, prims, shapes, contents }
    }

    pub(crate) fn header() -> Result<Self, csv::Error> {
        let mut tables = Self::new(0, 0);
        tables.prims.write_record(PRIMS.split(' '))?;
        tables.shapes.write_record(SHAPES.split(' '))?;
        tables.contents.write_record(ITEMS)?;
        Ok(tables)
    }

    pub(crate) const fn parts(&self) -> u64 {
        self.parts
    }

    pub(crate) fn finish(self) -> Result<[Vec<u8>; 3], csv::Error> {
        let text = |writer: Writer<Vec<u8>>| {
            writer.into_inner().map_err(|error| csv::Error::from(error.into_error()))
        };
        Ok([text(self.prims)?, text(self.shapes)?, text(self.contents)?])
    }

    pub(crate) fn object(&mut self, number: u64) -> Result<(), csv::Error> {
        let mut random = GridRandom::new(self.seed, KIND, number);
        // Few residents own many objects: the smaller of two numbers.
        let owner = random.below(RESIDENTS).min(random.below(RESIDENTS));
        let object = ObjectValues {
            number,
            root: id(self.seed, ThingKind::Part, number * MAX_PARTS),
            region: id(self.seed, ThingKind::Region, random.below(REGIONS)),
            owner: id(self.seed, ThingKind::Resident, owner),
            creator: id(self.seed, ThingKind::Resident, random.below(RESIDENTS)),
            flags: if random.percent(3) { "1" } else { "0" },
            place: [random.between(0.0, 256.0), random.between(0.0, 256.0), 22.5],
        };
        let mut parts = 1;
        while parts < MAX_PARTS && random.percent(67) {
            parts += 1;
        }
        for part in 0..parts {
            let number = number * MAX_PARTS + part;
            let link = if parts == 1 { 0 } else { part + 1 };
            self.prim(&object, number, link, &mut random)?;
            self.shape(number, &mut random)?;
            self.contents(&object, number, &mut random)?;
        }
        Ok(())
    }

    fn prim(
        &mut self,
        object: &ObjectValues,
        number: u64,
        link: u64,
        random: &mut GridRandom,
    ) -> Result<(), csv::Error> {
        self.parts += 1;
        let offset = [0; 3].map(|_| if link > 1 { random.between(-4.0, 4.0) } else { 0.0 });
        let (turn, upright) = random.between(0.0, 3.0).sin_cos();
        let physics = match random.below(10) {
            0..=4 => "0",
            5 => "1",
            _ => "2",
        };
        let text = |at: f32| at.to_string();
        let mut row = vec![
            "1500000000".to_owned(),
            format!("part {link} of {}", object.number),
            String::new(),
            object.flags.to_owned(),
        ];
        row.extend(offset.map(text));
        row.extend(object.place.map(text));
        row.extend(["0".to_owned(), "0".to_owned(), text(turn), text(upright)]);
        let ids = [
            id(self.seed, ThingKind::Part, number),
            object.region,
            object.creator,
            object.owner,
            object.root,
        ];
        row.extend(ids.map(|id| id.to_string()));
        row.extend([link.to_string(), physics.to_owned()]);
        self.prims.write_record(row)
    }

    fn shape(&mut self, number: u64, random: &mut GridRandom) -> Result<(), csv::Error> {
        let scale = [0; 3].map(|_| random.between(0.1, 6.0).to_string());
        let [x, y, z] = &scale;
        let shows_mesh = self.meshes > 0 && random.percent(75);
        let (path, profile, hollow) = match random.below(4) {
            _ if shows_mesh => ("32", "0", "0"),
            0 => ("16", "0", "0"),
            1 => ("32", "5", "0"),
            2 => ("16", "1", "30000"),
            _ => ("16", "1", "0"),
        };
        let extra = if shows_mesh {
            mesh(id(self.seed, ThingKind::Mesh, random.below(self.meshes)))
        } else {
            "0x00".to_owned()
        };
        let id = id(self.seed, ThingKind::Part, number).to_string();
        let texture = format!("0x{}{}", "89556747".repeat(4), "00".repeat(30));
        self.shapes.write_record([
            "0", x, y, z, "9", "0", "0", "100", "100", "0", "0", "0", path, "0", "0", "0", "0",
            "0", "0", "0", "0", profile, hollow, "0", &texture, &extra, &id,
        ])
    }

    fn contents(
        &mut self,
        object: &ObjectValues,
        number: u64,
        random: &mut GridRandom,
    ) -> Result<(), csv::Error> {
        let scripts = if random.percent(16) { 1 + random.below(3) } else { 0 };
        let notes = u64::from(random.percent(2));
        for item in 0..scripts + notes {
            let (kind, name) = if item < scripts { ("10", "script") } else { ("7", "note") };
            let own =
                |part| id(self.seed, ThingKind::Item, number * 16 + item * 2 + part).to_string();
            self.contents.write_record([
                kind,
                kind,
                name,
                &own(0),
                &id(self.seed, ThingKind::Part, number).to_string(),
                &own(1),
                &object.owner.to_string(),
            ])?;
        }
        Ok(())
    }
}

/// `ExtraParams` of a part that shows a mesh: a parameter of type 0x30 with 17 bytes, the last of
/// which means mesh.
fn mesh(asset: Uuid) -> String {
    format!("0x01300011000000{}05", asset.simple())
}
