//! Where the tables of a list are.

use lodger_allowance::{Allowance, Limits};

use super::Outline;

fn split(text: &str) -> (Vec<&str>, String) {
    let outline = Outline::new(text, "actor");
    let rest = outline.rest(&Allowance::new(Limits::default())).expect("it is small");
    (outline.elements().map(|range| &text[range]).collect(), rest.text.into_owned())
}

#[test]
fn a_table_ends_at_the_next_header_that_is_not_in_it() {
    let text = "a = 1\n[[actor]]\nx = 1\n [ actor.y ]\n[[actor.z]]\n# end\n[[ actor ]] # two\n[[b]]\n\
                [actor.q]\n[actors]\n[[actor]]";
    let (elements, rest) = split(text);
    let first = "[[actor]]\nx = 1\n [ actor.y ]\n[[actor.z]]\n# end\n";
    assert_eq!(elements, [first, "[[ actor ]] # two\n", "[[actor]]"]);
    assert_eq!(rest, "a = 1\n[[b]]\n[actor.q]\n[actors]\n");
}

#[test]
fn what_looks_like_a_header_may_be_none() {
    for text in [
        "a = [\n[[actor]]\n]",
        "a = \"\"\"\n[[actor]]\n\"\"\"",
        "a = '''\n[[actor]]\n'''",
        "a = \"\"\"\\\"\"\"\n[[actor]]\n\"\"\"\"\"",
        "# [[actor]]",
        "a = \"[[actor]]\"",
        "[actor]",
        "[\"actor\"]",
        "[[\"actor\"]]",
        "[[actor]",
        "a = { b = [1,\n[[actor]]\n] }",
    ] {
        assert_eq!(split(text), (Vec::new(), text.to_owned()));
    }
    let after = [
        "a = ''",
        "a = \"\"",
        "a = '\\'",
        "a = \"\\\"\"",
        "a = ''''''",
        "a = '''''a'''''",
        "a = ']'",
    ];
    for before in after {
        assert_eq!(split(&format!("{before}\n[[actor]]\n")).0, ["[[actor]]\n"], "{before}");
    }
}

#[test]
fn the_rest_knows_where_it_was() {
    let text = "a = 1\n[[actor]]\nx = 1\n[b]\nc = 2\n[[actor]]\n[d]\n";
    let rest = Outline::new(text, "actor").rest(&Allowance::new(Limits::default())).expect("small");
    for word in ["a = 1", "[b]", "c = 2\n", "[d]\n"] {
        let at = rest.text.find(word).expect("it is there");
        assert_eq!(&text[rest.in_text(at..at + word.len())], word);
    }
    let whole = "a = 1\n";
    let rest =
        Outline::new(whole, "actor").rest(&Allowance::new(Limits::default())).expect("small");
    assert_eq!(rest.in_text(2..6), 2..6);
}
