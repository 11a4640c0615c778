//! Trees of files that are named by their SHA-256, plain or compressed with gzip.
//!
//! Source: `OpenSimulator`, `FSAssetService.cs` (`HashToPath`, `HashToFile`): folders of the first
//! 2, 2, 2 and 4 digits, or with `UseOsgridFormat` of the first 3 and 3; it writes upper-case
//! digits.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use lodger_opensim::files::{FileErrorKind, SniffedReader};
use lodger_quota::{Quota, QuotaExceeded};
use sha2::{Digest as _, Sha256};

/// A SHA-256, displayed as 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hash([u8; 32]);

impl Hash {
    pub(super) fn from_bytes(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// Parses 64 hexadecimal digits of either case.
    pub(super) fn parse(text: &str) -> Option<Self> {
        hexadecimal(text.as_bytes())?.try_into().ok().map(Self)
    }

    /// The first half, which identifies the hash in an index.
    pub(super) fn short(&self) -> u128 {
        self.0.iter().take(16).fold(0, |sum, byte| sum << 8 | u128::from(*byte))
    }
}

pub(super) fn hexadecimal(digits: &[u8]) -> Option<Vec<u8>> {
    let (pairs, []) = digits.as_chunks() else { return None };
    let digit =
        |digit: u8| char::from(digit).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    pairs.iter().map(|&[high, low]| Some(digit(high)? << 4 | digit(low)?)).collect()
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

const MAX_BYTES: u64 = 64 << 20;
const GZ: &str = ".gz";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FolderLayout(&'static [usize]);

const LAYOUTS: [FolderLayout; 2] = [FolderLayout(&[2, 2, 2, 4]), FolderLayout(&[3, 3])];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Naming {
    layout: FolderLayout,
    upper_case: bool,
    gz: bool,
}

#[derive(Clone, Debug)]
pub(super) struct FileTree {
    root: PathBuf,
    namings: Vec<Naming>,
}

/// The reason that the bytes of a hash cannot be read.
pub(super) enum ReadError {
    /// The problem, in one line.
    Unreadable(String),
    QuotaExceeded(QuotaExceeded),
}

impl FileTree {
    pub(super) fn detect(folder: &Path) -> Option<Self> {
        let first = TreeFiles::new(folder).find_map(Result::ok)?;
        let mut namings = Vec::new();
        for layout in LAYOUTS {
            for upper_case in [true, false] {
                namings.extend([true, false].map(|gz| Naming { layout, upper_case, gz }));
            }
        }
        namings.sort_by_key(|naming| {
            let likely = first.naming;
            [
                naming.layout != likely.layout,
                naming.upper_case != likely.upper_case,
                naming.gz != likely.gz,
            ]
        });
        Some(Self { root: folder.to_owned(), namings })
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    pub(super) fn files(&self) -> TreeFiles {
        TreeFiles::new(&self.root)
    }
}

/// Reads the bytes of a hash from the first valid file in several trees.
pub(super) fn read(trees: &[FileTree], hash: &Hash, quota: &Quota) -> Result<Vec<u8>, ReadError> {
    let mut wrong = None;
    for tree in trees {
        for naming in &tree.namings {
            match read_file(&naming.path(&tree.root, hash), naming.gz, quota) {
                Ok(None) => {}
                Ok(Some(bytes)) => match check(&bytes, hash) {
                    Ok(()) => return Ok(bytes),
                    Err(problem) => {
                        wrong.get_or_insert(problem);
                    }
                },
                Err(ReadError::Unreadable(problem)) => {
                    wrong.get_or_insert(problem);
                }
                Err(exceeded) => return Err(exceeded),
            }
        }
    }
    Err(ReadError::Unreadable(wrong.unwrap_or_else(|| "its file is missing".to_owned())))
}

pub(super) fn check(bytes: &[u8], hash: &Hash) -> Result<(), String> {
    let found = Hash::from_bytes(bytes);
    match found == *hash {
        _ if bytes.is_empty() => Err("its file has 0 bytes".to_owned()),
        true => Ok(()),
        false => Err(format!("its file has other bytes, of the SHA-256 {found}")),
    }
}

/// Reads and inflates a file; `None` if it does not exist.
fn read_file(path: &Path, gz: bool, quota: &Quota) -> Result<Option<Vec<u8>>, ReadError> {
    let fail =
        |error: &io::Error| ReadError::Unreadable(format!("its file cannot be read: {error}"));
    let file = match open(path) {
        Ok(file) => file,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(fail(&error)),
    };
    let found = file.metadata().map_err(|error| fail(&error))?;
    if !found.is_file() {
        return Err(ReadError::Unreadable("its path is not a file".to_owned()));
    }
    let size = found.len();
    if size > MAX_BYTES {
        return Err(ReadError::Unreadable(format!(
            "its file has more than {} MiB",
            MAX_BYTES >> 20
        )));
    }
    if gz {
        return read_all(SniffedReader::new(file), quota).map(Some);
    }
    quota
        .charge_memory(size + 1)
        .and_then(|()| quota.charge_work(size))
        .map_err(ReadError::QuotaExceeded)?;
    let mut bytes = Vec::with_capacity(usize::try_from(size + 1).unwrap_or_default());
    let read = file.take(size + 1).read_to_end(&mut bytes);
    read.map_err(|error| fail(&error))?;
    Ok(Some(bytes))
}

/// Opens a file without blocking, as it may be a pipe.
fn open(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(
        &mut options,
        rustix::fs::OFlags::NONBLOCK.bits().cast_signed(),
    );
    options.read(true).open(path)
}

pub(super) fn read_all(
    stream: Result<SniffedReader<'_>, FileErrorKind>,
    quota: &Quota,
) -> Result<Vec<u8>, ReadError> {
    stream.and_then(|stream| stream.read_all(quota)).map_err(|problem| {
        match problem.quota_exceeded() {
            Some(exceeded) => ReadError::QuotaExceeded(exceeded),
            None => ReadError::Unreadable(format!("its file: {problem}")),
        }
    })
}

impl Naming {
    fn path(&self, root: &Path, hash: &Hash) -> PathBuf {
        let mut name = hash.to_string();
        if self.upper_case {
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

#[derive(Clone, Debug)]
pub(super) struct TreeFile {
    pub(super) hash: Hash,
    /// Paths in the order of names: plain, compressed, or both.
    pub(super) paths: Vec<PathBuf>,
    naming: Naming,
}

/// Iterator over the files of a tree and errors of unreadable folders, in the order of names.
/// Ignores other files and follows links to folders; no path is longer than the layout.
#[derive(Debug)]
pub(super) struct TreeFiles {
    /// Folders with the names of the folders above them, the next one last.
    waiting: Vec<(PathBuf, Vec<String>)>,
    found: Vec<TreeFile>,
}

impl TreeFiles {
    fn new(root: &Path) -> Self {
        Self { waiting: vec![(root.to_owned(), Vec::new())], found: Vec::new() }
    }

    fn list(&mut self, folder: &Path, parents: &[String]) -> io::Result<()> {
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
        folders.retain(|name| LAYOUTS.iter().any(|layout| layout.contains_folder(parents, name)));
        folders.sort_unstable_by(|a, b| b.cmp(a));
        self.waiting.extend(folders.into_iter().map(|name| {
            let path = folder.join(&name);
            (path, parents.iter().cloned().chain([name]).collect())
        }));
        files.sort_unstable();
        let file = |name: String| {
            let (digits, gz) = name.strip_suffix(GZ).map_or((&*name, false), |name| (name, true));
            let hash = Hash::parse(digits)?;
            let layout =
                LAYOUTS.into_iter().find(|layout| layout.contains_file(parents, digits))?;
            let upper_case = digits.bytes().any(|digit| digit.is_ascii_uppercase());
            let paths = vec![folder.join(&name)];
            Some(TreeFile { hash, paths, naming: Naming { layout, upper_case, gz } })
        };
        self.found = files.into_iter().filter_map(file).collect();
        self.found.sort_by_key(|file| std::cmp::Reverse(file.hash.short()));
        self.found.dedup_by(|next, first| {
            let is_same = next.hash == first.hash;
            if is_same {
                first.paths.append(&mut next.paths);
            }
            is_same
        });
        Ok(())
    }
}

impl FolderLayout {
    fn contains_folder(self, parents: &[String], name: &str) -> bool {
        let matches = |digits: usize, name: &str| {
            name.len() == digits && name.bytes().all(|digit| digit.is_ascii_hexdigit())
        };
        self.0.get(parents.len()).is_some_and(|digits| matches(*digits, name))
            && parents.iter().zip(self.0).all(|(parent, digits)| matches(*digits, parent))
    }

    fn contains_file(self, parents: &[String], name: &str) -> bool {
        parents.len() == self.0.len() && name.starts_with(&parents.concat())
    }
}

impl Iterator for TreeFiles {
    type Item = Result<TreeFile, String>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(file) = self.found.pop() {
                return Some(Ok(file));
            }
            let (folder, parents) = self.waiting.pop()?;
            if let Err(error) = self.list(&folder, &parents) {
                return Some(Err(format!(
                    "the folder {} cannot be read: {error}",
                    folder.display()
                )));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_parsed_in_either_case_and_written_in_lower_case() {
        // FIPS 180-2, B.1.
        let text = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let hash = Hash::from_bytes(b"abc");
        assert_eq!(hash.to_string(), text);
        assert_eq!(Hash::parse(text), Some(hash));
        assert_eq!(Hash::parse(&text.to_uppercase()), Some(hash));
        assert_eq!(format!("{:032x}", hash.short()), text[..32]);
        for wrong in
            ["", &text[..63], &format!("{text}0"), &text.replace('b', "g"), &"é".repeat(32)]
        {
            assert_eq!(Hash::parse(wrong), None, "{wrong}");
        }
    }
}
