//! Valid and invalid Streamed SOGs.

use lodger_core::budget::{Leftovers, Policy};
use lodger_core::units::Budget;
use lodger_scheduler::View;

use crate::{
    PolicyName, SceneFile, SceneFileError, SceneFileErrorKind, SceneLimits, SceneOverrides,
};
use lodger_quota::Quota;

const BOUND: &str = r#""bound": {"min": [0, 0, 0], "max": [2, 4, 4]}"#;

fn overrides() -> SceneOverrides {
    let units = Some(Budget::UNLIMITED);
    SceneOverrides { units, view: View::from_position([0.0; 3]).ok(), ..SceneOverrides::default() }
}

fn read(text: &str) -> Result<SceneFile, SceneFileError> {
    SceneFile::from_streamed_sog(text, &overrides(), SceneLimits::default(), &Quota::default())
}

fn index(head: &str, nodes: &[String]) -> String {
    format!("{{{head}\"lodLevels\": 5, \"tree\": {{\"children\": [{}]}}}}", nodes.join(","))
}

fn leaf(counts: &[(&str, u64)], more: &str) -> String {
    let lods = counts.iter().map(|(level, count)| {
        format!("\"{level}\": {{\"file\": 0, \"offset\": 0, \"count\": {count}}}")
    });
    format!("{{{BOUND}, \"lods\": {{{}}}{more}}}", lods.collect::<Vec<_>>().join(","))
}

fn qualities(file: &SceneFile, leaf: usize) -> Vec<f64> {
    let qualities = file.scene.qualities(file.actors[leaf].id).expect("present");
    qualities.into_iter().map(|quality| (quality.to_f64() * 1e3).round() / 1e3).collect()
}

#[test]
fn the_finest_level_of_the_file_is_the_highest() {
    let all = leaf(&[("0", 800), ("1", 400), ("2", 200), ("3", 100), ("4", 50)], "");
    let some = leaf(&[("3", 9), ("1", 70)], "");
    let none = leaf(&[("2", 0)], "");
    let odd = leaf(&[("0", 5), ("1", 7), ("2", 5), ("4", 2)], "");
    let text = index("\"environment\": null, ", &[all, some, none, odd]);
    let file = read(&text).expect("an index without a version");
    let work: Vec<_> = file.actors.iter().map(|leaf| file.scene.work(leaf.id)).collect();
    assert_eq!(work, [Some(&[50, 100, 200, 400, 800][..]), Some(&[9, 70]), Some(&[2, 5])]);
    let levels: Vec<_> = file.actors.iter().map(|leaf| leaf.file_levels.as_deref()).collect();
    assert_eq!(levels, [Some(&[4, 3, 2, 1, 0][..]), Some(&[3, 1]), Some(&[4, 0])]);
    let names: Vec<_> = file.actors.iter().map(|leaf| &*leaf.name).collect();
    assert_eq!(names, ["leaf 0", "leaf 1", "leaf 3"]);
    assert_eq!(file.scene.position(file.actors[0].id), Some([1.0, 2.0, 2.0]));
    assert_eq!(file.scene.radius(file.actors[0].id), Some(3.0));
    assert_eq!((file.unit.name(), file.scene.policy()), (Some("splat"), Policy::Optimal));
    // The largest error is the error of a sixteenth of the splats.
    assert_eq!(qualities(&file, 0), [0.0, 0.25, 0.5, 0.75, 1.0]);
    assert_eq!(qualities(&file, 1), [0.0, 0.74]);
}

#[test]
fn an_error_has_the_same_quality_in_every_leaf() {
    let counts = [("0", 100), ("1", 40), ("2", 9)];
    let good = leaf(&counts, ", \"errors\": [0, 0.5, 2, null, \"x\"]");
    let poor = leaf(&counts, ", \"errors\": [1, 3, 9]");
    let file =
        read(&index("\"version\": 1, \"lodErrors\": true, ", &[good, poor])).expect("errors");
    assert_eq!(qualities(&file, 0), [0.0, 0.188, 0.25]);
    assert_eq!(qualities(&file, 1), [0.0, 0.75, 1.0]);
    assert!(file.warnings.is_empty());
}

#[test]
fn errors_count_for_all_leaves_or_for_none() {
    let with = leaf(&[("0", 8), ("1", 2)], ", \"errors\": [0, 7]");
    let without = leaf(&[("0", 4), ("1", 2)], "");
    let file = read(&index("", &[with.clone(), without])).expect("counts");
    assert_eq!((qualities(&file, 0), qualities(&file, 1)), (vec![0.0, 1.0], vec![0.0, 0.5]));
    let few = "only 1 of 2 leaves have `errors`: quality goes by the counts of splats";
    assert_eq!(file.warnings[0].to_string(), few);
    let small = leaf(&[("0", 4), ("1", 2)], ", \"errors\": [0, 0.1]");
    let file = read(&index("\"lodErrors\": false, ", &[with, small])).expect("counts");
    assert_eq!((qualities(&file, 1), file.warnings.len()), (vec![0.0, 0.5], 0));
}

#[test]
fn levels_may_be_a_list_and_keys_may_have_escapes() {
    let node = format!("{{{BOUND}, \"\\u006cods\": [{{\"count\": 4}}, null, {{\"count\": 1}}]}}");
    let file = read(&index("", &[node])).expect("a list");
    assert_eq!(file.scene.work(file.actors[0].id), Some(&[1, 4][..]));
}

