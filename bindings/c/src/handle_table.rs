//! Scenes by handle, each behind a lock, and handles of actors, views and modules.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock, TryLockError};

use lodger_scheduler::{ActorId, ModuleId, ViewId};

use crate::abi::{ActorHandle, ModuleHandle, SceneHandle, Status, ViewHandle};
use crate::error::{BatchError, CallError};
use crate::origin::OriginScene;

struct HandleEntry {
    scene: RwLock<OriginScene>,
    panicked: AtomicBool,
}

struct HandleTable {
    scenes: BTreeMap<SceneHandle, Arc<HandleEntry>>,
    last: SceneHandle,
}

/// The value of `last` before the first scene: handles of another kind have other bits and are not valid.
const BEFORE_SCENES: SceneHandle = 0x1000_0000;

static TABLE: RwLock<HandleTable> =
    RwLock::new(HandleTable { scenes: BTreeMap::new(), last: BEFORE_SCENES });

/// Runs a call without a scene.
pub(crate) fn call(work: impl FnOnce() -> Result<(), CallError>) -> Status {
    to_status(|| Ok(work()?))
}

/// Runs a call that changes a scene.
pub(crate) fn change(
    handle: SceneHandle,
    work: impl FnOnce(&mut OriginScene) -> Result<(), CallError>,
) -> Status {
    change_batch(handle, |scene| Ok(work(scene)?))
}

pub(crate) fn change_batch(
    handle: SceneHandle,
    work: impl FnOnce(&mut OriginScene) -> Result<(), BatchError>,
) -> Status {
    to_status(|| {
        let entry = find(handle)?;
        let mut scene = entry.scene.try_write().map_err(|error| lock_error(&error))?;
        entry.catch(|| work(&mut scene))
    })
}

/// Runs a call that reads a scene.
pub(crate) fn read(
    handle: SceneHandle,
    work: impl FnOnce(&OriginScene) -> Result<(), CallError>,
) -> Status {
    read_batch(handle, |scene| Ok(work(scene)?))
}

pub(crate) fn read_batch(
    handle: SceneHandle,
    work: impl FnOnce(&OriginScene) -> Result<(), BatchError>,
) -> Status {
    to_status(|| {
        let entry = find(handle)?;
        let scene = entry.scene.try_read().map_err(|error| lock_error(&error))?;
        entry.catch(|| work(&scene))
    })
}

/// Applies `work` to all elements; returns the first error with its index.
pub(crate) fn for_each<T>(
    elements: impl Iterator<Item = T>,
    mut work: impl FnMut(T) -> Result<(), CallError>,
) -> Result<(), BatchError> {
    let mut outcome = Ok(());
    for (index, element) in elements.enumerate() {
        if let Err(error) = work(element)
            && outcome.is_ok()
        {
            outcome = Err(BatchError { error, index: Some(index) });
        }
    }
    outcome
}

pub(crate) fn insert(scene: OriginScene) -> Result<SceneHandle, CallError> {
    let mut table = TABLE.write().unwrap_or_else(PoisonError::into_inner);
    if table.scenes.len() >= u32::MAX as usize - 1 {
        return Err(CallError::Invalid("there are too many scenes"));
    }
    let mut handle = table.last.wrapping_add(1).max(1);
    while table.scenes.contains_key(&handle) {
        handle = handle.wrapping_add(1).max(1);
    }
    table.last = handle;
    let entry = HandleEntry { scene: RwLock::new(scene), panicked: AtomicBool::new(false) };
    table.scenes.insert(handle, Arc::new(entry));
    Ok(handle)
}

/// Removes a scene, which is dropped at the end of the last call in it.
pub(crate) fn remove(handle: SceneHandle) -> Result<(), CallError> {
    let removed = TABLE.write().unwrap_or_else(PoisonError::into_inner).scenes.remove(&handle);
    removed.map(drop).ok_or(CallError::NoSuchScene)
}

fn find(handle: SceneHandle) -> Result<Arc<HandleEntry>, CallError> {
    let table = TABLE.read().unwrap_or_else(PoisonError::into_inner);
    let entry = table.scenes.get(&handle).ok_or(CallError::NoSuchScene)?;
    if entry.panicked.load(Ordering::Acquire) {
        return Err(CallError::Panicked);
    }
    Ok(Arc::clone(entry))
}

