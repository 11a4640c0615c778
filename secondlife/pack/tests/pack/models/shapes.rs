use std::f32::consts::{PI, TAU};

use super::{Drawing, DrawnMesh, Primitive};

type Point = [f32; 3];

/// A sheet of `across` by `along` squares over a function of (u, v) from 0 to 1, seen from the
/// direction u × v.
fn sheet(across: u32, along: u32, at: impl Fn(f32, f32) -> (Point, Point)) -> Primitive {
    let mut sheet = Primitive::default();
    for j in 0..=along {
        for i in 0..=across {
            let (u, v) = (part(i, across), part(j, along));
            let (position, normal) = at(u, v);
            sheet.positions.push(position);
            sheet.normals.push(normal);
            sheet.tex_coords.push([u, v]);
        }
    }
    let row = across + 1;
    for j in 0..along {
        for i in 0..across {
            let corner = j * row + i;
            sheet.triangles.push([corner, corner + 1, corner + row + 1]);
            sheet.triangles.push([corner, corner + row + 1, corner + row]);
        }
    }
    sheet
}

#[expect(clippy::cast_precision_loss, reason = "a few thousand steps")]
fn part(step: u32, steps: u32) -> f32 {
    step as f32 / steps as f32
}

/// A sphere of `steps` rings and twice as many sectors.
pub(crate) fn sphere(radius: f32, steps: u32) -> Drawing {
    let mut ball = sheet(2 * steps, steps, |u, v| {
        let (longitude, latitude) = (u * TAU, (v - 0.5) * PI);
        let normal =
            [latitude.cos() * longitude.sin(), latitude.sin(), latitude.cos() * longitude.cos()];
        (normal.map(|x| x * radius), normal)
    });
    // At the poles one of the two triangles of a square has no area.
    let row = 2 * steps;
    let polar = |index: &usize| {
        let (ring, half) = (index / (2 * row as usize), index % 2);
        (ring == 0 && half == 0) || (ring + 1 == steps as usize && half == 1)
    };
    let all = std::mem::take(&mut ball.triangles);
    let kept = all.into_iter().enumerate().filter(|(index, _)| !polar(index));
    ball.triangles = kept.map(|(_, triangle)| triangle).collect();
    Drawing::new("sphere", ball)
}

/// Hills of `steps` by `steps` squares, 20 m a side.
pub(crate) fn terrain(steps: u32) -> Drawing {
    let height = |x: f32, z: f32| {
        0.9 * (x * 0.7).sin() * (z * 0.5).cos()
            + 0.25 * (x * 2.3 + z).sin()
            + 0.08 * (z * 5.1 - x).sin()
    };
    let hills = sheet(steps, steps, |u, v| {
        let (x, z) = ((u - 0.5) * 20.0, (0.5 - v) * 20.0);
        let slope = |dx: f32, dz: f32| (height(x + dx, z + dz) - height(x - dx, z - dz)) / 0.02;
        ([x, height(x, z), z], unit([-slope(0.01, 0.0), 1.0, -slope(0.0, 0.01)]))
    });
    Drawing::new("terrain", hills)
}

/// A (2, 3) torus knot as a tube of `along` by `around` squares.
pub(crate) fn torus_knot(along: u32, around: u32) -> Drawing {
    let curve = |t: f32| {
        let (angle, radius) = (2.0 * t * TAU, 1.0 + 0.4 * (3.0 * t * TAU).cos());
        [radius * angle.cos(), 0.4 * (3.0 * t * TAU).sin(), radius * angle.sin()]
    };
    let tube = sheet(around, along, |u, v| {
        let (here, ahead) = (curve(v), curve(v + 1e-3));
        let along = unit(std::array::from_fn(|axis| ahead[axis] - here[axis]));
        let side = unit(cross(along, [0.0, 1.0, 0.0]));
        let up = cross(side, along);
        let (sin, cos) = (-u * TAU).sin_cos();
        let normal: Point = std::array::from_fn(|axis| side[axis] * cos + up[axis] * sin);
        (std::array::from_fn(|axis| here[axis] + 0.15 * normal[axis]), normal)
    });
    Drawing::new("torus-knot", tube)
}

