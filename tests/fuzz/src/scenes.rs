//! Scenes and linksets: read, decided or linked, and their diagnostics.

use std::ops::Range;
use std::sync::Arc;

use lodger_core::linkability::{Ball, LinkScratch, LinkedPiece, SphereRule, link};
use lodger_core::units::Budget;
use lodger_scenes::{
    Linkset, SceneFile, SceneFileError, SceneFormat, SceneLimits, SceneOverrides, decode,
};
use lodger_scheduler::View;
use lodger_terminal::{Diagnostic, SourceFile};

use super::quota;

const WIDTH: usize = 100;
/// The largest linkset; more objects take too long in pairs.
const MAX_OBJECTS: usize = 1024;

/// A scene in TOML: a readable scene is decided, and the plan has every actor.
///
/// # Panics
/// If the plan lacks an actor, or a span is outside of the text.
#[must_use]
pub fn scene(bytes: &[u8]) -> bool {
    let Some(text) = text(bytes) else { return false };
    let read = SceneFile::from_toml(&text, &SceneOverrides::default(), limits(), &quota());
    read_or_report(&text, read).is_some_and(|file| decided(&text, file))
}

/// A glTF scene, as JSON or binary: a readable scene is decided, and the plan has every actor. Its external files
/// have the same bytes.
///
/// # Panics
/// If the plan lacks an actor.
#[must_use]
pub fn gltf(bytes: &[u8]) -> bool {
    assert_ne!(SceneFormat::detect("scene.glb", bytes), SceneFormat::Toml);
    let outside = |_: &str, max: u64| {
        let len = usize::try_from(max).map_or(bytes.len(), |max| max.min(bytes.len()));
        Ok(bytes[..len].to_vec())
    };
    let read =
        SceneFile::from_gltf_with(bytes, outside, &SceneOverrides::default(), limits(), &quota());
    read_or_report("", read).is_some_and(|file| decided("", file))
}

/// The index of a Streamed SOG: a readable index is decided within the budget, and the plan has every leaf.
///
/// # Panics
/// If the plan lacks an actor, or a span is outside of the text.
#[must_use]
pub fn sog(bytes: &[u8]) -> bool {
    let Some(text) = text(bytes) else { return false };
    let settings = SceneOverrides {
        units: Some(Budget::from_ns(1_000)),
        view: View::from_position([0.0, 2.0, 8.0]).ok(),
        ..SceneOverrides::default()
    };
    let read = SceneFile::from_streamed_sog(&text, &settings, limits(), &quota());
    read_or_report(&text, read).is_some_and(|file| decided(&text, file))
}

fn limits() -> SceneLimits {
    SceneLimits::default()
}

fn decided(text: &str, mut file: SceneFile) -> bool {
    assert!(file.warnings.len() <= limits().warnings);
    for warning in &file.warnings {
        render(text, warning.to_string(), warning.span.clone(), None);
    }
    assert!(file.actors.iter().all(|actor| file.scene.work(actor.id).is_some()));
    let plan = file.scene.tick();
    assert_eq!(plan.actors().count(), file.actors.len());
    assert!(!plan.is_feasible() || plan.assigned_ns() <= plan.budget().ns().unwrap_or(u64::MAX));
    for actor in &file.actors {
        let decided = plan.actor(actor.id).expect("every actor is in the plan");
        assert_eq!(decided.module, actor.module);
        assert!(!decided.reason.to_string().is_empty());
    }
    true
}

/// A TOML file of objects, under both rules.
///
/// # Panics
/// If a rule rejects a readable linkset, or a span is outside of the text.
#[must_use]
pub fn linkset(bytes: &[u8]) -> bool {
    let Some(text) = text(bytes) else { return false };
    let Some(linkset) = read_or_report(&text, Linkset::from_toml(&text, &quota())) else {
        return false;
    };
    let objects = linkset.objects.as_slice();
    SphereRule::DOCUMENT.check(objects).expect("a valid linkset");
    if objects.len() <= MAX_OBJECTS {
        let prims = objects.iter().map(|object| object.prims.len()).sum();
        let mut spheres = vec![Ball::default(); prims];
        let mut pieces = vec![LinkedPiece::default(); objects.len()];
        let scratch = LinkScratch { spheres: &mut spheres, pieces: &mut pieces };
        let linked = link(objects, scratch).expect("a valid linkset");
        assert_eq!(linked.linkable(), linked.places().count() == 1);
    }
    true
}

fn text(bytes: &[u8]) -> Option<String> {
    read_or_report("", decode(bytes.to_vec()))
}

fn read_or_report<T>(text: &str, read: Result<T, SceneFileError>) -> Option<T> {
    read.map_err(|error| {
        let help = error.help().map(str::to_owned);
        render(text, error.to_string(), error.span(), help);
        render(text, error.to_string(), error.first_use(), None);
    })
    .ok()
}

fn render(text: &str, message: String, span: Option<Range<usize>>, help: Option<String>) {
    if let Some(span) = &span {
        assert!(text.get(span.clone()).is_some(), "{span:?} is no part of the text");
    }
    let source =
        SourceFile { name: "scene.toml".to_owned(), text: Some(Arc::new(text.to_owned())) };
    let mut diagnostic = Diagnostic::error(message).in_source(&source).at(span);
    diagnostic.help.extend(help);
    assert!(!diagnostic.render(WIDTH).is_empty());
}
