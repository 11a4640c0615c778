//! Archives of `OpenSimulator`, valid or with false headers, and the XML of objects, items and parcels.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::damage;
use crate::SplitMix64;

pub const BLOCK: usize = 512;

#[derive(Clone, Debug)]
pub struct Entry {
    /// A path of more than 100 bytes gets its own entry.
    pub path: Vec<u8>,
    pub kind: u8,
    pub content: Vec<u8>,
    pub size: Option<u64>,
    pub checksum: u32,
    pub link: Vec<u8>,
    /// The extents of a sparse file: offset and bytes.
    pub extents: Vec<(u64, u64)>,
    pub magic: &'static [u8],
}

impl Entry {
    pub fn file(path: impl Into<Vec<u8>>, content: impl Into<Vec<u8>>) -> Self {
        Self {
            path: path.into(),
            kind: b'0',
            content: content.into(),
            size: None,
            checksum: 0,
            link: Vec::new(),
            extents: Vec::new(),
            magic: b"ustar  \0",
        }
    }

    pub fn kind(mut self, kind: u8) -> Self {
        self.kind = kind;
        self
    }

    fn write(&self, out: &mut Vec<u8>) {
        if self.path.len() > 100 && !matches!(self.kind, b'L' | b'K' | b'x' | b'g') {
            let path = [self.path.as_slice(), b"\0"].concat();
            Self::file("././@LongLink", path).kind(b'L').write(out);
        }
        self.write_alone(out);
    }

    fn write_alone(&self, out: &mut Vec<u8>) {
        let mut header = [0_u8; BLOCK];
        place(&mut header[..100], &self.path);
        header[100..107].copy_from_slice(b"0000777");
        header[108..115].copy_from_slice(b"0000764");
        header[116..123].copy_from_slice(b"0000764");
        header[124..136]
            .copy_from_slice(&tar_number(self.size.unwrap_or(self.content.len() as u64)));
        header[136..147].copy_from_slice(b"11017037332");
        header[156] = self.kind;
        place(&mut header[157..257], &self.link);
        place(&mut header[257..265], self.magic);
        header[329..336].fill(b'0');
        header[337..344].fill(b'0');
        let (first, rest) = self.extents.split_at(self.extents.len().min(4));
        if self.kind == b'S' {
            place_extents(&mut header[386..482], first);
            header[482] = u8::from(!rest.is_empty());
            let real = self.extents.iter().map(|(at, count)| at.saturating_add(*count)).max();
            header[483..495].copy_from_slice(&tar_number(real.unwrap_or_default()));
        }
        seal(&mut header, self.checksum);
        out.extend(header);
        let mut chunks = rest.chunks(21).peekable();
        while let Some(chunk) = chunks.next() {
            let mut block = [0_u8; BLOCK];
            place_extents(&mut block[..504], chunk);
            block[504] = u8::from(chunks.peek().is_some());
            out.extend(block);
        }
        out.extend(&self.content);
        out.resize(out.len().next_multiple_of(BLOCK), 0);
    }
}

#[derive(Clone, Debug, Default)]
pub struct ArchiveFile {
    bytes: Vec<u8>,
}

impl ArchiveFile {
    pub fn new() -> Self {
        Self::default().with("archive.xml", "<archive major_version=\"0\" minor_version=\"8\" />")
    }

    pub fn with(mut self, path: &str, content: impl AsRef<[u8]>) -> Self {
        if path.len() > 100 {
            self.entry("././@LongLink", path.as_bytes(), b'L');
        }
        self.entry(path, content.as_ref(), if path.ends_with('/') { b'5' } else { b'0' });
        self
    }

    pub fn with_mesh(self, id: &str, content: impl AsRef<[u8]>) -> Self {
        self.with(&format!("assets/{id}_mesh.llmesh"), content)
    }

    pub fn with_object(self, id: &str, xml: impl AsRef<[u8]>) -> Self {
        self.with(&format!("assets/{id}_object.xml"), xml)
    }

    /// Adds an object to an inventory, in folders that end with `/`.
    pub fn with_item(self, folders: &str, name: &str, asset: &str, owner: &str) -> Self {
        let folder = |name: &str| format!("{}__{}/", escaped(name), id(8));
        let folders: String = folders.split_terminator('/').map(folder).collect();
        let path = format!("inventory/{folders}{}__{}.xml", escaped(name), id(9));
        self.with(&path, item(name, 6, asset, owner))
    }

