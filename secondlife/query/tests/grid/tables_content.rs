//! Random tables of a grid, and the records that reading must return.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use lodger_grid::ingest::tables::{AssetRecord, MESH, OBJECT, OpenSimTables, Present};
use lodger_opensim::archive::{ObjectLocation, ObjectPart};
use lodger_testkit::SplitMix64;
use uuid::Uuid;

use crate::tables_csv::{assets, fs_assets, rezzed};

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Null,
    Text(String),
    Whole(i64),
    Real(f64),
    Bytes(Vec<u8>),
}

#[derive(Clone, Debug)]
pub(crate) struct TableRows {
    pub(crate) name: &'static str,
    pub(crate) columns: Vec<&'static str>,
    pub(crate) rows: Vec<Vec<Value>>,
}

type ExpectedPart = (String, Option<Uuid>, [f64; 3], [f64; 3], Option<Uuid>, bool, u32);

#[derive(Debug, PartialEq)]
struct ExpectedObject {
    region: Uuid,
    owner: Option<Uuid>,
    position: [f64; 3],
    parts: Vec<ExpectedPart>,
}

pub(crate) struct Content {
    pub(crate) tables: Vec<TableRows>,
    fs_assets: Vec<AssetRecord<String>>,
    assets: Vec<AssetRecord<Vec<u8>>>,
    objects: BTreeMap<Uuid, ExpectedObject>,
}

fn uuid(random: &mut SplitMix64) -> Uuid {
    Uuid::from_u64_pair(random.next_u64(), random.next_u64())
}

fn name(random: &mut SplitMix64) -> String {
    const NAMES: [&str; 6] =
        ["a \"chair\"", "Stuhl, groß", "it's; half", "木の椅子", "back\\slash", "x"];
    format!("{} {}", random.pick(&NAMES), random.below(1000))
}

fn shuffle<T>(random: &mut SplitMix64, rows: &mut [T]) {
    for index in (1..rows.len()).rev() {
        rows.swap(index, random.index(index + 1));
    }
}

#[allow(clippy::needless_pass_by_value)] // of some it is an owned text
fn text(text: impl ToString) -> Value {
    Value::Text(text.to_string())
}

fn whole(number: impl Into<i64>) -> Value {
    Value::Whole(number.into())
}

fn table(name: &'static str, columns: &str) -> TableRows {
    let columns: &'static str = columns.to_owned().leak();
    TableRows { name, columns: columns.split(' ').collect(), rows: Vec::new() }
}

impl Content {
    pub(crate) fn random(seed: u64, count: u64) -> Self {
        let mut random = SplitMix64::new(seed);
        let mut content = Self {
            tables: vec![
                table(
                    "fsassets",
                    "id name description type hash create_time access_time asset_flags",
                ),
                table(
                    "assets",
                    "name description assetType local temporary data id create_time access_time asset_flags CreatorID",
                ),
                table(
                    "prims",
                    "CreationDate Name Text ObjectFlags CreatorID OwnerID GroupPositionX GroupPositionY GroupPositionZ \
                     PositionX PositionY PositionZ RotationX RotationY RotationZ RotationW UUID RegionUUID SceneGroupID \
                     LinkNumber PhysicsShapeType",
                ),
                table(
                    "primshapes",
                    "Shape ScaleX ScaleY ScaleZ PCode PathBegin PathEnd PathScaleX PathScaleY PathShearX PathShearY \
                     PathSkew PathCurve PathRadiusOffset PathRevolutions PathTaperX PathTaperY PathTwist PathTwistBegin \
                     ProfileBegin ProfileEnd ProfileCurve ProfileHollow State Texture ExtraParams UUID",
                ),
                table("primitems", "invType assetType name creationDate itemID primID assetID"),
            ],
            fs_assets: Vec::new(),
            assets: Vec::new(),
            objects: BTreeMap::new(),
        };
        for _ in 0..count {
            content.fs_asset(&mut random);
            content.asset(&mut random, 300);
            content.object(&mut random);
        }
        content.asset(&mut random, 5 << 20);
        content.tables.iter_mut().for_each(|table| shuffle(&mut random, &mut table.rows));
        content.fs_assets.sort_by_key(|row| row.id);
        content.assets.sort_by_key(|row| row.id);
        content
    }

