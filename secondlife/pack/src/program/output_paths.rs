//! Output paths: checked before packing, written together. File names from untrusted object names.

use std::collections::HashSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use lodger_pack::{Model, ObjectFile, PackedModel};
use lodger_terminal::output::FileBatch;
use lodger_terminal::{Diagnostic, check_outputs, count, is_same_file};

use crate::program::to_diagnostic;

const IS_THERE: &str =
    "choose another folder with --output DIR, or overwrite what is there with --force";

#[derive(Clone, Debug)]
pub(super) struct OutputFolder(PathBuf);

impl OutputFolder {
    /// Checks that a folder exists or can be made; makes nothing.
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
        check_outputs(&[("--report", Some(report))], |is| first_input(inputs, is))
    }
}

fn above(path: &Path) -> &Path {
    let above = path.parent().filter(|above| *above != Path::new(""));
    above.unwrap_or(Path::new("."))
}

fn first_input(inputs: &[PathBuf], is: &dyn Fn(&Path) -> bool) -> Option<PathBuf> {
    inputs.iter().find(|input| is(input)).cloned()
}

pub(super) struct OutputPaths {
    folder: PathBuf,
    names: Vec<String>,
    /// The indices of images that do not exist yet.
    images: Vec<usize>,
    report: Option<PathBuf>,
    overwrite: bool,
}

