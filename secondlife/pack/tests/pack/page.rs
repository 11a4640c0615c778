//! The page of a packed model, which `cargo xtask report` shows to a browser.

use std::fs;
use std::path::Path;

use lodger_pack::{pack, page};

use crate::goals::options;
use crate::models::nine_material_cube;

#[test]
fn a_page_tells_what_was_packed() {
    let mut model = crate::read_one(&nine_material_cube());
    let packed = pack(
        &mut model,
        &options(None, Some([2.0; 3])),
        &crate::NO_PARTS,
        &crate::plenty(),
        &|_| (),
    )
    .expect("assets");
    let page = page(&model, &packed, &crate::plenty(), &|_| ()).expect("plenty");
    let impact = format!("<strong>{}</strong>", packed.land_impact.value);
    assert!(page.contains(&impact), "the land impact");
    assert_eq!(page.matches("<article>").count(), packed.objects.len());
    assert!(page.matches("<img ").count() > 8 * packed.objects.len());
    let noted = page.split("<summary>").nth(1).is_some_and(|rest| rest.contains("</li>"));
    assert_eq!(noted, !packed.notes.is_empty(), "{:?}", packed.notes);
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report.html");
    fs::write(file, page).expect("a page");
}