    fn fs_asset(&mut self, random: &mut SplitMix64) {
        let kinds = [0, OBJECT, MESH, MESH];
        let record = AssetRecord {
            id: uuid(random),
            kind: random.pick(&kinds),
            content: (0..4).fold(String::new(), |mut hash, _| {
                write!(hash, "{:016X}", random.next_u64()).expect("it is a text");
                hash
            }),
            created: Some(
                1_600_000_000 + i64::from(u8::try_from(random.below(200)).expect("it is small")),
            ),
            accessed: (random.below(2) == 0).then_some(1_700_000_000),
            name: Some(name(random)),
            description: None,
        };
        self.tables[0].rows.push(vec![
            text(record.id),
            text(record.name.as_deref().unwrap_or_default()),
            text(""),
            whole(record.kind),
            text(&record.content),
            whole(record.created.unwrap_or_default()),
            whole(record.accessed.unwrap_or_default()),
            whole(0),
        ]);
        self.fs_assets.push(record);
    }

    fn asset(&mut self, random: &mut SplitMix64, most: u64) {
        let kinds = [0, OBJECT, MESH];
        let length = if most > 300 { most } else { random.below(most) };
        let record = AssetRecord {
            id: uuid(random),
            kind: if most > 300 { MESH } else { random.pick(&kinds) },
            content: random.noise(usize::try_from(length).expect("a length")),
            created: Some(1_500_000_000),
            accessed: None,
            name: Some(name(random)),
            description: Some("of an asset".to_owned()),
        };
        self.tables[1].rows.push(vec![
            text(record.name.as_deref().unwrap_or_default()),
            text("of an asset"),
            whole(record.kind),
            whole(0),
            whole(0),
            Value::Bytes(record.content.clone()),
            text(record.id),
            whole(1_500_000_000),
            Value::Null,
            whole(0),
            text(""),
        ]);
        if record.kind != 0 {
            self.assets.push(record);
        }
    }

    fn object(&mut self, random: &mut SplitMix64) {
        let (group, region, owner) = (uuid(random), uuid(random), uuid(random));
        let position = [random.unit() * 256.0, random.unit() * 256.0, random.unit() * 4096.0];
        let prims = 1 + random.below(5);
        let mut parts = Vec::new();
        for link in 0..prims {
            let id = if link == 0 { group } else { uuid(random) };
            let link = if prims == 1 { 0 } else { i64::try_from(link).expect("it is small") + 1 };
            parts.push(self.prim(random, [id, group, region, owner], link, position));
        }
        self.objects.insert(group, ExpectedObject { region, owner: Some(owner), position, parts });
    }

    fn prim(
        &mut self,
        random: &mut SplitMix64,
        [id, group, region, owner]: [Uuid; 4],
        link: i64,
        position: [f64; 3],
    ) -> ExpectedPart {
        let (name, creator) = (name(random), uuid(random));
        let offset = [random.unit() * 10.0, random.unit() * 10.0, random.unit() * 1e-5];
        let scale = [random.unit() * 64.0, random.unit() * 1.0, random.unit() * 0.5];
        let mesh = (random.below(2) == 0).then(|| uuid(random));
        let physical = random.below(3) == 0;
        let mut row = vec![
            whole(1_400_000_000),
            text(&name),
            text("floats above it"),
            whole(i64::from(physical) + 8),
            text(format!("{creator};http://other.grid:8002/;First Last")),
            text(owner),
        ];
        row.extend(position.map(Value::Real));
        row.extend(offset.map(Value::Real));
        row.extend([0.0, 0.6, 0.0, 0.8].map(Value::Real));
        row.extend([text(id), text(region), text(group), whole(link), whole(2)]);
        self.tables[2].rows.push(row);
        let mut shape = vec![whole(0)];
        shape.extend(scale.map(Value::Real));
        // A plain box.
        shape.extend(
            [9, 0, 0, 100, 100, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0].map(Value::Whole),
        );
        let block = mesh.map_or(vec![0], |mesh| {
            [&[1, 0x30, 0, 17, 0, 0, 0][..], mesh.as_bytes(), &[5]].concat()
        });
        shape.extend([Value::Bytes(random.noise(40)), Value::Bytes(block), text(id)]);
        self.tables[3].rows.push(shape);
        let scripts = self.items(random, id);
        let offset = if link < 2 { [0.0; 3] } else { offset };
        (name, Some(creator), scale, offset, mesh, physical, scripts)
    }

