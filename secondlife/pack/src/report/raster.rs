//! A software rasteriser with its shader.

use std::mem;

use euc::buffer::Buffer2d;
use euc::rasterizer::{BackfaceCullingDisabled, Triangles};
use euc::{Interpolate, Pipeline};
use glam::DVec3;
use lodger_quota::{Quota, QuotaExceeded};

use crate::report::camera::{PictureWindow, ReportCamera};
use crate::report::markup::Image;

/// Linear red, green and blue, and coverage: each up to 65 535.
pub(crate) type Sample = [u16; 4];

struct Shader {
    pub(crate) lamp: DVec3,
    pub(crate) eye: DVec3,
    pub(crate) edges: bool,
}

#[derive(Clone, Copy)]
struct RasterCorner {
    pub(crate) clip: [f32; 4],
    pub(crate) shade: Shade,
}

#[derive(Clone, Copy)]
pub(crate) struct Shade {
    pub(crate) normal: [f32; 3],
    /// Linear, from 0 to 1.
    pub(crate) colour: [f32; 3],
    /// Pixels to each side of the triangle.
    pub(crate) edges: [f32; 3],
    /// The opacity of edges, from 0 to 1.
    pub(crate) strength: f32,
}

impl Interpolate for Shade {
    fn lerp2(a: Self, b: Self, x: f32, y: f32) -> Self {
        Self::lerp3(a, b, b, x, y, 0.0)
    }

    fn lerp3(a: Self, b: Self, c: Self, x: f32, y: f32, z: f32) -> Self {
        let between = |a: [f32; 3], b: [f32; 3], c: [f32; 3]| {
            [0, 1, 2].map(|part: usize| a[part] * x + b[part] * y + c[part] * z)
        };
        Self {
            normal: between(a.normal, b.normal, c.normal),
            edges: between(a.edges, b.edges, c.edges),
            ..a
        }
    }
}

impl Pipeline for Shader {
    type Vertex = RasterCorner;
    type VsOut = Shade;
    type Pixel = Sample;

    fn vert(&self, corner: &RasterCorner) -> ([f32; 4], Shade) {
        (corner.clip, corner.shade)
    }

    fn frag(&self, shade: &Shade) -> Sample {
        let normal = DVec3::from(shade.normal.map(f64::from)).normalize_or_zero();
        let sky = 0.5 + 0.5 * normal.z;
        let lamp = normal.dot(self.lamp).max(0.0);
        let gleam = normal.dot((self.lamp + self.eye).normalize()).max(0.0);
        let (light, gleam) = (0.11 + 0.22 * sky + 0.6 * lamp, 0.05 * gleam.powi(24));
        let lit = shade.colour.map(|part| f64::from(part) * light + gleam);
        let line = if self.edges { f64::from(line(shade)) } else { 0.0 };
        let ink = if shade.colour.iter().all(|part| *part < 0.06) { 0.3 } else { 0.012 };
        let [red, green, blue] = lit.map(|part| level(part * (1.0 - line) + ink * line));
        [red, green, blue, u16::MAX]
    }
}

