//! Streaming, physics, simulator and land impact.

use heapless::Vec;
use lodger_core::Error;
use lodger_core::cost::land_impact::{Linkset, ObjectWeight, Part, assess, greatest_weight};
use lodger_core::cost::physics::{
    Body, CostData, Hull, Hulls, Motion, PhysicsCost, Representation, ShapeType, Shapes,
    TriangleMesh, linkset, may_be_physical, penalised,
};
use lodger_core::cost::prims::{Primitive, Solid};
use lodger_core::cost::simulator::{
    FreeScripts, Parameters, Simulator, region_cost, server_weight,
};
use lodger_core::cost::streaming::{
    AssetColumns, LinksetPart, Lods, MeshLod, Reach, Rules, Streaming, animated_root,
};
use lodger_core::cost::{ObjectScale, PrimKind, Provenance};

use super::super::backend::Number;
use super::super::cost::{
    AssetQuestion, BodyQuestion, LinksetQuestion, PARTS, PhysicsQuestion, SimulatorQuestion,
    StreamingQuestion,
};
use super::super::words::{Words, push};

/// One of a few, by its number modulo how many there are.
fn one_of<T: Copy>(few: &[T], number: u8) -> Option<T> {
    few.get(usize::from(number).checked_rem(few.len())?).copied()
}

fn rules<N: Number>(number: u8) -> Result<Streaming<N>, Error> {
    let rules = one_of(&[Rules::WIKI, Rules::VIEWER, Rules::GRID], number);
    Streaming::new(rules.unwrap_or_default())
}

fn kind(number: u8) -> PrimKind {
    one_of(&[PrimKind::Plain, PrimKind::Sculpted, PrimKind::Mesh], number).unwrap_or(PrimKind::Mesh)
}

fn shape(number: u8) -> ShapeType {
    let shapes = [ShapeType::Prim, ShapeType::ConvexHull, ShapeType::None];
    one_of(&shapes, number).unwrap_or_default()
}

const fn scripts(one_is_free: bool) -> FreeScripts {
    if one_is_free { FreeScripts::One } else { FreeScripts::None }
}

fn lods([lowest, low, medium, high]: [i32; 4]) -> Lods<i32> {
    Lods { lowest, low, medium, high }
}

fn push_lods<N: Number>(words: &mut Words, lods: Lods<N>) {
    for lod in MeshLod::ALL {
        push(words, lods.of(lod).word());
    }
}

pub(super) fn streaming<N: Number>(
    question: &StreamingQuestion,
    words: &mut Words,
) -> Result<(), Error> {
    let AssetQuestion { rules: number, radius, bytes } = question.asset;
    let (rules, radius, bytes) = (rules::<N>(number)?, N::from_word(radius), lods(bytes));
    let part = if question.root { LinksetPart::Root } else { LinksetPart::Child };
    let scalar = N::from_word(question.cost_scalar);
    let mut column = [N::ZERO];
    let sizes = [[bytes.lowest], [bytes.low], [bytes.medium], [bytes.high]];
    let [lowest, low, medium, high] = sizes.each_ref().map(<[i32; 1]>::as_slice);
    let lods = Lods { lowest, low, medium, high };
    rules.costs(AssetColumns { radius: &[radius], bytes: lods }, &mut column);
    for number in [
        rules.cost(radius, bytes),
        column[0],
        rules.prim_cost(kind(question.kind), radius, bytes),
        rules.area_form(radius, bytes, scalar),
        rules.animated_triangles(bytes),
        rules.animated_cost(bytes, part),
        animated_root(),
    ] {
        push(words, number.word());
    }
    push_lods(words, rules.triangles(bytes));
    push_lods(words, rules.transition_distances(radius));
    push_lods(words, rules.area_shares(radius));
    push_lods(words, rules.cost_shares(radius, bytes));
    push(words, rules.grows_with_size(bytes).into());
    Ok(())
}

/// The searches: they ask for the cost again and again.
pub(super) fn room<N: Number>(
    asset: AssetQuestion,
    limit: N,
    words: &mut Words,
) -> Result<(), Error> {
    let (rules, radius) = (rules::<N>(asset.rules)?, N::from_word(asset.radius));
    let bytes = lods(asset.bytes);
    let points = rules.break_points();
    for point in points.full.into_iter().chain(points.closed).chain(points.floor) {
        push(words, point.word());
    }
    match rules.largest_radius(bytes, limit) {
        Reach::Never => push(words, 0),
        Reach::UpTo(radius) => {
            push(words, 1);
            push(words, radius.word());
        }
        Reach::Always => push(words, 2),
    }
    let room = rules.room(radius, bytes, limit);
    let resized = rules.resized(radius, bytes, limit);
    for lod in MeshLod::ALL {
        push(words, room.of(lod).unwrap_or(-1).cast_unsigned());
        push(words, resized.map_or(-1, |sizes| sizes.of(lod)).cast_unsigned());
    }
    Ok(())
}

