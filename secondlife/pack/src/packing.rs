//! The whole way: a model, what it may cost, and the assets.

use lodger_core::cost::land_impact::{LandImpact, ObjectWeight, greatest_weight, land_impact};
use lodger_core::cost::physics::ShapeType;
use lodger_core::cost::simulator::{FreeScripts, server_weight};
use lodger_core::cost::streaming::{Lods, Rules, Streaming};
use lodger_core::linkability::{LinkPrim, SphereRule};
use lodger_quota::Quota;
use rayon::prelude::*;

use crate::aabb::Aabb;
use crate::chain::Chain;
use crate::choice::{Choice, Choosing, LodRule, Terms, by_triangles, choose, own, thirds, weights};
use crate::encode;
use crate::error::{Error, TooDear};
use crate::frame::Frame;
use crate::model::{Model, Object};
use crate::note::Note;
use crate::physics::{Decompose, Making, Physics, PhysicsChoice, Shaping, shapes};

/// What is asked of the assets.
#[derive(Clone, Debug)]
pub struct Options {
    /// The land impact of all objects, linked, unscripted. By default that of the levels which [`lods`](Self::lods) lists
    /// or the model brings, or else of the viewer's own split; and of the physics shapes, where these cost more.
    pub land_impact: Option<u32>,
    /// The size of the whole model in metres; by default its own.
    pub size: Option<[f64; 3]>,
    /// How lower levels are chosen.
    pub lods: LodRule,
    /// Whether the high level must stay as it is.
    pub keep_high: bool,
    /// The physics shape type that prices are for.
    pub shape: ShapeType,
    /// The kind of physics shape.
    pub physics: PhysicsChoice,
    /// What the physics shapes of all objects may cost; by default what the land impact allows, or the least where
    /// that is not asked for and none can be had for it.
    pub physics_cost: Option<f64>,
    /// Whose streaming cost it is.
    pub rules: Rules,
}

