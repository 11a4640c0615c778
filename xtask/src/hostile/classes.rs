//! The classes of cases: each begins with what is known to be hard, and goes on with chance.

mod blocks;
mod disks;
mod gltf;
mod gzip;
mod linksets;
mod llsd;
mod options;
mod over;
mod pack;
mod pipes;
mod places;
mod replay;
mod resources;
mod signals;
mod simulate;
mod sog;
mod tar;
mod threads;
mod toml;
mod xml;

use super::class::Class;

/// All classes.
pub(super) const CLASSES: [Class; 19] = [
    llsd::CLASS,
    blocks::CLASS,
    tar::CLASS,
    gzip::CLASS,
    xml::CLASS,
    toml::CLASS,
    gltf::CLASS,
    sog::CLASS,
    linksets::CLASS,
    options::CLASS,
    places::CLASS,
    signals::CLASS,
    pipes::CLASS,
    disks::CLASS,
    threads::CLASS,
    replay::CLASS,
    resources::CLASS,
    simulate::CLASS,
    pack::CLASS,
];

#[cfg(test)]
mod tests {
    use super::CLASSES;
    use crate::hostile::random::Random;

    #[test]
    fn every_class_makes_cases_and_the_same_ones_again() {
        for class in &CLASSES {
            let Some(make) = class.random else { continue };
            for number in 0..20 {
                let made = || make(&mut Random::of_case(1, class.name, number));
                let (one, other) = (made(), made());
                assert!(!one.name.is_empty(), "{} {number}", class.name);
                assert_eq!(one.words, other.words);
                assert_eq!(one.input_bytes(), other.input_bytes());
            }
        }
    }

    #[test]
    fn what_is_known_has_a_name_of_its_own() {
        for class in &CLASSES {
            let names: std::collections::BTreeSet<_> =
                class.known.iter().map(|known| known.name).collect();
            assert_eq!(names.len(), class.known.len(), "{}", class.name);
        }
    }
}
