//! Streamed SOG.

use lodger_allowance::Allowance;
use lodger_core::units::Budget;
use lodger_scheduler::View;

use super::{check, many};
use crate::{Error, Limits, SceneFile, Settings};

fn scene(text: &str) -> impl Fn(&Allowance) -> Result<SceneFile, Error> {
    move |allowance| {
        let units = Some(Budget::from_ns(10_000));
        let settings = Settings { units, view: View::eye([0.0; 3]).ok(), ..Settings::default() };
        let read = SceneFile::from_streamed_sog(text, &settings, Limits::default(), allowance);
        let mut file = read?;
        file.scene.tick();
        Ok(file)
    }
}

fn leaf(number: usize, levels: impl Iterator<Item = usize>) -> String {
    let lod = |level| format!("\"{level}\":{{\"count\":{}}},", number + 1_000 - 3 * level);
    let lods: String = levels.map(lod).collect();
    format!(
        "{{\"bound\":{{\"min\":[0,0,0],\"max\":[1,1,1]}},\"lods\":{{{}}}}},",
        lods.trim_end_matches(',')
    )
}

#[test]
fn leaves_take_what_they_say() {
    let of = |levels: usize, leaves: &str| {
        let leaves = leaves.trim_end_matches(',');
        format!("{{\"lodLevels\":{levels},\"tree\":{{\"children\":[{leaves}]}}}}")
    };
    for count in [1, 60, 4_096] {
        check("five levels", scene(&of(5, &many(count, |i| leaf(i, 0..5)))));
        check("equal leaves", scene(&of(5, &many(count, |_| leaf(0, 0..5)))));
        check("one level", scene(&of(1, &many(count, |i| leaf(i, 0..1)))));
        // Each has other levels.
        let bits = |i: usize| (0..16).filter(move |level| i >> level & 1 == 1);
        check("some levels", scene(&of(16, &many(count, |i| leaf(i, bits(i))))));
        check("no levels", scene(&of(16, &many(count, |i| leaf(i, 0..0)))));
    }
    check("256 levels", scene(&of(256, &many(200, |i| leaf(i, 0..256)))));
    let deep = format!("{{\"lodLevels\":1,\"tree\":{}", "{\"children\":[".repeat(50_000));
    check("an end too early", scene(&deep));
    check("a deep tree", scene(&format!("{deep}{}}}", "]}".repeat(50_000))));
    check("brackets", scene(&format!("{{\"lodLevels\":1,\"x\":{}", "[".repeat(1 << 20))));
}
