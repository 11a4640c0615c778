use std::collections::HashMap;
use std::io;

use glam::DAffine3;
use lodger_core::cost::streaming::MeshLod;
use lodger_gltf::raw::{Document, RawNode};
use lodger_gltf::{AccessorReader, Buffers, FileQuota, Index, PlacedNode, RawSections};
use lodger_quota::Quota;

use super::materials::{FileMaterials, Library};
use super::names::{ending, printable};
use super::primitive::{self, Placement, ReadTally};
use super::rig::RigBuilder;
use super::soup::TriangleSoup;
use crate::model::Rig;
use crate::packing::ObjectFile;
use crate::read::ReadFailure;
use crate::read::raw;
use crate::read::raw::{MeshJson, PrimitiveJson, SkinChoice, list};
use crate::read::soup::{Mode, make_missing};
use crate::read::{Notes, fits, objects_of};

/// The slot of a mesh that is no lower level and no shape.
pub(super) const HIGH: ObjectFile = ObjectFile::Level(MeshLod::High);

#[derive(Debug)]
pub(super) struct PlacedMesh {
    pub(super) name: String,
    /// The name of the mesh, likewise, if the node has its own.
    pub(super) mesh: Option<String>,
    pub(super) said: String,
    /// The level or shape that it is.
    pub(super) slot: ObjectFile,
    pub(super) is_by_file: bool,
    pub(super) file: usize,
    /// The origin of its positions, in metres.
    pub(super) origin: [f64; 3],
    pub(super) parts: Vec<MaterialTriangles>,
    pub(super) rig: Rig,
}

#[derive(Debug)]
pub(super) struct MaterialTriangles {
    pub(super) material: usize,
    pub(super) soup: TriangleSoup,
}

pub(super) struct File<'a> {
    pub(super) name: &'a str,
    pub(super) number: usize,
    pub(super) slot: Option<ObjectFile>,
    pub(super) skin: SkinChoice,
    pub(super) bytes: &'a [u8],
    pub(super) external: &'a mut dyn FnMut(&str, u64) -> io::Result<Vec<u8>>,
}

pub(super) fn read(
    file: &mut File<'_>,
    library: &mut Library,
    notes: &mut Notes,
    quota: &Quota,
) -> Result<Vec<PlacedMesh>, ReadFailure> {
    let file_quota = &FileQuota::new(quota);
    let gltf = lodger_gltf::parse(file.bytes, file_quota)?;
    let document = &gltf.document;
    let nodes = lodger_gltf::place_nodes(document, None, file_quota)?;
    if document.scenes.is_empty() && !document.nodes.is_empty() {
        return Err(ReadFailure::new("it has no scene that shows any of its nodes"));
    }
    let parts = gltf.raw_sections(file_quota)?;
    let meshes = list("meshes", parts.meshes, file_quota)?;
    let buffers = Buffers::new(&document.buffers, gltf.bin, &mut *file.external, file_quota);
    let data = &AccessorReader::new(document, buffers, file_quota);
    let written = FileMaterials::read(&parts, file_quota)?;
    let mut reading = FileReader {
        file: file.name,
        skin: file.skin,
        document,
        data,
        nodes: &nodes,
        meshes: &meshes,
        written,
        library,
        notes,
    };
    raw::of_file(&parts, file.name, reading.notes);
    let (mut drawn, mut objects) = (Vec::new(), 0);
    for placed in &nodes {
        let Some(mut level) = reading.node(placed)? else { continue };
        level.file = file.number;
        if let (Some(slot), HIGH) = (file.slot, level.slot) {
            (level.slot, level.is_by_file) = (slot, true);
        }
        if level.slot == HIGH {
            objects += objects_of(level.parts.len());
            fits(objects)?;
        }
        drawn.push(level);
    }
    reading.take(&parts, quota)?;
    Ok(drawn)
}

struct FileReader<'a> {
    file: &'a str,
    skin: SkinChoice,
    document: &'a Document<'a>,
    data: &'a AccessorReader<'a>,
    nodes: &'a [PlacedNode],
    meshes: &'a [MeshJson],
    written: FileMaterials,
    library: &'a mut Library,
    notes: &'a mut Notes,
}

