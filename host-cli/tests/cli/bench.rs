//! `lodger bench`: its reports and errors; no test asserts on time.

use serde_json::Value;

use crate::run::{Case, RunOutput, TestFolder, lodger};

const POLICIES: [&str; 5] = ["keep", "within_module", "across_modules", "whole_budget", "optimal"];
const TEXTBOOKS: [&str; 3] = ["textbook", "textbook_churned", "textbook_columns"];

fn bench(folder: &TestFolder, arguments: &[&str]) -> RunOutput {
    let arguments = [&["bench", "--seconds", "0"], arguments].concat();
    folder.run(&arguments)
}

fn json(arguments: &[&str]) -> Value {
    let arguments = [&["--format", "json", "--actors", "200"], arguments].concat();
    let outcome = bench(&lodger(), &arguments).succeeds();
    assert_eq!(outcome.stderr, "");
    outcome.json()
}

fn is_positive(value: &Value) -> bool {
    value.as_f64().is_some_and(|number| number > 0.0)
}

#[test]
fn json_has_the_documented_values() {
    let report = json(&[]);
    assert_eq!([&report["schema"], &report["actors"], &report["threads"]], [1, 200, 1]);
    assert_eq!(report["rounds"], 5);
    assert!(report["cpu"].as_str().is_some_and(|cpu| !cpu.is_empty()));
    let steady = POLICIES.map(|policy| format!("{policy}_steady"));
    let varied = ["keep_angular", "keep_eight_ladders"];
    let drawn = ["keep", "across_modules", "optimal"];
    let special = ["jitter", "halved", "plane"].map(|case| drawn.map(|it| format!("{it}_{case}")));
    let named =
        ["memory_pass", "incremental"].into_iter().chain(varied).chain(TEXTBOOKS).chain(POLICIES);
    let named = named.chain(steady.iter().chain(special.as_flattened()).map(String::as_str));
    for name in named {
        assert!(is_positive(&report["ns_per_actor"][name]), "{name}");
        let spread = &report["spread"][name];
        let part = |key: &str| spread[key].as_f64().expect("a number");
        let parts = ["least", "lower_quartile", "upper_quartile", "greatest"].map(part);
        assert!(parts.is_sorted() && spread["samples"] == 5, "{name}: {spread}");
        assert!((parts[0]..=parts[3]).contains(&part("mean")), "{name}: {spread}");
    }
    for policy in POLICIES {
        assert!(is_positive(&report["ratios"][format!("{policy}/memory_pass")]), "{policy}");
        for textbook in TEXTBOOKS {
            let ratio = report["ratios"][format!("{textbook}/{policy}")].as_f64();
            let ns = |name: &str| report["ns_per_actor"][name].as_f64().expect("a number");
            let expected = ns(textbook) / ns(policy);
            assert!(ratio.is_some_and(|ratio| (ratio - expected).abs() < 0.001), "{policy}");
        }
    }
    let rows = report["incremental"].as_array().expect("rows");
    let named: Vec<_> = rows.iter().map(|row| (&row["policy"], &row["changed"])).collect();
    let text = |text: &str| Value::from(text);
    let expected =
        drawn.map(|policy| ["nothing", "runs", "scattered"].map(|it| (text(policy), text(it))));
    assert!(named.into_iter().eq(expected.as_flattened().iter().map(|(a, b)| (a, b))));
    assert!(rows.iter().all(|row| is_positive(&row["of_full_tick"])));
    assert!(is_positive(&rows[1]["setting_ns_per_actor"]));
}

#[test]
fn only_requested_policies_are_measured() {
    let report = json(&["--policy", "optimal,apex", "--threads", "2", "--vectors", "sse2"]);
    assert_eq!(report["threads"], 2);
    for (policy, is_measured) in POLICIES.into_iter().zip([true, false, false, false, true]) {
        assert_eq!(is_positive(&report["ns_per_actor"][policy]), is_measured, "{policy}");
        assert_eq!(report["ns_per_actor"][policy].is_null(), !is_measured, "{policy}");
        assert_eq!(report["spread"][policy].is_null(), !is_measured, "{policy}");
        assert_eq!(report["ratios"][format!("{policy}/memory_pass")].is_null(), !is_measured);
    }
    assert_eq!(report["incremental"].as_array().map(Vec::len), Some(6));
}

#[test]
fn a_sweep_is_drawn() {
    let folder = lodger();
    let arguments = ["--sweep", "growth.svg", "--actors", "2500", "--policy", "keep,optimal"];
    bench(&folder, &arguments).succeeds().shows(&[
        "2500 actors, 1 thread, ",
        "memory pass",
        "textbook churned",
        "optimal",
        "1000",
    ]);
    let svg = folder.read("growth.svg");
    assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"));
    assert!(["memory pass", "keep", "optimal", "1 k"].iter().all(|part| svg.contains(part)));
    assert_eq!(svg.matches("<circle").count(), 6 * 3, "six curves of 100, 1000 and 2500 actors");
    let arguments = ["--sweep", "--actors", "100", "--policy", "keep", "--format", "json"];
    let outcome = bench(&folder, &[&arguments[..], &["--output", "out.json"]].concat()).succeeds();
    assert_eq!(outcome.stdout, "");
    let report = folder.read("out.json");
    let report: Value = serde_json::from_str(&report).expect("JSON");
    assert_eq!(report["sweep"].as_array().map(Vec::len), Some(1));
    assert_eq!(report["sweep"][0]["ns_per_actor"], report["ns_per_actor"]);
    assert_eq!(folder.files(), ["growth.svg", "lodger-bench.svg", "out.json"]);
}

#[test]
fn the_table_names_the_measurement() {
    bench(&lodger(), &["--actors", "0.3k"]).succeeds().shows(&[
        "300 actors, 1 thread, ",
        ": 5 rounds in ",
        "textbook, boxed and churned",
        "across modules (default)",
        "optimal, steady",
        "mean",
        "worst",
        "The eye stands still",
        "runs of 64",
    ]);
}

#[test]
fn errors_are_reported() {
    let folder = lodger();
    for (option, value, says) in [
        ("--actors", "99", "a whole number is expected, from 100 on"),
        ("--actors", "many", "a whole number is expected"),
        ("--actors", "1.5", "a whole number is expected"),
        ("--actors", "17M", "a scene holds at most 16777215 actors"),
        ("--threads", "0", "0 is not in 1..="),
        ("--threads", "1025", "1025 is not in 1..="),
        ("--policy", "keep,best", "invalid value 'best'"),
        ("--vectors", "mmx", "invalid value 'mmx'"),
        ("--format", "csv", "invalid value 'csv'"),
        ("--seconds", "3601", "3601 is not in 0..="),
    ] {
        let outcome = folder.run(&["bench", option, value]);
        outcome.fails_with(&[says]);
    }
    bench(&folder, &["--sweep", "x", "--output", "x"]).fails_with(&["name the same file"]);
    bench(&folder, &["--actors", "100", "--policy", "keep", "--output", "none/x"])
        .fails_with(&["there is no folder `none`"]);
    assert_eq!(folder.files(), [""; 0]);
}

#[cfg(unix)]
#[test]
fn an_interrupt_leaves_nothing_behind() {
    use std::time::Duration;

    let folder = lodger().with("out.json", "old");
    let arguments = ["bench", "--actors", "1000", "--seconds", "600", "--output", "out.json"];
    let case = Case::of_args(arguments).signal("INT", Duration::from_millis(300));
    assert_ne!(folder.run_case(&case).code, Some(0));
    assert_eq!(folder.read("out.json"), "old");
    assert_eq!(folder.files(), ["out.json"]);
}
