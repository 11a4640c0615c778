//! The values of costs in every number type: `vectors/cost.toml`, and random cases against the oracle.

use lodger_core::cost::land_impact::land_impact;
use lodger_core::cost::physics::{ConvexDecomposition, ConvexHull, TriangleMesh, penalised};
use lodger_core::cost::simulator::{
    FreeScripts, SimulatorModel, SimulatorParameters, server_weight,
};
use lodger_core::cost::streaming::{LinksetPart, StreamingModel, StreamingRules};
use lodger_core::cost::{ObjectScale, Provenance};
use lodger_core::{Fixed, Micro, Real};
use lodger_testkit::SplitMix64;
use lodger_tests::oracle::cost as oracle;
use lodger_tests::tolerance::{Function, promise};
use lodger_tests::vectors::{CostVectors, Vectors as _};

use super::{exact, lods, viewer};

fn vectors() -> CostVectors {
    CostVectors::load()
}

fn check<N: Real>(
    function: Function,
    name: &str,
    got: N,
    reference: f64,
    expected: f64,
    unit: f64,
) {
    let got = got.to_f64();
    let allowed = promise(function, N::NAME).allowed(unit, 0.0);
    let error = (got - expected).abs();
    assert!(error <= allowed, "{}, {name}: {got} for {expected}, off by {error:e}", N::NAME);
    assert!(
        (reference - expected).abs() <= 1e-13 * unit,
        "oracle, {name}: {reference} for {expected}"
    );
}

fn named_rules(name: &str) -> (StreamingRules, oracle::Grid) {
    let rules = [StreamingRules::WIKI, StreamingRules::VIEWER, StreamingRules::GRID];
    let rules = rules.into_iter().find(|rules| rules.name == name).unwrap();
    (rules, oracle::NAMED.iter().find(|(grid, _)| *grid == name).unwrap().1)
}

/// The cost of the largest LOD if it is shown everywhere.
fn unit(grid: &oracle::Grid, bytes: [i32; 4]) -> f64 {
    let max = oracle::lod_triangles(grid, bytes).into_iter().fold(0.0, f64::max);
    max * 15_000.0 / grid.triangle_budget
}

fn streaming_rows<N: Real>() {
    for row in vectors().streaming {
        let (rules, grid) = named_rules(&row.rules);
        let got = StreamingModel::new(rules).unwrap().cost(exact::<N>(row.radius), lods(row.bytes));
        let reference = oracle::streaming_cost(&grid, row.radius, row.bytes);
        check(
            Function::StreamingCost,
            &row.name,
            got,
            reference,
            row.expected,
            unit(&grid, row.bytes),
        );
    }
    for row in vectors().area_form {
        let (rules, grid) = named_rules(&row.rules);
        let (radius, scalar) = (exact::<N>(row.radius), exact::<N>(row.cost_scalar));
        let got = StreamingModel::new(rules).unwrap().area_form(radius, lods(row.bytes), scalar);
        let reference = oracle::area_form(&grid, row.radius, row.bytes, row.cost_scalar);
        let largest = f64::from(*row.bytes.iter().max().unwrap());
        check(
            Function::OtherCost,
            &row.name,
            got,
            reference,
            row.expected,
            largest * row.cost_scalar,
        );
    }
    for row in vectors().animated {
        let part = if row.root { LinksetPart::Root } else { LinksetPart::Child };
        let got = viewer::<N>().animated_cost(lods(row.bytes), part);
        let (_, grid) = named_rules("viewer");
        let reference = oracle::animated_cost(&grid, row.bytes, row.root);
        check(Function::OtherCost, &row.name, got, reference, row.expected, row.expected);
    }
}

fn physics_rows<N: Real>() {
    for row in vectors().penalty {
        let size = ObjectScale::new(row.size.map(exact::<N>)).unwrap();
        let got = penalised(exact::<N>(row.base), size);
        let reference = oracle::penalised(row.base, row.size);
        check(Function::OtherCost, &row.name, got, reference, row.expected, row.expected);
    }
    for row in vectors().hulls {
        let got: N = match row.hulls {
            1 => ConvexHull::new(row.vertices).unwrap().cost(),
            hulls => ConvexDecomposition::new(vec![row.vertices; hulls.into()]).unwrap().cost(),
        };
        let reference =
            oracle::hull_cost(u32::from(row.vertices) * u32::from(row.hulls), row.hulls.into());
        check(Function::OtherCost, &row.name, got, reference, row.expected, row.expected);
    }
    for row in vectors().mesh {
        let triangles = vec![row.triangle.map(|corner| corner.map(exact::<N>)); row.count];
        let scale = ObjectScale::new(row.scale.map(exact::<N>)).unwrap();
        let got = TriangleMesh::measure(triangles, scale).unwrap().unwrap().cost();
        let reference = oracle::mesh_cost(&vec![row.triangle; row.count], row.scale);
        check(Function::MeshCost, &row.name, got, reference, row.expected, row.expected);
        let repeated =
            (row.triangle.map(|corner| corner.map(exact::<N>)), u32::try_from(row.count).unwrap());
        let repeated = TriangleMesh::measure_repeated([repeated], scale).unwrap().unwrap();
        check(
            Function::MeshCost,
            &row.name,
            repeated.cost(),
            reference,
            row.expected,
            row.expected,
        );
    }
}