impl FileReader<'_> {
    /// Reads the mesh of a node; `None` without triangles.
    fn node(&mut self, placed: &PlacedNode) -> Result<Option<PlacedMesh>, ReadFailure> {
        let number = placed.index.get();
        let node = self.document.nodes.get(number);
        let Some((node, mesh)) = node.and_then(|node| Some((node, node.mesh?))) else {
            return Ok(None);
        };
        let mut drawn = self.named(node, mesh, number);
        if placed.is_hidden {
            self.notes.once("hidden-dropped", &drawn.said, "it is hidden, and left out");
            return Ok(None);
        }
        raw::of_node(node, self.file, self.notes);
        let missing = || {
            ReadFailure::new(format!(
                "node {number} has mesh {0}, which does not exist",
                mesh.get()
            ))
        };
        let primitives = &self.meshes.get(mesh.get()).ok_or_else(missing)?.primitives;
        let in_mesh =
            |failure: ReadFailure| failure.within(&format!("mesh {} `{}`", mesh.get(), drawn.said));
        let (place, parts, rig) =
            self.triangles_by_material(placed, node, primitives, &drawn.said).map_err(in_mesh)?;
        if parts.is_empty() {
            let text = "none of its triangles has an area: it is left out";
            self.notes.once("object-dropped", &drawn.said, text);
            return Ok(None);
        }
        (drawn.origin, drawn.parts, drawn.rig) = (place.origin(), parts, rig);
        Ok(Some(drawn))
    }

    /// A mesh with only its names.
    fn named(&self, node: &RawNode<'_>, mesh: Index, number: usize) -> PlacedMesh {
        let text = |text: Option<&str>| {
            text.filter(|name| !name.is_empty()).map(|n| printable(n).into_owned())
        };
        let of_node = text(node.name.get());
        let of_mesh = text(self.document.meshes.get(mesh.get()).and_then(|mesh| mesh.name.get()));
        let ends =
            |name: &Option<String>| name.as_deref().is_some_and(|name| ending(name).is_some());
        let (first, second) = match (of_node, of_mesh) {
            (Some(node), mesh) if ends(&Some(node.clone())) || !ends(&mesh) => (node, mesh),
            (node, Some(mesh)) => (mesh, node),
            (_, None) => (format!("object {number}"), None),
        };
        let (name, slot) = ending(&first).unwrap_or((&first, HIGH));
        let mesh =
            second.map(|name| ending(&name).map_or(name.clone(), |(base, _)| base.to_owned()));
        let (name, is_by_file, file) = (name.to_owned(), false, 0);
        let (parts, rig) = (Vec::new(), Rig::default());
        PlacedMesh { name, mesh, said: first, slot, is_by_file, file, origin: [0.0; 3], parts, rig }
    }

    fn triangles_by_material(
        &mut self,
        placed: &PlacedNode,
        node: &RawNode<'_>,
        primitives: &[PrimitiveJson],
        said: &str,
    ) -> Result<(Placement, Vec<MaterialTriangles>, Rig), ReadFailure> {
        let is_bound = |part: &PrimitiveJson| part.attributes.contains_key("JOINTS_0");
        let skin = node.skin.filter(|_| primitives.iter().any(is_bound));
        let rigging = skin
            .map(|skin| RigBuilder::new(self.document, self.data, (skin, self.skin), self.nodes))
            .transpose()?;
        raw::of_skin(node, primitives, skin.map(|_| self.skin), self.file, self.notes);
        let mut rigging = rigging;
        // Joints place a skinned mesh, whatever its node.
        let place = match rigging {
            Some(_) => Placement::new(DAffine3::default()),
            None => Placement::new(placed.world).far(self.data, primitives),
        };
        let (mut parts, mut tally) = (MeshBuilder::default(), ReadTally::default());
        for (number, part) in primitives.iter().enumerate() {
            let in_part = |failure: ReadFailure| failure.within(&format!("primitive {number}"));
            raw::of_primitive(part, self.file, self.notes);
            if primitive::mode(part).map_err(in_part)? == Mode::Thin {
                continue;
            }
            let soup =
                primitive::read(self.data, (number, part), &place, rigging.as_mut(), &mut tally);
            let soup = soup.map_err(in_part)?;
            if soup.triangles.is_empty() {
                continue;
            }
            let material = self.library.find(&mut self.written, part.material).map_err(in_part)?;
            parts.join(material, soup).map_err(in_part)?;
        }
        let mut parts = parts.parts;
        tally.double = parts.iter_mut().map(|part| part.soup.remove_duplicates()).sum();
        let made = parts.iter_mut().map(|part| make_missing(&mut part.soup)).sum();
        self.add_notes(said, &tally, made, rigging.as_ref());
        Ok((place, parts, rigging.map(RigBuilder::into_rig).unwrap_or_default()))
    }

    fn add_notes(
        &mut self,
        said: &str,
        tally: &ReadTally,
        made: usize,
        rigging: Option<&RigBuilder<'_>>,
    ) {
        let cut = rigging.map_or(0, |rigging| rigging.cut);
        let all = [
            ("triangles-dropped", tally.flat, "triangles without an area are left out"),
            (
                "triangles-double",
                tally.double,
                "triangles are there more than once, with all that they have: one of each is kept",
            ),
            ("normals-made", made, "vertices without a normal have one made of their triangles"),
            ("uvs-mended", tally.lost_tex_coords, "texture coordinates that are not finite are 0"),
            (
                "weights-cut",
                cut,
                "vertices hang on more than 4 joints: the 4 with most weight are kept",
            ),
        ];
        for (code, count, text) in all.into_iter().filter(|(_, count, _)| *count > 0) {
            self.notes.once(code, said, format!("{count} {text}"));
        }
        if let Some(text) = rigging.and_then(RigBuilder::without_weights) {
            self.notes.once("weights-made", said, text);
        }
        if rigging.is_some_and(RigBuilder::is_posed) {
            let text = "its joints are not where it was bound to them: it is taken as it stands";
            self.notes.once("skin-posed", said, text);
        }
    }

    /// Copies everything that the used materials refer to.
    fn take(self, parts: &RawSections<'_>, quota: &Quota) -> Result<(), ReadFailure> {
        self.library.take(&self.written, parts, (self.file, self.data, quota), self.notes)
    }
}

#[derive(Default)]
struct MeshBuilder {
    parts: Vec<MaterialTriangles>,
    places: HashMap<usize, usize>,
}

impl MeshBuilder {
    fn join(&mut self, material: usize, soup: TriangleSoup) -> Result<(), ReadFailure> {
        let place = *self.places.entry(material).or_insert(self.parts.len());
        if let Some(part) = self.parts.get_mut(place) {
            return part
                .soup
                .append(soup)
                .ok_or_else(|| ReadFailure::new("it has too many vertices"));
        }
        self.parts.push(MaterialTriangles { material, soup });
        fits(objects_of(self.parts.len()))
    }
}
