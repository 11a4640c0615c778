//! Decoding of four LODs to triangles, beside only inflating them. Throughput counts inflated bytes.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use lodger_mesh_asset::{Asset, AssetBlock, AssetBuilder, Face, Faces, Geometry, Quantized};

fn sheet(side: u16) -> Faces<'static> {
    let at = |i: u16| f32::from(i) / f32::from(side) - 0.5;
    let wave = |x: f32, y: f32| 0.2 * (9.0 * x).sin() * (7.0 * y).cos();
    let points: Vec<[f32; 3]> = (0..=side)
        .flat_map(|y| (0..=side).map(move |x| [at(x), at(y), wave(at(x), at(y))]))
        .collect();
    let corner = |x: u16, y: u16| y * (side + 1) + x;
    let triangles: Vec<[u16; 3]> = (0..side)
        .flat_map(|y| (0..side).map(move |x| (x, y)))
        .flat_map(|(x, y)| {
            let [a, b, c, d] =
                [corner(x, y), corner(x + 1, y), corner(x, y + 1), corner(x + 1, y + 1)];
            [[a, b, c], [b, d, c]]
        })
        .collect();
    let quantized = Quantized::from_points(&points).expect("a sheet has points");
    let geometry = Geometry::new(quantized, &triangles).expect("its corners are there");
    Faces::new([Face::from(geometry)])
}

fn asset() -> Vec<u8> {
    let mut builder = AssetBuilder::new();
    for (block, side) in AssetBlock::LODS.into_iter().zip([8, 24, 72, 180]) {
        builder.set_lod(block, &sheet(side)).expect("a sheet is a LOD");
    }
    builder.encode().expect("an asset")
}

fn decode(c: &mut Criterion) {
    let file = asset();
    let asset = Asset::parse(&file).expect("it was just written");
    let inflate = |block| asset.inflate(block).expect("it is sound").expect("it is there");
    let bytes: usize = AssetBlock::LODS.into_iter().map(|block| inflate(block).bytes().len()).sum();
    let mut group = c.benchmark_group("four LODs of an asset");
    group.throughput(Throughput::Bytes(bytes as u64));
    group.bench_function("decoded to triangles", |b| {
        b.iter(|| {
            for block in AssetBlock::LODS {
                let inflated = inflate(block);
                let lod = inflated.lod().expect("it is a LOD");
                for triangle in lod.triangles() {
                    black_box(triangle);
                }
            }
        });
    });
    group.bench_function("inflated alone", |b| {
        b.iter(|| AssetBlock::LODS.map(|block| black_box(inflate(block).bytes().len())));
    });
}

criterion_group!(benches, decode);
criterion_main!(benches);
