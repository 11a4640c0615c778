//! Whose rules count.

use std::sync::LazyLock;

use datafusion_common::{Result, plan_err};
use lodger_core::cost::streaming::Rules;
use lodger_pricing::Pricing;

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
    let name: String = name.chars().take(40).flat_map(char::escape_debug).collect();
    plan_err!("there are no rules named '{name}'; expected one of {names}")
}

/// The rules that count where none are named: those of today's viewers.
pub(crate) fn usual() -> Result<&'static Pricing> {
    named(Rules::default().name)
}

#[cfg(test)]
mod tests {
    use super::*;

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