#[test]
fn a_tree_may_be_of_any_depth() {
    let leaf = leaf(&[("0", 4), ("1", 1)], "");
    let text = |depth: usize| {
        let opening = format!("{{{BOUND}, \"children\": [").repeat(depth);
        format!("{{\"lodLevels\": 2, \"tree\": {opening}{leaf}{}}}", "]}".repeat(depth))
    };
    let file = read(&text(100_000)).expect("it is deep");
    assert_eq!(file.actors.len(), 1);
    let root = format!("{{\"lodLevels\": 2, \"tree\": {leaf}}}");
    assert_eq!(read(&root).expect("the root is a leaf").actors.len(), 1);
}

#[test]
fn errors_have_spans() {
    let good = leaf(&[("0", 8), ("1", 2)], ", \"errors\": [0, 7]");
    let text = index("\"version\": 1, ", &[good.clone(), good]);
    assert!(read(&text).is_ok());
    for (from, to, message, marked) in [
        ("\"version\": 1", "\"version\": 2", "of version 2; lodger reads version 1", "2"),
        ("\"version\": 1", "\"version\": \"1\"", "of version \"1\"", "\"1\""),
        ("\"lodLevels\": 5", "\"lodLevels\": 0", "from 1 to 256", "0"),
        ("\"lodLevels\": 5", "\"lodLevels\": 257", "from 1 to 256", "257"),
        ("\"lodLevels\": 5", "\"lodLevels\": 1", "no level `1`: the file has 1,", "{"),
        (
            "\"lodLevels\": 5",
            "\"lodLevels\": 5, \"lodLevels\": 5",
            "`lodLevels` is there twice",
            "5",
        ),
        ("\"count\": 8", "\"count\": 4294967296", "from 0 to 4294967295", "4294967296"),
        ("\"count\": 8", "\"count\": -1", "from 0 to 4294967295", "-1"),
        ("\"count\": 8", "\"count\": 1.5", "from 0 to 4294967295", "1.5"),
        ("\"count\": 8", "\"count\": [8]", "from 0 to 4294967295", "["),
        ("\"count\": 8", "\"count\": 8, \"count\": 8", "`count` is there twice", "8"),
        ("\"count\": 8", "\"counts\": 8", "`count` is missing", "{"),
        ("{\"0\": {", "{\"0\": 3, \"2\": {", "the `count` of its splats", "3"),
        ("{\"0\":", "{\"5\":", "no level `5`: the file has 5, 0 to 4", "{"),
        ("{\"0\":", "{\"00\":", "no level `00`", "{"),
        ("{\"0\":", "{\"1\":", "`1` is there twice", "{"),
        ("\"lods\": {", "\"lods\": 7, \"x\": {", "`lods` must be an object", "7"),
        ("[0, 0, 0]", "[0, 1e999, 0]", "three finite numbers", "{"),
        ("[0, 0, 0]", "[0, 0]", "three finite numbers", "{"),
        ("[0, 0, 0]", "[0, 0, 0, 0]", "three finite numbers", "{"),
        ("[0, 0, 0]", "[0, 5, 0]", "before it begins", "{"),
        ("\"max\"", "\"min\"", "`min` is there twice", "["),
        ("\"bound\": {", "\"bind\": {", "`bound` is missing", "}"),
        ("\"bound\": {", "\"bound\": [{", "is broken: expected `,` or `]`", ""),
        ("\"tree\": {", "\"tree\": {{", "is broken: key must be a string", ""),
        ("[0, 7]", "[7, 0]", "must not fall", "}"),
        ("[0, 7]", "[0, -7]", "at least 0 for each level", "}"),
        ("[0, 7]", "[0]", "at least 0 for each level", "}"),
        ("[0, 7]", "{}", "at least 0 for each level", "{"),
        ("[0, 7]", "[0, 7], \"errors\": [0, 7]", "`errors` is there twice", "["),
        ("[0, 7]", "[0, 7], \"children\": []", "either `children` or", "\"children\""),
        ("\"children\": [", "\"children\": [[], ", "`children` must be a list of objects", "["),
        ("\"children\": [", "\"children\": 7, \"x\": [", "`children` must be a list", "7"),
        ("\"tree\": {", "\"tree\": 7, \"x\": {", "`tree` must be an object", "7"),
        ("\"tree\"", "\"trees\"", "`tree` is missing", ""),
    ] {
        assert!(text.contains(from), "no {from}");
        let text = text.replacen(from, to, 1);
        let Err(error) = read(&text) else { panic!("{to} was read") };
        assert!(error.to_string().contains(message), "{to}: {error}");
        let span = error.span().unwrap_or_default();
        assert_eq!(&text[span], marked, "{to}: {error}");
    }
}

#[test]
fn overrides_must_have_a_budget_and_a_view() {
    let text = index("", &[leaf(&[("0", 8)], "")]);
    let read = |overrides| {
        SceneFile::from_streamed_sog(&text, &overrides, SceneLimits::default(), &Quota::default())
            .map_err(|error| *error.kind())
    };
    let no_budget = SceneOverrides { units: None, ..overrides() };
    assert_eq!(read(no_budget).err(), Some(SceneFileErrorKind::NoBudget));
    let time = SceneOverrides { budget: Some(Budget::UNLIMITED), ..overrides() };
    assert_eq!(read(time).err(), Some(SceneFileErrorKind::BudgetInTime));
    assert_eq!(
        read(SceneOverrides { view: None, ..overrides() }).err(),
        Some(SceneFileErrorKind::NoCamera)
    );
    let keep = SceneOverrides { leftovers: Some(Leftovers::Keep), ..overrides() };
    assert_eq!(read(keep).err(), Some(SceneFileErrorKind::LeftoversOfOptimal));
    let shares = SceneOverrides { policy: Some(PolicyName::Proportional), ..keep };
    let file = read(shares).expect("the proportional policy has leftovers");
    assert_eq!(file.scene.policy(), Policy::Proportional(Leftovers::Keep));
}
