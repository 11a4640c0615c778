//! What a function gives for one row, by core's own functions for single values.

use std::cmp::Ordering;

use lodger_core::cost::land_impact::land_impact;
use lodger_core::cost::physics::{
    Body, CostData, Hull, Hulls, Motion, ShapeType, Shapes, penalised,
};
use lodger_core::cost::simulator::{
    FreeScripts, Parameters, Simulator, region_cost, server_weight,
};
use lodger_core::cost::streaming::{LinksetPart, Lods, Rules, Streaming, capped};
use lodger_core::cost::{ObjectScale, PrimKind};
use lodger_mesh_asset::{Asset, Block};

use super::random::{Kind, Value};
use super::sample;

pub(crate) const NAMES: &[&str] = &["wiki", "viewer", "grid"];
const SETS: &[&str] = &["unofficial-2011", "0.5, 2,1,4"];
const SHAPES: &[&str] = &["prim", "prim", "convex-hull", "none", "box"];
const KINDS: &[&str] = &["plain", "sculpted", "plant", "mesh", ""];

/// A function: its name, its arguments, and what it gives.
pub(crate) struct Reference {
    pub(crate) name: &'static str,
    pub(crate) arguments: &'static [Kind],
    /// A cost in bits, or a whole number.
    pub(crate) of: fn(&[Value]) -> Option<u64>,
}

const N: Kind = Kind::Number;
const R: Kind = Kind::Word(NAMES);

pub(crate) const ALL: &[Reference] = &[
    Reference { name: "streaming_cost", arguments: &[N, N, N, N, N, N, N], of: streaming },
    Reference { name: "streaming_cost", arguments: &[N, N, N, N, N, N, N, R], of: streaming },
    Reference { name: "animated_cost", arguments: &[N, N, N, N, Kind::Flag], of: animated },
    Reference { name: "animated_cost", arguments: &[N, N, N, N, Kind::Flag, R], of: animated },
    Reference { name: "prim_cost", arguments: &[Kind::Word(KINDS), N, N, N, N, N, N, N], of: prim },
    Reference {
        name: "prim_cost",
        arguments: &[Kind::Word(KINDS), N, N, N, N, N, N, N, R],
        of: prim,
    },
    Reference { name: "hull_cost", arguments: &[N], of: hull },
    Reference { name: "decomposition_cost", arguments: &[N, N], of: decomposition },
    Reference {
        name: "physics_cost",
        arguments: &[Kind::Word(SHAPES), Kind::Flag, N, N, N, N, N, N, N, N, Kind::Blob],
        of: physics,
    },
    Reference { name: "penalised", arguments: &[N, N, N, N], of: penalised_cost },
    Reference { name: "server_weight", arguments: &[N, N], of: server },
    Reference {
        name: "simulator_cost",
        arguments: &[N, N, Kind::Flag, Kind::Word(SETS)],
        of: simulator,
    },
    Reference { name: "region_cost", arguments: &[N, N], of: region },
    Reference { name: "land_impact", arguments: &[N, N, N], of: impact },
    Reference { name: "millionths", arguments: &[N], of: millionths },
];

impl Value {
    #[allow(clippy::cast_precision_loss)] // to the nearest
    fn real(&self) -> Option<f64> {
        match self {
            Self::Whole(whole) => Some(*whole as f64),
            Self::Real(real) => Some(*real),
            _ => None,
        }
    }

    /// The number without its fraction, if the type has room for it.
    #[allow(clippy::cast_possible_truncation)] // saturating
    fn whole<T: TryFrom<i128>>(&self) -> Option<T> {
        match self {
            Self::Whole(whole) => T::try_from(*whole).ok(),
            Self::Real(real) if !real.is_nan() => T::try_from(*real as i128).ok(),
            _ => None,
        }
    }
}

fn scale(sides: &[Value]) -> Option<ObjectScale<f64>> {
    let [x, y, z] = sides else { panic!("three sides") };
    ObjectScale::new([x.real()?, y.real()?, z.real()?]).ok()
}

fn bytes(lods: &[Value]) -> Option<Lods<i32>> {
    let [lowest, low, medium, high] = lods else { panic!("four LODs") };
    Some(Lods {
        lowest: lowest.whole()?,
        low: low.whole()?,
        medium: medium.whole()?,
        high: high.whole()?,
    })
}

fn rules(value: Option<&Value>) -> Option<Rules> {
    match value {
        None => Some(Rules::VIEWER),
        Some(Value::Word(name)) => Rules::NAMED.into_iter().find(|rules| rules.name == *name),
        _ => None,
    }
}

fn streaming(row: &[Value]) -> Option<u64> {
    let streaming = Streaming::<f64>::new(rules(row.get(7))?).unwrap();
    Some(streaming.cost(scale(&row[..3])?.radius(), bytes(&row[3..7])?).to_bits())
}

fn animated(row: &[Value]) -> Option<u64> {
    let Value::Flag(is_root) = row[4] else { return None };
    let part = if is_root { LinksetPart::Root } else { LinksetPart::Child };
    let streaming = Streaming::<f64>::new(rules(row.get(5))?).unwrap();
    Some(streaming.animated_cost(bytes(&row[..4])?, part).to_bits())
}

