//! Builds archives as `OpenSimulator` writes them, and object XML to put into them.

#![allow(dead_code, reason = "of the crates that share this file, each uses a part of it")]

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;

/// The bytes of a tar block.
pub(crate) const BLOCK: usize = 512;

/// An archive that is being built.
#[derive(Clone, Debug, Default)]
pub(crate) struct ArchiveFile {
    bytes: Vec<u8>,
}

impl ArchiveFile {
    /// An archive with its control file.
    pub(crate) fn new() -> Self {
        Self::default().with("archive.xml", "<archive major_version=\"0\" minor_version=\"8\" />")
    }

    /// Adds a file.
    pub(crate) fn with(mut self, path: &str, content: impl AsRef<[u8]>) -> Self {
        if path.len() > 100 {
            self.entry("././@LongLink", path.as_bytes(), b'L');
        }
        self.entry(path, content.as_ref(), if path.ends_with('/') { b'5' } else { b'0' });
        self
    }

    /// Adds a mesh asset.
    pub(crate) fn with_mesh(self, id: &str, content: impl AsRef<[u8]>) -> Self {
        self.with(&format!("assets/{id}_mesh.llmesh"), content)
    }

    /// Adds an object asset.
    pub(crate) fn with_object(self, id: &str, xml: impl AsRef<[u8]>) -> Self {
        self.with(&format!("assets/{id}_object.xml"), xml)
    }

    /// Adds an item of an inventory that is an object, in folders with `/` between and behind them.
    pub(crate) fn with_item(self, folders: &str, name: &str, asset: &str, owner: &str) -> Self {
        let folder = |name: &str| format!("{}__{}/", escaped(name), id(8));
        let folders: String = folders.split_terminator('/').map(folder).collect();
        let path = format!("inventory/{folders}{}__{}.xml", escaped(name), id(9));
        self.with(&path, item(name, 6, asset, owner))
    }

    /// Adds a parcel, in a region's folder with `/` behind it or in none.
    pub(crate) fn with_parcel(self, folder: &str, id: &str, parcel: impl AsRef<[u8]>) -> Self {
        self.with(&format!("{folder}landdata/{id}.xml"), parcel)
    }

    /// Adds blocks as they are.
    pub(crate) fn raw(&mut self, blocks: &[u8]) {
        self.bytes.extend(blocks);
    }

    /// Adds an entry of any kind, without the magic word, as `OpenSimulator` does.
    pub(crate) fn entry(&mut self, path: &str, content: &[u8], kind: u8) {
        let mut header = [0; BLOCK];
        let path = &path.as_bytes()[..path.len().min(100)];
        header[..path.len()].copy_from_slice(path);
        header[100..107].copy_from_slice(b"0000777");
        header[108..115].copy_from_slice(b"0000764");
        header[116..123].copy_from_slice(b"0000764");
        header[124..135].copy_from_slice(format!("{:011o}", content.len()).as_bytes());
        header[136..147].copy_from_slice(b"11017037332");
        header[148..156].fill(b' ');
        header[156] = kind;
        header[329..336].fill(b'0');
        header[337..344].fill(b'0');
        let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
        header[148..154].copy_from_slice(format!("{sum:06o}").as_bytes());
        header[154] = 0;
        self.bytes.extend(header);
        self.bytes.extend(content);
        self.bytes.resize(self.bytes.len().next_multiple_of(BLOCK), 0);
    }

    /// The tar file.
    pub(crate) fn tar(mut self) -> Vec<u8> {
        self.bytes.resize(self.bytes.len() + 2 * BLOCK, 0);
        self.bytes
    }

    /// The tar file in gzip.
    pub(crate) fn gzip(self) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(&self.tar()).expect("memory takes it");
        encoder.finish().expect("memory takes it")
    }
}

/// The XML of a part.
#[derive(Clone, Debug)]
pub(crate) struct PartXml {
    name: String,
    scale: [String; 3],
    shape: String,
    id: String,
    position: [String; 3],
    rest: String,
}

