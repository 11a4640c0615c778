//! Chains of generated shapes, with approximate block sizes.

use std::collections::HashMap;
use std::f32::consts::TAU;

use glam::Vec3;
use lodger_mesh_asset::{Influence, Influences};
use lodger_quota::{Quota, QuotaExceeded, QuotaLimits};

use crate::frame::ObjectFrame;
use crate::lod_chain::*;
use crate::model::{Joint, Rig};
use crate::test_meshes::{self, object, sheet};

fn ball(steps: u16) -> ModelObject {
    object(vec![sheet(2 * steps, steps, |u, v| {
        let (sin, cos) = (u * TAU).sin_cos();
        let (out, rise) = (v * TAU / 2.0).sin_cos();
        // The seam and the poles meet exactly.
        let out = if v <= 0.0 || v >= 1.0 { 0.0 } else { out };
        let (sin, cos) = if u <= 0.0 || u >= 1.0 { (0.0, 1.0) } else { (sin, cos) };
        [out * cos, out * sin, -rise]
    })])
}

/// A cube of 2 m with a submesh for each side, which has hills away from its edges.
fn cube(steps: u16) -> ModelObject {
    let hill = |u: f32, v: f32| (u * 9.0).sin() * (v * 7.0).cos() * u * v * (1.0 - u) * (1.0 - v);
    object(test_meshes::cube(steps, |u, v| hill(u, v).abs()))
}

fn cards(count: u16) -> ModelObject {
    let mut face = Submesh::default();
    for card in 0..count {
        let (start, at) = (card * 4, f32::from(card));
        let size = if card == 0 { 0.01 } else { 1.0 };
        let corner = |x: f32, y: f32| [x * size + at, y * size, (at * 0.7).sin() * 3.0];
        face.positions.extend([
            corner(0.0, 0.0),
            corner(1.0, 0.0),
            corner(1.0, 1.0),
            corner(0.0, 1.0),
        ]);
        face.triangles.extend([[start, start + 1, start + 2], [start, start + 2, start + 3]]);
    }
    object(vec![face])
}

fn build(object: &ModelObject) -> LodChain {
    let write = |level: LodMesh| {
        let bytes = 120 + 5 * level.triangle_count() + 14 * level.vertex_count();
        let bytes = u32::try_from(bytes).unwrap();
        Ok::<_, QuotaExceeded>(WrittenLevel { level, bytes, is_flat: false })
    };
    let quota = Quota::new(QuotaLimits::default());
    LodChain::measured(object, &ObjectFrame::from_mesh(&object.high), &write, (&quota, &|_, _| {}))
        .unwrap()
}

fn sides(level: &LodMesh) -> HashMap<[[u32; 3]; 2], usize> {
    let mut all = HashMap::new();
    for corners in level.corners() {
        let corners = corners.map(|corner| corner.map(|x| (x + 0.0).to_bits()));
        for (from, to) in [(0, 1), (1, 2), (2, 0)] {
            let mut ends = [corners[from], corners[to]];
            ends.sort_unstable();
            *all.entry(ends).or_default() += 1;
        }
    }
    all
}

fn sound(object: &ModelObject, chain: &LodChain) {
    let made = chain.generated();
    assert_eq!((&made[0].level, made[0].error), (&object.high, 0.0));
    for pair in made.windows(2) {
        assert!(pair[0].error < pair[1].error && pair[0].bytes > pair[1].bytes);
        assert!(pair[0].level.triangle_count() >= pair[1].level.triangle_count());
    }
    for candidate in made {
        assert_eq!(candidate.level.submeshes.len(), object.high.submeshes.len());
        assert!(candidate.level.triangle_count() > 0);
        for (face, source) in candidate.level.submeshes.iter().zip(&object.high.submeshes) {
            of_its_vertices(face, source);
        }
    }
}

fn of_its_vertices(face: &Submesh, source: &Submesh) {
    let vertex = |face: &Submesh, index: usize| {
        let (normal, uv) = (face.normals.get(index), face.tex_coords.get(index));
        let bits = |list: Option<&[f32]>| list.map(|all| all.iter().map(|x| x.to_bits()).collect());
        let all: [Option<Vec<u32>>; 3] = [
            bits(Some(&face.positions[index])),
            bits(normal.map(|all| &all[..])),
            bits(uv.map(|all| &all[..])),
        ];
        (all, face.influences.get(index).copied())
    };
    let known: std::collections::HashSet<_> =
        (0..source.positions.len()).map(|index| vertex(source, index)).collect();
    let used: std::collections::HashSet<u16> = face.triangles.iter().flatten().copied().collect();
    assert_eq!(used.len(), face.positions.len());
    for index in used {
        assert!(known.contains(&vertex(face, index.into())), "{index}");
    }
}

