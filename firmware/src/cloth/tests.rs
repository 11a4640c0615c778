use std::vec::Vec;

use embedded_graphics::geometry::OriginDimensions;
use lodger_core::Fixed;

use super::*;
use crate::display::FrameBuffer;

const SIDE: usize = 9;
const TOP: u8 = 4;

fn number<N: Real>(value: f64) -> N {
    N::from_f64(value).unwrap()
}

fn step<N: Real>(wind: f64) -> Step<N> {
    Step { time: number(1.0 / 32.0), wind: number(wind) }
}

/// A cloth of a metre after so many frames of wind at these levels, in turn.
fn blown<N: Real>(levels: &[u8], frames: usize) -> Cloth<N, SIDE> {
    let mut cloth = Cloth::new(number(1.0));
    levels.iter().cycle().take(frames).for_each(|&level| cloth.step(level, step(3.0)));
    cloth
}

/// Vertices of the coarsest grid, below the first row.
fn hanging<N: Real>(cloth: &Cloth<N, SIDE>) -> Vec<[f64; 3]> {
    let rows = cloth.vertices.iter().step_by(4).skip(1);
    rows.flat_map(|row| row.iter().step_by(4)).map(|v| v.now.map(N::to_f64)).collect()
}

#[test]
fn work_is_vertices_times_iterations() {
    let units = |level| <Cloth<f32, SIDE> as Body<f32>>::units(level);
    let all: Vec<_> = (0..).map_while(units).collect();
    assert_eq!(all, [9, 27, 75, 162, 405]);
    assert_eq!(<Cloth<f32, 5> as Body<f32>>::units(TOP), Some(125));
    assert_eq!(units(5), None);
}

#[test]
fn the_first_row_holds_and_the_rest_sags_and_blows() {
    let (still, cloth) = (Cloth::<f32, SIDE>::new(1.0), blown::<f32>(&[TOP], 100));
    for (before, after) in still.vertices[0].iter().zip(&cloth.vertices[0]) {
        assert_eq!(before.now, after.now);
    }
    for [x, y, z] in hanging(&cloth) {
        assert!(x.abs() < 0.7 && (-1.2..0.4).contains(&y) && z > 0.05, "{x} {y} {z}");
    }
}

#[test]
fn links_keep_about_their_length_at_every_level() {
    for level in 0..=TOP {
        let cloth = blown::<f32>(&[level], 200);
        let stride = LEVELS[usize::from(level)].stride;
        let rest = f64::from(cloth.spacing) * stride as f64;
        for row in (0..SIDE - stride).step_by(stride) {
            for column in (0..SIDE).step_by(stride) {
                let [a, b] = [row, row + stride].map(|row| cloth.vertex(row, column).now);
                let length = f64::from(f32::norm_sq(difference(b, a))).sqrt();
                assert!((0.8..1.5).contains(&(length / rest)), "level {level}: {length} of {rest}");
            }
        }
    }
}

#[test]
fn any_change_of_level_stays_calm() {
    let levels = [0, 4, 1, 3, 2, 0, 3, 4, 0, 1];
    let (steady, changing) = (blown::<f32>(&[TOP], 300), blown::<f32>(&levels, 300));
    for (a, b) in hanging(&steady).into_iter().zip(hanging(&changing)) {
        let off = a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(off < 0.4, "{a:?} {b:?}");
    }
    // Finer vertices come between coarser ones: a cloth at rest stays flat.
    let mut flat = Cloth::<f32, SIDE>::new(1.0);
    flat.change(LEVELS[4]);
    let still = Cloth::<f32, SIDE>::new(1.0);
    for (a, b) in flat.vertices.as_flattened().iter().zip(still.vertices.as_flattened()) {
        assert_eq!(a.now, b.now);
    }
}

#[test]
fn fixed_hangs_as_f32_does() {
    let (float, fixed) = (blown::<f32>(&[TOP], 200), blown::<Fixed>(&[TOP], 200));
    for (a, b) in hanging(&float).into_iter().zip(hanging(&fixed)) {
        let off = a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(off < 0.1, "{a:?} {b:?}");
    }
}

#[test]
fn a_level_that_there_is_not_does_nothing() {
    let mut cloth = blown::<f32>(&[TOP], 3);
    let before = hanging(&cloth);
    cloth.step(5, step(1.0));
    assert_eq!(hanging(&cloth), before);
}

#[test]
fn a_cloth_at_rest_is_drawn_as_its_grid() {
    let cloth = Cloth::<f32, SIDE>::new(1.0);
    let mut display = FrameBuffer::<16, 2>::new();
    let camera = Camera::new([0.0, 0.0, 1.0], display.size());
    cloth.draw([0.0, 0.0, 0.0], &camera, &mut display).unwrap();
    let expected = "
    █▀▀▀█▀▀▀█   
    █   █   █   
    █▀▀▀█▀▀▀█   
    █   █   █   
    ▀▀▀▀▀▀▀▀▀   
";
    let picture = std::format!("\n{display}");
    assert!(picture.contains(expected.trim_matches('\n')), "{picture}");
}
