//! The parcels of an archive, kept once for all objects on them.

use std::collections::HashMap;
use std::ptr;
use std::sync::Arc;

use lodger_archive::{Archive, Object, Parcel};

/// The parcels of an archive, to be shared by the objects that stand on them.
#[derive(Debug)]
pub(crate) struct Parcels<'a> {
    archive: &'a Archive,
    /// By their addresses in the archive.
    shared: HashMap<usize, Arc<Parcel>>,
}

impl<'a> Parcels<'a> {
    /// Those of an archive.
    pub(crate) fn of(archive: &'a Archive) -> Self {
        let shared = |parcel: &Parcel| (ptr::from_ref(parcel).addr(), Arc::new(parcel.clone()));
        Self { archive, shared: archive.parcels.iter().map(shared).collect() }
    }

    /// The parcel that an object stands on.
    pub(crate) fn of_object(&self, object: &Object) -> Option<Arc<Parcel>> {
        let parcel = self.archive.parcel_of(object)?;
        self.shared.get(&ptr::from_ref(parcel).addr()).cloned()
    }
}