#[test]
fn a_ball_becomes_simpler_down_to_a_triangle() {
    let object = ball(20);
    let chain = build(&object);
    sound(&object, &chain);
    let made = chain.generated();
    assert!(made.len() > 12, "{}", made.len());
    assert_eq!(made[made.len() - 1].level.triangle_count(), 1);
    // There is a candidate near a third, and it is near the ball.
    let third = made.iter().find(|one| one.level.triangle_count() * 3 <= 1600).unwrap();
    assert!(third.level.triangle_count() > 400 && third.error < 0.05, "{}", third.error);
    assert!(made.iter().any(|one| one.origin == LodOrigin::Attributes));
    assert!(made.iter().any(|one| one.origin != LodOrigin::Attributes));
}

#[test]
fn errors_agree_with_denser_samples() {
    let object = ball(7);
    let chain = build(&object);
    let distance = |a: &LodMesh, b: &LodMesh| {
        let triangles: Vec<_> = b.corners().collect();
        let nearest = |point| {
            let all =
                triangles.iter().map(|&corners| bvh::distance_sq(point, corners, f64::INFINITY));
            all.fold(f64::INFINITY, f64::min)
        };
        let corners = a.corners().flat_map(|corners| {
            let [a, b, c] = bvh::vectors(corners);
            (0..25).map(move |k| {
                let (u, v) = (f64::from(k % 5) / 4.0, f64::from(k / 5) / 4.0);
                a + (b - a) * (u * (1.0 - v)) + (c - a) * v
            })
        });
        corners.map(nearest).fold(0.0, f64::max).sqrt()
    };
    for candidate in chain.generated().iter().skip(1).step_by(4) {
        let there = distance(&candidate.level, &object.high);
        let found = there.max(distance(&object.high, &candidate.level));
        assert!(candidate.error >= found * 0.93, "{} {found}", candidate.error);
        assert!(candidate.error <= found * 1.05 + 1e-4, "{} {found}", candidate.error);
    }
}

#[test]
fn nothing_opens_between_faces() {
    let object = cube(8);
    let chain = build(&object);
    sound(&object, &chain);
    let closed = |level: &LodMesh| sides(level).values().all(|count| count % 2 == 0);
    assert!(closed(&object.high));
    let whole =
        |one: &&LodCandidate| matches!(one.origin, LodOrigin::Attributes | LodOrigin::Positions);
    let whole: Vec<&LodCandidate> = chain.generated().iter().filter(whole).collect();
    assert!(whole.len() > 5, "{}", whole.len());
    assert!(whole.iter().all(|one| closed(&one.level)));
}

#[test]
fn a_plane_becomes_two_triangles_and_is_never_the_source() {
    let object = object(vec![sheet(12, 12, |u, v| [4.0 * u, 3.0 * v, 0.0])]);
    let chain = build(&object);
    sound(&object, &chain);
    let second = &chain.generated()[1];
    assert_eq!(second.level.triangle_count(), 2);
    assert!((second.error - 4.0 / 131_070.0).abs() < 1e-12, "{}", second.error);
}

#[test]
fn cards_vanish_evenly() {
    let object = cards(60);
    let chain = build(&object);
    sound(&object, &chain);
    let made = chain.generated();
    let with = |triangles: usize| {
        made.iter().find(|one| one.level.triangle_count() <= triangles).unwrap().error
    };
    // Neighbours are at most 2.4 m apart, and with every second gone a gap is as wide.
    assert!(with(100) < 1.5 && with(60) < 2.5, "{} {}", with(100), with(60));
    // Thirty on 60 m, were they even: twice that at most.
    assert!(with(30) < 8.0, "{}", with(30));
}

#[test]
fn triangles_that_share_no_vertices_become_fewer_all_the_same() {
    let mut object = ball(10);
    let face = &object.high.submeshes[0];
    let mut soup = Submesh::default();
    for (index, triangle) in (0_u16..).zip(&face.triangles) {
        let corners = triangle.map(|corner| face.positions[usize::from(corner)]);
        let [a, b, c] = corners.map(Vec3::from);
        soup.positions.extend(corners);
        soup.normals.extend([(b - a).cross(c - a).normalize_or(Vec3::Z).to_array(); 3]);
        soup.triangles.push([index * 3, index * 3 + 1, index * 3 + 2]);
    }
    object.high.submeshes = vec![soup];
    let chain = build(&object);
    sound(&object, &chain);
    let attributes = chain.generated().iter().filter(|one| one.origin == LodOrigin::Attributes);
    assert!(attributes.count() > 3);
    let half = chain.generated().iter().find(|one| one.level.triangle_count() <= 200).unwrap();
    assert!(half.error < 0.15, "{}", half.error);
}

