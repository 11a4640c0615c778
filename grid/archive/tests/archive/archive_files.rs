//! Builds archives as `OpenSimulator` writes them, and object XML to put into them.

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
        let Self { name, scale: [x, y, z], shape, rest } = self;
        format!(
            "<SceneObjectPart xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\
             <AllowedDrop>false</AllowedDrop><UUID><UUID>{NOBODY}</UUID></UUID><Name>{name}</Name>\
             <GroupPosition><X>128</X><Y>128</Y><Z>21</Z></GroupPosition>\
             <Shape>{shape}</Shape><Scale><X>{x}</X><Y>{y}</Y><Z>{z}</Z></Scale>{rest}\
             </SceneObjectPart>"
        )
    }
}

fn element_xml(element: &str, content: &str) -> String {
    format!("<{element}>{content}</{element}>")
}

const NOBODY: &str = "00000000-0000-0000-0000-000000000000";

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

/// A UUID for each number.
pub(crate) fn id(number: usize) -> String {
    format!("{number:08x}-5b93-4d9e-9c5e-000000000001")
}