    /// Adds a parcel, in the folder of a region that ends with `/` or in none.
    pub fn with_parcel(self, folder: &str, id: &str, parcel: impl AsRef<[u8]>) -> Self {
        self.with(&format!("{folder}landdata/{id}.xml"), parcel)
    }

    pub fn raw(&mut self, blocks: &[u8]) {
        self.bytes.extend(blocks);
    }

    /// Adds an entry without the magic word, as `OpenSimulator` does.
    pub fn entry(&mut self, path: &str, content: &[u8], kind: u8) {
        Entry { magic: b"", ..Entry::file(path, content).kind(kind) }.write_alone(&mut self.bytes);
    }

    pub fn tar(mut self) -> Vec<u8> {
        self.bytes.resize(self.bytes.len() + 2 * BLOCK, 0);
        self.bytes
    }

    pub fn gzip(self) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(&self.tar()).expect("memory takes it");
        encoder.finish().expect("memory takes it")
    }
}

/// A sparse file of extents of one block of zeros each. A reader that takes its data for headers finds the end of the
/// archive.
pub fn sparse(path: &str, count: usize) -> Entry {
    let extent = |i: usize| ((i * 2 * BLOCK) as u64, BLOCK as u64);
    let content = vec![0; count * BLOCK];
    let extents = (0..count).map(extent).collect();
    Entry { extents, ..Entry::file(path, content).kind(b'S') }
}

pub fn tar_of(entries: &[Entry]) -> Vec<u8> {
    let mut out = Vec::new();
    for entry in entries {
        entry.write(&mut out);
    }
    out.resize(out.len() + 2 * BLOCK, 0);
    out
}

/// Entries for meshes with their UUIDs, and for the XML of objects.
pub fn region_entries(meshes: &[(String, Vec<u8>)], objects: &[impl AsRef<str>]) -> Vec<Entry> {
    let control = Entry::file("archive.xml", "<archive major_version=\"0\" minor_version=\"8\" />");
    let meshes =
        meshes.iter().map(|(id, bytes)| Entry::file(format!("assets/{id}_mesh.llmesh"), &**bytes));
    let objects = objects
        .iter()
        .enumerate()
        .map(|(i, xml)| Entry::file(format!("objects/object{i}.xml"), xml.as_ref()));
    std::iter::once(control).chain(meshes).chain(objects).collect()
}

pub fn region(meshes: &[(String, Vec<u8>)], objects: &[impl AsRef<str>]) -> Vec<u8> {
    tar_of(&region_entries(meshes, objects))
}

pub fn damage_entries(random: &mut SplitMix64, entries: &mut Vec<Entry>) {
    let at = random.index(entries.len());
    let copy = entries[at].clone();
    let entry = &mut entries[at];
    match random.index(10) {
        0 => entry.kind = random.pick(b"123456789KLSVMNxgXA\0 "),
        1 => entry.size = Some(damage::size(random)),
        2 => entry.checksum = 1 + damage::whole(random) % 100,
        3 => entry.path = damage::path(random),
        4 => entry.link = damage::path(random),
        5 => {
            entry.kind = b'S';
            let count = random.spread(60);
            entry.extents =
                (0..count).map(|_| (damage::size(random), random.spread(4096) as u64)).collect();
        }
        6 => damage::bytes(random, &mut entry.content),
        7 => {
            let pax = format!("{} path={}\n", random.spread(900), damage::text_value(random));
            entries.insert(at, Entry::file("pax", pax).kind(random.pick(b"xg")));
        }
        8 => {
            let times = random.spread(300);
            entries.extend(std::iter::repeat_n(copy, times));
        }
        _ => {
            entries.insert(at, Entry::file("././@LongLink", damage::path(random)).kind(b'L'));
        }
    }
}

fn place(field: &mut [u8], bytes: &[u8]) {
    let length = bytes.len().min(field.len());
    field[..length].copy_from_slice(&bytes[..length]);
}

/// Octal digits, or base 256 for a larger number.
fn tar_number(value: u64) -> [u8; 12] {
    let mut field = [0_u8; 12];
    if value < 1 << 33 {
        place(&mut field, format!("{value:011o}").as_bytes());
    } else {
        field[4..].copy_from_slice(&value.to_be_bytes());
        field[0] = 0x80;
    }
    field
}

