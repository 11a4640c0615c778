use std::collections::BTreeSet;
use std::f32::consts::{PI, TAU};
use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use lodger_core::cost::land_impact::land_impact;
use lodger_core::cost::physics::{ConvexHull, ShapeType};
use lodger_core::cost::streaming::{PerLod, StreamingModel, StreamingRules};
use lodger_quota::{Quota, QuotaLimits};

use super::data::ReportData;
use super::pictures::{MAX_DRAWN, PictureSet, PictureSizes};
use super::write_page;
use crate::encode::{asset, level_block};
use crate::frame::ObjectFrame;
use crate::lod_chain::{LodCandidate, LodChain, LodOrigin};
use crate::lod_selection::LodSelection;
use crate::model::{LodMesh, Material, Model, ModelObject, Note};
use crate::packing::{PackedModel, PackedObject};
use crate::physics::CollisionShape;
use crate::test_meshes::sheet;

const SMALL: PictureSizes = PictureSizes { whole: 90.0, near: 60.0, far: 200.0, samples: [2, 1] };

static PAGE: LazyLock<String> = LazyLock::new(|| page(&Sample::new(), SMALL));

fn pictures(sample: &Sample, sizes: PictureSizes) -> PictureSet {
    PictureSet::draw(&sample.data(), sizes, &plenty(), &|_, _| ()).expect("plenty")
}

fn page(sample: &Sample, sizes: PictureSizes) -> String {
    let data = sample.data();
    let mut out = String::new();
    write_page(&data, &pictures(sample, sizes), &mut out).expect("a string");
    out
}

fn tags(page: &str) -> Vec<(&str, &str)> {
    let body = page
        .split_once("<style>")
        .and_then(|(head, rest)| Some((head, rest.split_once("</style>")?.1)));
    let (head, rest) = body.expect("a style");
    [head, rest]
        .into_iter()
        .flat_map(|text| text.split('<').skip(1))
        .map(|tag| {
            let (inside, _) = tag.split_once('>').unwrap_or_else(|| panic!("no end of <{tag}"));
            inside.split_once([' ', '\n']).unwrap_or((inside, ""))
        })
        .collect()
}

fn sources(page: &str) -> Vec<&str> {
    page.split("src=\"").skip(1).map(|rest| rest.split('"').next().expect("a source")).collect()
}

