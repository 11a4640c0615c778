//! Where everything goes that is made.

use std::fs;
use std::path::{Component, Path, PathBuf};

use lodger_pack::{Model, ObjectFile, Packed};
use lodger_terminal::output::Batch;
use lodger_terminal::{Diagnostic, check_outputs, count, is_same_file};

use super::names::unique;
use super::refusal;

/// What to do about files that are in the way.
const IS_THERE: &str =
    "choose another folder with --output DIR, or overwrite what is there with --force";

/// A folder that is there, or that can be made.
#[derive(Clone, Debug)]
pub(super) struct Folder(PathBuf);

impl Folder {
    /// Sees whether files can be put there. Nothing is made yet.
    pub(super) fn check(path: &Path) -> Result<Self, Diagnostic> {
        let shown = path.display();
        let problem = match fs::metadata(path) {
            Ok(found) if found.is_dir() => return Ok(Self(path.to_owned())),
            Ok(_) => format!("`{shown}` is a file, where --output names a folder"),
            Err(_) if path.as_os_str().is_empty() => "--output names no folder".to_owned(),
            Err(_) if above(path).is_dir() => return Ok(Self(path.to_owned())),
            Err(_) => {
                format!("there is no folder `{}` to make `{shown}` in", above(path).display())
            }
        };
        Err(Diagnostic::error(problem)
            .help("give a folder with --output DIR; its last part is made"))
    }

    /// Sees whether a report can be put where it should be: here, or in a folder that is there, and not onto
    /// what is read.
    pub(super) fn check_report(&self, report: &Path, inputs: &[PathBuf]) -> Result<(), Diagnostic> {
        let here = is_same_file(above(report), &self.0) || above(report) == self.0;
        if !here && !above(report).is_dir() {
            let message = format!("there is no folder for `--report {}`", report.display());
            return Err(
                Diagnostic::error(message).help("give --report a file in a folder that is there")
            );
        }
        if is_same_file(report, &self.0) || report.file_name().is_none() {
            let message = format!("`--report {}` names a folder", report.display());
            return Err(Diagnostic::error(message).help("give --report a file of its own"));
        }
        check_outputs(&[("--report", Some(report))], |is| first(inputs, is))
    }
}

/// The folder that a path is in.
fn above(path: &Path) -> &Path {
    let above = path.parent().filter(|above| *above != Path::new(""));
    above.unwrap_or(Path::new("."))
}

/// The first input of which a question is true.
fn first(inputs: &[PathBuf], is: &dyn Fn(&Path) -> bool) -> Option<PathBuf> {
    inputs.iter().find(|input| is(input)).cloned()
}

/// The names of all files that are made of a model.
pub(super) struct Places {
    folder: PathBuf,
    /// A name for each object, to which endings are put.
    names: Vec<String>,
    /// The images that are not there yet, by their index.
    images: Vec<usize>,
    report: Option<PathBuf>,
    overwrite: bool,
}

impl Places {
    /// Names for all that is made of a model.
    pub(super) fn new(
        folder: Folder,
        model: &Model,
        report: Option<&Path>,
        overwrite: bool,
    ) -> Result<Self, Diagnostic> {
        let Folder(folder) = folder;
        let images = model.images.iter().map(|(name, _)| name.as_str());
        if let Some(name) = images.clone().find(|name| !is_file_name(name)) {
            return Err(Diagnostic::error(format!(
                "an image is called `{name}`, which is no file"
            ))
            .help("give the image another name"));
        }
        let names = unique(model.objects.iter().map(|object| object.name.as_str()), images);
        // One that is there already, as where a model is packed beside itself, needs no writing.
        let is_new = |(name, bytes): &(String, Vec<u8>)| {
            let path = folder.join(name);
            let is_long = fs::metadata(&path)
                .is_ok_and(|found| found.is_file() && found.len() == bytes.len() as u64);
            !(is_long && fs::read(&path).is_ok_and(|found| found == *bytes))
        };
        let images = model.images.iter().enumerate().filter(|(_, image)| is_new(image));
        let images = images.map(|(index, _)| index).collect();
        Ok(Self { folder, names, images, report: report.map(Path::to_owned), overwrite })
    }

    /// What the files of an object are called, but for their endings.
    pub(super) fn name(&self, object: usize) -> &str {
        self.names.get(object).map_or("", String::as_str)
    }

    /// The folder.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The report, if one is made.
    pub(super) fn report(&self) -> Option<&Path> {
        self.report.as_deref()
    }

    /// Refuses places of files that are read, of folders and devices, and of files and links that are there unless
    /// they may be overwritten.
    pub(super) fn check(&self, inputs: &[PathBuf], model: &Model) -> Result<(), Diagnostic> {
        let made = self.made(model);
        for path in &made {
            if let Some(input) = first(inputs, &|input| is_same_file(input, path)) {
                let (path, input) = (path.display(), input.display());
                let told = format!("`{path}` in --output would overwrite the input `{input}`");
                return Err(Diagnostic::error(told).help("give --output another folder"));
            }
            // These have different names, and links are replaced: only the report can be one of them.
            let outputs =
                [("--output", Some(path.as_path())), ("--report", self.report.as_deref())];
            check_outputs(&outputs, |is| first(inputs, is))?;
        }
        let there: Vec<_> = made
            .iter()
            .chain(&self.report)
            .filter_map(|path| Some((path, path.symlink_metadata().ok()?)))
            .collect();
        if self.overwrite {
            let is_other = |path: &Path, found: &fs::Metadata| {
                let is_followed = path.parent() != Some(&self.folder);
                let behind = if is_followed { path.metadata().ok() } else { None };
                let found = behind.as_ref().unwrap_or(found);
                !found.is_file() && !found.is_symlink()
            };
            let other = there.iter().find(|(path, it)| is_other(path, it));
            let Some((path, _)) = other else { return Ok(()) };
            let told = format!("`{}` is there, and is no file", path.display());
            return Err(Diagnostic::error(told).help("move it, or choose another place"));
        }
        let Some((first, _)) = there.first() else { return Ok(()) };
        let more = match there.len() - 1 {
            0 => String::new(),
            others => format!(
                ", and so {} {}",
                if others == 1 { "is" } else { "are" },
                count(others, "more file")
            ),
        };
        Err(Diagnostic::error(format!("`{}` is there already{more}", first.display()))
            .help(IS_THERE))
    }

