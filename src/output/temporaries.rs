//! Names that are removed if the program ends early: temporaries, and the lock file beside a database.

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

use crate::platform::{Folder, remove_file};

/// How often [`remove_temporaries_at_once`] tries to get the lock, once a millisecond.
const LOCK_ATTEMPTS: u32 = 1000;

/// A registered name.
#[derive(Debug, Clone)]
struct RemovableName {
    /// The folder, held open because it may be renamed meanwhile. `None` if the name is an absolute path.
    folder: Option<Arc<Folder>>,
    name: PathBuf,
}

static REGISTERED: Mutex<Vec<RemovableName>> = Mutex::new(Vec::new());

fn registered() -> MutexGuard<'static, Vec<RemovableName>> {
    // The list is consistent after every step, so a panic elsewhere does not matter.
    REGISTERED.lock().unwrap_or_else(PoisonError::into_inner)
}

impl RemovableName {
    fn remove(&self) -> io::Result<()> {
        match &self.folder {
            Some(folder) => folder.remove(&self.name),
            None => remove_file(&self.name),
        }
    }

    fn is_same(&self, other: &Self) -> bool {
        let same_folder = match (&self.folder, &other.folder) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (one, other) => one.is_none() && other.is_none(),
        };
        same_folder && self.name == other.name
    }
}

/// Proof that every temporary of this process was removed. While it lives, other threads that want to create a
/// temporary, or to move one into place, wait.
#[must_use = "other threads make temporaries again when this is dropped"]
#[derive(Debug)]
pub struct Removed {
    _registry: MutexGuard<'static, Vec<RemovableName>>,
}

/// Removes every temporary of this process. For the thread that ends the program after a signal; it keeps the result
/// until the end. An output whose temporary was removed can no longer be finished. Not for a signal handler.
pub fn remove_temporaries() -> Removed {
    let mut names = registered();
    for entry in names.drain(..) {
        // The program is about to end, and there is nobody left to report an error to.
        let _ = entry.remove();
    }
    Removed { _registry: names }
}

/// Like [`remove_temporaries`], but for a signal handler: it allocates nothing and waits for the lock for a limited
/// time only, since this thread may hold it. The temporaries are then left alone. The caller ends the program: no other
/// thread can create a temporary, or move one into place, any more.
pub fn remove_temporaries_at_once() {
    for _ in 0..LOCK_ATTEMPTS {
        let names = match REGISTERED.try_lock() {
            Ok(names) => names,
            Err(TryLockError::Poisoned(names)) => names.into_inner(),
            Err(TryLockError::WouldBlock) => {
                // Another thread holds the lock, for a few system calls at most.
                std::thread::sleep(std::time::Duration::from_millis(1));
                continue;
            }
        };
        // The names stay in the list. Removing them would free memory, and this thread may hold the allocator's lock.
        names.iter().for_each(|entry| drop(entry.remove()));
        // The lock is kept until the program has ended, since other threads still run and would make new temporaries.
        std::mem::forget(names);
        return;
    }
}

/// The lock on the registered names. Held while a name is created or renamed, so that nothing removes or registers one
/// meanwhile.
pub(super) struct RegistryLock(MutexGuard<'static, Vec<RemovableName>>);

/// Takes the [`RegistryLock`].
pub(super) fn lock_registry() -> RegistryLock {
    RegistryLock(registered())
}

/// Takes the [`RegistryLock`] with the memory to register a name. If memory ends while this thread holds the lock, the
/// program can remove no temporary at all, and so everything is allocated before.
pub(super) fn lock_registry_for(folder: Option<&Arc<Folder>>, name: PathBuf) -> (RegistryLock, Unregistered) {
    let kept = RemovableName { folder: folder.map(Arc::clone), name };
    let listed = kept.clone();
    let mut larger = Vec::new();
    loop {
        let mut names = registered();
        if names.len() == names.capacity() && names.len() < larger.capacity() {
            larger.append(&mut names);
            std::mem::swap(&mut *names, &mut larger);
        }
        if names.len() < names.capacity() {
            return (RegistryLock(names), Unregistered { listed, kept });
        }
        let capacity = 2 * names.len() + 8;
        drop(names);
        larger = Vec::with_capacity(capacity);
    }
}

impl RegistryLock {
    /// Registers a name: from now on it is removed if the program ends. Takes no memory.
    pub(super) fn register(&mut self, name: Unregistered) -> Registered {
        self.0.push(name.listed);
        Registered(name.kept)
    }

    /// Whether the name is still registered.
    pub(super) fn contains(&self, registered: &Registered) -> bool {
        self.0.iter().any(|entry| entry.is_same(&registered.0))
    }

    /// Unregisters a name, because the file is no longer a temporary.
    pub(super) fn forget(&mut self, registered: &Registered) {
        self.0.retain(|entry| !entry.is_same(&registered.0));
    }
}

/// A name that can be registered without memory.
pub(super) struct Unregistered {
    listed: RemovableName,
    kept: RemovableName,
}

impl Unregistered {
    /// The name within its folder.
    pub(super) fn name(&self) -> &PathBuf {
        &self.kept.name
    }
}

/// A registered name. Dropping it unregisters the name, once the file is gone or in its place.
#[derive(Debug)]
pub(crate) struct Registered(RemovableName);

impl Registered {
    /// Registers the file at this absolute path.
    #[cfg(feature = "sqlite")]
    pub(crate) fn new(path: PathBuf) -> Self {
        let (mut registry, name) = lock_registry_for(None, path);
        registry.register(name)
    }

    /// The name within its folder.
    pub(super) fn name(&self) -> &PathBuf {
        &self.0.name
    }

    /// Removes the file.
    pub(super) fn remove(&self) {
        // Called while an output is dropped, where an error helps nobody.
        let _ = self.0.remove();
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        registered().retain(|entry| !entry.is_same(&self.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Temporaries were left if memory ended while the lock was held: after one was created and before it was registered,
    /// or when a second one was registered.
    #[test]
    fn registering_takes_no_memory() {
        let folder = Arc::new(Folder::open("/".as_ref(), false).expect("a folder"));
        let mut registered = Vec::new();
        for number in 0..100 {
            let path = PathBuf::from(format!("a name that is never made {number}"));
            let (mut registry, name) = lock_registry_for(Some(&folder), path);
            let (before, shared) = (registry.0.capacity(), Arc::strong_count(&folder));
            registered.push(registry.register(name));
            assert_eq!((registry.0.capacity(), Arc::strong_count(&folder)), (before, shared));
        }
        drop(registered);
        assert_eq!(Arc::strong_count(&folder), 1);
    }
}