fn pixels(source: &str) -> Vec<[u8; 4]> {
    let file = source.strip_prefix("data:image/png;base64,").expect("a PNG inside");
    let file = STANDARD.decode(file).expect("Base64");
    let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().expect("a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
    reader.next_frame(&mut pixels).expect("pixels");
    pixels.as_chunks().0.to_vec()
}

#[test]
fn every_tag_is_closed() {
    let mut open = Vec::new();
    for (name, rest) in tags(&PAGE) {
        match name.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name), "of {open:?}"),
            None if name == "!DOCTYPE" || ["meta", "link", "img", "br"].contains(&name) => {}
            None if rest.ends_with('/') => {}
            None if name.ends_with('/') => {}
            None => open.push(name),
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn the_page_is_alone_in_the_world() {
    assert!(
        PAGE.contains("content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\"")
    );
    assert_eq!(
        PAGE.matches("://").count(),
        PAGE.matches("=\"http://www.w3.org/2000/svg\"").count()
    );
    for no in ["<script", "url(", "@import", "href=\"h", "javascript:"] {
        assert!(!PAGE.contains(no), "{no}");
    }
    assert!(sources(&PAGE).iter().all(|source| source.starts_with("data:image/png;base64,")));
}

#[test]
fn pictures_and_tables_have_alternative_texts() {
    let tags = tags(&PAGE);
    let of = |name: &str| tags.iter().filter(move |tag| tag.0 == name).count();
    for (_, attributes) in tags.iter().filter(|tag| tag.0 == "img") {
        let alt = attributes.split_once("alt=\"").expect("an alt text").1;
        assert!(alt.find('"').is_some_and(|end| end > 10), "{alt}");
    }
    assert!(tags.iter().filter(|tag| tag.0 == "svg").all(|tag| tag.1.contains("aria-label=\"")));
    assert_eq!(of("table"), of("caption"));
    assert!(tags.iter().filter(|tag| tag.0 == "th").all(|tag| tag.1.contains("scope=")));
    assert_eq!((of("h1"), of("article"), of("svg")), (1, 2, 3));
}

#[test]
fn untrusted_text_writes_no_tags() {
    let mut sample = Sample::new();
    let evil = "<script>alert('&\"')</script>";
    sample.model.name = evil.to_owned();
    sample.packed.objects[0].name = format!("\" onerror=\"x {evil}");
    sample.packed.notes[0].about = evil.repeat(1000);
    let page = page(&sample, SMALL);
    assert!(!page.contains("<script") && !page.contains("\" onerror"));
    assert!(page.contains("<h1>&lt;script&gt;alert(&#39;&amp;&quot;&#39;)&lt;/script&gt;</h1>"));
    assert!(page.len() < 2 << 20, "{}", page.len());
}

#[test]
fn no_picture_is_blank() {
    let sources = sources(&PAGE);
    assert!(sources.len() > 20, "{}", sources.len());
    for source in sources {
        let pixels = pixels(source);
        let colours: BTreeSet<_> = pixels.iter().filter(|pixel| pixel[3] > 0).collect();
        assert!(colours.len() > 12, "{} of {}", colours.len(), pixels.len());
        assert!(pixels.iter().any(|pixel| pixel[3] == 0), "there is something around it");
    }
}

#[test]
fn levels_are_shown_from_where_they_take_over() {
    for text in [
        "Medium from 7.22\u{a0}m <small>the sphere around it 449\u{a0}pixels high",
        "Low from 28.9\u{a0}m",
        "Lowest from 57.7\u{a0}m",
    ] {
        assert!(PAGE.contains(text), "{text}");
    }
}

#[test]
fn many_objects_make_no_large_page() {
    let sample = Sample::of_objects((0..MAX_DRAWN + 3).map(|_| ball([0.0; 3], 8)).collect());
    let page = page(&sample, PictureSizes { near: 20.0, far: 60.0, ..SMALL });
    assert_eq!(page.matches("<article>").count(), MAX_DRAWN + 3);
    assert_eq!(page.matches("From near by, with edges").count(), MAX_DRAWN);
    assert!(page.contains("Of 23 objects, 20 are drawn"));
    let sample = Sample::of_objects(Vec::new());
    assert!(write_page(&sample.data(), &pictures(&sample, SMALL), &mut String::new()).is_ok());
}

pub(super) struct Sample {
    model: Model,
    packed: PackedModel,
}

impl Sample {
    /// A ball of 2 m, a ring that no simplification improves, and notes.
    pub(super) fn new() -> Self {
        Self::of_objects(vec![ball([0.0, 0.0, 1.0], 16), ring([2.4, 0.4, 0.8])])
    }

    fn of_objects(objects: Vec<(Vec<usize>, PackedObject)>) -> Self {
        let (materials, objects): (Vec<_>, Vec<_>) = objects.into_iter().unzip();
        let viewer = StreamingModel::<f64>::new(StreamingRules::VIEWER).expect("rules");
        let streaming = objects.iter().map(|object| {
            let radius = object.frame.scale().expect("a size").radius();
            let bytes = |index: usize| object.chain.candidates()[index].bytes;
            viewer.cost(radius, object.selected.map(|it| i32::try_from(bytes(it)).expect("few")))
        });
        let (streaming, server) = (streaming.sum(), objects.iter().map(|_| 0.5).sum());
        let physics = objects.iter().map(|object| object.physics.cost).sum();
        let note = |about: &str, text: &str| Note {
            code: "sample",
            about: about.into(),
            text: text.into(),
        };
        let packed = PackedModel {
            objects,
            requested: Some(5),
            target: 5,
            land_impact: land_impact(streaming, physics, server),
            streaming,
            physics,
            server,
            loss: 12.5,
            viewer: LodSelection { selected: Vec::new(), streaming: 0.0, loss: 31.0 },
            rules: StreamingRules::VIEWER,
            shape: ShapeType::ConvexHull,
            notes: vec![
                note("", "2 materials were dropped"),
                note("ring", "a \"part\" of it is <thin>"),
            ],
        };
        let material = |name: &str, [red, green, blue]: [f32; 3]| Material {
            name: name.to_owned(),
            colour: [red, green, blue, 1.0],
            ..Material::default()
        };
        let object = |materials| ModelObject { materials, ..ModelObject::default() };
        let model = Model {
            name: "Ball & <ring>".to_owned(),
            objects: materials.into_iter().map(object).collect(),
            materials: vec![
                material("clay", [0.62, 0.2, 0.1]),
                material("slate", [0.08, 0.16, 0.3]),
                material("brass", [0.75, 0.5, 0.12]),
            ],
            ..Model::default()
        };
        Self { model, packed }
    }

    pub(super) fn data(&self) -> ReportData<'_> {
        ReportData::new(&self.model, &self.packed)
    }
}

