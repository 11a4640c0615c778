//! Mesh assets, block by block.

use lodger_mesh_asset::{AssetBuilder, Block, Convex, Faces, Geometry, Quantized};

use super::llsd::Node;
use super::packed::zlib;
use crate::hostile::random::Random;
use crate::hostile::{damage, hard};

/// An asset that is being put together: entries of its header, and blocks that follow it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Asset {
    pub(crate) entries: Vec<(Vec<u8>, Node)>,
    pub(crate) blocks: Vec<(Vec<u8>, Vec<u8>)>,
}

impl Asset {
    /// Adds a block, which is compressed.
    pub(crate) fn block(self, name: &str, value: &Node) -> Self {
        self.raw(name, zlib(&value.bytes()))
    }

    /// Adds a block as it is.
    pub(crate) fn raw(mut self, name: &str, bytes: Vec<u8>) -> Self {
        self.blocks.push((name.into(), bytes));
        self
    }

    /// Adds an entry to the header that is no block of its own.
    pub(crate) fn entry(mut self, name: impl Into<Vec<u8>>, node: Node) -> Self {
        self.entries.push((name.into(), node));
        self
    }

    /// The header by itself.
    pub(crate) fn header(&self) -> Node {
        let mut offset = 0;
        let places = self.blocks.iter().map(|(name, bytes)| {
            let place = extent(offset, bytes.len());
            offset += bytes.len();
            (name.clone(), place)
        });
        Node::Map(places.chain(self.entries.iter().cloned()).collect())
    }

    /// The bytes behind a header, right or wrong.
    pub(crate) fn behind(&self, header: &Node) -> Vec<u8> {
        let body = self.blocks.iter().flat_map(|(_, bytes)| bytes);
        header.bytes().into_iter().chain(body.copied()).collect()
    }

    /// The file.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.behind(&self.header())
    }
}

/// Where a block is.
pub(crate) fn extent(offset: usize, size: usize) -> Node {
    let number = |value| Node::Integer(i32::try_from(value).unwrap_or(i32::MAX));
    Node::map([("offset", number(offset)), ("size", number(size))])
}

/// A face of so many vertices in a row and so many triangles of the first of them.
pub(crate) fn face(vertices: usize, triangles: usize) -> Node {
    let steps = (0..vertices).flat_map(|i| [i * 31 % 65_536, i * 57 % 65_536, i * 91 % 65_536]);
    let two = |value: usize| u16::try_from(value).unwrap_or(u16::MAX).to_le_bytes();
    let corner = |i: usize| two(if vertices == 0 { 0 } else { i % vertices.min(64) });
    let corners = (0..triangles).flat_map(|i| [i, i + 1, i + 2]).flat_map(corner);
    Node::map([
        ("Position", Node::Binary(steps.flat_map(two).collect())),
        ("PositionDomain", domain()),
        ("TriangleList", Node::Binary(corners.collect())),
    ])
}

/// A face of three vertices and so many triangles without extent, which compress to nearly nothing.
pub(crate) fn flat_face(triangles: usize) -> Node {
    Node::map([
        ("Position", Node::Binary(vec![7; 18])),
        ("PositionDomain", domain()),
        ("TriangleList", Node::Binary(vec![0; triangles * 6])),
    ])
}

fn domain() -> Node {
    let corner = |at: f64| Node::Array(vec![Node::Real(at); 3]);
    Node::map([("Max", corner(0.5)), ("Min", corner(-0.5))])
}

/// Levels of detail and a physics mesh of so many triangles each.
pub(crate) fn of_triangles(triangles: usize) -> Asset {
    let names = ["lowest_lod", "low_lod", "medium_lod", "high_lod", "physics_mesh"];
    let block = Node::Array(vec![face(64, triangles)]);
    names.iter().fold(Asset::default(), |asset, name| asset.block(name, &block))
}

/// A header with one block that cannot be, of a name of so many bytes.
pub(crate) fn broken_with_name_of(bytes: usize) -> Vec<u8> {
    let place = Node::map([("offset", Node::Integer(-1)), ("size", Node::Integer(5))]);
    Asset::default().entry(vec![b'n'; bytes], place).bytes()
}

/// A small mesh with which nothing is wrong.
pub(crate) fn good() -> Vec<u8> {
    try_good().expect("a small mesh")
}

fn try_good() -> Result<Vec<u8>, lodger_mesh_asset::Error> {
    let corners = [[-0.5, -0.5, 0.0], [0.5, -0.5, 0.0], [0.5, 0.5, 0.25], [-0.5, 0.5, 0.5]];
    let triangles = [[0, 1, 2], [0, 2, 3], [0, 1, 3], [1, 2, 3]];
    let mut asset = AssetBuilder::new();
    for (block, count) in Block::LODS.into_iter().zip([1, 2, 3, 4]) {
        let geometry = Geometry::new(Quantized::from_points(&corners)?, &triangles[..count])?;
        asset.set_lod(block, &Faces::new([geometry.into()]))?;
    }
    asset.set_convex(&Convex::new(&corners, &[corners])?)?;
    asset.encode()
}

/// A mesh of any content, with one to three things wrong on any of its layers.
pub(crate) fn damaged(random: &mut Random) -> Vec<u8> {
    let names = ["lowest_lod", "low_lod", "medium_lod", "high_lod", "physics_mesh", "skin"];
    let mut asset = Asset::default();
    for name in names {
        let (vertices, triangles) = (random.spread(300), random.spread(900));
        let mut block = Node::Array(vec![face(vertices, triangles); random.between(1, 3)]);
        if random.one_in(3) {
            block.damage(random);
        }
        let mut bytes = zlib(&block.bytes());
        if random.one_in(6) {
            damage::bytes(random, &mut bytes);
        }
        asset = asset.raw(name, bytes);
    }
    let mut convex = convex(random);
    convex.damage(random);
    asset = asset.block("physics_convex", &convex);
    if random.one_in(3) {
        asset = asset.entry(hard::text(random), extent(random.spread(9000), random.spread(9000)));
    }
    let mut header = asset.header();
    for _ in 0..random.below(3) {
        header.damage(random);
    }
    let mut bytes = asset.behind(&header);
    if random.one_in(4) {
        damage::bytes(random, &mut bytes);
    }
    bytes
}

/// A decomposition of hulls, whose sizes add up or not.
pub(crate) fn convex(random: &mut Random) -> Node {
    let hulls = random.spread(300);
    let list: Vec<u8> = (0..hulls).map(|_| hard::byte(random)).collect();
    let points: usize = list.iter().map(|&n| if n == 0 { 256 } else { usize::from(n) }).sum();
    let points = if random.one_in(4) { random.spread(9000) } else { points };
    Node::map([
        ("HullList", Node::Binary(list)),
        ("Positions", Node::Binary(random.noise(points * 6))),
        (
            "BoundingVerts",
            Node::Binary({
                let count = random.spread(300) * 6;
                random.noise(count)
            }),
        ),
        ("Max", Node::Array(vec![Node::Real(0.5); 3])),
        ("Min", Node::Array(vec![Node::Real(-0.5); 3])),
    ])
}
