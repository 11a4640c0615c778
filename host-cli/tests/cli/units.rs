//! Policies, qualities, and budgets in other units than time.

use serde_json::Value;

use crate::run::{BASE, CAPE, RunOutput, TILES, lodger};

fn schedule(scene: &str, arguments: &[&str]) -> RunOutput {
    let folder = lodger().with("scene.toml", scene);
    folder.run(&[&["schedule", "scene.toml"], arguments].concat()).succeeds()
}

fn json(scene: &str, arguments: &[&str]) -> Value {
    schedule(scene, &[arguments, &["--format", "json"]].concat()).json()
}

fn lods(report: &Value) -> Vec<u64> {
    let actors = report["actors"].as_array().expect("actors");
    actors.iter().map(|actor| actor["lod"].as_u64().expect("a whole level")).collect()
}

#[test]
fn no_field_of_a_scene_with_a_unit_says_ms() {
    for policy in ["optimal", "proportional"] {
        let scene = TILES.replace("[[actor]]\nname = \"near\"", "benefit_value = 90_000\n$&");
        let scene = scene.replace("$&", "[[actor]]\nname = \"near\"");
        let arguments = ["--policy", policy];
        let report = json(&scene, &arguments);
        assert_eq!((&report["unit"], &report["policy"]), (&"byte".into(), &policy.into()));
        for number in ["budget", "overcommit", "fixed", "assigned"] {
            assert!(report[number].is_u64(), "{number}");
        }
        let module = &report["modules"][0];
        assert!(module["assigned"].is_u64());
        assert_eq!(module["target"].is_u64(), policy == "proportional");
        let actor = &report["actors"][0];
        assert!(actor["cost"].is_u64() && actor["quality"].is_f64());
        assert_eq!(actor["share"].is_u64(), policy == "proportional");
        let csv = schedule(&scene, &[&arguments[..], &["--format", "csv"]].concat()).stdout;
        assert!(csv.starts_with("name,module,benefit,share,lod,cost,control,"), "{csv}");
        let table = schedule(&scene, &arguments).stdout;
        assert!(table.contains("bytes assigned of 140000 bytes"), "{table}");
        for text in [report.to_string(), csv, table] {
            assert!(!text.contains("ms"), "{text}");
        }
    }
}

#[test]
fn the_optimal_policy_buys_the_most_and_proves_it() {
    let report = json(TILES, &[]);
    assert_eq!(lods(&report), [2, 1]);
    assert_eq!(report["assigned"], 140_000);
    let number = |key: &str| report[key].as_f64().expect("a number");
    assert!((number("value") - 1.35).abs() < 1e-3, "{report}");
    assert!(number("upper_bound") >= number("value") && number("gap") <= 1e-3, "{report}");
    // The price is the marginal value of the next unpaid step: 0.3 of half a benefit.
    assert!((number("price") - 0.15 / 60_000.0).abs() < 1e-9, "{report}");
    assert!(report["scale"].is_null() && report["leftovers"].is_null());
    let qualities: Vec<_> =
        [0, 1].map(|actor| report["actors"][actor]["quality"].as_f64().expect("one")).into();
    assert!((qualities[0] - 1.0).abs() < 1e-4 && (qualities[1] - 0.7).abs() < 1e-4);
    schedule(TILES, &[]).shows(&[
        "Worth 1.35 of at most 1.35",
        "Quality",
        "highest, worth its price",
    ]);
    // A quality of an actor overrides the module's.
    let own = "work = [0, 40_000, 100_000]\nquality = [0, 0, 1]\n[[actor]]\nname = \"far\"";
    let scene = TILES.replacen("work = [0, 40_000, 100_000]\n[[actor]]\nname = \"far\"", own, 1);
    assert_eq!(lods(&json(&scene.replace("140_000", "120_000"), &[])), [2, 0]);
}