pub(super) fn ball_level(centre: [f32; 3], rings: u16) -> LodMesh {
    patch(rings, 2 * rings, |u, v| {
        let (angle, turn) = (PI * v, TAU * u);
        let normal = [angle.sin() * turn.cos(), angle.sin() * turn.sin(), -angle.cos()];
        [0, 1, 2].map(|axis: usize| centre[axis] + normal[axis])
    })
}

/// A ball of 2 m in two materials, with a decomposition into halves.
fn ball(centre: [f32; 3], rings: u16) -> (Vec<usize>, PackedObject) {
    let level = |rings| ball_level(centre, rings);
    let half = |side: f32| {
        let points = level(5).submeshes.into_iter().flat_map(|face| face.positions);
        points.filter(|point| (point[0] - centre[0]) * side >= -1e-3).collect::<Vec<_>>()
    };
    let physics = CollisionShape {
        bounding: level(6).positions().collect(),
        parts: vec![half(1.0), half(-1.0)],
        outside: 0.004,
        volume_error: 0.034,
        ..CollisionShape::default()
    };
    let selected = PerLod { high: 0, medium: 2, low: 4, lowest: 6 };
    (vec![0, 1], packed_object("ball", &[rings, 7, 6, 5, 4, 3, 2], level, selected, physics))
}

/// A ring whose two highest levels are the source, with a physics mesh.
fn ring(centre: [f32; 3]) -> (Vec<usize>, PackedObject) {
    let level = |rings: u16| {
        patch(rings, 3 * rings, |u, v| {
            let (turn, angle) = (TAU * u, TAU * v);
            let round = 0.8 + 0.3 * angle.cos();
            let at = [round * turn.cos(), round * turn.sin(), 0.3 * angle.sin()];
            [0, 1, 2].map(|axis: usize| centre[axis] + at[axis])
        })
    };
    let physics = CollisionShape {
        bounding: level(3).positions().collect(),
        mesh: Some(level(4)),
        outside: 0.02,
        volume_error: 0.2,
        ..CollisionShape::default()
    };
    let selected = PerLod { high: 0, medium: 0, low: 2, lowest: 3 };
    (vec![2, 1], packed_object("ring", &[24, 16, 8, 4], level, selected, physics))
}

fn packed_object(
    name: &str,
    rings: &[u16],
    level: impl Fn(u16) -> LodMesh,
    selected: PerLod<usize>,
    physics: CollisionShape,
) -> PackedObject {
    let candidate = |(index, &rings): (usize, &u16)| {
        let level = level(rings);
        let bytes = u32::try_from(level.triangle_count() * 9 + 300).expect("few");
        let error = if index == 0 { 0.0 } else { 0.9 / f64::from(rings).powi(2) };
        let origin = [LodOrigin::Source, LodOrigin::Attributes, LodOrigin::Positions][index.min(2)];
        LodCandidate { level, bytes, error, origin }
    };
    let mut candidates: Vec<_> = rings.iter().enumerate().map(candidate).collect();
    let frame = ObjectFrame::from_mesh(&candidates[0].level);
    let vertices = u16::try_from(physics.bounding.len()).expect("few");
    let physics =
        CollisionShape { cost: ConvexHull::new(vertices).expect("a hull").cost(), ..physics };
    let block = |index: usize| level_block(&candidates[index].level, &frame).expect("a block");
    let blocks = selected.to_array().map(block);
    let asset = asset(blocks.each_ref().map(Vec::as_slice), &physics, None, &frame);
    let chain = LodChain::from_candidates(candidates.remove(0), candidates);
    assert_eq!(chain.candidates().len(), rings.len());
    let importances = PerLod { lowest: 900.0, low: 105.0, medium: 79.0, high: 26.0 };
    let (name, asset) = (name.to_owned(), asset.expect("an asset"));
    PackedObject { name, frame, chain, selected, importances, physics, asset }
}

/// A grid on a surface, with half of its rows in each of two submeshes.
fn patch(rows: u16, columns: u16, surface: impl Fn(f32, f32) -> [f32; 3]) -> LodMesh {
    let half = |from: u16, to: u16| {
        let row = |v: f32| f32::from(from) + v * f32::from(to - from);
        sheet(columns, to - from, |u, v| surface(u, row(v) / f32::from(rows)))
    };
    LodMesh { submeshes: vec![half(0, rows / 2), half(rows / 2, rows)] }
}

pub(super) fn plenty() -> Quota {
    Quota::new(QuotaLimits::default())
}
