//! The chain of an object as a curve: error over bytes.

use std::fmt::{self, Write as _};

use super::markup::{Text, capital, metres, whole};
use super::sheet::{HIGHEST_FIRST, Part};

const SIZE: (f64, f64) = (640.0, 300.0);
/// Where the curve is.
const LEFT: f64 = 84.0;
const RIGHT: f64 = 616.0;
const TOP: f64 = 26.0;
const BOTTOM: f64 = 234.0;
/// Where an error of 0 is: no logarithm reaches it.
const NOTHING: f64 = 252.0;

/// Draws the chain; nothing of less than two candidates.
pub(super) fn curve(part: &Part<'_>, out: &mut String) -> fmt::Result {
    let points: Vec<_> = part.candidates.iter().map(|c| (f64::from(c.bytes), c.error)).collect();
    if points.len() < 2 {
        return Ok(());
    }
    let x = Axis::over(points.iter().map(|point| point.0), LEFT, RIGHT);
    let y = Axis::over(points.iter().map(|point| point.1), BOTTOM, TOP);
    let at = |(bytes, error): (f64, f64)| {
        (x.place(bytes), if error > 0.0 { y.place(error) } else { NOTHING })
    };
    writeln!(
        out,
        "<section><h3>What could be had</h3><div class=\"scroll\" tabindex=\"0\"><svg class=\"curve\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"Error over bytes of the {} candidates of {}, both logarithmic; the chosen ones are marked\">",
        SIZE.0,
        SIZE.1,
        points.len(),
        Text(part.name)
    )?;
    grid(&x, &y, out)?;
    let line: Vec<_> = points.iter().map(|point| at(*point)).collect();
    let path: Vec<_> = line.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    writeln!(out, "<polyline points=\"{}\"/>", path.join(" "))?;
    for (x, y) in &line {
        writeln!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.2\"/>")?;
    }
    let mut taken = Vec::new();
    for lod in HIGHEST_FIRST {
        let Some(&(x, y)) = line.get(part.picks.of(lod)) else { continue };
        writeln!(out, "<circle class=\"{lod}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"6\"/>")?;
        // Labels of equal picks stand above each other.
        let same = taken
            .iter()
            .filter(|&&(tx, ty): &&(f64, f64)| (tx - x).abs() < 70.0 && (ty - y).abs() < 16.0)
            .count();
        let rise = 11.0 + 15.0 * f64::from(u8::try_from(same).unwrap_or(0));
        let anchor = if x > RIGHT - 60.0 { "end" } else { "start" };
        writeln!(
            out,
            "<text class=\"name\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">{}</text>",
            if anchor == "end" { x - 4.0 } else { x + 4.0 },
            y - rise,
            capital(&lod)
        )?;
        taken.push((x, y));
    }
    writeln!(out, "</svg></div></section>")
}

fn grid(x: &Axis, y: &Axis, out: &mut String) -> fmt::Result {
    for tick in x.ticks() {
        let at = x.place(tick);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole bytes")]
        let bytes = whole(tick as u64);
        writeln!(
            out,
            "<path d=\"M{at:.1} {TOP}V{NOTHING}\"/><text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{bytes}</text>",
            NOTHING + 16.0
        )?;
    }
    for tick in y.ticks() {
        let at = y.place(tick);
        writeln!(
            out,
            "<path d=\"M{LEFT} {at:.1}H{RIGHT}\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            LEFT - 7.0,
            at + 4.0,
            metres(tick)
        )?;
    }
    writeln!(
        out,
        "<path class=\"axis\" d=\"M{LEFT} {NOTHING}H{RIGHT}\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">0</text>",
        LEFT - 7.0,
        NOTHING + 4.0
    )?;
    writeln!(
        out,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">bytes of the level</text><text x=\"{:.1}\" y=\"14\">error</text>",
        f64::midpoint(LEFT, RIGHT),
        NOTHING + 38.0,
        LEFT - 56.0
    )
}

/// A logarithmic axis.
struct Axis {
    logs: (f64, f64),
    places: (f64, f64),
}

impl Axis {
    /// The axis that holds all values above 0.
    fn over(values: impl Iterator<Item = f64>, from: f64, to: f64) -> Self {
        let logs = values.filter(|v| *v > 0.0 && v.is_finite()).map(libm::log10);
        let (least, most) = logs.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), log| {
            (least.min(log), most.max(log))
        });
        let logs = match most - least {
            span if span > 1e-3 => (least, most),
            span if span >= 0.0 => (least - 0.5, most + 0.5),
            _ => (0.0, 1.0),
        };
        Self { logs, places: (from, to) }
    }

    fn place(&self, value: f64) -> f64 {
        let (least, most) = self.logs;
        let part = ((libm::log10(value.max(1e-12)) - least) / (most - least)).clamp(0.0, 1.0);
        self.places.0 + part * (self.places.1 - self.places.0)
    }

    /// 1, 2 and 5 times the powers of ten within it; fewer on a long axis.
    fn ticks(&self) -> Vec<f64> {
        let (least, most) = self.logs;
        let steps: &[f64] = match most - least {
            span if span > 3.0 => &[1.0],
            span if span > 1.6 => &[1.0, 3.0],
            _ => &[1.0, 2.0, 5.0],
        };
        #[expect(clippy::cast_possible_truncation, reason = "from -12 to 308")]
        let powers = least.floor() as i32..=most.ceil() as i32;
        let ticks = powers.flat_map(|power| {
            let power = libm::pow(10.0, f64::from(power));
            steps.iter().map(move |step| step * power)
        });
        let within = |tick: &f64| (least - 1e-9..=most + 1e-9).contains(&libm::log10(*tick));
        ticks.filter(within).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_factors_are_equal_ways_and_odd_values_are_held() {
        let axis = Axis::over([0.0, 1.0, 100.0, f64::NAN].into_iter(), 0.0, 200.0);
        for (value, place) in [(1.0, 0.0), (10.0, 100.0), (100.0, 200.0), (0.0, 0.0), (1e9, 200.0)]
        {
            assert!((axis.place(value) - place).abs() < 1e-9, "{value}");
        }
        assert_eq!(axis.ticks().len(), 5, "1, 3, 10, 30 and 100");
        for odd in [vec![], vec![0.0], vec![7.0, 7.0], vec![f64::INFINITY]] {
            let axis = Axis::over(odd.into_iter(), 10.0, 20.0);
            assert!((10.0..=20.0).contains(&axis.place(7.0)) && axis.ticks().len() < 10);
        }
    }
}