#[test]
fn any_plan_is_measured_by_the_same_bound() {
    let scene = TILES.replacen("quality", "benefit_value = 60_000\nquality", 1);
    let (best, plain) = (json(&scene, &[]), json(&scene, &["--policy", "proportional"]));
    let number = |report: &Value, key: &str| report[key].as_f64().expect("a number");
    assert!(number(&plain, "value") < number(&best, "value"), "{plain}");
    assert!((number(&plain, "upper_bound") - number(&best, "upper_bound")).abs() < 1e-4);
    assert!(number(&plain, "gap") > 0.01 && plain["price"].is_null());
    assert_eq!(plain["leftovers"], "across-modules");
}

fn scene(keys: &str) -> String {
    format!("{keys}{BASE}{CAPE}")
}

/// The policy and the leftovers of a plan.
fn policy(keys: &str, arguments: &[&str]) -> (Value, Value) {
    let mut report = json(&scene(keys), arguments);
    (report["policy"].take(), report["leftovers"].take())
}

#[test]
fn policies_come_from_the_file_and_from_the_command_line() {
    let keep = ("proportional".into(), "keep".into());
    assert_eq!(policy("leftovers = \"keep\"\n", &[]), keep);
    assert_eq!(policy("", &["--leftovers", "keep"]), keep);
    assert_eq!(policy("leftovers = \"whole-budget\"\n", &["--leftovers", "keep"]), keep);
    let optimal = ("optimal".into(), Value::Null);
    assert_eq!(policy("policy = \"optimal\"\n", &[]), optimal);
    assert_eq!(policy("leftovers = \"keep\"\n", &["--policy", "optimal"]), optimal);
    let changed = &["--policy", "proportional", "--leftovers", "keep"];
    assert_eq!(policy("policy = \"optimal\"\n", changed), keep);
    let said = "a matter of the proportional policy";
    let folder = lodger().with("scene.toml", scene("policy = \"optimal\"\n"));
    for arguments in [&["--leftovers", "keep"][..], &["--policy", "optimal", "--leftovers", "keep"]]
    {
        let arguments = [&["scene.toml"], arguments].concat();
        folder
            .run(&[&["schedule"], &arguments[..]].concat())
            .fails_with(&[said, "--policy proportional"]);
    }
}

#[test]
fn apex_is_the_policy_of_the_document() {
    let of = |leftovers: &str| ("proportional".into(), leftovers.into());
    for (keys, arguments) in [
        ("policy = \"apex\"\n", &[][..]),
        ("policy = \"apex\"\nleftovers = \"keep\"\n", &[]),
        ("policy = \"apex\"\n", &["--leftovers", "keep"]),
        ("", &["--policy", "apex"]),
        ("policy = \"optimal\"\n", &["--policy", "apex", "--leftovers", "keep"]),
        ("leftovers = \"whole-budget\"\n", &["--policy", "apex"]),
    ] {
        assert_eq!(policy(keys, arguments), of("keep"), "{keys}{arguments:?}");
    }
    let default = &["--policy", "proportional"];
    assert_eq!(policy("policy = \"apex\"\n", default), of("across-modules"));
    let said = "`apex` keeps leftovers";
    let folder = lodger().with("scene.toml", scene("policy = \"apex\"\n"));
    let conflict = ["--leftovers", "within-module"];
    for arguments in [&conflict[..], &["--policy", "apex", "--leftovers", "within-module"]] {
        let arguments = [&["scene.toml"], arguments].concat();
        folder
            .run(&[&["schedule"], &arguments[..]].concat())
            .fails_with(&[said, "--policy proportional"]);
    }
}

#[test]
fn a_negative_force_lod_is_automatic() {
    let actor =
        |lod: &str| json(&format!("{BASE}{CAPE}force_lod = {lod}\n"), &[])["actors"][0].clone();
    let automatic = json(&format!("{BASE}{CAPE}"), &[])["actors"][0].clone();
    for negative in ["-1", "-0.3", "-1e300"] {
        assert_eq!(actor(negative), automatic, "{negative}");
    }
    for zero in ["0", "-0.0"] {
        assert_eq!((&actor(zero)["control"], &actor(zero)["lod"]), (&"forced".into(), &0.into()));
    }
    assert_eq!(schedule(&format!("{BASE}{CAPE}force_lod = -7\n"), &[]).stderr, "");
}