fn simulator_rows<N: Real>() {
    for row in vectors().server {
        let free = if row.one_free { FreeScripts::One } else { FreeScripts::None };
        let got = server_weight::<N>(row.prims, row.scripts, free);
        let reference = oracle::server_weight(row.prims, row.scripts, row.one_free);
        check(Function::OtherCost, &row.name, got, reference, row.expected, row.expected);
    }
    for row in vectors().simulator {
        let [simulation_factor, active_cost_high, active_cost_low, linkset_factor] = row.parameters;
        let parameters = SimulatorParameters {
            name: "of the row",
            provenance: Provenance::Estimated,
            simulation_factor,
            active_cost_high,
            active_cost_low,
            linkset_factor,
        };
        let got =
            SimulatorModel::<N>::new(parameters).unwrap().cost(row.objects, row.active).unwrap();
        let reference = oracle::simulator_cost(row.parameters, row.objects, row.active);
        check(Function::OtherCost, &row.name, got, reference, row.expected, row.expected);
    }
    for row in vectors().land_impact {
        let [streaming, physics, server] = row.weights;
        let got = land_impact(exact::<N>(streaming), exact(physics), exact(server));
        let name = &row.name;
        assert_eq!(got.value, row.value, "{name}");
        assert_eq!(got.limited_by.unwrap().to_string(), row.limited_by, "{name}");
        let (value, limited_by) = oracle::land_impact(streaming, physics, server);
        assert_eq!(
            (value.to_bits(), limited_by),
            (f64::from(row.value).to_bits(), &*row.limited_by)
        );
    }
}

fn all_rows<N: Real>() {
    streaming_rows::<N>();
    physics_rows::<N>();
    simulator_rows::<N>();
}

#[test]
fn f64() {
    all_rows::<f64>();
}

#[test]
fn f32() {
    all_rows::<f32>();
}

#[test]
fn fixed() {
    all_rows::<Fixed>();
}

#[test]
fn micro() {
    all_rows::<Micro>();
}

const CASES: u32 = 100_000;

fn size(random: &mut SplitMix64) -> i32 {
    if random.next_u64().is_multiple_of(6) { 0 } else { random.log_real(1.0, 8e6) as i32 }
}

#[derive(Default)]
struct Worst {
    part: f64,
    case: String,
}

impl Worst {
    fn note(&mut self, error: f64, allowed: f64, case: impl FnOnce() -> String) {
        let part = error / allowed;
        assert!(part <= 1.0, "off by {error:e}, allowed are {allowed:e}: {}", case());
        if part > self.part {
            *self = Self { part, case: case() };
        }
    }

    fn print<N: Real>(&self, of: &str) {
        println!("{of} in {}: worst {:.4} of the allowed error, {}", N::NAME, self.part, self.case);
    }
}

fn named(random: &mut SplitMix64) -> StreamingRules {
    match random.next_u64() % 3 {
        0 => StreamingRules::WIKI,
        1 => StreamingRules::VIEWER,
        _ => StreamingRules::GRID,
    }
}

#[expect(clippy::cast_sign_loss, reason = "positive")]
fn of_some_grid(random: &mut SplitMix64) -> StreamingRules {
    StreamingRules {
        name: "of some grid",
        discount: random.log_real(1.0, 2000.0) as u32,
        minimum_size: random.log_real(1.0, 200.0) as u32,
        bytes_per_triangle: random.log_real(4.0, 64.0) as u32,
        triangle_budget: random.log_real(1e4, 1e6) as u32,
        max_distance: random.log_real(1.0, 4096.0),
        max_area: random.log_real(1.0, 1e7),
        static_mesh_factor: random.real(0.1, 1.0),
        ..StreamingRules::VIEWER
    }
}

fn grid(rules: &StreamingRules) -> oracle::Grid {
    oracle::Grid {
        discount: rules.discount.into(),
        minimum: rules.minimum_size.into(),
        bytes_per_triangle: rules.bytes_per_triangle.into(),
        triangle_budget: rules.triangle_budget.into(),
        max_distance: rules.max_distance,
        max_area: rules.max_area,
        factor: rules.static_mesh_factor,
    }
}

/// A random radius, one in three near a break point.
fn radius<N: Real>(random: &mut SplitMix64, streaming: &StreamingModel<N>) -> N {
    if !random.next_u64().is_multiple_of(3) {
        return N::from_f64(random.log_real(0.002, 600.0)).unwrap();
    }
    let points = streaming.break_points();
    let of = [points.full, points.closed, points.floor];
    let point = of[usize::try_from(random.next_u64() % 3).unwrap()]
        [usize::try_from(random.next_u64() % 3).unwrap()];
    N::from_f64(point.to_f64() * random.real(0.999, 1.001)).unwrap()
}

