//! Whose rules count.

use std::sync::LazyLock;

use datafusion_common::{Result, plan_err};
use lodger_core::cost::simulator::Simulator;
use lodger_core::cost::streaming::Rules;
use lodger_opensim::pricing::{Pricing, parse_simulator};

/// The rules that have a name, prepared. Core checks rules; those that it names have passed.
static NAMED: LazyLock<Vec<Pricing>> = LazyLock::new(|| {
    Rules::NAMED.into_iter().filter_map(|rules| Pricing::new(rules).ok()).collect()
});

/// The rules of that name.
pub(crate) fn named(name: &str) -> Result<&'static Pricing> {
    if let Some(pricing) = NAMED.iter().find(|pricing| pricing.rules().name == name) {
        return Ok(pricing);
    }
    let names = Rules::NAMED.map(|rules| format!("'{}'", rules.name)).join(", ");
    let name = shown(name);
    plan_err!("there are no rules named '{name}'; expected one of {names}")
}

/// The simulator of that set of constants, or of those numbers.
pub(crate) fn simulator(text: &str) -> Result<Simulator<f64>> {
    let prepared = parse_simulator(text).and_then(|set| Ok(Simulator::new(set)?));
    let text = shown(text);
    prepared.or_else(|error| plan_err!("there are no constants '{text}': {error}"))
}

/// The beginning of a text that is no name.
fn shown(text: &str) -> String {
    text.chars().take(40).flat_map(char::escape_debug).collect()
}

/// The rules that count where none are named: those of today's viewers.
pub(crate) fn usual() -> Result<&'static Pricing> {
    named(Rules::default().name)
}

#[cfg(test)]
mod tests {
    use lodger_core::cost::simulator::Parameters;

    use super::*;

    #[test]
    fn constants_are_a_name_or_four_numbers() {
        let unofficial = Simulator::new(Parameters::UNOFFICIAL_2011).unwrap();
        assert_eq!(simulator("unofficial-2011").unwrap(), unofficial);
        assert_eq!(simulator("0.5,2,1,0").unwrap(), unofficial);
        let error = simulator("official\n").unwrap_err().to_string();
        assert!(error.contains("'official\\n'") && error.contains("unofficial-2011"), "{error}");
    }

    #[test]
    fn every_name_finds_its_rules() {
        for rules in Rules::NAMED {
            assert_eq!(*named(rules.name).unwrap().rules(), rules);
        }
        assert_eq!(usual().unwrap().rules().name, "viewer");
        let error = named("Viewer\n").unwrap_err().to_string();
        assert!(
            error.contains("'Viewer\\n'") && error.contains("'wiki', 'viewer', 'grid'"),
            "{error}"
        );
    }
}
