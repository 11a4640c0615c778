//! Goes through the entries of a tar file.
//!
//! `OpenSimulator` writes headers without the magic word, and long paths as GNU does
//! (`TarArchiveWriter.cs`). The crate knows such paths only behind the magic word, and reads them
//! without a limit, so entries are taken raw here.

use std::io::{self, Read};

use tar::{Archive, Entry, EntryType, PaxExtensions};

use crate::error::Error;
use crate::problem::Problem;
use crate::reading::Reading;
use crate::stream::{Metered, Tally, open};

/// The most bytes of what is said about the next entry: its path, mostly.
const LONGEST_NOTE: u64 = 16 << 10;

/// Hands every file of an archive to `reading`, to its end or to where it breaks.
pub(crate) fn walk(input: impl Read, reading: &mut Reading) -> Result<(), Error> {
    let tally = Tally::default();
    let limit = reading.limits().inflated_bytes;
    let opened = open(input).map_err(|error| broken(error, &tally, reading))?;
    let mut archive = Archive::new(Metered::new(opened, &tally, limit));
    walk_entries(&mut archive, &tally, reading)?;
    if tally.ended() {
        let error = io::Error::new(io::ErrorKind::UnexpectedEof, "there is no end mark");
        return Err(broken(error, &tally, reading));
    }
    // The rest is padding, and the checksum of the compression.
    io::copy(&mut archive.into_inner(), &mut io::sink())
        .map_err(|error| broken(error, &tally, reading))?;
    Ok(())
}

fn walk_entries<R: Read>(
    archive: &mut Archive<R>,
    tally: &Tally,
    reading: &mut Reading,
) -> Result<(), Error> {
    let entries = archive.entries().map_err(|error| broken(error, tally, reading))?;
    let mut noted = None;
    for entry in entries.raw(true) {
        let mut entry = entry.map_err(|error| broken(error, tally, reading))?;
        match entry.header().entry_type() {
            EntryType::GNULongName => {
                let note = note(&mut entry).map_err(|error| broken(error, tally, reading))?;
                noted = Some(lossy(note.split(|&byte| byte == 0).next().unwrap_or_default()));
            }
            EntryType::XHeader => {
                let note = note(&mut entry).map_err(|error| broken(error, tally, reading))?;
                noted = path_in(&note).or(noted);
            }
            EntryType::GNULongLink | EntryType::XGlobalHeader => {}
            kind => {
                let path = noted.take().unwrap_or_else(|| lossy(&entry.path_bytes()));
                reading.begin(&path)?;
                if kind.is_file() || kind.is_contiguous() {
                    let size = entry.size();
                    reading
                        .file(&path, size, &mut entry)
                        .map_err(|error| broken(error, tally, reading))?;
                }
            }
        }
        reading.check()?;
    }
    Ok(())
}

fn note<R: Read>(entry: &mut Entry<'_, R>) -> io::Result<Vec<u8>> {
    let mut note = Vec::new();
    entry.take(LONGEST_NOTE).read_to_end(&mut note)?;
    Ok(note)
}

fn path_in(note: &[u8]) -> Option<String> {
    let mut records = PaxExtensions::new(note).flatten();
    records.find(|record| record.key_bytes() == b"path").map(|record| lossy(record.value_bytes()))
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Says where an archive breaks off. What its reader says at the end of the stream means no more than
/// that there is no more.
fn broken(error: io::Error, tally: &Tally, reading: &Reading) -> Error {
    if tally.over() {
        return Problem::InflatesTooMuch { limit: reading.limits().inflated_bytes }.into();
    }
    let Some(last) = reading.last() else {
        return Problem::NotAnArchive(error).into();
    };
    let error =
        if tally.ended() { io::Error::new(io::ErrorKind::UnexpectedEof, error) } else { error };
    let (entry, bytes) = (reading.entries(), tally.bytes());
    Error::from(Problem::Broken { entry, bytes, error }).in_entry(last)
}