impl OutputPaths {
    pub(super) fn new(
        folder: OutputFolder,
        model: &Model,
        report: Option<&Path>,
        overwrite: bool,
    ) -> Result<Self, Diagnostic> {
        let OutputFolder(folder) = folder;
        let images = model.images.iter().map(|(name, _)| name.as_str());
        if let Some(name) = images.clone().find(|name| !is_file_name(name)) {
            return Err(Diagnostic::error(format!(
                "an image is called `{name}`, which is no file"
            ))
            .help("give the image another name"));
        }
        let names = unique(model.objects.iter().map(|object| object.name.as_str()), images);
        // An equal existing image, as beside the source, need not be written.
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

    pub(super) fn name(&self, object: usize) -> &str {
        self.names.get(object).map_or("", String::as_str)
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(super) fn report(&self) -> Option<&Path> {
        self.report.as_deref()
    }

    /// Rejects paths of inputs, of folders and devices, and of existing files and links without
    /// `--force`.
    pub(super) fn check(&self, inputs: &[PathBuf], model: &Model) -> Result<(), Diagnostic> {
        let made = self.paths(model);
        for path in &made {
            if let Some(input) = first_input(inputs, &|input| is_same_file(input, path)) {
                let (path, input) = (path.display(), input.display());
                let message = format!("`{path}` in --output would overwrite the input `{input}`");
                return Err(Diagnostic::error(message).help("give --output another folder"));
            }
            // Object files differ in name, and links are replaced, so only the report can coincide.
            let outputs =
                [("--output", Some(path.as_path())), ("--report", self.report.as_deref())];
            check_outputs(&outputs, |is| first_input(inputs, is))?;
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
            let message = format!("`{}` is there, and is no file", path.display());
            return Err(Diagnostic::error(message).help("move it, or choose another place"));
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

    pub(super) fn write(
        &self,
        model: &Model,
        packed: &PackedModel,
        page: Option<&str>,
    ) -> Result<(), Diagnostic> {
        let batch =
            FileBatch::new(self.overwrite).replace_links(&self.folder).help_if_taken(IS_THERE);
        let other_folder = |it: Diagnostic| it.help("choose another folder with --output DIR");
        batch.make_folder(&self.folder).map_err(other_folder)?;
        for (index, name) in self.names.iter().enumerate() {
            for file in ObjectFile::ALL {
                let path = self.folder.join(format!("{name}{}", file.ending()));
                let bytes = file.bytes(model, packed, index);
                batch.add(&path, &bytes.map_err(|error| to_diagnostic(&error, None))?)?;
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

    fn paths(&self, model: &Model) -> Vec<PathBuf> {
        let of_object =
            |name: &String| ObjectFile::ALL.map(|file| format!("{name}{}", file.ending()));
        let objects = self.names.iter().flat_map(of_object);
        let images = self.images.iter().filter_map(|index| model.images.get(*index));
        let images = images.map(|(name, _)| name.clone());
        objects.chain(images).map(|name| self.folder.join(name)).collect()
    }
}

fn is_file_name(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    matches!((parts.next(), parts.next()), (Some(Component::Normal(only)), None) if only == name)
        && !name.contains(['/', '\\', '\0'])
}

/// The limit of characters of a name, within the limits of all systems.
const MAX_NAME: usize = 60;
const NAMELESS: &str = "object";
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];
const NUMBERED_DEVICES: [&str; 2] = ["com", "lpt"];

/// Names for the files of each object: all differ, ignoring case, also from `taken`.
pub(super) fn unique<'n>(
    names: impl IntoIterator<Item = &'n str>,
    taken: impl IntoIterator<Item = &'n str>,
) -> Vec<String> {
    let mut taken: HashSet<String> = taken.into_iter().map(str::to_lowercase).collect();
    let mut claim = |name: String| {
        let files = ObjectFile::ALL.map(|file| format!("{name}{}", file.ending()).to_lowercase());
        let is_free = files.iter().all(|file| !taken.contains(file));
        is_free.then(|| {
            taken.extend(files);
            name
        })
    };
    let mut unique = Vec::new();
    for name in names {
        let name = safe(name);
        let numbered = (2_usize..).map(|number| format!("{name}-{number}"));
        unique.extend(std::iter::once(name.clone()).chain(numbered).find_map(&mut claim));
    }
    unique
}

/// A file name that is valid on every system, and is no option or folder.
fn safe(name: &str) -> String {
    let clipped = name.chars().take(MAX_NAME).map(|c| if is_plain(c) { c } else { '_' });
    let clipped: String = clipped.collect();
    let ends = |c: char| c == '.' || c.is_whitespace();
    let mut safe = clipped.trim_matches(ends).to_owned();
    if safe.starts_with('-') {
        safe.replace_range(..1, "_");
    }
    if is_device(&safe) {
        safe.insert(0, '_');
    }
    if safe.is_empty() { NAMELESS.to_owned() } else { safe }
}

fn is_plain(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, ' ' | '-' | '_' | '.' | '+' | ',' | '(' | ')' | '[' | ']')
}

fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).trim_end().to_lowercase();
    let has_digit = |stem: &str| {
        let mut rest = stem.chars().skip(3);
        matches!((rest.next(), rest.next()), (Some(digit), None) if digit.is_numeric())
    };
    DEVICES.contains(&&*stem)
        || NUMBERED_DEVICES.iter().any(|device| stem.starts_with(device) && has_digit(&stem))
}

#[cfg(test)]
mod tests {
    use lodger_pack::ModelObject;

    use super::*;

    fn model(images: &[&str]) -> Model {
        let object = ModelObject { name: "hat".to_owned(), ..ModelObject::default() };
        let images = images.iter().map(|name| ((*name).to_owned(), name.as_bytes().to_vec()));
        Model { objects: vec![object], images: images.collect(), ..Model::default() }
    }

    fn check(folder: &Path, model: &Model, overwrite: bool, input: &Path) -> Result<(), String> {
        let folder = OutputFolder::check(folder).map_err(|it| it.message)?;
        let places = OutputPaths::new(folder, model, None, overwrite).map_err(|it| it.message)?;
        places.check(&[input.to_owned()], model).map_err(|it| it.message)
    }

    #[test]
    fn equal_existing_images_are_accepted_and_others_rejected() {
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
            let message = check(work.path(), &model(&[name]), false, Path::new("no"));
            assert!(message.expect_err(name).contains("an image is called"), "{name}");
        }
    }

    #[test]
    fn a_name_is_one_of_a_file() {
        for (name, file) in [
            ("Kapuzenmäntel (rot)", "Kapuzenmäntel (rot)"),
            ("../../etc/passwd", "_.._etc_passwd"),
            ("a\\b:c*d", "a_b_c_d"),
            ("..", "object"),
            ("", "object"),
            (" . hidden. ", "hidden"),
            ("-rf", "_rf"),
            ("nul", "_nul"),
            ("COM1.mesh", "_COM1.mesh"),
            ("come", "come"),
            ("a\0\n\u{202e}b", "a___b"),
        ] {
            assert_eq!(safe(name), file, "{name:?}");
        }
        let long = safe(&"👗長".repeat(500));
        assert!(long.chars().count() <= MAX_NAME && long.len() < 240);
    }

    #[test]
    fn no_two_files_share_a_name() {
        let names = ["Tree", "tree", "tree", "tree_LOD0", "a/b", "a:b", "wood"];
        let unique = unique(names, ["wood.glb"]);
        assert_eq!(unique, ["Tree", "tree-2", "tree-3", "tree_LOD0-2", "a_b", "a_b-2", "wood-2"]);
    }

    #[test]
    fn names_with_a_level_suffix_do_not_collide() {
        assert_eq!(unique(["tree_LOD0", "tree"], []), ["tree_LOD0", "tree-2"]);
    }
}