    /// Writes everything, or nothing.
    pub(super) fn write(
        &self,
        model: &Model,
        packed: &Packed,
        page: Option<&str>,
    ) -> Result<(), Diagnostic> {
        let batch = Batch::new(self.overwrite).replace_links(&self.folder).help_if_taken(IS_THERE);
        let other_folder = |it: Diagnostic| it.help("choose another folder with --output DIR");
        batch.make_folder(&self.folder).map_err(other_folder)?;
        for (index, name) in self.names.iter().enumerate() {
            for file in ObjectFile::ALL {
                let path = self.folder.join(format!("{name}{}", file.ending()));
                let bytes = file.bytes(model, packed, index);
                batch.add(&path, &bytes.map_err(|error| refusal::told(&error, None))?)?;
            }
        }
        for (name, bytes) in self.images.iter().filter_map(|index| model.images.get(*index)) {
            batch.add(&self.folder.join(name), bytes)?;
        }
        if let (Some(report), Some(page)) = (&self.report, page) {
            batch.add(report, page.as_bytes())?;
        }
        batch.finish()
    }

    /// What is made in the folder.
    fn made(&self, model: &Model) -> Vec<PathBuf> {
        let of_object =
            |name: &String| ObjectFile::ALL.map(|file| format!("{name}{}", file.ending()));
        let objects = self.names.iter().flat_map(of_object);
        let images = self.images.iter().filter_map(|index| model.images.get(*index));
        let images = images.map(|(name, _)| name.clone());
        objects.chain(images).map(|name| self.folder.join(name)).collect()
    }
}

/// Whether it is the name of something in a folder, and of nothing elsewhere.
fn is_file_name(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    matches!((parts.next(), parts.next()), (Some(Component::Normal(only)), None) if only == name)
        && !name.contains(['/', '\\', '\0'])
}

#[cfg(test)]
mod tests {
    use lodger_pack::Object;

    use super::*;

    fn model(images: &[&str]) -> Model {
        let object = Object { name: "hat".to_owned(), ..Object::default() };
        let images = images.iter().map(|name| ((*name).to_owned(), name.as_bytes().to_vec()));
        Model { objects: vec![object], images: images.collect(), ..Model::default() }
    }

    fn check(folder: &Path, model: &Model, overwrite: bool, input: &Path) -> Result<(), String> {
        let folder = Folder::check(folder).map_err(|it| it.message)?;
        let places = Places::new(folder, model, None, overwrite).map_err(|it| it.message)?;
        places.check(&[input.to_owned()], model).map_err(|it| it.message)
    }

    #[test]
    fn what_is_there_is_in_the_way_and_an_input_always() {
        let work = tempfile::tempdir().expect("a folder");
        let (model, folder) = (model(&[]), work.path());
        let other = Path::new("other.glb");
        assert_eq!(check(folder, &model, false, other), Ok(()));
        let there = folder.join("hat_LOD1.glb");
        fs::write(&there, "mine").expect("a file");
        fs::write(folder.join("hat.llmesh"), "mine").expect("a file");
        let told = check(folder, &model, false, other).expect_err("it is there");
        assert!(told.ends_with("hat.llmesh` is there already, and so is 1 more file"), "{told}");
        assert_eq!(check(folder, &model, true, other), Ok(()));
        let told = check(folder, &model, true, &there).expect_err("it is read");
        assert!(told.contains("would overwrite the input"), "{told}");
    }

    #[test]
    fn an_image_that_is_there_is_not_in_the_way_and_another_is() {
        let work = tempfile::tempdir().expect("a folder");
        let (model, folder) = (model(&["red.png"]), work.path());
        let image = folder.join("red.png");
        fs::write(&image, "red.png").expect("a file");
        assert_eq!(check(folder, &model, false, &image), Ok(()));
        fs::write(&image, "blue.pn").expect("a file");
        assert!(check(folder, &model, false, Path::new("no")).is_err());
    }

    #[test]
    fn an_image_stays_in_the_folder() {
        let work = tempfile::tempdir().expect("a folder");
        for name in ["../red.png", "/red.png", "a/red.png", "a\\red.png", "..", ".", ""] {
            let told = check(work.path(), &model(&[name]), false, Path::new("no"));
            assert!(told.expect_err(name).contains("an image is called"), "{name}");
        }
    }

    #[test]
    fn a_folder_is_one_or_can_be_made() {
        let work = tempfile::tempdir().expect("a folder");
        let at = |name: &str| Folder::check(&work.path().join(name)).map_err(|it| it.message);
        assert!(at("").is_ok() && at("new").is_ok() && Folder::check(Path::new("new")).is_ok());
        fs::write(work.path().join("file"), "").expect("a file");
        assert!(at("file").expect_err("a file").contains("is a file"));
        assert!(at("a/b").expect_err("no folder").contains("there is no folder"));
        assert!(Folder::check(Path::new("")).is_err());
    }
}