fn line(shade: &Shade) -> f32 {
    let nearest = shade.edges.into_iter().fold(f32::INFINITY, f32::min);
    (0.9 - nearest).clamp(0.0, 1.0) * shade.strength
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 65 535")]
fn level(part: f64) -> u16 {
    (part.clamp(0.0, 1.0) * f64::from(u16::MAX)) as u16
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct RasterTriangle {
    /// The corners in metres.
    pub(crate) corners: [[f32; 3]; 3],
    /// The normal of each corner; zeros for the normal of the plane.
    pub(crate) normals: [[f32; 3]; 3],
    /// Linear, from 0 to 1.
    pub(crate) colour: [f32; 3],
    pub(crate) two_sided: bool,
}

impl RasterTriangle {
    pub(crate) fn in_colour(self, colour: [f32; 3]) -> Self {
        Self { colour, ..self }
    }
}

pub(crate) struct Raster {
    camera: ReportCamera,
    window: PictureWindow,
    size: [usize; 2],
    /// Samples for each pixel, in each direction.
    samples: usize,
    colours: Buffer2d<Sample>,
    /// −1 over the depth as a ratio to the eye's distance; 0 where nothing is drawn.
    depths: Buffer2d<f32>,
    shader: Shader,
    corners: Vec<RasterCorner>,
    /// Units of work of the collected triangles.
    work: u64,
}

/// The minimum double area of a triangle in pixels: the rasteriser divides by it, and smaller
/// triangles meet no sample.
const MIN_AREA: f64 = 1e-7;
/// Triangles with corners farther away, in windows or distances, are left out, to keep numbers in
/// range.
const MAX_DISTANCE: f64 = 1e4;
const AT_ONCE: usize = 3 << 10;

impl Raster {
    /// Creates an empty picture, at a resolution in pixels for each tangent.
    pub(crate) fn new(
        camera: ReportCamera,
        window: PictureWindow,
        per_tangent: f64,
        samples: usize,
    ) -> Self {
        let (size, window) = window.pixels(per_tangent);
        let sampled = size.map(|pixels| pixels * samples);
        let shader = Shader { lamp: camera.lamp(), eye: camera.back, edges: false };
        Self {
            camera,
            window,
            size,
            samples,
            colours: Buffer2d::new(sampled, [0; 4]),
            depths: Buffer2d::new(sampled, 0.0),
            shader,
            corners: Vec::with_capacity(AT_ONCE),
            work: 0,
        }
    }

    /// Draws triangles, with lines along their edges if requested and not too dense. Charges a unit
    /// of work for each sample in a triangle's box, all of which the rasteriser visits.
    pub(crate) fn draw(
        &mut self,
        triangles: impl Iterator<Item = RasterTriangle>,
        edges: bool,
        quota: &Quota,
    ) -> Result<(), QuotaExceeded> {
        self.shader.edges = edges;
        for triangle in triangles {
            if let Some(corners) = self.corners_of(&triangle) {
                self.corners.extend(corners);
            }
            if self.corners.len() >= AT_ONCE {
                self.flush(quota)?;
            }
        }
        self.flush(quota)
    }

    fn flush(&mut self, quota: &Quota) -> Result<(), QuotaExceeded> {
        quota.charge_work(mem::take(&mut self.work))?;
        let Self { shader, corners, colours, depths, .. } = self;
        shader.draw::<Triangles<'_, _, BackfaceCullingDisabled>, _>(corners, colours, Some(depths));
        corners.clear();
        Ok(())
    }

    /// The number of samples in the box of a triangle, with corners from -1 to 1 in the picture.
    fn samples_of(&self, at: &[[f64; 2]; 3]) -> u64 {
        let [width, height] = [0, 1].map(|axis| {
            let along = at.map(|at| at[axis].clamp(-1.0, 1.0));
            let [min, max] =
                [along.into_iter().reduce(f64::min), along.into_iter().reduce(f64::max)];
            let part = max.unwrap_or_default() - min.unwrap_or_default();
            (part * half(self.size[axis] * self.samples)).ceil() + 1.0
        });
        whole(width * height)
    }

    /// The triangle for the rasteriser; `None` if invisible.
    fn corners_of(&mut self, triangle: &RasterTriangle) -> Option<[RasterCorner; 3]> {
        let points = triangle.corners.map(|corner| DVec3::from(corner.map(f64::from)));
        let [a, b, c] = points.map(|point| self.camera.project(point));
        let projected = [a?, b?, c?];
        let at = projected.map(|point| self.window.within(point.at));
        if (0..2)
            .any(|axis| at.iter().all(|at| at[axis] < -1.0) || at.iter().all(|at| at[axis] > 1.0))
        {
            return None;
        }
        let depths = projected.map(|point| point.depth / self.camera.distance);
        if at.as_flattened().iter().chain(&depths).any(|value| value.abs() > MAX_DISTANCE) {
            return None;
        }
        let pixels = at.map(|at| [0, 1].map(|axis| at[axis] * half(self.size[axis])));
        let area = cross(pixels[0], pixels[1], pixels[2]);
        let is_visible = area > MIN_AREA || area < -MIN_AREA && triangle.two_sided;
        if !is_visible {
            return None;
        }
        self.work = self.work.saturating_add(self.samples_of(&at));
        let normals = normals(triangle, points, area < 0.0);
        let heights = heights(pixels, area.abs());
        let strength = single(strength(heights));
        Some([0, 1, 2].map(|index: usize| {
            let depth = depths[index];
            let [x, y] = at[index].map(|at| single(at * depth));
            let mut edges = [0.0; 3];
            edges[index] = single(heights[index]);
            RasterCorner {
                clip: [x, y, -1.0, single(depth)],
                shade: Shade { normal: normals[index], colour: triangle.colour, edges, strength },
            }
        }))
    }

    /// Pixels to the right and down.
    #[cfg(test)]
    pub(crate) fn size(&self) -> [usize; 2] {
        self.size
    }

    pub(crate) fn image(&self) -> Image {
        let [width, height] = self.size;
        let (samples, stride) = (self.samples, width * self.samples);
        let colours = self.colours.as_ref();
        Image::new(width, height, |x, y| {
            let mut sums = [0_u32; 4];
            for row in 0..samples {
                let begin = (y * samples + row) * stride + x * samples;
                for sample in colours[begin..begin + samples].iter().filter(|sample| sample[3] > 0)
                {
                    for (sum, part) in sums.iter_mut().zip(sample) {
                        *sum += u32::from(*part);
                    }
                }
            }
            let all = samples * samples * usize::from(u16::MAX);
            (sums, u32::try_from(all).unwrap_or(u32::MAX))
        })
    }
}

#[expect(clippy::cast_possible_truncation, reason = "pictures need no more")]
fn single(value: f64) -> f32 {
    value as f32
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is a count")]
fn whole(count: f64) -> u64 {
    count as u64
}

fn half(pixels: usize) -> f64 {
    u32::try_from(pixels).map_or(0.0, f64::from) / 2.0
}

fn cross(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

fn normals(triangle: &RasterTriangle, [a, b, c]: [DVec3; 3], from_behind: bool) -> [[f32; 3]; 3] {
    let side = if from_behind { -1.0 } else { 1.0 };
    let plane = (b - a).cross(c - a).normalize_or_zero();
    triangle.normals.map(|normal| {
        let given = DVec3::from(normal.map(f64::from)).normalize_or_zero();
        let normal = if given == DVec3::ZERO { plane } else { given };
        (normal * side).to_array().map(single)
    })
}

/// The heights of a triangle above each of its sides, in pixels.
fn heights([a, b, c]: [[f64; 2]; 3], twice_area: f64) -> [f64; 3] {
    [(b, c), (c, a), (a, b)].map(|(from, to)| {
        let [x, y] = [to[0] - from[0], to[1] - from[1]];
        twice_area / (x * x + y * y).sqrt().max(1e-9)
    })
}

/// The opacity of edges: 0 for triangles of few pixels.
fn strength(heights: [f64; 3]) -> f64 {
    let min = heights.into_iter().fold(f64::INFINITY, f64::min);
    ((min - 2.5) / 8.0).clamp(0.0, 1.0) * 0.62
}

#[cfg(test)]
mod tests {
    use lodger_quota::QuotaLimits;

    use super::*;
    use crate::report::pictures::colored_triangles;
    use crate::report::tests::{ball_level, plenty};

    fn ball() -> Image {
        let level = &ball_level([0.0; 3], 24);
        let camera = ReportCamera::new([0.0; 3], 8.0);
        let window = PictureWindow::around(&camera, level.positions());
        let mut raster = Raster::new(camera, window, 60.0 / window.longer(), 2);
        raster.draw(colored_triangles(level, [0.5; 3]), false, &plenty()).expect("plenty");
        raster.image()
    }

    /// The pixel at a place from −100 to 100, to the right and down.
    fn at(image: &Image, x: i32, y: i32) -> [u8; 4] {
        let [column, row] = [(x, image.width()), (y, image.height())].map(|(hundredth, pixels)| {
            usize::try_from(100 + hundredth).expect("from -100") * pixels / 200
        });
        image.pixels()[row * image.width() + column]
    }

    #[test]
    fn a_sphere_is_round_and_in_the_middle() {
        let image = ball();
        assert!(image.width().abs_diff(image.height()) <= 1);
        for y in 0..image.height() {
            let row = &image.pixels()[y * image.width()..][..image.width()];
            let covered = |pixel: &[u8; 4]| pixel[3] > 127;
            let left = row.iter().position(covered);
            let right = row.iter().rev().position(covered);
            assert!(
                left.zip(right).is_none_or(|(left, right)| left.abs_diff(right) <= 1),
                "row {y}"
            );
            assert_eq!(left.is_some(), right.is_some());
        }
        let covered = image.pixels().iter().map(|pixel| f64::from(pixel[3]) / 255.0).sum::<f64>();
        let radius = f64::from(u16::try_from(image.height()).expect("small")) / 2.0 / 1.08;
        let circle = std::f64::consts::PI * radius * radius;
        assert!((covered / circle - 1.0).abs() < 0.04, "{covered} {circle}");
    }

    #[test]
    fn it_is_lit_from_above_and_from_the_left() {
        let image = ball();
        let brightness = |x, y| at(&image, x, y)[0];
        assert!(brightness(-45, -50) > brightness(45, 50) + 60);
        assert!(brightness(-50, 0) > brightness(50, 0) + 20);
        assert!(brightness(0, -50) > brightness(0, 50) + 20);
        assert_eq!(at(&image, -95, -95), [0; 4]);
    }

    #[test]
    fn nearer_triangles_hide_others_and_back_faces_are_hidden() {
        let camera = ReportCamera::new([0.0; 3], 8.0);
        let [across, up] = [camera.right, camera.up];
        let facing = |towards: f64, colour, flipped: bool| {
            let middle = camera.back * towards;
            let mut corners = [
                middle - across * 2.0 - up * 2.0,
                middle + across * 2.0 - up * 2.0,
                middle + up * 2.0,
            ];
            if flipped {
                corners.swap(0, 1);
            }
            let corners = corners.map(|corner| corner.to_array().map(single));
            RasterTriangle { corners, normals: [[0.0; 3]; 3], colour, two_sided: false }
        };
        let (red, green) = ([0.8, 0.0, 0.0], [0.0, 0.8, 0.0]);
        let window = PictureWindow::around(&camera, [[-1.0_f32; 3], [1.0; 3]].into_iter());
        let drawn = |triangles: [RasterTriangle; 2]| {
            let mut raster = Raster::new(camera, window, 20.0 / window.longer(), 1);
            raster.draw(triangles.into_iter(), false, &plenty()).expect("plenty");
            at(&raster.image(), 0, 0)
        };
        let (near, far) = (facing(0.5, red, false), facing(-0.5, green, false));
        assert_eq!(drawn([near, far]), drawn([far, near]));
        assert!(drawn([far, near])[0] > 150 && drawn([far, near])[1] < 90);
        let back = facing(0.5, red, true);
        assert!(drawn([back, far])[1] > 150, "a back face is not seen");
        let both_sides = drawn([RasterTriangle { two_sided: true, ..back }, far]);
        assert_eq!(
            both_sides,
            drawn([near, far]),
            "but of a double-sided material it is, lit as a front"
        );
    }

    #[test]
    fn each_sample_of_a_box_is_charged_before_it_is_drawn() {
        let camera = ReportCamera::new([0.0; 3], 8.0);
        let window = PictureWindow::around(&camera, [[-1.0_f32; 3], [1.0; 3]].into_iter());
        let [across, up] = [camera.right * 4.0, camera.up * 4.0];
        let corners = [-across - up, across - up, up];
        let corners = corners.map(|corner| corner.to_array().map(single));
        let large =
            RasterTriangle { corners, normals: [[0.0; 3]; 3], colour: [1.0; 3], two_sided: true };
        let worked = |count| {
            let mut raster = Raster::new(camera, window, 20.0 / window.longer(), 2);
            let quota = Quota::new(QuotaLimits { work: 1_000_000, ..QuotaLimits::default() });
            let drawn = raster.draw(std::iter::repeat_n(large, count), false, &quota);
            drawn.map(|()| quota.worked())
        };
        let [width, height] = Raster::new(camera, window, 20.0 / window.longer(), 2).size();
        let samples = u64::try_from(4 * width * height).expect("few");
        assert!((samples..2 * samples).contains(&worked(1).expect("few")));
        assert_eq!(worked(100), Ok(100 * worked(1).expect("few")));
        assert!(worked(1_000).is_err());
    }

    #[test]
    fn unusual_triangles_can_be_drawn() {
        let camera = ReportCamera::new([0.0; 3], 4.0);
        let window = PictureWindow::around(&camera, [[-1.0_f32; 3], [1.0; 3]].into_iter());
        let mut raster = Raster::new(camera, window, 20.0, 1);
        let far = [1e30, -1e30, 1e30];
        let odd = [
            [[0.0; 3]; 3],
            [far, [0.0; 3], [1.0; 3]],
            [[-1e30; 3], [0.0; 3], [1.0; 3]],
            [[f32::NAN; 3]; 3],
            [[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]],
        ];
        let triangles = odd.map(|corners| RasterTriangle {
            corners,
            normals: [[0.0; 3]; 3],
            colour: [1.0; 3],
            two_sided: true,
        });
        raster.draw(triangles.into_iter(), true, &plenty()).expect("plenty");
        assert!(raster.image().png().starts_with(b"\x89PNG"));
    }
}