fn place_extents(fields: &mut [u8], extents: &[(u64, u64)]) {
    for (field, (at, count)) in fields.chunks_exact_mut(24).zip(extents) {
        field[..12].copy_from_slice(&tar_number(*at));
        field[12..].copy_from_slice(&tar_number(*count));
    }
}

fn seal(header: &mut [u8; BLOCK], wrong_by: u32) {
    header[148..156].fill(b' ');
    let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
    header[148..154]
        .copy_from_slice(format!("{:06o}", sum.wrapping_add(wrong_by) & 0o777_777).as_bytes());
    header[154] = 0;
}

#[derive(Clone, Debug)]
pub struct PartXml {
    name: String,
    scale: [String; 3],
    shape: String,
    id: String,
    position: [String; 3],
    rest: String,
}

impl PartXml {
    pub fn prim(name: &str, path: u8, profile: u8) -> Self {
        Self {
            name: name.to_owned(),
            scale: ["1", "1", "1"].map(str::to_owned),
            shape: format!(
                "<ProfileCurve>{profile}</ProfileCurve><TextureEntry>AAAA</TextureEntry>\
                 <ExtraParams>AA==</ExtraParams><PathBegin>0</PathBegin>\
                 <PathCurve>{path}</PathCurve><PathScaleX>100</PathScaleX>\
                 <PathScaleY>100</PathScaleY><PCode>9</PCode><ProfileHollow>0</ProfileHollow>\
                 <SculptEntry>false</SculptEntry>"
            ),
            id: NIL_ID.to_owned(),
            position: ["128", "128", "21"].map(str::to_owned),
            rest: String::new(),
        }
    }

    pub fn cube(name: &str) -> Self {
        Self::prim(name, 16, 1)
    }

    pub fn mesh(name: &str, id: &str) -> Self {
        Self::sculpted(name, id, 5)
    }

    pub fn sculpted(name: &str, id: &str, kind: u8) -> Self {
        let part = Self::prim(name, 32, 0).shape("SculptType", &kind.to_string());
        let texture = format!("<UUID>{id}</UUID>");
        part.shape("SculptTexture", &texture).shape("SculptEntry", "true")
    }

    pub fn scale(mut self, x: &str, y: &str, z: &str) -> Self {
        self.scale = [x, y, z].map(str::to_owned);
        self
    }

    pub fn id(mut self, id: &str) -> Self {
        id.clone_into(&mut self.id);
        self
    }

    pub fn at(mut self, x: &str, y: &str, z: &str) -> Self {
        self.position = [x, y, z].map(str::to_owned);
        self
    }

    pub fn owner(self, owner: &str) -> Self {
        self.with("OwnerID", &element_xml("UUID", owner))
    }

    pub fn holding(self, assets: &[&str]) -> Self {
        let item = |asset: &&str| {
            format!(
                "<TaskInventoryItem><AssetID><UUID>{asset}</UUID></AssetID><InvType>6</InvType>\
                 <Name>an object</Name><Type>6</Type></TaskInventoryItem>"
            )
        };
        self.with("TaskInventory", &assets.iter().map(item).collect::<String>())
    }

    /// Adds an element to its shape; the last of equal ones counts.
    pub fn shape(mut self, element: &str, content: &str) -> Self {
        self.shape += &element_xml(element, content);
        self
    }

    pub fn with(mut self, element: &str, content: &str) -> Self {
        self.rest += &element_xml(element, content);
        self
    }

    pub fn raw(mut self, xml: &str) -> Self {
        self.rest += xml;
        self
    }

    pub fn scripts(self, count: usize) -> Self {
        let item = |kind| {
            format!(
                "<TaskInventoryItem><Name>an item</Name><InvType>{kind}</InvType>\
                 <Type>{kind}</Type></TaskInventoryItem>"
            )
        };
        self.with("TaskInventory", &(item(7) + &item(10).repeat(count)))
    }

