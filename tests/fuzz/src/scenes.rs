//! What people write about scenes: read, decided, and what is said of it.

use std::ops::Range;
use std::sync::Arc;

use lodger_allowance::{Allowance, Limits as Most};
use lodger_core::linkability::{Ball, Piece, SphereRule, Workspace, link};
use lodger_scenes::{Error, Format, Limits, Linkset, SceneFile, Settings, decode};
use lodger_terminal::{Diagnostic, Source};

/// How wide a message is when nobody reads it.
const WIDTH: usize = 100;
/// So much is enough to try all that is done with a file.
const MOST: Most = Most { memory: 1 << 28, work: 1 << 26 };
/// More objects than this take long to be tested pair by pair.
const MOST_OBJECTS: usize = 1024;

/// A scene, TOML or glTF: what can be read is decided, and the plan names every actor. Other files that a
/// glTF scene names hold the same bytes.
///
/// # Panics
/// If the plan does not, or a mistake is placed outside the text.
#[must_use]
pub fn scene(bytes: &[u8]) -> bool {
    let settings = Settings::default();
    let (limits, allowance) = (Limits::default(), Allowance::new(MOST));
    let read = match Format::of("scene", bytes) {
        Format::Gltf => {
            let outside = |_: &str, most: u64| {
                let most = usize::try_from(most).map_or(bytes.len(), |most| most.min(bytes.len()));
                Ok(bytes[..most].to_vec())
            };
            gltf(SceneFile::from_gltf_with(bytes, outside, &settings, limits, &allowance))
        }
        _ => text(bytes).and_then(|text| {
            let file = told(&text, SceneFile::from_toml(&text, &settings, limits, &allowance))?;
            for warning in &file.warnings {
                say(&text, warning.to_string(), warning.span.clone(), None);
            }
            Some(file)
        }),
    };
    let Some(mut file) = read else { return false };
    assert!(file.actors.iter().all(|actor| file.scene.work(actor.id).is_some()));
    let plan = file.scene.tick();
    assert_eq!(plan.actors().count(), file.actors.len());
    for actor in &file.actors {
        let decided = plan.actor(actor.id).expect("every actor is in the plan");
        assert_eq!(decided.module, actor.module);
        assert!(!decided.reason.to_string().is_empty());
    }
    true
}

/// A glTF scene, once what is odd about it is told.
fn gltf(read: Result<SceneFile, Error>) -> Option<SceneFile> {
    let file = told("", read)?;
    for warning in &file.warnings {
        say("", warning.to_string(), None, None);
    }
    Some(file)
}

/// A TOML file of objects, under both rules.
///
/// # Panics
/// If a rule refuses what was read, or a mistake is placed outside the text.
#[must_use]
pub fn linkset(bytes: &[u8]) -> bool {
    let Some(text) = text(bytes) else { return false };
    let Some(linkset) = told(&text, Linkset::from_toml(&text, &Allowance::new(MOST))) else {
        return false;
    };
    let objects = linkset.objects.as_slice();
    SphereRule::DOCUMENT.check(objects).expect("what was read can be checked");
    if objects.len() <= MOST_OBJECTS {
        let prims = objects.iter().map(|object| object.prims.len()).sum();
        let mut spheres = vec![Ball::default(); prims];
        let mut pieces = vec![Piece::default(); objects.len()];
        let workspace = Workspace { spheres: &mut spheres, pieces: &mut pieces };
        let linked = link(objects, workspace).expect("what was read can be linked");
        assert_eq!(linked.linkable(), linked.places().count() == 1);
    }
    true
}

fn text(bytes: &[u8]) -> Option<String> {
    told("", decode(bytes.to_vec()))
}

/// What was read, or nothing once the mistake was told.
fn told<T>(text: &str, read: Result<T, Error>) -> Option<T> {
    read.map_err(|error| {
        let help = error.help().map(str::to_owned);
        say(text, error.to_string(), error.span(), help);
        say(text, error.to_string(), error.first_use(), None);
    })
    .ok()
}

/// Says it as `lodger` does.
fn say(text: &str, message: String, span: Option<Range<usize>>, help: Option<String>) {
    if let Some(span) = &span {
        assert!(text.get(span.clone()).is_some(), "{span:?} is no part of the text");
    }
    let source = Source { name: "scene.toml".to_owned(), text: Some(Arc::new(text.to_owned())) };
    let mut diagnostic = Diagnostic::error(message).in_source(&source).at(span);
    diagnostic.help = help;
    assert!(!diagnostic.render(WIDTH).is_empty());
}
