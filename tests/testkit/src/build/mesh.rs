//! Mesh assets: valid ones by the builder of the library, others block by block.

use lodger_mesh_asset::{AssetBlock, AssetBuilder, Faces, Geometry, PhysicsConvex, Quantized};

use super::compressed::zlib;
use super::damage;
use super::llsd::Node;
use crate::SplitMix64;

/// An asset of header entries and blocks, possibly inconsistent.
#[derive(Clone, Debug, Default)]
pub struct LyingAsset {
    pub entries: Vec<(Vec<u8>, Node)>,
    pub blocks: Vec<(Vec<u8>, Vec<u8>)>,
}

impl LyingAsset {
    pub fn block(self, name: &str, value: &Node) -> Self {
        self.raw(name, zlib(&value.bytes()))
    }

    /// Adds a block without compression.
    pub fn raw(mut self, name: &str, bytes: Vec<u8>) -> Self {
        self.blocks.push((name.into(), bytes));
        self
    }

    pub fn entry(mut self, name: impl Into<Vec<u8>>, node: Node) -> Self {
        self.entries.push((name.into(), node));
        self
    }

    pub fn header(&self) -> Node {
        let mut offset = 0;
        let places = self.blocks.iter().map(|(name, bytes)| {
            let place = extent(offset, bytes.len());
            offset += bytes.len();
            (name.clone(), place)
        });
        Node::Map(places.chain(self.entries.iter().cloned()).collect())
    }

    pub fn behind(&self, header: &Node) -> Vec<u8> {
        let body = self.blocks.iter().flat_map(|(_, bytes)| bytes);
        header.bytes().into_iter().chain(body.copied()).collect()
    }

    pub fn bytes(&self) -> Vec<u8> {
        self.behind(&self.header())
    }
}

pub fn extent(offset: usize, size: usize) -> Node {
    let number = |value| Node::Integer(i32::try_from(value).unwrap_or(i32::MAX));
    Node::map([("offset", number(offset)), ("size", number(size))])
}

/// A face of vertices and of triangles among the first 64 of them.
pub fn face(vertices: usize, triangles: usize) -> Node {
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

/// A face of three vertices and many degenerate triangles, which compress well.
pub fn flat_face(triangles: usize) -> Node {
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

/// A header with an invalid block of a long name.
pub fn broken_with_name_of(bytes: usize) -> Vec<u8> {
    let place = Node::map([("offset", Node::Integer(-1)), ("size", Node::Integer(5))]);
    LyingAsset::default().entry(vec![b'n'; bytes], place).bytes()
}

pub fn mesh(corners: &[[f32; 3]], triangles: &[[u16; 3]]) -> Faces<'static> {
    let corners = Quantized::from_points(corners).expect("finite corners");
    Faces::new([Geometry::new(corners, triangles).expect("corners that exist").into()])
}

/// A strip of triangles, 1 m long and 0.5 m wide.
pub fn strip(triangles: u16) -> Faces<'static> {
    let quads = triangles.div_ceil(2);
    let corners: Vec<_> = (0..=quads)
        .flat_map(|i| [0.0, 0.5].map(|y| [f32::from(i) / f32::from(quads) - 0.5, y, 0.1]))
        .collect();
    let triangles: Vec<_> = (0..triangles).map(|i| [i, i + 1, i + 2]).collect();
    mesh(&corners, &triangles)
}

/// A strip of triangles that rises by 0.3 m along its length of 1 m.
pub fn rising_strip(triangles: u16) -> Faces<'static> {
    let place = |i: u16| f32::from(i) / f32::from(triangles + 2);
    let corners: Vec<_> = (0..triangles + 2)
        .map(|i| [place(i) - 0.5, if i % 2 == 0 { 0.0 } else { 0.5 }, 0.3 * place(i)])
        .collect();
    mesh(&corners, &(0..triangles).map(|i| [i, i + 1, i + 2]).collect::<Vec<_>>())
}

pub fn tetrahedron() -> Vec<[f32; 3]> {
    vec![[-0.5; 3], [0.5, -0.5, -0.5], [-0.5, 0.5, -0.5], [-0.5, -0.5, 0.5]]
}

/// A builder with LODs of these numbers of triangles, from the lowest on.
pub fn with_lods(triangles: [u16; 4]) -> AssetBuilder<'static> {
    let mut builder = AssetBuilder::new();
    for (block, triangles) in AssetBlock::LODS.into_iter().zip(triangles) {
        builder.set_lod(block, &strip(triangles)).expect("a short block");
    }
    builder
}

/// The builder of a valid asset: four LODs, a hull and a decomposition.
pub fn good_builder() -> AssetBuilder<'static> {
    let mut builder = with_lods([2, 4, 8, 16]);
    let convex = PhysicsConvex::new(&tetrahedron(), &[tetrahedron(), tetrahedron()]);
    builder.set_convex(&convex.expect("two hulls")).expect("a short block");
    builder
}

pub fn good() -> Vec<u8> {
    bytes(&good_builder())
}

pub fn bytes(builder: &AssetBuilder<'_>) -> Vec<u8> {
    builder.encode().expect("a small asset")
}

/// A random asset, damaged in one to three of its layers.
pub fn damaged(random: &mut SplitMix64) -> Vec<u8> {
    let names = ["lowest_lod", "low_lod", "medium_lod", "high_lod", "physics_mesh", "skin"];
    let mut asset = LyingAsset::default();
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
        asset = asset
            .entry(damage::text_value(random), extent(random.spread(9000), random.spread(9000)));
    }
    let mut header = asset.header();
    for _ in 0..random.index(3) {
        header.damage(random);
    }
    let mut bytes = asset.behind(&header);
    if random.one_in(4) {
        damage::bytes(random, &mut bytes);
    }
    bytes
}

/// A decomposition of hulls, possibly of inconsistent sizes.
pub fn convex(random: &mut SplitMix64) -> Node {
    let hulls = random.spread(300);
    let list: Vec<u8> = (0..hulls).map(|_| damage::byte(random)).collect();
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
