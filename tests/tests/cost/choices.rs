//! Which representation is used, for every combination; who may be physical; who opts in.

use lodger_core::cost::land_impact::{Accounting, Linkset, ObjectWeight, Part, assess};
use lodger_core::cost::physics::{
    Body, CostData, Hull, Hulls, Motion, Representation, ShapeType, Shapes, TriangleMesh,
};
use lodger_core::cost::simulator::FreeScripts;
use lodger_core::cost::{ObjectScale, PrimKind, Provenance};
use lodger_core::error::Problem;
use lodger_tests::oracle::cost::physics::{Question, representation};

fn mesh(side: f32) -> TriangleMesh<f32> {
    let triangle = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    TriangleMesh::measure([triangle], ObjectScale::new([2.0, side, 2.0]).unwrap()).unwrap().unwrap()
}

fn body(of: Question, cost_data: Option<CostData<f32>>) -> Body<f32> {
    let shapes = Shapes {
        hull: Hull::new(8).unwrap(),
        decomposition: of.decomposition.then(|| Hulls::new([8, 8]).unwrap()),
        mesh: of.mesh.then(|| mesh(if of.small { 0.49 } else { 0.5 })),
        cost_data,
    };
    match of {
        Question { simple: true, .. } => Body::Simple,
        Question { asset: true, .. } => Body::Mesh(shapes),
        _ => Body::Prim(shapes),
    }
}

fn questions() -> impl Iterator<Item = (Question, ShapeType)> {
    let types =
        [("none", ShapeType::None), ("hull", ShapeType::ConvexHull), ("prim", ShapeType::Prim)];
    types.into_iter().flat_map(|(shape_type, shape)| {
        (0_u8..64).map(move |bits| {
            let bit = |number: u8| bits >> number & 1 == 1;
            let question = Question {
                simple: bit(0),
                asset: bit(1),
                shape_type,
                decomposition: bit(2),
                mesh: bit(3),
                dynamic: bit(4),
                small: bit(5),
            };
            (question, shape)
        })
    })
}

#[test]
fn every_combination_is_represented_as_the_rules_say() {
    for (of, shape) in questions() {
        let motion = if of.dynamic { Motion::Physical } else { Motion::AT_REST };
        let answer = body(of, None).cost(shape, motion);
        assert_eq!(answer.representation.to_string(), representation(of), "{of:?}");
        let estimated =
            matches!(answer.representation, Representation::Hull | Representation::Decomposition);
        assert_eq!(answer.provenance == Provenance::Estimated, estimated, "{of:?}");
    }
}

#[test]
fn the_grids_own_numbers_are_used_as_they_are() {
    let data = CostData::new(Some(1.25), Some(7.5)).unwrap();
    for (of, shape) in questions() {
        let motion = if of.dynamic { Motion::Physical } else { Motion::AT_REST };
        let answer = body(of, Some(data)).cost(shape, motion);
        let flipped = shape == ShapeType::Prim && of.asset && of.mesh && of.small && !of.dynamic;
        let expected = match answer.representation {
            // The numbers are exact, the rule that chose the hull is not.
            Representation::Hull if flipped => (1.25, Provenance::Estimated),
            Representation::Hull => (1.25, Provenance::Exact),
            Representation::Decomposition => (7.5, Provenance::Exact),
            _ => (answer.cost, Provenance::Documented),
        };
        assert_eq!((answer.cost.to_bits(), answer.provenance), (expected.0.to_bits(), expected.1));
    }
}

#[test]
fn type_prim_needs_something_to_be_represented_by() {
    for (of, shape) in questions() {
        let refused = body(of, None).check_shape_type(shape);
        let needed = shape == ShapeType::Prim && !of.simple && !of.mesh && !of.decomposition;
        assert_eq!(refused.is_err(), needed, "{of:?}");
        assert!(refused.is_ok() || refused.unwrap_err().problem() == Problem::Missing);
    }
}