/// A trunk and `cards` double-sided leaves that touch nothing.
pub(crate) fn tree_of_cards(cards: u32) -> Drawing {
    let trunk = sheet(12, 6, |u, v| {
        let (sin, cos) = (u * TAU).sin_cos();
        ([0.15 * sin, 3.0 * v, 0.15 * cos], [sin, 0.0, cos])
    });
    let mut leaves = Primitive { material: Some(1), ..Primitive::default() };
    for card in 0..cards {
        let turn = part(card, cards) * TAU * 8.0;
        let (height, reach) =
            (1.5 + 2.0 * part(card, cards), 0.4 + 0.8 * part(card * 7 % cards, cards));
        let (out, side) = ([turn.sin(), 0.2, turn.cos()], [turn.cos(), 0.0, -turn.sin()]);
        let first = u32::try_from(leaves.positions.len()).expect("a small tree");
        for [a, b] in [[-0.15, 0.0], [0.15, 0.0], [0.15, 0.3], [-0.15, 0.3]] {
            let point = |axis: usize| out[axis] * (reach + b) + side[axis] * a;
            leaves.positions.push([point(0), point(1) + height, point(2)]);
            leaves.normals.push(unit([-out[0] * 0.2, 1.0, -out[2] * 0.2]));
            leaves.tex_coords.push([a + 0.5, b]);
        }
        for triangle in [[0, 1, 2], [0, 2, 3], [2, 1, 0], [3, 2, 0]] {
            leaves.triangles.push(triangle.map(|corner| first + corner));
        }
    }
    let trunk = Primitive { material: Some(0), ..trunk };
    let mesh = DrawnMesh { name: "tree".to_owned(), primitives: vec![trunk, leaves] };
    let materials = vec!["bark".to_owned(), "leaf".to_owned()];
    Drawing { name: "tree-of-cards", meshes: vec![mesh], materials, ..Drawing::default() }
}

/// A cube of 1 m with a material for each side, and four for one of them.
pub(crate) fn nine_material_cube() -> Drawing {
    let side = |axis: usize, sign: f32, [from, to]: [f32; 2], steps| {
        sheet(steps, steps, move |u, v| {
            let (u, v) = (from + (to - from) * u - 0.5, (v - 0.5) * sign);
            let mut position = [0.0; 3];
            let mut normal = [0.0; 3];
            position[axis] = 0.5 * sign;
            position[(axis + 1) % 3] = u;
            position[(axis + 2) % 3] = v;
            normal[axis] = sign;
            (position, normal)
        })
    };
    let whole = [0.0, 1.0];
    let mut primitives: Vec<_> = (0..3).map(|axis| side(axis, 1.0, whole, 8)).collect();
    primitives.extend((0..2).map(|axis| side(axis, -1.0, whole, 8)));
    primitives.extend((0..4).map(|strip| side(2, -1.0, [part(strip, 4), part(strip + 1, 4)], 8)));
    for (index, primitive) in primitives.iter_mut().enumerate() {
        primitive.material = Some(index);
    }
    let materials = (0..primitives.len()).map(|index| format!("paint {index}")).collect();
    let mesh = DrawnMesh { name: "cube".to_owned(), primitives };
    Drawing { name: "nine-material-cube", meshes: vec![mesh], materials, ..Drawing::default() }
}

/// A straight tube of 2 m along a row of joints.
pub(crate) fn skinned_tube(along: u32, around: u32) -> Drawing {
    let heights = [("mPelvis", 0.0), ("mTorso", 0.7), ("mChest", 1.4)];
    let joints = heights.map(|(name, height)| (name.to_owned(), [0.0, height, 0.0])).to_vec();
    let mut tube = sheet(around, along, |u, v| {
        let (sin, cos) = (u * TAU).sin_cos();
        let radius = 0.2 + 0.05 * (v * 9.0).sin();
        ([radius * sin, 2.0 * v, radius * cos], [sin, 0.0, cos])
    });
    tube.weights = tube.positions.iter().map(|&[_, y, _]| bent(y / 0.7)).collect();
    Drawing { joints, ..Drawing::new("skinned-tube", tube) }
}

