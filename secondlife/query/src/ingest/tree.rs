//! `FSAssets` as it stands on disk: files named by their SHA-256, plain or compressed with gzip.
//!
//! Source: `OpenSimulator`, `FSAssetService.cs` (`HashToPath`, `HashToFile`): folders of the first 2, 2, 2 and 4 digits,
//! or with `UseOsgridFormat` of the first 3 and 3; it writes large digits.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use lodger_opensim::files::{Problem, Stream};
use lodger_quota::{Quota, QuotaExceeded};

use super::hash::Hash;

/// The most bytes of a file: as many as of an entry of an archive.
const MOST_BYTES: u64 = 64 << 20;
/// How a compressed file ends.
const GZ: &str = ".gz";

/// How many digits the folders above a file have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Layout(&'static [usize]);

/// `OpenSimulator`'s, and `OSGrid`'s.
const LAYOUTS: [Layout; 2] = [Layout(&[2, 2, 2, 4]), Layout(&[3, 3])];

/// One way to name a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Form {
    layout: Layout,
    large: bool,
    gz: bool,
}

/// A tree of files named by their hashes.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    root: PathBuf,
    /// All ways to name a file, the most likely first.
    forms: Vec<Form>,
}

/// Why there are no bytes of a hash.
pub(super) enum NoBytes {
    /// In one line.
    Because(String),
    /// More is needed than is allowed.
    QuotaExceeded(QuotaExceeded),
}

impl Tree {
    /// The tree in a folder, if there is one: a file of it was found.
    pub(super) fn recognise(folder: &Path) -> Option<Self> {
        let first = Files::of(folder).find_map(Result::ok)?;
        let mut forms = Vec::new();
        for layout in LAYOUTS {
            for large in [true, false] {
                forms.extend([true, false].map(|gz| Form { layout, large, gz }));
            }
        }
        forms.sort_by_key(|form| {
            let likely = first.form;
            [form.layout != likely.layout, form.large != likely.large, form.gz != likely.gz]
        });
        Some(Self { root: folder.to_owned(), forms })
    }

    /// Its folder.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// All its files, in an order that does not change.
    pub(super) fn files(&self) -> Files {
        Files::of(&self.root)
    }
}

/// The bytes of a hash, from the first file of several trees that has them.
pub(super) fn read(trees: &[Tree], hash: &Hash, quota: &Quota) -> Result<Vec<u8>, NoBytes> {
    let mut wrong = None;
    for tree in trees {
        for form in &tree.forms {
            match read_file(&form.path(&tree.root, hash), form.gz, quota) {
                Ok(None) => {}
                Ok(Some(bytes)) => match check(&bytes, hash) {
                    Ok(()) => return Ok(bytes),
                    Err(problem) => {
                        wrong.get_or_insert(problem);
                    }
                },
                Err(NoBytes::Because(problem)) => {
                    wrong.get_or_insert(problem);
                }
                Err(spent) => return Err(spent),
            }
        }
    }
    Err(NoBytes::Because(wrong.unwrap_or_else(|| "its file is missing".to_owned())))
}

/// Refuses bytes that are not those of a hash.
pub(super) fn check(bytes: &[u8], hash: &Hash) -> Result<(), String> {
    let found = Hash::of(bytes);
    match found == *hash {
        _ if bytes.is_empty() => Err("its file has 0 bytes".to_owned()),
        true => Ok(()),
        false => Err(format!("its file has other bytes, of the SHA-256 {found}")),
    }
}

/// The bytes of a file, inflated; none if it is not there.
fn read_file(path: &Path, gz: bool, quota: &Quota) -> Result<Option<Vec<u8>>, NoBytes> {
    let told = |error: &io::Error| NoBytes::Because(format!("its file cannot be read: {error}"));
    let file = match opened(path) {
        Ok(file) => file,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(told(&error)),
    };
    let found = file.metadata().map_err(|error| told(&error))?;
    if !found.is_file() {
        return Err(NoBytes::Because("in the place of its file is something else".to_owned()));
    }
    let size = found.len();
    if size > MOST_BYTES {
        return Err(NoBytes::Because(format!("its file has more than {} MiB", MOST_BYTES >> 20)));
    }
    if gz {
        return whole(Stream::of(file), quota).map(Some);
    }
    quota
        .charge_memory(size + 1)
        .and_then(|()| quota.charge_work(size))
        .map_err(NoBytes::QuotaExceeded)?;
    let mut bytes = Vec::with_capacity(usize::try_from(size + 1).unwrap_or_default());
    let read = file.take(size + 1).read_to_end(&mut bytes);
    read.map_err(|error| told(&error))?;
    Ok(Some(bytes))
}

/// Opens what may be a pipe, whose writer nobody waits for.
fn opened(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(
        &mut options,
        rustix::fs::OFlags::NONBLOCK.bits().cast_signed(),
    );
    options.read(true).open(path)
}

