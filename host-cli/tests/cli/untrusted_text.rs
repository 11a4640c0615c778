//! Untrusted names: harmless in tables, messages and spreadsheets, and of a bounded length.

use lodger_testkit::build::archive::{ArchiveFile, PartXml, region_object};
use lodger_testkit::build::mesh::{bytes, good};

use crate::run::{BASE, CAPE, SIZES, TestFolder, assert_rejected, cost, json, lodger, rows, sized};

const FORMULAS: [&str; 7] = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "＝1+1", "\u{200b}@SUM(A1)"];

fn scene(name: &str) -> TestFolder {
    let escaped: Vec<_> = name.chars().map(|c| format!("\\U{:08X}", u32::from(c))).collect();
    let actor = CAPE.replace("cape", &escaped.concat());
    lodger().with("scene.toml", format!("{BASE}{actor}"))
}

fn region(name: &str) -> TestFolder {
    let object = region_object(&PartXml::cube(name), &[PartXml::cube(name)]);
    lodger().with("a.oar", ArchiveFile::new().with("objects/a.xml", object).gzip())
}

#[test]
fn an_untrusted_formula_is_text_to_a_spreadsheet() {
    for formula in FORMULAS {
        let shown = format!("'{}", formula.replace('\t', "␉"));
        let plan = scene(formula).run(&["schedule", "scene.toml", "--format", "csv"]).succeeds();
        assert_eq!(rows(&plan.stdout)[0]["name"], shown);
        // XML readers trim names.
        let (formula, shown) = (formula.trim(), shown.replace('␉', ""));
        let folder = region(formula);
        let costs = rows(&cost(&folder, &["a.oar", "--format", "csv"]).succeeds().stdout);
        assert_eq!(costs[0]["object"], shown);
        let parts = rows(&cost(&folder, &["a.oar", "--parts", "--format", "csv"]).stdout);
        assert_eq!(parts[1]["name"], shown);
        // JSON has the original name.
        assert_eq!(json(&folder, &["a.oar"])["objects"][0]["object"], formula);
    }
}

#[test]
fn a_number_below_zero_stays_a_number() {
    let actor = CAPE.replace("[1, 2, 3]", "[-1, -2, -3]");
    let folder = lodger().with("scene.toml", format!("{BASE}{actor}"));
    let plan = folder.run(&["schedule", "scene.toml", "--format", "csv"]).succeeds();
    assert_eq!(rows(&plan.stdout)[0]["position_x"], "-1.0");
    let folder = lodger().with("-x.llmesh", bytes(&sized(SIZES)));
    let costs = rows(&cost(&folder, &["--format", "csv", "--", "-x.llmesh"]).stdout);
    assert_eq!(costs[0]["file"], "'-x.llmesh");
    assert!(costs[0]["streaming"].parse::<f64>().is_ok());
}

#[test]
fn a_newline_and_a_turn_are_signs_in_every_answer() {
    const NAME: &str = "a\nwrong: b\u{61c}\u{202e}c";
    const SHOWN: &str = "a␊wrong: b\u{fffd}\u{fffd}c";
    for format in ["table", "csv"] {
        let plan = scene(NAME).run(&["schedule", "scene.toml", "--format", format]).succeeds();
        assert!(plan.stdout.contains(SHOWN), "{}", plan.stdout);
        let folder = region(NAME);
        for extra in [&[][..], &["--parts"], &["--by", "owner"]] {
            let arguments = [&["a.oar", "--format", format], extra].concat();
            let outcome = cost(&folder, &arguments).succeeds();
            assert!(
                outcome.stdout.contains(SHOWN) || extra.contains(&"--by"),
                "{}",
                outcome.stdout
            );
            assert!(!outcome.stdout.contains('\u{61c}'));
        }
    }
    // A message that quotes it, and the help that offers it.
    let folder = region(NAME);
    let linkset = |name: &str| folder.run(&["linkset", name]);
    linkset("a.oar:a wrong: b").fails_with(&[SHOWN]);
    let wrong = CAPE.replace("module = \"cloth\"", "module = \"x\\ny\"");
    assert_rejected(format!("{BASE}{wrong}"), &["no module called `x␊y`"]);
    let named = BASE.replace("\"cloth\"", "\"clo\\nth\"");
    let folder = lodger().with("scene.toml", format!("{named}{CAPE}"));
    folder.run(&["schedule", "scene.toml"]).fails_with(&["clo␊th"]);
}

#[cfg(unix)]
#[test]
fn a_file_of_two_lines_is_one() {
    let folder = lodger().with("a\nwrong: b.llmesh", "x").with("c.llmesh", good());
    for command in ["cost", "lint"] {
        let run = |arguments: &[&str]| folder.run(arguments);
        run(&[command, "a\nwrong: b.llmesh"]).fails_with(&["a␊wrong: b.llmesh"]);
        let outcome = run(&[command, "."]);
        assert_eq!(outcome.code, Some(1));
        assert!(!outcome.stdout.contains("\nwrong: b"), "{}", outcome.stdout);
    }
}

#[test]
fn a_name_of_a_mebibyte_is_shortened_everywhere() {
    let name = "k".repeat(1 << 20);
    let length = u32::try_from(name.len()).expect("it is short").to_be_bytes();
    let block = b"{\0\0\0\x02k\0\0\0\x06offseti\0\0\0\0k\0\0\0\x04sizei\0\0\0\x0a}";
    let asset = [&b"{\0\0\0\x01k"[..], &length, name.as_bytes(), block, b"}"].concat();
    let folder = lodger().with("a.llmesh", asset).with("b.llmesh", bytes(&sized(SIZES)));
    for command in ["cost", "lint"] {
        for arguments in [&[command, "a.llmesh"][..], &[command, "a.llmesh", "b.llmesh"]] {
            let outcome = folder.run(arguments);
            let length = outcome.stdout.len() + outcome.stderr.len();
            assert!(length < 20_000, "{command}: {length} bytes");
        }
    }
    let folder = region(&name);
    for extra in [&[][..], &["--parts"]] {
        let outcome = cost(&folder, &[&["a.oar"], extra].concat());
        assert!(outcome.stdout.len() < 10_000, "{extra:?}: {} bytes", outcome.stdout.len());
    }
    let plan = scene(&name).run(&["schedule", "scene.toml"]).succeeds();
    assert!(plan.stdout.len() < 10_000, "{} bytes", plan.stdout.len());
}
