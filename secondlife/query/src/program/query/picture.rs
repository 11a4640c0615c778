//! Reports as pictures.

use std::path::Path;

use lodger_grid::report::{Bin, Report};
use lodger_terminal::plot::{self, Bar, Bars};
use lodger_terminal::{Diagnostic, Target, output};

/// How many objects have which land impact.
pub(super) fn land_impacts(report: &Report, file: &Path) -> Result<(), Diagnostic> {
    let of = |name: &str| report.asked.iter().find(|(option, _)| *option == name);
    let rules = of("rules").map_or("", |(_, rules)| rules);
    let objects: u64 = report.distribution.iter().map(|bin| bin.value).sum();
    let bars: Vec<_> = report.distribution.iter().map(|bin| bar(bin, grouped(bin.value))).collect();
    let picture = Bars {
        heading: "Land impact",
        conditions: &format!("{} objects, {rules} rules", grouped(objects)),
        across: "land impact of an object",
        up: "objects",
        bars: &bars,
    };
    draw(&picture, file)
}

/// The bytes of all meshes by LOD.
pub(super) fn bytes(report: &Report, file: &Path) -> Result<(), Diagnostic> {
    let all: u64 = report.distribution.iter().map(|bin| bin.value).sum();
    let bars: Vec<_> = report.distribution.iter().map(|bin| bar(bin, binary(bin.value))).collect();
    let picture = Bars {
        heading: "Bytes of meshes by level of detail",
        conditions: &format!("{} in all meshes, compressed as stored", binary(all)),
        across: "level of detail",
        up: "bytes",
        bars: &bars,
    };
    draw(&picture, file)
}

#[expect(clippy::cast_precision_loss, reason = "a bar has no more than a thousand pixels")]
fn bar(bin: &Bin, told: String) -> Bar {
    Bar { label: bin.label.clone(), value: bin.value as f64, told }
}

fn draw(picture: &Bars<'_>, file: &Path) -> Result<(), Diagnostic> {
    let svg = plot::bars(picture)?;
    output::write(Target::File(file), svg.as_bytes())
}

/// A whole number in groups of three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<_> = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy).collect();
    groups.join("\u{202f}")
}

/// Bytes in the unit in which they are a number of four digits at most.
#[expect(clippy::cast_precision_loss, reason = "three digits are shown")]
fn binary(bytes: u64) -> String {
    const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let mut amount = bytes as f64;
    let mut told = format!("{bytes} B");
    for unit in UNITS {
        if amount < 1_000.0 {
            break;
        }
        amount /= 1_024.0;
        told = format!("{amount:.1} {unit}");
    }
    told
}

#[cfg(test)]
mod tests {
    use super::{binary, grouped};

    #[test]
    fn numbers_can_be_read() {
        let groups = [0, 999, 1_000, 1_234_567].map(grouped);
        assert_eq!(groups, ["0", "999", "1\u{202f}000", "1\u{202f}234\u{202f}567"]);
        let bytes = [0, 999, 1_000, 1 << 20, u64::MAX].map(binary);
        assert_eq!(bytes, ["0 B", "999 B", "1.0 KiB", "1.0 MiB", "16.0 EiB"]);
    }
}