#[test]
fn influences_go_along() {
    let mut object = ball(8);
    let face = &mut object.high.submeshes[0];
    let influence = |index: usize| Influence { joint: u8::from(index > 60), weight: 65_535 };
    face.influences =
        (0..face.positions.len()).map(|index| Influences::new([influence(index)])).collect();
    let chain = build(&object);
    sound(&object, &chain);
    assert!(chain.generated().iter().all(|one| {
        one.level.submeshes[0].influences.len() == one.level.submeshes[0].positions.len()
    }));
}

#[test]
fn a_sharp_elbow_is_measured_bent() {
    // A straight tube of 0.8 m: its lower half hangs on one joint, its upper half on another.
    let mut object = object(vec![sheet(16, 64, |u, v| {
        let (sin, cos) = (u * TAU).sin_cos();
        [0.05 * cos, 0.05 * sin, 1.0 + 0.8 * v]
    })]);
    let face = &mut object.high.submeshes[0];
    let hang = |position: &[f32; 3]| {
        Influences::new([Influence { joint: u8::from(position[2] > 1.4), weight: 65_535 }])
    };
    face.influences = face.positions.iter().map(hang).collect();
    let joint = |name: &str, height: f64| {
        let mut inverse_bind = glam::DMat4::IDENTITY.to_cols_array();
        inverse_bind[14] = -height;
        Joint { name: name.into(), inverse_bind }
    };
    let joints = vec![joint("mElbowLeft", 1.0), joint("mWristLeft", 1.4)];
    object.rig = Some(Rig { joints });
    let chain = build(&object);
    sound(&object, &chain);
    // The upper half is turned about the X axis through the elbow, by 1.2.
    let bent = |level: &LodMesh| {
        let mut level = level.clone();
        for face in &mut level.submeshes {
            for (position, hung) in face.positions.iter_mut().zip(&face.influences) {
                if hung.as_slice()[0].joint == 1 {
                    let local = Vec3::from(*position) - Vec3::Z * 1.4;
                    *position = (glam::Quat::from_rotation_x(1.2) * local + Vec3::Z * 1.4).into();
                }
            }
        }
        CutSurface::new(&level, 2000)
    };
    let source = bent(&object.high);
    let truths = chain.generated()[1..]
        .iter()
        .map(|one| (one, source.distance(&bent(&one.level), 0.0).distance));
    for (one, truth) in truths {
        let triangles = one.level.triangle_count();
        assert!(truth < 2.0 * one.error + 1e-3, "{triangles}: {truth} beside {}", one.error);
    }
    // A fine tube bends where the source does.
    let fine = chain.generated().iter().find(|one| one.level.triangle_count() <= 400).unwrap();
    assert!(fine.error < 0.02, "{}", fine.error);
}

#[test]
fn irreducible_meshes_have_one_candidate() {
    let mut one = object(vec![sheet(1, 1, |u, v| [u, v, 0.0])]);
    one.high.submeshes[0].triangles = vec![[0, 1, 2]];
    one.high.submeshes[0].positions.truncate(3);
    one.high.submeshes[0].normals.truncate(3);
    one.high.submeshes[0].tex_coords.truncate(3);
    assert_eq!(build(&one).candidates().len(), 1);
    let mut point = ball(4);
    point.high.submeshes[0].positions.fill([1.0; 3]);
    let chain = build(&point);
    sound(&point, &chain);
}

#[test]
fn authored_levels_follow_the_others_unless_they_are_heavier() {
    let mut object = cube(6);
    let mut simple = cube(2).high;
    simple.submeshes.truncate(5);
    object.authored.medium = Some(cube(7).high);
    object.authored.low = Some(simple);
    object.authored.lowest = Some(LodMesh::default());
    let chain = build(&object);
    sound(&object, &chain);
    assert_eq!(chain.authored(MeshLod::Medium), None);
    assert_eq!(chain.authored(MeshLod::Lowest), None);
    let [(MeshLod::Medium, why)] = chain.left_out() else { panic!("{:?}", chain.left_out()) };
    assert!(why.starts_with("with 588 triangles in "), "{why}");
    assert!(why.contains("heavier than the high level with 432 in "), "{why}");
    let low = &chain.candidates()[chain.authored(MeshLod::Low).unwrap()];
    assert_eq!((low.origin, low.level.submeshes.len()), (LodOrigin::Authored, 6));
    // A side is missing: its middle is 1 m from the others.
    assert!(low.error > 0.95 && low.error < 1.2, "{}", low.error);
    assert_eq!(chain.candidates().len(), chain.generated().len() + 1);
}