#[test]
fn limits_are_refused_where_they_enter() {
    assert_eq!(Hull::new(0).unwrap_err().problem(), Problem::NotPositive);
    assert_eq!(Hull::new(257).unwrap_err().problem(), Problem::TooLarge);
    assert!(Hull::new(256).is_ok() && Hulls::new([256; 256]).is_ok());
    assert_eq!(Hulls::new([4; 257]).unwrap_err().problem(), Problem::TooLarge);
    assert_eq!(Hulls::new([4, 257]).unwrap_err().problem(), Problem::TooLarge);
    assert_eq!(Hulls::new([]).unwrap_err().problem(), Problem::Missing);
    assert!(CostData::new(Some(f32::NAN), None).is_err());
    assert!(CostData::new(None, Some(-1.0)).is_err());
    assert!(ObjectScale::new([1.0, f32::NAN, 1.0]).is_err());
    assert!(ObjectScale::new([1.0, 1.0, -0.1]).is_err());
    assert!(ObjectScale::new([1.0, 1.0, 16_385.0]).is_err());
    let bad = [[0.0, 0.0, f32::NAN], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    assert_eq!(
        TriangleMesh::measure([bad], ObjectScale::ONE).unwrap_err().problem(),
        Problem::NotFinite
    );
    let none: [[[f32; 3]; 3]; 0] = [];
    assert!(TriangleMesh::measure(none, ObjectScale::ONE).unwrap().is_none());
}

const LINKSET: Linkset<f32> = Linkset {
    size: ObjectScale::ONE,
    physical: true,
    scripts: 4,
    free_scripts: FreeScripts::One,
    simulator: None,
};

fn plain(shape: ShapeType, streaming: f32) -> Part<f32> {
    let physics = Body::Simple.cost(shape, Motion::AT_REST);
    Part { kind: PrimKind::Plain, shape, streaming, physics }
}

#[test]
fn weights_are_summed_capped_and_penalised_before_the_greatest_is_taken() {
    let of = Question {
        simple: false,
        asset: true,
        shape_type: "hull",
        decomposition: false,
        mesh: false,
        dynamic: false,
        small: false,
    };
    let mesh = Part {
        kind: PrimKind::Mesh,
        shape: ShapeType::ConvexHull,
        streaming: 3.25,
        physics: body(of, None).cost(ShapeType::ConvexHull, Motion::Physical),
    };
    let counted = assess([mesh, plain(ShapeType::Prim, 7.0), plain(ShapeType::None, 0.5)], LINKSET);
    let counted = counted.unwrap();
    assert_eq!((counted.accounting, counted.prims), (Accounting::New, 3));
    assert!((counted.streaming - (3.25 + 1.0 + 0.5)).abs() < 1e-6);
    assert!((counted.physics_base - (0.36 + 0.1)).abs() < 1e-6);
    assert!((counted.physics - (0.36 + 0.1) * 1.04).abs() < 1e-6);
    assert_eq!(counted.physics_provenance, Provenance::Estimated);
    assert!((counted.server - (1.5 + 0.75)).abs() < 1e-6);
    assert_eq!(counted.land_impact.value, 5);
    assert_eq!(counted.land_impact.limited_by, Some(ObjectWeight::Streaming));
}

#[test]
fn prims_that_do_not_opt_in_are_counted() {
    let counted = assess(vec![plain(ShapeType::Prim, 1.0); 7], LINKSET).unwrap();
    assert_eq!((counted.accounting, counted.land_impact.value), (Accounting::Old, 7));
    assert_eq!(counted.land_impact.limited_by, None);
    let opted_in = [ShapeType::Prim, ShapeType::None].map(|shape| plain(shape, 0.1));
    assert_eq!(assess(opted_in, LINKSET).unwrap().accounting, Accounting::New);
    assert_eq!(assess([], LINKSET).unwrap_err().problem(), Problem::NotPositive);
}