/// All bytes of a stream.
pub(super) fn whole(
    stream: Result<Stream<'_>, Problem>,
    quota: &Quota,
) -> Result<Vec<u8>, NoBytes> {
    stream.and_then(|stream| stream.whole(quota)).map_err(|problem| match problem.spent() {
        Some(spent) => NoBytes::QuotaExceeded(spent),
        None => NoBytes::Because(format!("its file: {problem}")),
    })
}

impl Form {
    fn path(&self, root: &Path, hash: &Hash) -> PathBuf {
        let mut name = hash.to_string();
        if self.large {
            name.make_ascii_uppercase();
        }
        let mut path = root.as_os_str().to_owned();
        path.reserve(2 * name.len());
        let mut from = 0;
        for digits in self.layout.0 {
            path.push(std::path::MAIN_SEPARATOR_STR);
            path.push(name.get(from..from + digits).unwrap_or_default());
            from += digits;
        }
        path.push(std::path::MAIN_SEPARATOR_STR);
        path.push(&name);
        if self.gz {
            path.push(GZ);
        }
        path.into()
    }
}

/// What lies in a folder of a tree under one hash.
#[derive(Clone, Debug)]
pub(super) struct TreeFile {
    /// What its name says.
    pub(super) hash: Hash,
    /// Its files in the order of names: plain, compressed, or both.
    pub(super) paths: Vec<PathBuf>,
    /// That of the first.
    form: Form,
}

/// The files of a tree, and folders that cannot be read; in the order of names. What lies elsewhere is passed over.
/// Links to folders are followed: no way is longer than a layout's.
#[derive(Debug)]
pub(super) struct Files {
    /// Folders with the words on the way to them, the next one last.
    waiting: Vec<(PathBuf, Vec<String>)>,
    found: Vec<TreeFile>,
}

impl Files {
    fn of(root: &Path) -> Self {
        Self { waiting: vec![(root.to_owned(), Vec::new())], found: Vec::new() }
    }

    /// Lists a folder.
    fn list(&mut self, folder: &Path, words: &[String]) -> io::Result<()> {
        let (mut folders, mut files) = (Vec::new(), Vec::new());
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let name = entry.file_name();
            let Some(name) = name.to_str() else { continue };
            let kind = entry.file_type()?;
            if kind.is_dir() || (kind.is_symlink() && entry.path().is_dir()) {
                folders.push(name.to_owned());
            } else {
                files.push(name.to_owned());
            }
        }
        folders.retain(|name| LAYOUTS.iter().any(|layout| leads(*layout, words, name)));
        folders.sort_unstable_by(|a, b| b.cmp(a));
        self.waiting.extend(folders.into_iter().map(|name| {
            let path = folder.join(&name);
            (path, words.iter().cloned().chain([name]).collect())
        }));
        files.sort_unstable();
        let file = |name: String| {
            let (digits, gz) = name.strip_suffix(GZ).map_or((&*name, false), |name| (name, true));
            let hash = Hash::parse(digits)?;
            let layout = LAYOUTS.into_iter().find(|layout| layout.is_of(words, digits))?;
            let large = digits.bytes().any(|digit| digit.is_ascii_uppercase());
            let paths = vec![folder.join(&name)];
            Some(TreeFile { hash, paths, form: Form { layout, large, gz } })
        };
        self.found = files.into_iter().filter_map(file).collect();
        self.found.sort_by_key(|file| std::cmp::Reverse(file.hash.short()));
        self.found.dedup_by(|next, first| {
            let is_one = next.hash == first.hash;
            if is_one {
                first.paths.append(&mut next.paths);
            }
            is_one
        });
        Ok(())
    }
}

/// Whether a folder may be on the way to a file.
fn leads(layout: Layout, words: &[String], name: &str) -> bool {
    let is = |digits: usize, word: &str| {
        word.len() == digits && word.bytes().all(|digit| digit.is_ascii_hexdigit())
    };
    let place = words.len();
    layout.0.get(place).is_some_and(|digits| is(*digits, name))
        && words.iter().zip(layout.0).all(|(word, digits)| is(*digits, word))
}

impl Layout {
    /// Whether a file of that name belongs there.
    fn is_of(self, words: &[String], digits: &str) -> bool {
        let mut rest = digits;
        words.len() == self.0.len()
            && words.iter().all(|word| match rest.strip_prefix(word.as_str()) {
                Some(behind) => {
                    rest = behind;
                    true
                }
                None => false,
            })
    }
}

impl Iterator for Files {
    type Item = Result<TreeFile, String>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(file) = self.found.pop() {
                return Some(Ok(file));
            }
            let (folder, words) = self.waiting.pop()?;
            if let Err(error) = self.list(&folder, &words) {
                return Some(Err(format!(
                    "the folder {} cannot be read: {error}",
                    folder.display()
                )));
            }
        }
    }
}
