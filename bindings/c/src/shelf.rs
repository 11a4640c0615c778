//! The scenes of this process, each behind a number and a lock.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock, TryLockError};

use crate::abi::{SceneHandle, Status};
use crate::failure::Failure;
use crate::place::Placed;

/// A scene, and whether a defect of ours has been in it.
struct Entry {
    scene: RwLock<Placed>,
    panicked: AtomicBool,
}

struct Shelf {
    scenes: BTreeMap<SceneHandle, Arc<Entry>>,
    last: SceneHandle,
}

static SHELF: RwLock<Shelf> = RwLock::new(Shelf { scenes: BTreeMap::new(), last: 0 });

/// What went wrong, and at which element of a batch.
pub(crate) type Outcome = Result<(), (Failure, Option<usize>)>;

/// Runs a call that is about no scene.
pub(crate) fn call(work: impl FnOnce() -> Result<(), Failure>) -> Status {
    answer(|| work().map_err(alone))
}

/// Runs a call that changes a scene.
pub(crate) fn change(
    handle: SceneHandle,
    work: impl FnOnce(&mut Placed) -> Result<(), Failure>,
) -> Status {
    change_many(handle, |scene| work(scene).map_err(alone))
}

/// Runs a call that changes a scene for many.
pub(crate) fn change_many(
    handle: SceneHandle,
    work: impl FnOnce(&mut Placed) -> Outcome,
) -> Status {
    answer(|| {
        let entry = find(handle).map_err(alone)?;
        let mut scene = entry.scene.try_write().map_err(|error| alone(refusal(&error)))?;
        entry.shielded(|| work(&mut scene))
    })
}

/// Runs a call that reads a scene.
pub(crate) fn read(
    handle: SceneHandle,
    work: impl FnOnce(&Placed) -> Result<(), Failure>,
) -> Status {
    read_many(handle, |scene| work(scene).map_err(alone))
}

/// Runs a call that reads a scene for many.
pub(crate) fn read_many(handle: SceneHandle, work: impl FnOnce(&Placed) -> Outcome) -> Status {
    answer(|| {
        let entry = find(handle).map_err(alone)?;
        let scene = entry.scene.try_read().map_err(|error| alone(refusal(&error)))?;
        entry.shielded(|| work(&scene))
    })
}

/// Serves all of a batch whom it can; the first failure, and where it was.
pub(crate) fn each<T>(
    rows: impl Iterator<Item = T>,
    mut serve: impl FnMut(T) -> Result<(), Failure>,
) -> Outcome {
    let mut outcome = Ok(());
    for (row, item) in rows.enumerate() {
        if let Err(failure) = serve(item)
            && outcome.is_ok()
        {
            outcome = Err((failure, Some(row)));
        }
    }
    outcome
}

/// Puts a scene on the shelf.
pub(crate) fn put(scene: Placed) -> Result<SceneHandle, Failure> {
    let mut shelf = SHELF.write().unwrap_or_else(PoisonError::into_inner);
    if shelf.scenes.len() >= u32::MAX as usize - 1 {
        return Err(Failure::Refused("there are too many scenes"));
    }
    let mut handle = shelf.last.wrapping_add(1).max(1);
    while shelf.scenes.contains_key(&handle) {
        handle = handle.wrapping_add(1).max(1);
    }
    shelf.last = handle;
    let entry = Entry { scene: RwLock::new(scene), panicked: AtomicBool::new(false) };
    shelf.scenes.insert(handle, Arc::new(entry));
    Ok(handle)
}

/// Takes a scene off the shelf; it is gone when the last one in it leaves.
pub(crate) fn take(handle: SceneHandle) -> Result<(), Failure> {
    let taken = SHELF.write().unwrap_or_else(PoisonError::into_inner).scenes.remove(&handle);
    taken.map(drop).ok_or(Failure::NoSuchScene)
}

fn find(handle: SceneHandle) -> Result<Arc<Entry>, Failure> {
    let shelf = SHELF.read().unwrap_or_else(PoisonError::into_inner);
    let entry = shelf.scenes.get(&handle).ok_or(Failure::NoSuchScene)?;
    if entry.panicked.load(Ordering::Acquire) {
        return Err(Failure::Panicked);
    }
    Ok(Arc::clone(entry))
}

impl Entry {
    /// Runs work that may turn out to be defective: then this scene is not entered again.
    fn shielded(&self, work: impl FnOnce() -> Outcome) -> Outcome {
        catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
            self.panicked.store(true, Ordering::Release);
            Err(alone(Failure::Panicked))
        })
    }
}

fn answer(work: impl FnOnce() -> Outcome) -> Status {
    let outcome = catch_unwind(AssertUnwindSafe(work));
    match outcome.unwrap_or(Err(alone(Failure::Panicked))) {
        Ok(()) => Status::OK,
        Err((failure, row)) => failure.answer(row),
    }
}

fn alone(failure: Failure) -> (Failure, Option<usize>) {
    (failure, None)
}

fn refusal<T>(error: &TryLockError<T>) -> Failure {
    match error {
        TryLockError::WouldBlock => Failure::Busy,
        TryLockError::Poisoned(_) => Failure::Panicked,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;

    use lodger_scheduler::Budget;

    use super::{Status, change, put, read, take};
    use crate::failure::Failure;
    use crate::place::Placed;

    fn scene() -> u32 {
        put(Placed::new(Budget::from_ns(1_000))).unwrap()
    }

    #[test]
    fn a_panic_ends_that_scene_alone() {
        let (bad, good) = (scene(), scene());
        assert_eq!(change(bad, |_| panic!("a defect")), Status::PANICKED);
        assert_eq!(change(bad, |_| Ok(())), Status::PANICKED);
        assert_eq!(read(bad, |_| Ok(())), Status::PANICKED);
        assert_eq!(change(good, |_| Ok(())), Status::OK);
        assert_eq!((take(bad), take(good)), (Ok(()), Ok(())));
        assert_eq!(take(bad), Err(Failure::NoSuchScene));
    }

    #[test]
    fn a_panic_while_reading_counts_too() {
        let bad = scene();
        assert_eq!(read(bad, |_| panic!("a defect")), Status::PANICKED);
        assert_eq!(read(bad, |_| Ok(())), Status::PANICKED);
        take(bad).unwrap();
    }

    #[test]
    fn one_changes_or_many_read() {
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
        take(shared).unwrap();
    }

    #[test]
    fn who_is_inside_may_finish_a_scene_that_is_destroyed() {
        let leaving = scene();
        let outcome = change(leaving, |scene| {
            take(leaving)?;
            scene.scene.tick();
            Ok(())
        });
        assert_eq!(outcome, Status::OK);
        assert_eq!(change(leaving, |_| Ok(())), Status::NO_SUCH_SCENE);
    }
}