impl HandleEntry {
    /// Disables the scene if `work` panics.
    fn catch(&self, work: impl FnOnce() -> Result<(), BatchError>) -> Result<(), BatchError> {
        catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
            self.panicked.store(true, Ordering::Release);
            Err(CallError::Panicked.into())
        })
    }
}

fn to_status(work: impl FnOnce() -> Result<(), BatchError>) -> Status {
    let outcome = catch_unwind(AssertUnwindSafe(work));
    match outcome.unwrap_or_else(|_| Err(CallError::Panicked.into())) {
        Ok(()) => Status::OK,
        Err(error) => error.into_status(),
    }
}

fn lock_error<T>(error: &TryLockError<T>) -> CallError {
    match error {
        TryLockError::WouldBlock => CallError::Busy,
        TryLockError::Poisoned(_) => CallError::Panicked,
    }
}

pub(crate) fn of_actor(id: ActorId) -> ActorHandle {
    !id.to_bits()
}

pub(crate) fn actor(handle: ActorHandle) -> Result<ActorId, CallError> {
    let id = if handle == 0 { None } else { ActorId::from_bits(!handle) };
    id.ok_or(CallError::NoSuchActor)
}

pub(crate) fn of_view(id: ViewId) -> ViewHandle {
    id.to_bits().reverse_bits()
}

pub(crate) fn view(handle: ViewHandle) -> Result<ViewId, CallError> {
    ViewId::from_bits(handle.reverse_bits()).ok_or(CallError::NoSuchView)
}

pub(crate) fn of_module(id: ModuleId) -> ModuleHandle {
    !id.to_bits()
}

pub(crate) fn module(handle: ModuleHandle) -> Result<ModuleId, CallError> {
    let id = if handle == 0 { None } else { ModuleId::from_bits(!handle) };
    id.ok_or(CallError::NoSuchModule)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;

    use lodger_scheduler::Budget;

    use super::{Status, change, insert, read, remove};
    use crate::error::CallError;
    use crate::origin::OriginScene;

    fn scene() -> u32 {
        insert(OriginScene::new(Budget::from_ns(1_000))).unwrap()
    }

    #[test]
    fn a_panic_ends_that_scene_alone() {
        let (bad, good) = (scene(), scene());
        assert_eq!(change(bad, |_| panic!("a defect")), Status::PANICKED);
        assert_eq!(change(bad, |_| Ok(())), Status::PANICKED);
        assert_eq!(read(bad, |_| Ok(())), Status::PANICKED);
        assert_eq!(change(good, |_| Ok(())), Status::OK);
        assert_eq!((remove(bad), remove(good)), (Ok(()), Ok(())));
        assert_eq!(remove(bad), Err(CallError::NoSuchScene));
    }

    #[test]
    fn a_panic_while_reading_counts_too() {
        let bad = scene();
        assert_eq!(read(bad, |_| panic!("a defect")), Status::PANICKED);
        assert_eq!(read(bad, |_| Ok(())), Status::PANICKED);
        remove(bad).unwrap();
    }

    #[test]
    fn one_call_changes_or_many_read() {
        let shared = scene();
        let inside = |enter: fn(u32, mpsc::Sender<()>, mpsc::Receiver<()>) -> Status| {
            let (entered, has_entered) = mpsc::channel();
            let (leave, may_leave) = mpsc::channel();
            let other = thread::spawn(move || enter(shared, entered, may_leave));
            has_entered.recv().unwrap();
            let answers = (read(shared, |_| Ok(())), change(shared, |_| Ok(())));
            leave.send(()).unwrap();
            (answers, other.join().unwrap())
        };
        let changing = inside(|scene, entered, leave| {
            change(scene, |_| {
                entered.send(()).unwrap();
                leave.recv().unwrap();
                Ok(())
            })
        });
        assert_eq!(changing, ((Status::BUSY, Status::BUSY), Status::OK));
        let reading = inside(|scene, entered, leave| {
            read(scene, |_| {
                entered.send(()).unwrap();
                leave.recv().unwrap();
                Ok(())
            })
        });
        assert_eq!(reading, ((Status::OK, Status::BUSY), Status::OK));
        remove(shared).unwrap();
    }

    #[test]
    fn a_call_may_finish_in_a_destroyed_scene() {
        let leaving = scene();
        let outcome = change(leaving, |scene| {
            remove(leaving)?;
            scene.scene.tick();
            Ok(())
        });
        assert_eq!(outcome, Status::OK);
        assert_eq!(change(leaving, |_| Ok(())), Status::NO_SUCH_SCENE);
    }
}
