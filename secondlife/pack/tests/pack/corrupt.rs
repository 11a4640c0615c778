//! Files that were damaged: an asset or one clear error, whatever was hit.

use lodger_pack::{Model, SkinChoice, Source, pack, read};
use proptest::prelude::*;

use crate::goals::options;
use crate::models::{Drawing, nine_material_cube, skinned_tube, sphere, tree_of_cards};

fn drawings() -> [Drawing; 4] {
    [sphere(1.0, 4), tree_of_cards(4), nine_material_cube(), skinned_tube(4, 6)]
}

/// Reads and packs what may be no file, and says how far it came.
fn try_it(bytes: &[u8]) -> Result<(), lodger_pack::Error> {
    let mut nothing = |_: &str, _| Err(std::io::ErrorKind::Unsupported.into());
    let source = Source { name: "damaged.glb", bytes, outside: &mut nothing };
    let mut model: Model = read(&mut [source], SkinChoice::Keep, &crate::plenty())?;
    let packed =
        pack(&mut model, &options(None, None), &crate::NO_PARTS, &crate::plenty(), &|_| ())?;
    assert!(packed.land_impact.value <= packed.target);
    for object in &packed.objects {
        let asset = lodger_mesh_asset::Asset::parse(&object.asset).expect("what was written");
        asset.verify().expect("what was written");
    }
    Ok(())
}

/// A digit that stands for a number in JSON becomes another number, so that counts, indices and offsets lie.
fn with_another_number(file: &[u8], which: usize, number: &str) -> Vec<u8> {
    let length = u32::from_le_bytes(file[12..16].try_into().expect("four bytes")) as usize;
    let json = std::str::from_utf8(&file[20..20 + length]).expect("JSON").trim_end();
    let is_digit = |byte: u8| byte.is_ascii_digit();
    let starts: Vec<_> = (1..json.len())
        .filter(|&at| is_digit(json.as_bytes()[at]) && b":[,".contains(&json.as_bytes()[at - 1]))
        .collect();
    let start = starts[which % starts.len()];
    let end = json[start..]
        .find(|letter: char| !letter.is_ascii_digit())
        .map_or(json.len(), |end| start + end);
    let json = format!("{}{number}{}", &json[..start], &json[end..]);
    lodger_testkit::build::gltf::glb(json, &file[20 + length + 8..])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn bytes_that_were_hit(
        drawing in 0_usize..4, hits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6)
    ) {
        let mut file = drawings()[drawing].glb();
        for (place, byte) in hits {
            let place = place.index(file.len());
            file[place] = byte;
        }
        if let Err(error) = try_it(&file) {
            prop_assert!(!error.to_string().is_empty());
        }
    }

    #[test]
    fn numbers_that_lie(
        drawing in 0_usize..4, which in any::<usize>(),
        number in prop::sample::select(vec!["0", "1", "2", "7", "255", "65536", "4294967296", "18446744073709551615", "-1", "1e300"])
    ) {
        let file = with_another_number(&drawings()[drawing].glb(), which, number);
        if let Err(error) = try_it(&file) {
            prop_assert!(!error.to_string().is_empty());
        }
    }

    #[test]
    fn files_that_end_early(drawing in 0_usize..4, end in any::<prop::sample::Index>()) {
        let file = drawings()[drawing].glb();
        prop_assert!(try_it(&file[..end.index(file.len())]).is_err());
    }
}