/// The two triangles, unless both are degenerate.
fn mesh<N: Number>(
    question: &PhysicsQuestion,
) -> Result<(ObjectScale<N>, Option<TriangleMesh<N>>), Error> {
    let [a, b, c, d, e, f] = question.corners.map(|corner| corner.map(N::from_word));
    let scale = ObjectScale::new(question.scale.map(N::from_word))?;
    Ok((scale, TriangleMesh::measure([[a, b, c], [d, e, f]], scale)?))
}

pub(super) fn physics<N: Number>(
    question: &PhysicsQuestion,
    words: &mut Words,
) -> Result<(), Error> {
    let (scale, mesh) = mesh::<N>(question)?;
    push(words, scale.radius().word());
    if let Some(mesh) = mesh {
        let cost = mesh.cost();
        let unlimited = mesh.cost_without_limits();
        for number in [mesh.mean_width(), cost, unlimited, penalised(cost, scale)] {
            push(words, number.word());
        }
        push(words, mesh.triangles());
        push(words, mesh.degenerate());
    }
    Ok(())
}

pub(super) fn body<N: Number>(question: &BodyQuestion, words: &mut Words) -> Result<(), Error> {
    let body = offered::<N>(question)?;
    let motion = match question.at_rest {
        Some(frames) => Motion::Still { frames: frames.into() },
        None => Motion::Physical,
    };
    let shape = shape(question.shape);
    push(words, body.check_shape_type(shape).is_ok().into());
    push_physics(words, body.cost(shape, motion));
    Ok(())
}

/// What a prim offers: by its kind, or the shapes that it was given.
fn offered<N: Number>(question: &BodyQuestion) -> Result<Body<N>, Error> {
    if let Some(&solid) = Solid::ALL.get(usize::from(question.solid)) {
        return Primitive { solid, altered: question.altered }.body();
    }
    let given = |vertices: &[u16]| Hulls::new(vertices.iter().copied());
    let numbers = question.cost_data.map(|data| data.map(|cost| cost.map(N::from_word)));
    let shapes = Shapes {
        hull: Hull::new(question.hull)?,
        decomposition: match question.hulls.as_slice() {
            [] => None,
            hulls => Some(given(hulls)?),
        },
        mesh: match &question.mesh {
            Some(triangles) => mesh(triangles)?.1,
            None => None,
        },
        cost_data: match numbers {
            Some([hull, decomposition]) => Some(CostData::new(hull, decomposition)?),
            None => None,
        },
    };
    Ok(if question.altered { Body::Prim(shapes) } else { Body::Mesh(shapes) })
}

fn push_physics<N: Number>(words: &mut Words, physics: PhysicsCost<N>) {
    push(words, physics.cost.word());
    push(words, physics.representation as u32);
    push(words, physics.provenance as u32);
    push(words, may_be_physical(physics.cost).into());
}

pub(super) fn simulator<N: Number>(
    question: &SimulatorQuestion,
    words: &mut Words,
) -> Result<(), Error> {
    let [simulation_factor, active_cost_high, active_cost_low, linkset_factor] =
        question.parameters.map(|word| N::from_word(word).to_f64());
    let simulator = Simulator::<N>::new(Parameters {
        simulation_factor,
        active_cost_high,
        active_cost_low,
        linkset_factor,
        ..Parameters::UNOFFICIAL_2011
    })?;
    let cost = simulator.cost(question.objects, question.active)?;
    let free = scripts(question.free_script);
    let server: N = server_weight(question.objects, question.scripts, free);
    for number in [cost, server, region_cost(cost, N::from_word(question.streaming))] {
        push(words, number.word());
    }
    Ok(())
}

pub(super) fn land_impact<N: Number>(
    question: &LinksetQuestion,
    words: &mut Words,
) -> Result<(), Error> {
    let parts: Vec<Part<N>, PARTS> = question
        .parts
        .iter()
        .map(|part| Part {
            kind: kind(part.kind),
            shape: shape(part.shape),
            streaming: N::from_word(part.streaming),
            physics: PhysicsCost {
                cost: N::from_word(part.physics),
                representation: Representation::Hull,
                provenance: Provenance::Estimated,
            },
        })
        .collect();
    let of = Linkset {
        size: ObjectScale::new(question.size.map(N::from_word))?,
        physical: question.physical,
        scripts: question.scripts,
        free_scripts: scripts(question.free_script),
        simulator: None,
    };
    let total = assess(parts.iter().copied(), of)?;
    let weight = greatest_weight::<N>(total.land_impact.value);
    let sum = linkset(parts.iter().map(|part| part.streaming));
    for number in [total.streaming, total.physics_base, total.physics, total.server, weight, sum] {
        push(words, number.word());
    }
    push(words, total.accounting as u32);
    push(words, total.land_impact.value);
    push(
        words,
        match total.land_impact.limited_by {
            None => 0,
            Some(ObjectWeight::Streaming) => 1,
            Some(ObjectWeight::Physics) => 2,
            Some(ObjectWeight::Server) => 3,
        },
    );
    Ok(())
}