impl PartXml {
    /// A plain prim by its `PathCurve` and `ProfileCurve`.
    pub(crate) fn prim(name: &str, path: u8, profile: u8) -> Self {
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
            id: NOBODY.to_owned(),
            position: ["128", "128", "21"].map(str::to_owned),
            rest: String::new(),
        }
    }

    /// A box.
    pub(crate) fn cube(name: &str) -> Self {
        Self::prim(name, 16, 1)
    }

    /// A part that shows a mesh.
    pub(crate) fn mesh(name: &str, id: &str) -> Self {
        Self::sculpted(name, id, 5)
    }

    /// A part that shows what a `SculptType` says.
    pub(crate) fn sculpted(name: &str, id: &str, kind: u8) -> Self {
        let part = Self::prim(name, 32, 0).shape("SculptType", &kind.to_string());
        let texture = format!("<UUID>{id}</UUID>");
        part.shape("SculptTexture", &texture).shape("SculptEntry", "true")
    }

    /// Another scale.
    pub(crate) fn scale(mut self, x: &str, y: &str, z: &str) -> Self {
        self.scale = [x, y, z].map(str::to_owned);
        self
    }

    /// Another identifier.
    pub(crate) fn id(mut self, id: &str) -> Self {
        id.clone_into(&mut self.id);
        self
    }

    /// Another position of the whole object.
    pub(crate) fn at(mut self, x: &str, y: &str, z: &str) -> Self {
        self.position = [x, y, z].map(str::to_owned);
        self
    }

    /// An owner.
    pub(crate) fn owner(self, owner: &str) -> Self {
        self.with("OwnerID", &element_xml("UUID", owner))
    }

    /// Objects in its inventory, by their assets.
    pub(crate) fn holding(self, assets: &[&str]) -> Self {
        let item = |asset: &&str| {
            format!(
                "<TaskInventoryItem><AssetID><UUID>{asset}</UUID></AssetID><InvType>6</InvType>\
                 <Name>an object</Name><Type>6</Type></TaskInventoryItem>"
            )
        };
        self.with("TaskInventory", &assets.iter().map(item).collect::<String>())
    }

    /// One more element in its shape; of several, the last counts.
    pub(crate) fn shape(mut self, element: &str, content: &str) -> Self {
        self.shape += &element_xml(element, content);
        self
    }

    /// One more element in the part.
    pub(crate) fn with(mut self, element: &str, content: &str) -> Self {
        self.rest += &element_xml(element, content);
        self
    }

    /// Scripts in its inventory, and a notecard.
    pub(crate) fn scripts(self, count: usize) -> Self {
        let item = |kind| {
            format!(
                "<TaskInventoryItem><Name>an item</Name><InvType>{kind}</InvType>\
                 <Type>{kind}</Type></TaskInventoryItem>"
            )
        };
        self.with("TaskInventory", &(item(7) + &item(10).repeat(count)))
    }

    /// The `SceneObjectPart`.
    pub(crate) fn xml(&self) -> String {
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

pub(crate) const NOBODY: &str = "00000000-0000-0000-0000-000000000000";

/// An object as in the archive of a region.
pub(crate) fn region_object(root: &PartXml, others: &[PartXml]) -> String {
    let others: String = others.iter().map(PartXml::xml).collect();
    let root = root.xml();
    format!("<SceneObjectGroup>{root}<OtherParts>{others}</OtherParts></SceneObjectGroup>")
}

/// An object as in an object asset.
pub(crate) fn object_asset(root: &PartXml, others: &[PartXml]) -> String {
    let others: String = others.iter().map(|part| element_xml("Part", &part.xml())).collect();
    format!(
        "<SceneObjectGroup offsetx=\"0\"><RootPart>{}</RootPart><OtherParts>{others}</OtherParts>\
         <GroupScriptStates><SavedScriptState UUID=\"{NOBODY}\"><State><Name>no part</Name>\
         </State></SavedScriptState></GroupScriptStates></SceneObjectGroup>",
        root.xml()
    )
}

/// Several objects in one asset.
pub(crate) fn coalesced(objects: &[String]) -> String {
    format!("<CoalescedObject x=\"1\" y=\"1\" z=\"1\">{}</CoalescedObject>", objects.concat())
}

/// The XML of an item of an inventory, by the number of its asset type.
pub(crate) fn item(name: &str, kind: i32, asset: &str, owner: &str) -> String {
    let name = name.replace('&', "&amp;");
    format!(
        "<?xml version=\"1.0\" encoding=\"utf-16\"?>\n<InventoryItem>\n  <Name>{name}</Name>\n  \
         <ID>{}</ID>\n  <InvType>{kind}</InvType>\n  <Owner>{owner}</Owner>\n  <Description />\n  \
         <AssetType>{kind}</AssetType>\n  <AssetID>{asset}</AssetID>\n</InventoryItem>",
        id(9)
    )
}

/// A name as it stands in a path of an inventory.
fn escaped(name: &str) -> String {
    name.replace('&', "&amp;").replace('/', "&#47;")
}

/// The XML of a parcel of a region with so many squares a side, of which it has those that `has` says.
pub(crate) fn parcel(
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

/// The XML of a parcel with any bitmap.
pub(crate) fn land_data(id: &str, name: &str, owner: &str, bitmap: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"utf-16\"?><LandData><Area>4096</Area>\
         <GlobalID>{id}</GlobalID><IsGroupOwned>False</IsGroupOwned><Bitmap>{bitmap}</Bitmap>\
         <Description /><Name>{name}</Name><OwnerID>{owner}</OwnerID><ParcelAccessList>\
         <ParcelAccessEntry><AgentID>{owner}</AgentID></ParcelAccessEntry></ParcelAccessList></LandData>"
    )
}

/// Bytes as base64 (RFC 4648).
pub(crate) fn base64(bytes: &[u8]) -> String {
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

/// A UUID for each number.
pub(crate) fn id(number: usize) -> String {
    format!("{number:08x}-5b93-4d9e-9c5e-000000000001")
}
