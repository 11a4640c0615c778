//! What the library makes of whole models, and the program of whole files.

mod corrupt;
mod far;
mod goals;
mod hostile;
mod models;
mod page;
mod physics;
mod prices;
mod program;
mod read;
mod work;

use lodger_allowance::{Allowance, Limits};
use lodger_pack::{Model, SkinChoice, Source, read};

/// The model of a drawing, read from its file.
fn read_one(drawing: &models::Drawing) -> Model {
    let bytes = drawing.glb();
    let mut nothing = |_: &str, _| Err(std::io::ErrorKind::Unsupported.into());
    let name = format!("{}.glb", drawing.name);
    let source = Source { name: &name, bytes: &bytes, outside: &mut nothing };
    read(&mut [source], SkinChoice::Keep, &plenty()).expect("a model that was drawn")
}

/// The default quota of a model.
fn plenty() -> Allowance {
    Allowance::new(Limits::default())
}
