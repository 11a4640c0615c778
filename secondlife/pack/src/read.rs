//! glTF files to a model.
//!
//! Files are read one by one into levels as their nodes draw them (`file`), levels find their objects by their names
//! (`levels`), and objects are taken apart until they have as many faces and vertices as an asset may have
//! (`objects`). Materials are kept as they are written, images become files (`materials`).

mod failure;
mod file;
mod images;
mod levels;
mod materials;
mod names;
mod objects;
mod origin;
mod primitive;
mod raw;
mod rest;
mod rig;
mod soup;
mod split;

use std::collections::HashSet;

use lodger_quota::Quota;

use crate::error::Error;
use crate::model::Model;
use failure::{Failure, Notes, fits};
use file::File;
use materials::Library;
use names::{ending, stem, unique};

pub use raw::SkinChoice;

/// A glTF file and how to get at those that it names.
pub struct Source<'a> {
    /// Its name without folders, for messages and for which level it is.
    pub name: &'a str,
    /// Its bytes.
    pub bytes: &'a [u8],
    /// Gives the first bytes, at most so many, of another file that it names by a relative URI.
    pub outside: &'a mut dyn FnMut(&str, u64) -> std::io::Result<Vec<u8>>,
}

/// Reads a model from one file or several, of which each may be a level.
///
/// - Every node with a mesh is an object, of which each material is a face. More than 8 materials make several
///   objects, 65 535 vertices or more several faces.
/// - Which level it is says the ending of the name of the node, of its mesh or, where there are several files, of
///   the file: `_LOD0` lowest, `_LOD1` low, `_LOD2` medium, `_PHYS` the physics shape. Levels belong to the object
///   with the plain name; where a file has a level for every object, their order does.
/// - Y up becomes Z up: (x, y, z) is (x, −z, y). The V of texture coordinates becomes −V.
/// - What hangs on joints is taken as it stands at rest: where they put it, wherever its node is (glTF 2.0, 3.7.3.3). The
///   rig's joints are there too, with the axes of the world, as the avatar's skeleton has them. `skin` says
///   whether the model has a rig then.
/// - What an asset cannot hold is left out, and is a note.
///
/// # Errors
/// [`Error::Model`].
pub fn read(sources: &mut [Source<'_>], skin: SkinChoice, quota: &Quota) -> Result<Model, Error> {
    let (mut library, mut notes, mut drawn) = (Library::default(), Notes::default(), Vec::new());
    let names: Vec<&str> = sources.iter().map(|source| source.name).collect();
    let is_alone = sources.len() == 1;
    for (number, source) in sources.iter_mut().enumerate() {
        let Source { name, bytes, outside } = source;
        // A file that is the whole model is no lower level of anything.
        let slot = ending(stem(name)).map(|(_, slot)| slot).filter(|_| !is_alone);
        let mut file = File { name, number, slot, skin, bytes, outside: &mut **outside };
        let read = file::read(&mut file, &mut library, &mut notes, quota);
        drawn.extend(read.map_err(|failure| failure.in_file(name))?);
    }
    let in_file = |(file, failure): (usize, Failure)| {
        failure.in_file(names.get(file).copied().unwrap_or_default())
    };
    let first = names.first().copied().unwrap_or_default();
    let origin = origin::settle(&mut drawn);
    if origin.iter().any(|axis| axis.abs() > 0.0) {
        let [x, y, z] = origin;
        let text =
            format!("it is far from the origin: what is made of it is about ({x}, {y}, {z})");
        notes.once("origin-moved", names.first().copied().unwrap_or_default(), text);
    }
    let wholes = levels::match_up(drawn, &mut notes).map_err(in_file)?;
    let high =
        wholes.first().and_then(|whole| names.get(whole.high.file)).copied().unwrap_or(first);
    let name = ending(stem(high)).map_or(stem(high), |(base, _)| base).to_owned();
    let mut objects = Vec::new();
    let mut taken = HashSet::new();
    if wholes.is_empty() {
        return Err(Failure::new("no node of its scene draws a triangle").in_file(first));
    }
    for whole in wholes {
        let file = whole.high.file;
        for mut object in
            objects::objects(whole, &library.materials, &mut notes).map_err(in_file)?
        {
            object.name = unique(&object.name, &mut taken);
            objects.push(object);
        }
        fits(objects.len()).map_err(|failure| in_file((file, failure)))?;
    }
    let Library { materials, textures, images, .. } = library;
    Ok(Model { name, origin, objects, materials, textures, images, notes: notes.into_list() })
}
