//! A hundred thousand random cases of each kind against the oracle; each test prints its worst.

use lodger_core::cost::ObjectScale;
use lodger_core::cost::physics::TriangleMesh;
use lodger_core::cost::streaming::{Rules, Streaming};
use lodger_core::{Fixed, Micro, Real};
use lodger_testkit::SplitMix64;
use lodger_tests::oracle::cost::{physics, streaming};
use lodger_tests::tolerance::{Backend, Function, promise};

use super::lods;

const CASES: u32 = 100_000;

/// Numbers that are the same in every run.
struct Numbers(SplitMix64);

impl Numbers {
    fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    fn unit(&mut self) -> f64 {
        self.0.unit()
    }

    fn between(&mut self, least: f64, greatest: f64) -> f64 {
        least + (greatest - least) * self.unit()
    }

    /// As many between 1 and 2 as between 1000 and 2000.
    fn of_any_size(&mut self, least: f64, greatest: f64) -> f64 {
        self.between(least.ln(), greatest.ln()).exp()
    }

    fn one_in(&mut self, number: u64) -> bool {
        self.bits().is_multiple_of(number)
    }

    #[allow(clippy::cast_possible_truncation)] // below the greatest size
    fn size(&mut self) -> i32 {
        if self.one_in(6) { 0 } else { self.of_any_size(1.0, 8e6) as i32 }
    }
}

/// Worst error so far, as a part of what is allowed.
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
        println!("{of} in {}: worst {:.4} of what is allowed, {}", N::NAME, self.part, self.case);
    }
}

/// One of the sets that have names.
fn named(numbers: &mut Numbers) -> Rules {
    match numbers.bits() % 3 {
        0 => Rules::WIKI,
        1 => Rules::VIEWER,
        _ => Rules::GRID,
    }
}

/// What some grid might set.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // positive and small
fn of_some_grid(numbers: &mut Numbers) -> Rules {
    Rules {
        name: "of some grid",
        discount: numbers.of_any_size(1.0, 2000.0) as u32,
        minimum_size: numbers.of_any_size(1.0, 200.0) as u32,
        bytes_per_triangle: numbers.of_any_size(4.0, 64.0) as u32,
        triangle_budget: numbers.of_any_size(1e4, 1e6) as u32,
        max_distance: numbers.of_any_size(1.0, 4096.0),
        max_area: numbers.of_any_size(1.0, 1e7),
        static_mesh_factor: numbers.between(0.1, 1.0),
        ..Rules::VIEWER
    }
}

fn grid(rules: &Rules) -> streaming::Grid {
    streaming::Grid {
        discount: rules.discount.into(),
        minimum: rules.minimum_size.into(),
        bytes_per_triangle: rules.bytes_per_triangle.into(),
        triangle_budget: rules.triangle_budget.into(),
        max_distance: rules.max_distance,
        max_area: rules.max_area,
        factor: rules.static_mesh_factor,
    }
}

/// A radius of any size, and one in three beside a break point.
fn radius<N: Real>(numbers: &mut Numbers, streaming: &Streaming<N>) -> N {
    if !numbers.one_in(3) {
        return N::from_f64(numbers.of_any_size(0.002, 600.0)).unwrap();
    }
    let points = streaming.break_points();
    let of = [points.full, points.closed, points.floor];
    let point = of[usize::try_from(numbers.bits() % 3).unwrap()]
        [usize::try_from(numbers.bits() % 3).unwrap()];
    N::from_f64(point.to_f64() * numbers.between(0.999, 1.001)).unwrap()
}

fn streaming_cases<N: Real>(function: Function, rules: fn(&mut Numbers) -> Rules, greatest: f64) {
    let (mut numbers, mut worst) = (Numbers(SplitMix64::new(1)), Worst::default());
    let promise = promise(function, Backend::named(N::NAME));
    for _ in 0..CASES {
        let rules = rules(&mut numbers);
        let streaming = Streaming::<N>::new(rules).unwrap();
        let radius = radius(&mut numbers, &streaming);
        let bytes = [(); 4].map(|()| numbers.size());
        let got = streaming.cost(radius, lods(bytes)).to_f64();
        let grid = grid(&rules);
        let expected = streaming::cost(&grid, radius.to_f64(), bytes).min(greatest);
        let most = streaming::triangles(&grid, bytes).into_iter().fold(0.0, f64::max);
        let allowed = promise.allowed(most * 15_000.0 / grid.triangle_budget, 0.0);
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

/// A number with sixteen bits after the point, which every type holds.
fn q16(value: f64) -> f64 {
    (value * 65_536.0).round() / 65_536.0
}

fn mesh_cases<N: Real>(greatest: f64) {
    let (mut numbers, mut worst) = (Numbers(SplitMix64::new(2)), Worst::default());
    let promise = promise(Function::MeshCost, Backend::named(N::NAME));
    for _ in 0..CASES {
        let scale = [(); 3].map(|()| q16(numbers.of_any_size(0.01, 64.0)));
        let size = numbers.of_any_size(0.005, 1.0);
        let corner =
            |numbers: &mut Numbers| [(); 3].map(|()| q16(size * numbers.between(-0.5, 0.5)));
        let triangles: Vec<_> = (0..=numbers.bits() % 12)
            .map(|_| [(); 3].map(|()| corner(&mut numbers)))
            .filter(|&triangle| physics::width(triangle) > 1e-6)
            .collect();
        if triangles.is_empty() {
            continue;
        }
        let same = |value: f64| N::from_f64(value).unwrap();
        let given = triangles.iter().map(|triangle| triangle.map(|corner| corner.map(same)));
        let mesh =
            TriangleMesh::measure(given, ObjectScale::new(scale.map(same)).unwrap()).unwrap();
        let got = mesh.unwrap().cost().to_f64();
        let expected = physics::mesh(&triangles, scale).min(greatest);
        let slenderness = triangles
            .iter()
            .map(|&triangle| physics::slenderness(physics::scaled(triangle, scale)))
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
    // 0.1 has no exact form, and 100 000 of them added one by one in `f32` are off by 10⁻⁴.
    let triangle = [[0.0_f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    for side in [0.1_f32, 0.3, 0.7, 1.1, 3.3] {
        let scale = ObjectScale::new([side; 3]).unwrap();
        let mesh = TriangleMesh::measure(vec![triangle; 100_000], scale).unwrap().unwrap();
        let expected = physics::mesh(
            &vec![triangle.map(|corner| corner.map(f64::from)); 100_000],
            [f64::from(side); 3],
        );
        let allowed = promise(Function::MeshCost, Backend::F32).allowed(expected, 2.0);
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