fn prim(row: &[Value]) -> Option<u64> {
    let rules = Rules { static_mesh_factor: 1.0, ..rules(row.get(8))? };
    let radius = scale(&row[1..4])?.radius();
    let kind = match row[0] {
        Value::Word("plain") => PrimKind::Plain,
        Value::Word("sculpted") => PrimKind::Sculpted,
        Value::Word("plant") => return Some(0),
        _ => return None,
    };
    let cost = Streaming::<f64>::new(rules).unwrap().cost(radius, bytes(&row[4..8])?);
    Some(capped(kind, cost).to_bits())
}

fn hull(row: &[Value]) -> Option<u64> {
    Some(Hull::new(row[0].whole()?).ok()?.cost::<f64>().to_bits())
}

/// The vertices go to the hulls one by one.
fn hulls(hulls: u64, vertices: u64) -> Option<Hulls> {
    if hulls == 0 || hulls > 256 || vertices > 256 * 256 {
        return None;
    }
    let of =
        |hull: u64| u16::try_from(vertices / hulls + u64::from(hull < vertices % hulls)).unwrap();
    Hulls::new((0..hulls).map(of)).ok()
}

fn decomposition(row: &[Value]) -> Option<u64> {
    Some(hulls(row[0].whole()?, row[1].whole()?)?.cost::<f64>().to_bits())
}

fn physics(row: &[Value]) -> Option<u64> {
    let (Value::Word(shape), Value::Flag(physical)) = (&row[0], &row[1]) else { return None };
    let (shape, scale): (ShapeType, _) = (shape.parse().ok()?, scale(&row[2..5])?);
    let hull = Hull::new(row[5].whole()?).ok()?;
    let none = |value: &Value| *value == Value::Null;
    let decomposition = match &row[6..8] {
        [count, vertices] if none(count) && none(vertices) => None,
        [count, vertices] => {
            let not_negative = |value: &Value| value.real().is_some_and(|value| value >= 0.0);
            if !not_negative(count) || !not_negative(vertices) {
                return None;
            }
            Some(hulls(count.whole()?, vertices.whole()?)?)
        }
        _ => panic!("two numbers"),
    };
    let cost_data = CostData::new(row[8].real(), row[9].real()).ok()?;
    let mesh = match &row[10] {
        Value::Blob(block) if shape == ShapeType::Prim => sample::measured(block, scale)?,
        _ => None,
    };
    let shapes = Shapes { hull, decomposition, mesh, cost_data: Some(cost_data) };
    let motion = if *physical { Motion::Physical } else { Motion::AT_REST };
    Some(Body::Mesh(shapes).cost(shape, motion).cost.to_bits())
}

fn penalised_cost(row: &[Value]) -> Option<u64> {
    Some(penalised(row[0].real()?, scale(&row[1..])?).to_bits())
}

fn server(row: &[Value]) -> Option<u64> {
    Some(server_weight::<f64>(row[0].whole()?, row[1].whole()?, FreeScripts::One).to_bits())
}

fn simulator(row: &[Value]) -> Option<u64> {
    let (Value::Flag(physical), Value::Word(set)) = (&row[2], &row[3]) else { return None };
    let linkset_factor = if *set == SETS[0] { 0.0 } else { 4.0 };
    let parameters = Parameters { linkset_factor, ..Parameters::UNOFFICIAL_2011 };
    let scripts: u32 = row[1].whole()?;
    let simulator = Simulator::<f64>::new(parameters).unwrap();
    Some(simulator.cost(row[0].whole()?, *physical || scripts > 0).ok()?.to_bits())
}

fn region(row: &[Value]) -> Option<u64> {
    Some(region_cost(row[0].real()?, row[1].real()?).to_bits())
}

fn impact(row: &[Value]) -> Option<u64> {
    Some(land_impact(row[0].real()?, row[1].real()?, row[2].real()?).value.into())
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // saturating, and bits
fn millionths(row: &[Value]) -> Option<u64> {
    let cost = row[0].real().filter(|cost| !cost.is_nan())? * 1e6;
    let (below, above) = (cost.floor(), cost.ceil());
    let nearest = match (cost - below).total_cmp(&(above - cost)) {
        Ordering::Less => below,
        Ordering::Equal if cost < 0.0 => below,
        Ordering::Equal | Ordering::Greater => above,
    };
    Some((if cost.is_finite() { nearest } else { cost }) as i64 as u64)
}

/// The blocks of physics meshes that random rows have, good ones and bad ones.
pub(crate) fn blocks() -> Vec<Vec<u8>> {
    let file = |mesh| sample::file(1, sample::With { mesh, ..sample::With::default() });
    let of = |file: &[u8], block| Asset::parse(file).unwrap().raw(block).unwrap().to_vec();
    let good = [
        of(&file(true), Block::PhysicsMesh),
        of(&file(false), Block::HighLod),
        of(&file(false), Block::LowLod),
    ];
    let damaged = good[0][..good[0].len() / 2].to_vec();
    good.into_iter().chain([Vec::new(), b"no block".to_vec(), damaged]).collect()
}
