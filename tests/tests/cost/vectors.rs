//! Every number type gives the costs of `vectors/cost.toml`, and so does the oracle.

use lodger_core::cost::land_impact::land_impact;
use lodger_core::cost::physics::{Hull, Hulls, TriangleMesh, penalised};
use lodger_core::cost::simulator::{FreeScripts, Parameters, Simulator, server_weight};
use lodger_core::cost::streaming::{LinksetPart, Rules, Streaming};
use lodger_core::cost::{ObjectScale, Provenance};
use lodger_core::{Fixed, Micro, Real};
use lodger_tests::oracle::cost::{physics, simulator, streaming};
use lodger_tests::tolerance::{Backend, Function, promise};
use lodger_tests::vectors::{CostVectors, Vectors as _};

use super::{exact, lods, viewer};

fn vectors() -> CostVectors {
    CostVectors::load()
}

/// Holds a number and the oracle's against what a row expects.
fn check<N: Real>(function: Function, name: &str, got: N, oracle: f64, expected: f64, unit: f64) {
    let got = got.to_f64();
    let allowed = promise(function, Backend::named(N::NAME)).allowed(unit, 0.0);
    let error = (got - expected).abs();
    assert!(error <= allowed, "{}, {name}: {got} for {expected}, off by {error:e}", N::NAME);
    assert!((oracle - expected).abs() <= 1e-13 * unit, "oracle, {name}: {oracle} for {expected}");
}

fn named_rules(name: &str) -> (Rules, streaming::Grid) {
    let rules = [Rules::WIKI, Rules::VIEWER, Rules::GRID];
    let rules = rules.into_iter().find(|rules| rules.name == name).unwrap();
    (rules, streaming::NAMED.iter().find(|(grid, _)| *grid == name).unwrap().1)
}

/// The greatest triangles of a LOD, shown everywhere.
fn unit(grid: &streaming::Grid, bytes: [i32; 4]) -> f64 {
    let most = streaming::triangles(grid, bytes).into_iter().fold(0.0, f64::max);
    most * 15_000.0 / grid.triangle_budget
}

fn streaming_rows<N: Real>() {
    for row in vectors().streaming {
        let (rules, grid) = named_rules(&row.rules);
        let got = Streaming::new(rules).unwrap().cost(exact::<N>(row.radius), lods(row.bytes));
        let oracle = streaming::cost(&grid, row.radius, row.bytes);
        check(
            Function::StreamingCost,
            &row.name,
            got,
            oracle,
            row.expected,
            unit(&grid, row.bytes),
        );
    }
    for row in vectors().area_form {
        let (rules, grid) = named_rules(&row.rules);
        let (radius, scalar) = (exact::<N>(row.radius), exact::<N>(row.cost_scalar));
        let got = Streaming::new(rules).unwrap().area_form(radius, lods(row.bytes), scalar);
        let oracle = streaming::area_form(&grid, row.radius, row.bytes, row.cost_scalar);
        let largest = f64::from(*row.bytes.iter().max().unwrap());
        check(Function::OtherCost, &row.name, got, oracle, row.expected, largest * row.cost_scalar);
    }
    for row in vectors().animated {
        let part = if row.root { LinksetPart::Root } else { LinksetPart::Child };
        let got = viewer::<N>().animated_cost(lods(row.bytes), part);
        let (_, grid) = named_rules("viewer");
        let oracle = streaming::animated(&grid, row.bytes, row.root);
        check(Function::OtherCost, &row.name, got, oracle, row.expected, row.expected);
    }
}

fn physics_rows<N: Real>() {
    for row in vectors().penalty {
        let size = ObjectScale::new(row.size.map(exact::<N>)).unwrap();
        let got = penalised(exact::<N>(row.base), size);
        let oracle = physics::penalised(row.base, row.size);
        check(Function::OtherCost, &row.name, got, oracle, row.expected, row.expected);
    }
    for row in vectors().hulls {
        let got: N = match row.hulls {
            1 => Hull::new(row.vertices).unwrap().cost(),
            hulls => Hulls::new(vec![row.vertices; hulls.into()]).unwrap().cost(),
        };
        let oracle =
            physics::hulls(u32::from(row.vertices) * u32::from(row.hulls), row.hulls.into());
        check(Function::OtherCost, &row.name, got, oracle, row.expected, row.expected);
    }
    for row in vectors().mesh {
        let triangles = vec![row.triangle.map(|corner| corner.map(exact::<N>)); row.count];
        let scale = ObjectScale::new(row.scale.map(exact::<N>)).unwrap();
        let got = TriangleMesh::measure(triangles, scale).unwrap().unwrap().cost();
        let oracle = physics::mesh(&vec![row.triangle; row.count], row.scale);
        check(Function::MeshCost, &row.name, got, oracle, row.expected, row.expected);
        let repeated =
            (row.triangle.map(|corner| corner.map(exact::<N>)), u32::try_from(row.count).unwrap());
        let repeated = TriangleMesh::measure_repeated([repeated], scale).unwrap().unwrap();
        check(Function::MeshCost, &row.name, repeated.cost(), oracle, row.expected, row.expected);
    }
}

fn simulator_rows<N: Real>() {
    for row in vectors().server {
        let free = if row.one_free { FreeScripts::One } else { FreeScripts::None };
        let got = server_weight::<N>(row.prims, row.scripts, free);
        let oracle = simulator::server(row.prims, row.scripts, row.one_free);
        check(Function::OtherCost, &row.name, got, oracle, row.expected, row.expected);
    }
    for row in vectors().simulator {
        let [simulation_factor, active_cost_high, active_cost_low, linkset_factor] = row.parameters;
        let parameters = Parameters {
            name: "of the row",
            provenance: Provenance::Estimated,
            simulation_factor,
            active_cost_high,
            active_cost_low,
            linkset_factor,
        };
        let got = Simulator::<N>::new(parameters).unwrap().cost(row.objects, row.active).unwrap();
        let oracle = simulator::cost(row.parameters, row.objects, row.active);
        check(Function::OtherCost, &row.name, got, oracle, row.expected, row.expected);
    }
    for row in vectors().land_impact {
        let [streaming, physics, server] = row.weights;
        let got = land_impact(exact::<N>(streaming), exact(physics), exact(server));
        let name = &row.name;
        assert_eq!(got.value, row.value, "{name}");
        assert_eq!(got.limited_by.unwrap().to_string(), row.limited_by, "{name}");
        let (value, limited_by) = simulator::land_impact(streaming, physics, server);
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
