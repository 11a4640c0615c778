//! Streaming cost of a million assets: columns against a loop over structs, as in viewers.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use lodger_core::cost::streaming::{AssetColumns, PerLod, StreamingModel, StreamingRules};
use lodger_mesh_asset::streaming_costs;

const ASSETS: usize = 1_000_000;

#[derive(Clone, Copy)]
struct Asset {
    radius: f32,
    bytes_lowest: i32,
    bytes_low: i32,
    bytes_mid: i32,
    bytes_high: i32,
}

struct EncodeSettings {
    metadata_discount: f32,
    minimum_size: f32,
    bytes_per_triangle: f32,
    triangle_budget: f32,
}

fn llmin(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

fn llmax(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

fn llclamp(a: f32, least: f32, greatest: f32) -> f32 {
    llmin(llmax(a, least), greatest)
}

/// The document's listing, line by line.
#[allow(clippy::cast_precision_loss)] // as there
fn streaming_cost_of_the_listing(asset: &Asset, settings: &EncodeSettings) -> f32 {
    let max_distance = 512.0_f32;

    let dlowest = llmin(asset.radius / 0.03, max_distance);
    let dlow = llmin(asset.radius / 0.06, max_distance);
    let dmid = llmin(asset.radius / 0.24, max_distance);

    let bytes_high = asset.bytes_high;
    let (mut bytes_mid, mut bytes_low) = (asset.bytes_mid, asset.bytes_low);
    let mut bytes_lowest = asset.bytes_lowest;
    if bytes_high == 0 {
        return 0.0;
    }
    if bytes_mid == 0 {
        bytes_mid = bytes_high;
    }
    if bytes_low == 0 {
        bytes_low = bytes_mid;
    }
    if bytes_lowest == 0 {
        bytes_lowest = bytes_low;
    }

    let EncodeSettings { metadata_discount, minimum_size, bytes_per_triangle, triangle_budget } =
        *settings;
    let triangles_lowest =
        llmax(bytes_lowest as f32 - metadata_discount, minimum_size) / bytes_per_triangle;
    let triangles_low =
        llmax(bytes_low as f32 - metadata_discount, minimum_size) / bytes_per_triangle;
    let triangles_mid =
        llmax(bytes_mid as f32 - metadata_discount, minimum_size) / bytes_per_triangle;
    let triangles_high =
        llmax(bytes_high as f32 - metadata_discount, minimum_size) / bytes_per_triangle;

    let (max_area, min_area) = (102_944.0_f32, 1.0);
    let pi = core::f32::consts::PI;
    let mut high_area = llmin(pi * dmid * dmid, max_area);
    let mut mid_area = llmin(pi * dlow * dlow, max_area);
    let mut low_area = llmin(pi * dlowest * dlowest, max_area);
    let mut lowest_area = max_area;

    lowest_area -= low_area;
    low_area -= mid_area;
    mid_area -= high_area;

    high_area = llclamp(high_area, min_area, max_area);
    mid_area = llclamp(mid_area, min_area, max_area);
    low_area = llclamp(low_area, min_area, max_area);
    lowest_area = llclamp(lowest_area, min_area, max_area);

    let total_area = high_area + mid_area + low_area + lowest_area;
    high_area /= total_area;
    mid_area /= total_area;
    low_area /= total_area;
    lowest_area /= total_area;

    let weighted_avg = triangles_high * high_area
        + triangles_mid * mid_area
        + triangles_low * low_area
        + triangles_lowest * lowest_area;
    weighted_avg / triangle_budget * 15_000.0
}

/// Xorshift.
fn numbers() -> impl FnMut(u64) -> u64 {
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    move |below| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 16) % below
    }
}

/// Assets of all sizes; a lower LOD in six is missing, and a high one in 64.
#[allow(clippy::cast_precision_loss)] // small numbers
fn assets() -> Vec<Asset> {
    let mut next = numbers();
    let mut size = move |from: u64, missing: u64| {
        if next(missing) == 0 { 0 } else { i32::try_from(from + next(from * 3)).unwrap() }
    };
    let mut next = numbers();
    let mut asset = || Asset {
        radius: 0.01 * 1.001_f32.powi(i32::try_from(next(9000)).unwrap()),
        bytes_lowest: size(300, 6),
        bytes_low: size(1000, 6),
        bytes_mid: size(5000, 6),
        bytes_high: size(20_000, 64),
    };
    (0..ASSETS).map(|_| asset()).collect()
}

fn sizes(asset: &Asset) -> PerLod<i32> {
    PerLod {
        lowest: asset.bytes_lowest,
        low: asset.bytes_low,
        medium: asset.bytes_mid,
        high: asset.bytes_high,
    }
}

fn streaming(criterion: &mut Criterion) {
    let assets = assets();
    let settings = EncodeSettings {
        metadata_discount: 384.0,
        minimum_size: 16.0,
        bytes_per_triangle: 16.0,
        triangle_budget: 250_000.0,
    };
    let radius: Vec<f32> = assets.iter().map(|asset| asset.radius).collect();
    let column = |of: fn(&Asset) -> i32| assets.iter().map(of).collect::<Vec<i32>>();
    let (lowest, low) = (column(|asset| asset.bytes_lowest), column(|asset| asset.bytes_low));
    let (medium, high) = (column(|asset| asset.bytes_mid), column(|asset| asset.bytes_high));
    let bytes = PerLod { lowest: &lowest[..], low: &low, medium: &medium, high: &high };
    let viewer = StreamingModel::<f32>::new(StreamingRules::VIEWER).unwrap();
    let mut out = vec![0.0_f32; ASSETS];

    let mut group = criterion.benchmark_group("streaming cost of a million assets");
    group.throughput(Throughput::Elements(ASSETS as u64));
    group.bench_function("structs, as viewers do", |bencher| {
        let settings = black_box(&settings);
        bencher.iter(|| {
            for (asset, out) in black_box(&assets).iter().zip(black_box(&mut out)) {
                *out = streaming_cost_of_the_listing(asset, settings);
            }
        });
    });
    let expected = out.clone();
    group.bench_function("columns", |bencher| {
        let columns = AssetColumns { radius: &radius[..], bytes };
        bencher.iter(|| viewer.costs(black_box(columns), black_box(&mut out)));
    });
    group.bench_function("columns, widest vectors", |bencher| {
        let columns = AssetColumns { radius: &radius[..], bytes };
        bencher.iter(|| streaming_costs(&viewer, black_box(columns), black_box(&mut out)));
    });
    let exact = out.clone();
    let charged: Vec<PerLod<f32>> =
        assets.iter().map(|asset| viewer.charged_bytes(sizes(asset))).collect();
    let column = |of: fn(&PerLod<f32>) -> f32| charged.iter().map(of).collect::<Vec<f32>>();
    let (lowest, low) = (column(|lods| lods.lowest), column(|lods| lods.low));
    let (medium, high) = (column(|lods| lods.medium), column(|lods| lods.high));
    let bytes = PerLod { lowest: &lowest[..], low: &low, medium: &medium, high: &high };
    group.bench_function("columns, bytes charged before", |bencher| {
        let columns = AssetColumns { radius: &radius[..], bytes };
        bencher.iter(|| viewer.costs_of_charged(black_box(columns), black_box(&mut out)));
    });
    assert_eq!(out, exact, "charging before or after gives the same bits");
    for (cost, expected) in out.iter().zip(expected) {
        assert!((cost - expected).abs() <= 1e-5 * expected, "{cost} {expected}");
    }
    group.finish();
}

criterion_group!(benches, streaming);
criterion_main!(benches);