/// A cloth of 1 m, folded twelve times, with layers 5 mm apart.
pub(crate) fn cloth(steps: u32) -> Drawing {
    let folded = sheet(steps, steps, |u, v| {
        let layer = (u * 12.0).floor().min(11.0);
        let way = u * 12.0 - layer;
        let back = layer % 2.0 > 0.5;
        let x = if back { 1.0 - way } else { way };
        let wave = 0.002 * (40.0 * v + layer).sin();
        ([x, 0.005 * layer + wave, -v], [0.0, if back { -1.0 } else { 1.0 }, 0.0])
    });
    Drawing::new("cloth", folded)
}

/// A disc of flat concentric rings with three alternating heights.
pub(crate) fn rings(rings: u32, sectors: u32) -> Drawing {
    let ring = |ring: u32| {
        sheet(sectors, 1, move |u, v| {
            let (sin, cos) = (u * TAU).sin_cos();
            let radius = part(ring + 1, rings) - v * part(1, rings);
            let height = 0.02 * part(ring % 3, 1);
            ([10.0 * radius * cos, height, -10.0 * radius * sin], [0.0, 1.0, 0.0])
        })
    };
    Drawing::new("rings", together((0..rings).map(ring)))
}

/// Concentric tubes of 1 m.
pub(crate) fn tubes(tubes: u32, sectors: u32) -> Drawing {
    let tube = |tube: u32| {
        sheet(sectors, 1, move |u, v| {
            let (sin, cos) = (u * TAU).sin_cos();
            let radius = part(tube + 1, tubes);
            ([radius * sin, v, radius * cos], [sin, 0.0, cos])
        })
    };
    Drawing::new("tubes", together((0..tubes).map(tube)))
}

/// Random triangles in a cube of 1 m.
pub(crate) fn soup(triangles: u32) -> Drawing {
    let mut state = 1_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        part(state >> 16, 1 << 16)
    };
    let mut soup = Primitive::default();
    for triangle in 0..triangles {
        soup.positions.extend((0..3).map(|_| [next(), next(), next()]));
        soup.triangles.push([0, 1, 2].map(|corner| 3 * triangle + corner));
    }
    Drawing::new("soup", soup)
}

/// A flat fan of long thin triangles that meet in one point.
pub(crate) fn fan(slivers: u32) -> Drawing {
    let rim = (0..=slivers).map(|i| [4.0 * part(i, slivers), 0.0, -1.0]);
    let positions = std::iter::once([0.0; 3]).chain(rim).collect();
    let triangles = (1..=slivers).map(|i| [0, i, i + 1]).collect();
    Drawing::new("fan", Primitive { positions, triangles, ..Primitive::default() })
}

/// Floors of five heights with openings, as in a navigation mesh.
pub(crate) fn navigation(steps: u32) -> Drawing {
    let mut floors = sheet(steps, steps, |u, v| {
        let height = 0.5 * ((8.0 * u).floor() % 2.0) + 0.25 * ((8.0 * v).floor() % 3.0);
        ([50.0 * u, height, -50.0 * v], [0.0, 1.0, 0.0])
    });
    let mut square = 0..;
    floors.triangles.retain(|_| {
        let square = square.next().unwrap_or(0) / 2;
        !(square % steps / 5 + square / steps / 5).is_multiple_of(4)
    });
    Drawing::new("navigation", floors)
}

fn together(parts: impl Iterator<Item = Primitive>) -> Primitive {
    let mut all = Primitive::default();
    for part in parts {
        let first = u32::try_from(all.positions.len()).expect("a small model");
        let moved = part.triangles.iter().map(|triangle| triangle.map(|corner| first + corner));
        all.triangles.extend(moved);
        all.positions.extend(part.positions);
        all.normals.extend(part.normals);
        all.tex_coords.extend(part.tex_coords);
    }
    all
}

/// The two joints of a height, one joint being 1 high.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 1")]
fn bent(height: f32) -> ([u8; 2], [f32; 2]) {
    let below = height.floor().clamp(0.0, 1.0);
    let share = (height - below).clamp(0.0, 1.0);
    ([below as u8, below as u8 + 1], [1.0 - share, share])
}

fn unit(vector: Point) -> Point {
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    vector.map(|x| x / length)
}

fn cross(a: Point, b: Point) -> Point {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