#[test]
fn strict_ends_with_1_where_the_budget_does_not_pay_the_minimums() {
    let minimum = format!("{BASE}{}", CAPE.replace("[0, 10, 20]", "[10, 10, 20]"));
    let folder = lodger().with("scene.toml", minimum);
    for (arguments, code) in [
        (&["--strict"][..], 0),
        (&["--strict", "--budget-ms", "0.01"], 0),
        (&["--budget-ms", "0.009"], 0),
        (&["--strict", "--budget-ms", "0.009"], 1),
        (&["--strict", "--budget-ms", "0.009", "--format", "json"], 1),
        (&["--strict", "--budget-ms", "0.009", "--policy", "optimal", "--format", "csv"], 1),
    ] {
        let outcome = folder.run(&[&["schedule", "scene.toml"], arguments].concat());
        assert_eq!((outcome.code, &*outcome.stderr), (Some(code), ""), "{arguments:?}");
        assert!(outcome.stdout.contains("cape"), "{}", outcome.stdout);
    }
}

#[test]
fn a_reason_is_a_word_in_json_and_csv() {
    let two = format!("{BASE}{CAPE}{}force_lod = 2\n", CAPE.replace("cape", "cloak"));
    for (arguments, words) in [
        (&[][..], ["highest", "forced"]),
        (&["--policy", "optimal"], ["worth-highest", "forced"]),
        (&["--budget-ms", "0.01"], ["overcommitted", "forced"]),
        (&["--eye", "9000,0,0", "--policy", "apex"], ["share", "forced"]),
    ] {
        let report = json(&two, arguments);
        let said = [0, 1].map(|index| report["actors"][index]["reason"].clone());
        assert_eq!(said, words, "{arguments:?}");
        let csv = schedule(&two, &[arguments, &["--format", "csv"]].concat()).stdout;
        let last: Vec<_> = csv.lines().filter_map(|row| row.rsplit(',').next()).collect();
        assert_eq!(last, ["reason", words[0], words[1]], "{arguments:?}");
    }
}

#[test]
fn budgets_are_given_in_the_unit_of_the_scene() {
    let budget = |given: &str| json(TILES, &["--budget", given])["budget"].clone();
    for (given, read) in [("2M", 2_000_000), ("1.5k", 1_500), ("3G", 3_000_000_000_u64), ("0", 0)] {
        assert_eq!(budget(given), read);
    }
    assert!(budget("inf").is_null());
    let folder = lodger()
        .with("scene.toml", format!("{BASE}{CAPE}"))
        .with("tiles.toml", TILES)
        .with("poor.toml", TILES.replace("budget = 140_000\n", ""));
    let refused = |arguments: &[&str], parts: &[&str]| {
        folder.run(&[&["schedule"], arguments].concat()).fails_with(parts);
    };
    refused(&["scene.toml", "--budget", "2M"], &["in whole units", "time", "--budget-ms 16.6"]);
    refused(&["tiles.toml", "--budget-ms", "2"], &["in milliseconds", "`byte`", "--budget 2M"]);
    refused(&["tiles.toml", "--budget", "2", "--budget-ms", "2"], &["cannot be used with"]);
    refused(&["poor.toml"], &["no `budget`", "`byte`", "--budget 2M"]);
    folder.run(&["schedule", "poor.toml", "--budget", "2M"]).succeeds();
}

#[test]
fn qualities_and_overheads_are_read() {
    let with = |of_module: &str, of_actor: &str| {
        let base = BASE.replace("= 3\n", &format!("= 3\n{of_module}\n"));
        format!("{base}{CAPE}{of_actor}\n")
    };
    schedule(&with("quality = [0, 1]", "quality = [0, 0.5, 1]"), &[]);
    assert_eq!(json(&with("overhead = 500", ""), &[])["fixed_ms"], 0.5);
    let without_value = format!("{BASE}{CAPE}").replacen("benefit_value = 3\n", "", 1);
    schedule(&without_value, &["--policy", "optimal"]);
}