    pub fn xml(&self) -> String {
        let Self { name, scale: [x, y, z], shape, id, position, rest } = self;
        let [east, north, up] = position;
        format!(
            "<SceneObjectPart xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\
             <AllowedDrop>false</AllowedDrop><UUID><UUID>{id}</UUID></UUID><Name>{name}</Name>\
             <GroupPosition><X>{east}</X><Y>{north}</Y><Z>{up}</Z></GroupPosition>\
             <Shape>{shape}</Shape><Scale><X>{x}</X><Y>{y}</Y><Z>{z}</Z></Scale>{rest}\
             </SceneObjectPart>"
        )
    }
}

fn element_xml(element: &str, content: &str) -> String {
    format!("<{element}>{content}</{element}>")
}

pub const NIL_ID: &str = "00000000-0000-0000-0000-000000000000";

pub fn region_object(root: &PartXml, others: &[PartXml]) -> String {
    let others: String = others.iter().map(PartXml::xml).collect();
    let root = root.xml();
    format!("<SceneObjectGroup>{root}<OtherParts>{others}</OtherParts></SceneObjectGroup>")
}

pub fn cube(name: &str) -> String {
    region_object(&PartXml::cube(name), &[])
}

pub fn showing(name: &str, asset: &str) -> String {
    region_object(&PartXml::mesh(name, asset), &[])
}

pub fn scene_xml(objects: &[String]) -> String {
    format!("<scene>{}</scene>", objects.concat())
}

pub fn escaped_xml(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

pub fn object_asset(root: &PartXml, others: &[PartXml]) -> String {
    let others: String = others.iter().map(|part| element_xml("Part", &part.xml())).collect();
    format!(
        "<SceneObjectGroup offsetx=\"0\"><RootPart>{}</RootPart><OtherParts>{others}</OtherParts>\
         <GroupScriptStates><SavedScriptState UUID=\"{NIL_ID}\"><State><Name>no part</Name>\
         </State></SavedScriptState></GroupScriptStates></SceneObjectGroup>",
        root.xml()
    )
}

pub fn coalesced(objects: &[String]) -> String {
    format!("<CoalescedObject x=\"1\" y=\"1\" z=\"1\">{}</CoalescedObject>", objects.concat())
}

/// The XML of an item; `kind` is the number of its asset type.
pub fn item(name: &str, kind: i32, asset: &str, owner: &str) -> String {
    let name = name.replace('&', "&amp;");
    format!(
        "<?xml version=\"1.0\" encoding=\"utf-16\"?>\n<InventoryItem>\n  <Name>{name}</Name>\n  \
         <ID>{}</ID>\n  <InvType>{kind}</InvType>\n  <Owner>{owner}</Owner>\n  <Description />\n  \
         <AssetType>{kind}</AssetType>\n  <AssetID>{asset}</AssetID>\n</InventoryItem>",
        id(9)
    )
}

fn escaped(name: &str) -> String {
    name.replace('&', "&amp;").replace('/', "&#47;")
}

/// The XML of a parcel; `has` selects squares of a region of `side` × `side`.
pub fn parcel(
    id: &str,
    name: &str,
    owner: &str,
    side: usize,
    has: impl Fn(usize, usize) -> bool,
) -> String {
    let mut bytes = vec![0_u8; side * side / 8];
    for square in (0..side * side).filter(|square| has(square % side, square / side)) {
        bytes[square / 8] |= 1 << (square % 8);
    }
    land_data(id, name, owner, &base64(&bytes))
}

pub fn land_data(id: &str, name: &str, owner: &str, bitmap: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"utf-16\"?><LandData><Area>4096</Area>\
         <GlobalID>{id}</GlobalID><IsGroupOwned>False</IsGroupOwned><Bitmap>{bitmap}</Bitmap>\
         <Description /><Name>{name}</Name><OwnerID>{owner}</OwnerID><ParcelAccessList>\
         <ParcelAccessEntry><AgentID>{owner}</AgentID></ParcelAccessEntry></ParcelAccessList></LandData>"
    )
}

pub fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits = bytes.chunks(3).flat_map(|three| {
        let bits = (0..3).fold(0_u32, |bits, i| bits << 8 | u32::from(*three.get(i).unwrap_or(&0)));
        (0..4).map(move |digit| {
            if digit <= three.len() {
                char::from(DIGITS[(bits >> (18 - 6 * digit) & 63) as usize])
            } else {
                '='
            }
        })
    });
    digits.collect()
}

pub fn id(number: usize) -> String {
    format!("{number:08x}-5b93-4d9e-9c5e-000000000001")
}
