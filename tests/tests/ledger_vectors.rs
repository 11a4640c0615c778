//! The oracle gives the plans of `vectors/ledger.toml`.

use std::collections::HashSet;

use lodger_tests::oracle::ledger::{plan, plan_with, scale::Rounding};
use lodger_tests::vectors::{LEDGER, LedgerVectors};

#[test]
fn whole_ledgers() {
    let cases = LedgerVectors::parse(LEDGER).unwrap().case;
    assert!(cases.len() >= 25, "{} cases", cases.len());
    for case in cases {
        let scene = case.scene().unwrap();
        assert_eq!(plan(&scene), case.plan().unwrap(), "{}", case.name);
    }
}

#[test]
fn names_are_unique() {
    let cases = LedgerVectors::parse(LEDGER).unwrap().case;
    let names: HashSet<&str> = cases.iter().map(|case| &*case.name).collect();
    assert_eq!(names.len(), cases.len());
}

/// Only where a target ends in a fraction of a nanosecond can the finer scale differ.
#[test]
fn finer_rounding_changes_one_vector() {
    let cases = LedgerVectors::parse(LEDGER).unwrap().case;
    let differs = cases.iter().filter(|case| {
        let scene = case.scene().unwrap();
        plan(&scene) != plan_with(&scene, Rounding::Exact)
    });
    let names: Vec<&str> = differs.map(|case| &*case.name).collect();
    assert_eq!(names, ["a target rounds up"]);
}
