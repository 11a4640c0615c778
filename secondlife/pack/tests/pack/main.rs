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

use lodger_pack::{Decompose, Model, SkinChoice, Source, read};
use lodger_quota::{Quota, QuotaLimits};

/// The model of a drawing, read from its file.
fn read_one(drawing: &models::Drawing) -> Model {
    let bytes = drawing.glb();
    let mut nothing = |_: &str, _| Err(std::io::ErrorKind::Unsupported.into());
    let name = format!("{}.glb", drawing.name);
    let source = Source { name: &name, bytes: &bytes, outside: &mut nothing };
    read(&mut [source], SkinChoice::Keep, &plenty()).expect("a model that was drawn")
}

/// The default quota of a model.
fn plenty() -> Quota {
    Quota::new(QuotaLimits::default())
}

/// The hulls of a mesh, or why there are none.
type Hulls = Result<Vec<Vec<[f32; 3]>>, String>;

/// A function from points and triangles to hulls.
type Function = fn(&[[f32; 3]], &[[u32; 3]]) -> Hulls;

/// A decomposer of points and triangles by a function.
struct DecomposeWith<F>(F);

impl<F: Fn(&[[f32; 3]], &[[u32; 3]]) -> Hulls + Sync> Decompose for DecomposeWith<F> {
    fn decompose(&self, points: &[[f32; 3]], triangles: &[[u32; 3]], _: u32, _: u32) -> Hulls {
        self.0(points, triangles)
    }
}

/// A decomposer that takes nothing apart.
const NO_PARTS: DecomposeWith<Function> =
    DecomposeWith(|_, _| Err("nothing is taken apart here".to_owned()));