    fn items(&mut self, random: &mut SplitMix64, prim: Uuid) -> u32 {
        let mut scripts = 0;
        for _ in 0..random.below(4) {
            let kind = i64::try_from(random.below(2)).expect("it is small") * 10;
            scripts += u32::from(kind == 10);
            self.tables[4].rows.push(vec![
                whole(kind),
                whole(kind),
                text(name(random)),
                whole(1_400_000_000),
                text(uuid(random)),
                text(prim),
                text(uuid(random)),
            ]);
        }
        scripts
    }

    /// Damages four objects: no shape, no root, an invalid position, no region.
    pub(crate) fn spoil(&mut self) {
        let rows = &self.tables[2].rows;
        let roots: Vec<usize> =
            (0..rows.len()).filter(|&row| rows[row][16] == rows[row][18]).collect();
        let shapeless = rows[roots[0]][16].clone();
        let mut orphan = rows[roots[1]].clone();
        orphan[18] = text(Uuid::from_u128(99));
        orphan[16] = text(Uuid::from_u128(98));
        let mut shape = self.tables[3].rows[0].clone();
        *shape.last_mut().expect("it has columns") = text(Uuid::from_u128(98));
        self.tables[3].rows.retain(|row| row.last() != Some(&shapeless));
        self.tables[3].rows.push(shape);
        self.tables[2].rows[roots[2]][6] = text("north");
        self.tables[2].rows[roots[3]][17] = Value::Null;
        self.tables[2].rows.push(orphan);
    }

    pub(crate) fn compare(&self, tables: &OpenSimTables) {
        let counts = Present {
            fsassets: Some(self.fs_assets.len() as u64),
            assets: Some(self.assets.len() as u64),
            objects: Some(self.objects.len() as u64),
        };
        assert_eq!(tables.present(), counts);
        let mut found: Vec<_> =
            fs_assets(tables).into_iter().map(|row| row.expect("it is right")).collect();
        found.sort_by_key(|row| row.id);
        if found.iter().all(|row| row.name.is_none()) {
            let nameless =
                self.fs_assets.iter().cloned().map(|row| AssetRecord { name: None, ..row });
            assert_eq!(found, nameless.collect::<Vec<_>>());
        } else {
            assert_eq!(found, self.fs_assets);
        }
        let mut found: Vec<_> =
            assets(tables).into_iter().map(|row| row.expect("it is right")).collect();
        found.sort_by_key(|row| row.id);
        assert!(found == self.assets, "the blobs differ");
        let found = rezzed(tables);
        assert_eq!(found.len(), self.objects.len());
        for (row, (id, expected)) in found.into_iter().zip(&self.objects) {
            let object = row.object.expect("it is right");
            assert_eq!((row.id, object.id), (*id, *id));
            let ObjectLocation::Region { region, position } = &object.location else {
                panic!("it is in no region")
            };
            assert_eq!(region.as_deref(), Some(expected.region.to_string().as_str()));
            assert_eq!(object.rotation.map(f64::to_bits), [0.0, 0.6, 0.0, 0.8].map(f64::to_bits));
            let parts = object.parts().map(expected_part).collect();
            let (region, position) = (row.region, *position);
            assert_eq!(ExpectedObject { region, owner: object.owner, position, parts }, *expected);
        }
    }
}

fn expected_part(part: &ObjectPart) -> ExpectedPart {
    (
        part.name.to_string(),
        part.creator,
        part.scale,
        part.offset,
        part.mesh(),
        part.physical,
        part.scripts,
    )
}

pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a text");
        text
    })
}

pub(crate) fn write_csv(content: &Content, folder: &Path) -> Vec<PathBuf> {
    let write = |table: &TableRows| {
        let path = folder.join(format!("{}.csv", table.name));
        let mut text = table.columns.join(",") + "\n";
        for row in &table.rows {
            let fields: Vec<String> = row.iter().map(field).collect();
            text += &(fields.join(",") + "\n");
        }
        fs::write(&path, text).expect("there is space");
        path
    };
    content.tables.iter().map(write).collect()
}

fn field(value: &Value) -> String {
    match value {
        Value::Null => "\\N".to_owned(),
        Value::Text(text) => format!("\"{}\"", text.replace('"', "\"\"")),
        Value::Whole(number) => number.to_string(),
        Value::Real(number) => number.to_string(),
        Value::Bytes(bytes) => format!("0x{}", hexadecimal(bytes)),
    }
}