/// What is being done, for a bar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step<'a> {
    /// Simplifying an object, by name: how many of its simpler forms are measured, of how many that are made so far.
    Simplify(&'a str, usize, usize),
    /// Choosing levels.
    Choose,
    /// Making physics shapes.
    Physics,
    /// Trying a physics shape of an object, by name.
    Shape(&'a str),
    /// Writing assets.
    Encode,
    /// Drawing a page: how many pictures are drawn, of how many.
    Draw(usize, usize),
}

/// What was made of a model.
#[derive(Debug)]
pub struct Packed {
    /// In the order of the model's objects.
    pub objects: Vec<PackedObject>,
    /// The land impact that was asked for.
    pub asked: Option<u32>,
    /// That which was held: what was asked for, or else that of the viewer's own split, or of the levels or the physics
    /// shapes that were asked for, where they need more.
    pub target: u32,
    /// The land impact of all objects, linked, and what it comes of.
    pub land_impact: LandImpact,
    /// The streaming cost of all objects.
    pub streaming: f64,
    /// The physics cost of all objects, as the stated shape type.
    pub physics: f64,
    /// The server weight of all objects.
    pub server: f64,
    /// Σ weight·error of all objects and levels.
    pub loss: f64,
    /// The viewer's own split of the levels, within the same streaming cost: for comparison.
    pub viewer: Choice,
    /// Whose streaming cost it is.
    pub rules: Rules,
    /// The shape type that physics is priced as.
    pub shape: ShapeType,
    /// The model's notes, and those made on the way.
    pub notes: Vec<Note>,
}

/// What was made of an object.
#[derive(Debug)]
pub struct PackedObject {
    /// Its name.
    pub name: String,
    /// Where it is, and its size.
    pub frame: Frame,
    /// All candidates.
    pub chain: Chain,
    /// The candidate of each level, an index into the chain.
    pub picks: Lods<usize>,
    /// How much an error of 1 m weighs at each level.
    pub weights: Lods<f64>,
    /// Its physics shape.
    pub physics: Physics,
    /// The asset, as a file.
    pub asset: Vec<u8>,
}

/// Makes assets of a model, whose size is changed to that of the options.
///
/// # Errors
/// [`Error`]. The assets never cost more than was asked: what cannot be had is [`Error::TooDear`], with the part that
/// is in the way. A model that takes more work than the quota has is [`Error::QuotaExceeded`].
pub fn pack(
    model: &mut Model,
    options: &Options,
    decompose: &dyn Decompose,
    quota: &Quota,
    progress: &(dyn Fn(Step<'_>) + Sync),
) -> Result<Packed, Error> {
    let streaming = Streaming::new(options.rules).map_err(Error::Rules)?;
    if let Some(size) = options.size {
        model.resize(size)?;
    }
    model.check_sides()?;
    let mut notes = model.notes.clone();
    let frames: Vec<_> = model.objects.iter().map(|object| Frame::of(&object.high)).collect();
    notes.extend(unlinkable(&frames));
    let chains = chains(model, &frames, quota, progress)?;
    for (object, chain) in model.objects.iter().zip(&chains) {
        notes.extend(flattened(object, chain));
        notes.extend(no_side_of_a_prim(object));
        notes.extend(left_out(object, chain).filter(|_| options.lods == LodRule::Given));
    }
    let objects: Vec<_> =
        chains.iter().zip(&frames).map(|(chain, frame)| Choosing { chain, frame }).collect();
    let server = server_weight::<f64>(count(objects.len()), 0, FreeScripts::One);
    let own = land_impact(own(&objects, &streaming, &options.lods), 0.0, server).value;
    let target = options.land_impact.unwrap_or(own);
    if land_impact(0.0, 0.0, server).value > target {
        return Err(too_dear(target, ObjectWeight::Server, server));
    }
    progress(Step::Physics);
    let making = Making { decompose, quota, tried: &|object| progress(Step::Shape(object)) };
    let physics = shaped(model, &frames, &chains, (target, options), &making, &mut notes)?;
    let physics_cost = physics.iter().map(|physics| physics.cost).sum();
    progress(Step::Choose);
    let most = greatest_weight::<f64>(target);
    let choice = chosen(&objects, &streaming, most, options)
        .map_err(|least| too_dear(target, ObjectWeight::Streaming, least))?;
    let viewer = thirds(&objects, &streaming, most);
    let land_impact = land_impact(choice.streaming, physics_cost, server);
    progress(Step::Encode);
    let made = model.objects.iter().zip(frames).zip(chains.into_iter().zip(physics));
    let objects: Result<Vec<_>, Error> = made
        .zip(&choice.picks)
        .map(|(((object, frame), (chain, physics)), &picks)| {
            let weights = weights(&streaming, &frame);
            let asset = asset(object, &frame, &chain, picks, &physics);
            let asset = asset.map_err(|error| Error::asset(&object.name, error))?;
            let name = object.name.clone();
            Ok(PackedObject { name, frame, chain, picks, weights, physics, asset })
        })
        .collect();
    Ok(Packed {
        objects: objects?,
        asked: options.land_impact,
        target: target.max(land_impact.value),
        land_impact,
        streaming: choice.streaming,
        physics: physics_cost,
        server,
        loss: choice.loss,
        viewer,
        rules: options.rules,
        shape: options.shape,
        notes,
    })
}

/// The physics shapes, for what they may cost: that which was said, and within the land impact that was asked for. Where
/// none was, only the shapes that cost least may go beyond that of the levels.
fn shaped(
    model: &Model,
    frames: &[Frame],
    chains: &[Chain],
    (target, options): (u32, &Options),
    making: &Making<'_>,
    notes: &mut Vec<Note>,
) -> Result<Vec<Physics>, Error> {
    let each = model.objects.iter().zip(frames.iter().zip(chains));
    let objects: Vec<_> = each
        .map(|(object, (frame, chain))| Shaping { object, frame, candidates: chain.made() })
        .collect();
    let mut shaped = |most| shapes(&objects, &options.physics, options.shape, most, making, notes);
    match (options.physics_cost, options.land_impact) {
        (Some(most), None) => shaped(most).map_err(|error| beyond_cost(error, most)),
        (Some(most), Some(asked)) => {
            let greatest = greatest_weight(asked);
            let told = |error| if most < greatest { beyond_cost(error, most) } else { error };
            shaped(most.min(greatest)).map_err(told)
        }
        (None, Some(asked)) => shaped(greatest_weight(asked)),
        (None, None) => match shaped(greatest_weight(target)) {
            Err(Error::TooDear(dear)) => shaped(greatest_weight(dear.least)),
            physics => physics,
        },
    }
}

/// The asset of an object.
fn asset(
    object: &Object,
    frame: &Frame,
    chain: &Chain,
    picks: Lods<usize>,
    physics: &Physics,
) -> Result<Vec<u8>, lodger_mesh_asset::Error> {
    let block = |pick: usize| encode::level_block(&chain.candidates()[pick].level, frame);
    let Lods { lowest, low, medium, high } = picks;
    let lower = || rayon::join(|| rayon::join(|| block(lowest), || block(low)), || block(medium));
    let (high, ((lowest, low), medium)) = rayon::join(|| block(high), lower);
    let blocks = [lowest?, low?, medium?, high?];
    encode::asset(blocks.each_ref().map(Vec::as_slice), physics, object.rig.as_ref(), frame)
}

/// The levels by the rule that was asked for, or the least streaming cost that it can have.
fn chosen(
    objects: &[Choosing<'_>],
    streaming: &Streaming<f64>,
    most: f64,
    options: &Options,
) -> Result<Choice, f64> {
    if let LodRule::Triangles(shares) = &options.lods {
        let choice = by_triangles(objects, streaming, shares);
        return if choice.streaming <= most { Ok(choice) } else { Err(choice.streaming) };
    }
    let given = options.lods == LodRule::Given;
    choose(objects, streaming, &Terms { most, keep_high: options.keep_high, given })
}

/// What is said where it is the physics cost that cannot be met.
fn beyond_cost(mut error: Error, most: f64) -> Error {
    if let Error::TooDear(dear) = &mut error {
        dear.physics_cost = Some(most);
    }
    error
}

/// What is said where a weight cannot be as small as it should.
fn too_dear(asked: u32, limiting: ObjectWeight, weight: f64) -> Error {
    let least = land_impact(weight, 0.0, 0.0).value;
    Error::TooDear(Box::new(TooDear { asked, physics_cost: None, least, limiting, weight }))
}

/// The candidates of each object.
fn chains(
    model: &Model,
    frames: &[Frame],
    quota: &Quota,
    progress: &(dyn Fn(Step<'_>) + Sync),
) -> Result<Vec<Chain>, Error> {
    let each = model.objects.par_iter().zip(frames);
    each.map(|(object, frame)| {
        let measured = |done, all| progress(Step::Simplify(&object.name, done, all));
        Chain::build(object, frame, quota, &measured)
    })
    .collect()
}

/// Sides of an object that no prim has.
fn no_side_of_a_prim(object: &Object) -> Option<Note> {
    /// In metres: see "Limits" in the wiki of Second Life.
    const SHORTEST_SIDE: f64 = 0.01;
    let sides = Aabb::around(object.high.positions().map(|p| p.map(f64::from))).sides();
    let told = ["x", "y", "z"].into_iter().zip(sides).filter_map(|(name, side)| match side {
        0.0 => Some(format!("it is flat along {name}, where its prim's side counts as 1 m")),
        side if side > 0.0 && side < SHORTEST_SIDE => Some(format!(
            "its side along {name} is {side:.4} m, and no prim has one below {SHORTEST_SIDE} m"
        )),
        _ => None,
    });
    let text = told.collect::<Vec<_>>().join("; ");
    (!text.is_empty()).then(|| Note { code: "no-side-of-a-prim", about: object.name.clone(), text })
}

/// What of an object is too small to be written.
fn flattened(object: &Object, chain: &Chain) -> Option<Note> {
    let all = object.high.triangle_count();
    let lost = all.saturating_sub(chain.made()[0].level.triangle_count());
    let text = if chain.is_flat() {
        "none of its triangles has an area in the 16 bits of an asset: one stays".to_owned()
    } else {
        format!(
            "{lost} of its {all} triangles have no area in the 16 bits of an asset: they are left out"
        )
    };
    let is_less = lost > 0 || chain.is_flat();
    is_less.then(|| Note { code: "triangles-flattened", about: object.name.clone(), text })
}

/// Levels that the model brings for an object and that cannot be taken.
fn left_out<'a>(object: &'a Object, chain: &'a Chain) -> impl Iterator<Item = Note> + 'a {
    chain.left_out().iter().map(|(lod, why)| Note {
        code: "level-left-out",
        about: object.name.clone(),
        text: format!("its {lod} level is left out, and one is made: {why}"),
    })
}

/// What the grid says to a linkset that is too large.
fn unlinkable(frames: &[Frame]) -> Option<Note> {
    let prim = |frame: &Frame| [LinkPrim { position: frame.centre(), scale: frame.sides() }];
    let prims: Vec<_> = frames.iter().map(prim).collect();
    let answer = SphereRule::VIEWER.check(&prims).ok()?;
    let text = format!(
        "the centres of the objects are {:.1} m apart, and what is linked must be less than {:.0} m",
        answer.enclosing.diameter(),
        SphereRule::VIEWER.diameter_below,
    );
    (!answer.linkable).then(|| Note { code: "not-linkable", about: String::new(), text })
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