fn streaming_cases<N: Real>(
    function: Function,
    rules: fn(&mut SplitMix64) -> StreamingRules,
    greatest: f64,
) {
    let (mut random, mut worst) = (SplitMix64::new(1), Worst::default());
    let promise = promise(function, N::NAME);
    for _ in 0..CASES {
        let rules = rules(&mut random);
        let streaming = StreamingModel::<N>::new(rules).unwrap();
        let radius = radius(&mut random, &streaming);
        let bytes = [(); 4].map(|()| size(&mut random));
        let got = streaming.cost(radius, lods(bytes)).to_f64();
        let grid = grid(&rules);
        let expected = oracle::streaming_cost(&grid, radius.to_f64(), bytes).min(greatest);
        let max = oracle::lod_triangles(&grid, bytes).into_iter().fold(0.0, f64::max);
        let allowed = promise.allowed(max * 15_000.0 / grid.triangle_budget, 0.0);
        worst.note((got - expected).abs(), allowed.max(f64::MIN_POSITIVE), || {
            format!("{got} for {expected}: {radius:?} m, {bytes:?}, {rules:?}")
        });
    }
    worst.print::<N>(&format!("{function:?}"));
}

#[test]
fn streaming_cost_in_f64() {
    streaming_cases::<f64>(Function::StreamingCost, named, f64::MAX);
    streaming_cases::<f64>(Function::StreamingCostOfGrid, of_some_grid, f64::MAX);
}

#[test]
fn streaming_cost_in_f32() {
    streaming_cases::<f32>(Function::StreamingCost, named, f64::MAX);
    streaming_cases::<f32>(Function::StreamingCostOfGrid, of_some_grid, f64::MAX);
}

#[test]
fn streaming_cost_in_fixed() {
    streaming_cases::<Fixed>(Function::StreamingCost, named, Fixed::MAX.to_f64());
    streaming_cases::<Fixed>(Function::StreamingCostOfGrid, of_some_grid, Fixed::MAX.to_f64());
}

#[test]
fn streaming_cost_in_micro() {
    streaming_cases::<Micro>(Function::StreamingCost, named, f64::MAX);
    streaming_cases::<Micro>(Function::StreamingCostOfGrid, of_some_grid, f64::MAX);
}

/// Rounds to sixteen bits after the point, which every type holds.
fn q16(value: f64) -> f64 {
    (value * 65_536.0).round() / 65_536.0
}

fn mesh_cases<N: Real>(greatest: f64) {
    let (mut random, mut worst) = (SplitMix64::new(2), Worst::default());
    let promise = promise(Function::MeshCost, N::NAME);
    for _ in 0..CASES {
        let scale = [(); 3].map(|()| q16(random.log_real(0.01, 64.0)));
        let size = random.log_real(0.005, 1.0);
        let corner = |random: &mut SplitMix64| [(); 3].map(|()| q16(size * random.real(-0.5, 0.5)));
        let triangles: Vec<_> = (0..=random.next_u64() % 12)
            .map(|_| [(); 3].map(|()| corner(&mut random)))
            .filter(|&triangle| oracle::width(triangle) > 1e-6)
            .collect();
        if triangles.is_empty() {
            continue;
        }
        let number = |value: f64| N::from_f64(value).unwrap();
        let given = triangles.iter().map(|triangle| triangle.map(|corner| corner.map(number)));
        let mesh =
            TriangleMesh::measure(given, ObjectScale::new(scale.map(number)).unwrap()).unwrap();
        let got = mesh.unwrap().cost().to_f64();
        let expected = oracle::mesh_cost(&triangles, scale).min(greatest);
        let slenderness = triangles
            .iter()
            .map(|&triangle| oracle::slenderness(oracle::scaled(triangle, scale)))
            .fold(0.0, f64::max);
        let allowed = promise.allowed(expected, slenderness);
        worst.note((got - expected).abs(), allowed, || {
            format!("{got} for {expected}: {} triangles at {scale:?}", triangles.len())
        });
    }
    worst.print::<N>("physics mesh");
}

#[test]
fn a_long_sum_of_equal_triangles_loses_nothing() {
    // A plain sum of 100 000 times 0.1 in `f32` has an error of 10⁻⁴.
    let triangle = [[0.0_f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    for side in [0.1_f32, 0.3, 0.7, 1.1, 3.3] {
        let scale = ObjectScale::new([side; 3]).unwrap();
        let mesh = TriangleMesh::measure(vec![triangle; 100_000], scale).unwrap().unwrap();
        let expected = oracle::mesh_cost(
            &vec![triangle.map(|corner| corner.map(f64::from)); 100_000],
            [f64::from(side); 3],
        );
        let allowed = promise(Function::MeshCost, "f32").allowed(expected, 2.0);
        let error = (f64::from(mesh.cost()) - expected).abs();
        println!("100 000 triangles: off by {error:e}, allowed are {allowed:e}");
        assert!(error <= allowed, "{error:e}");
    }
}

#[test]
fn physics_mesh_in_f64() {
    mesh_cases::<f64>(f64::MAX);
}

#[test]
fn physics_mesh_in_f32() {
    mesh_cases::<f32>(f64::MAX);
}

#[test]
fn physics_mesh_in_fixed() {
    mesh_cases::<Fixed>(Fixed::MAX.to_f64());
}
