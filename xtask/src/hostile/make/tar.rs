//! Tar archives, entry by entry.

use crate::hostile::random::Random;
use crate::hostile::{damage, hard};

/// The bytes of a block.
pub(crate) const BLOCK: usize = 512;

/// A file in an archive, or something else that a header may be about.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) path: Vec<u8>,
    pub(crate) kind: u8,
    pub(crate) content: Vec<u8>,
    /// The size that the header says, if it is another one.
    pub(crate) size: Option<u64>,
    /// What is added to the checksum.
    pub(crate) checksum: u32,
    /// Where a link goes.
    pub(crate) link: Vec<u8>,
    /// The extents of a sparse file: where, and how many bytes.
    pub(crate) extents: Vec<(u64, u64)>,
}

impl Entry {
    /// A file.
    pub(crate) fn file(path: impl Into<Vec<u8>>, content: impl Into<Vec<u8>>) -> Self {
        Self {
            path: path.into(),
            kind: b'0',
            content: content.into(),
            size: None,
            checksum: 0,
            link: Vec::new(),
            extents: Vec::new(),
        }
    }

    /// An entry of another kind.
    pub(crate) fn kind(mut self, kind: u8) -> Self {
        self.kind = kind;
        self
    }

    fn write(&self, out: &mut Vec<u8>) {
        if self.path.len() > 100 && !matches!(self.kind, b'L' | b'K' | b'x' | b'g') {
            let path = [self.path.as_slice(), b"\0"].concat();
            Self::file("././@LongLink", path).kind(b'L').write(out);
        }
        let mut header = [0_u8; BLOCK];
        place(&mut header[..100], &self.path);
        place(&mut header[100..108], b"0000644\0");
        place(&mut header[108..116], b"0000000\0");
        place(&mut header[116..124], b"0000000\0");
        let size = self.size.unwrap_or(self.content.len() as u64);
        header[124..136].copy_from_slice(&number(size));
        place(&mut header[136..148], b"11017037332\0");
        header[156] = self.kind;
        place(&mut header[157..257], &self.link);
        place(&mut header[257..265], b"ustar  \0");
        let (first, rest) = self.extents.split_at(self.extents.len().min(4));
        if self.kind == b'S' {
            extents(&mut header[386..482], first);
            header[482] = u8::from(!rest.is_empty());
            let real = self.extents.iter().map(|(at, count)| at.saturating_add(*count)).max();
            header[483..495].copy_from_slice(&number(real.unwrap_or_default()));
        }
        seal(&mut header, self.checksum);
        out.extend(header);
        let mut chunks = rest.chunks(21).peekable();
        while let Some(chunk) = chunks.next() {
            let mut block = [0_u8; BLOCK];
            extents(&mut block[..504], chunk);
            block[504] = u8::from(chunks.peek().is_some());
            out.extend(block);
        }
        out.extend(&self.content);
        out.resize(out.len().next_multiple_of(BLOCK), 0);
    }
}

/// A sparse file of so many extents of one block of zeros each, with gaps between them. Who takes its data
/// for headers takes them for the end of the archive.
pub(crate) fn sparse(path: &str, count: usize) -> Entry {
    let extent = |i: usize| ((i * 2 * BLOCK) as u64, BLOCK as u64);
    let content = vec![0; count * BLOCK];
    let extents = (0..count).map(extent).collect();
    Entry { extents, ..Entry::file(path, content).kind(b'S') }
}

/// An archive of entries.
pub(crate) fn archive(entries: &[Entry]) -> Vec<u8> {
    let mut out = Vec::new();
    for entry in entries {
        entry.write(&mut out);
    }
    out.resize(out.len() + 2 * BLOCK, 0);
    out
}

/// The entries of a region: meshes with their UUIDs, and the XML of objects.
pub(crate) fn region_entries(
    meshes: &[(String, Vec<u8>)],
    objects: &[impl AsRef<str>],
) -> Vec<Entry> {
    let control = Entry::file("archive.xml", "<archive major_version=\"0\" minor_version=\"8\" />");
    let meshes =
        meshes.iter().map(|(id, bytes)| Entry::file(format!("assets/{id}_mesh.llmesh"), &**bytes));
    let objects = objects
        .iter()
        .enumerate()
        .map(|(i, xml)| Entry::file(format!("objects/object{i}.xml"), xml.as_ref()));
    std::iter::once(control).chain(meshes).chain(objects).collect()
}

/// The archive of a region.
pub(crate) fn region(meshes: &[(String, Vec<u8>)], objects: &[impl AsRef<str>]) -> Vec<u8> {
    archive(&region_entries(meshes, objects))
}

/// Makes one thing wrong with a list of entries.
pub(crate) fn damage(random: &mut Random, entries: &mut Vec<Entry>) {
    let at = random.below(entries.len());
    let copy = entries[at].clone();
    let entry = &mut entries[at];
    match random.below(10) {
        0 => entry.kind = random.pick(b"123456789KLSVMNxgXA\0 "),
        1 => entry.size = Some(hard::size(random)),
        2 => entry.checksum = 1 + hard::whole(random) % 100,
        3 => entry.path = hard::path(random),
        4 => entry.link = hard::path(random),
        5 => {
            entry.kind = b'S';
            let count = random.spread(60);
            entry.extents =
                (0..count).map(|_| (hard::size(random), random.spread(4096) as u64)).collect();
        }
        6 => damage::bytes(random, &mut entry.content),
        7 => {
            let pax = format!("{} path={}\n", random.spread(900), hard::text(random));
            entries.insert(at, Entry::file("pax", pax).kind(random.pick(b"xg")));
        }
        8 => {
            let times = random.spread(300);
            entries.extend(std::iter::repeat_n(copy, times));
        }
        _ => {
            entries.insert(at, Entry::file("././@LongLink", hard::path(random)).kind(b'L'));
        }
    }
}

fn place(field: &mut [u8], bytes: &[u8]) {
    let length = bytes.len().min(field.len());
    field[..length].copy_from_slice(&bytes[..length]);
}

/// Octal digits, or base 256 for what has too many of them.
fn number(value: u64) -> [u8; 12] {
    let mut field = [0_u8; 12];
    if value < 1 << 33 {
        place(&mut field, format!("{value:011o}").as_bytes());
    } else {
        field[4..].copy_from_slice(&value.to_be_bytes());
        field[0] = 0x80;
    }
    field
}

fn extents(fields: &mut [u8], extents: &[(u64, u64)]) {
    for (field, (at, count)) in fields.chunks_exact_mut(24).zip(extents) {
        field[..12].copy_from_slice(&number(*at));
        field[12..].copy_from_slice(&number(*count));
    }
}

fn seal(header: &mut [u8; BLOCK], wrong_by: u32) {
    header[148..156].fill(b' ');
    let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
    header[148..154]
        .copy_from_slice(format!("{:06o}", sum.wrapping_add(wrong_by) & 0o777_777).as_bytes());
    header[154] = 0;
}
