//! Scenes in TOML.

mod actor;
mod module;
mod money;
mod raw;

#[cfg(test)]
mod tests;

use std::ops::Range;

use lodger_allowance::Allowance;
use lodger_scheduler::{Scene, View};

use crate::error::{Error, ErrorKind};
use crate::limits::Limits;
use crate::memory::Memory;
use crate::names;
use crate::number::place;
use crate::place::{ACTORS, Subject};
use crate::policy::{PolicyName, Written};
use crate::scene_file::SceneFile;
use crate::settings::Settings;
use crate::text::{parse, parse_unpaid};
use crate::toml_outline::Outline;
use crate::toml_price::{WORK, price};
use crate::warning::locate;
use actor::Cast;
use raw::{RawActor, RawActors, RawScene, RawView};

/// The bytes of what was parsed but for actors, for each byte of its text.
const PARSED: u64 = 16;

impl SceneFile {
    /// Reads a scene in TOML; [`EXAMPLE`](crate::EXAMPLE) explains all of its keys. Of each `[[actor]]`
    /// no more is kept at a time than one and what a scene is made of.
    ///
    /// # Errors
    /// Every [`ErrorKind`] but those of glTF, of linksets and of texts that are not UTF-8, each with its
    /// place. Where a text is too long to be parsed as a whole within the allowance, and several things
    /// are wrong, it may be another one of them that is told.
    ///
    /// # Examples
    /// ```
    /// use lodger_allowance::{Allowance, Limits as Most};
    /// use lodger_scenes::{EXAMPLE, Limits, SceneFile, Settings};
    ///
    /// let allowance = Allowance::new(Most::default());
    /// let (settings, limits) = (Settings::default(), Limits::default());
    /// let mut file = SceneFile::from_toml(EXAMPLE, &settings, limits, &allowance)?;
    /// let cape = &file.actors[0];
    /// assert_eq!(&*cape.name, "hero cape");
    /// let plan = file.scene.tick();
    /// assert_eq!(plan.lod(cape.id).map(|lod| lod.level()), Some(3));
    /// assert!(plan.is_feasible());
    /// # Ok::<(), lodger_scenes::Error>(())
    /// ```
    pub fn from_toml(
        text: &str,
        settings: &Settings,
        limits: Limits,
        allowance: &Allowance,
    ) -> Result<Self, Error> {
        let reading = Reading { settings, limits, allowance };
        let mut file = reading.read(text).map_err(|error| error.locate(text))?;
        locate(&mut file.warnings, text);
        Ok(file)
    }
}

/// How a scene is read.
#[derive(Clone, Copy)]
struct Reading<'a> {
    settings: &'a Settings,
    limits: Limits,
    allowance: &'a Allowance,
}

impl Reading<'_> {
    /// Reads the actors one by one, unless they are written in another way than as `[[actor]]`, or the text
    /// is wrong: then the whole is parsed, as several things may be.
    fn read(self, text: &str) -> Result<SceneFile, Error> {
        let outline = Outline::new(text, ACTORS);
        let rest = outline.rest(self.allowance)?;
        let has_actors = outline.elements().next().is_some();
        let mut raw = match parse::<RawScene>(&rest.text, self.allowance) {
            Ok(raw) => raw,
            Err(error) if has_actors && !error.is_spent() => {
                return self.read_whole(text, Some(error.moved(|span| rest.in_text(span))));
            }
            Err(error) => return Err(error),
        };
        self.allowance.keep(PARSED * rest.text.len() as u64)?;
        match raw.actor.take() {
            Some(_) if has_actors => self.read_whole(text, None),
            Some(listed) => self.build(&raw, listed.into_iter().map(Ok)),
            None => {
                let actors = outline.elements().map(|part| self.actor(text, part));
                self.build(&raw, actors).or_else(|error| match error.kind() {
                    ErrorKind::Toml(_) => self.read_whole(text, Some(error)),
                    _ => Err(error),
                })
            }
        }
    }

    /// Reads a text that is parsed as a whole, if there is room for that. Otherwise it is what was found in
    /// a part of it that is wrong.
    fn read_whole(self, text: &str, found: Option<Error>) -> Result<SceneFile, Error> {
        if let Err(spent) = self.allowance.keep(price(text, self.allowance.left())) {
            return Err(found.unwrap_or(spent.into()));
        }
        self.allowance.work(WORK * text.len() as u64)?;
        let mut raw = parse_unpaid::<RawScene>(text)?;
        let listed = raw.actor.take().unwrap_or_default();
        self.build(&raw, listed.into_iter().map(Ok))
    }

    /// Parses a part of a text that is one actor.
    fn actor(self, text: &str, part: Range<usize>) -> Result<RawActor, Error> {
        let parsed = parse::<RawActors>(&text[part.clone()], self.allowance);
        let RawActors { actor: [actor] } = parsed
            .map_err(|error| error.moved(|span| part.start + span.start..part.start + span.end))?;
        Ok(actor)
    }

    /// Makes a scene, unless an actor cannot be parsed: whatever else is wrong, that is told.
    fn build(
        self,
        raw: &RawScene,
        mut actors: impl Iterator<Item = Result<RawActor, Error>>,
    ) -> Result<SceneFile, Error> {
        let mut memory = Memory::new(self.allowance);
        match self.begin(raw, &memory) {
            Ok(mut file) => {
                let cast = Cast { file: &mut file, raw, limits: self.limits, memory: &mut memory };
                cast.spawn_all(actors, self.allowance)?;
                Ok(file)
            }
            Err(error) => actors.try_for_each(|actor| actor.map(drop)).and(Err(error)),
        }
    }

    /// A scene without actors.
    fn begin(self, raw: &RawScene, memory: &Memory<'_>) -> Result<SceneFile, Error> {
        let unit = money::unit(raw)?;
        let budget = money::budget(raw, &unit, self.settings)?;
        let policy = self.settings.policy_for(Written {
            policy: raw.policy,
            leftovers: raw.leftovers,
            otherwise: PolicyName::Proportional,
        })?;
        let mut file = SceneFile::new(Scene::new(budget), unit);
        file.scene.set_policy(policy);
        file.scene.set_count_unmanaged(raw.count_unmanaged);
        let views = raw.view.iter().enumerate().map(|(index, view)| eye(index, view));
        let views = views.collect::<Result<Vec<_>, _>>()?;
        let views = self.settings.view.map_or(views, |view| vec![view]);
        for (index, view) in views.iter().enumerate() {
            let what = || format!("view {}", index + 1);
            file.scene
                .add_view(*view)
                .map_err(|error| Error::refused(Subject::View(index), what(), error))?;
        }
        let modules = &raw.module;
        let name = |index: usize| modules[index].name.as_str();
        let called = ("module", Subject::Module as fn(usize) -> Subject);
        names::unique(modules.len(), name, called, self.allowance)?;
        for (index, module) in modules.iter().enumerate() {
            let name = memory.module(&module.name)?;
            let module = module::add(&mut file, index, module, name)?;
            file.modules.push(module);
        }
        Ok(file)
    }
}

fn eye(index: usize, view: &RawView) -> Result<View<f32>, Error> {
    let subject = Subject::View(index);
    place(view.eye.0).and_then(View::eye).map_err(|error| {
        match view.eye.0.iter().find(|component| !component.is_finite()) {
            Some(&component) => Error::number(subject, "eye", component, error),
            None => {
                Error::refused(subject, format!("view {}", index + 1), error.into()).about("eye")
            }
        }
    })
}
