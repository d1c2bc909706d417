//! A mark that something is kept, beside the store: browsers clear the two at different times, so that
//! the next visit may find out that the store was cleared.

use web_sys::Storage;

/// Leaves the mark.
pub(super) fn leave(name: &str) {
    if let Some(storage) = storage() {
        // Without the mark nobody is told of an empty store; that is all.
        let _ = storage.set_item(name, "kept");
    }
}

/// Whether the mark is there. It is taken away: what is gone is told once.
pub(super) fn take(name: &str) -> bool {
    let Some(storage) = storage() else { return false };
    let was_there = storage.get_item(name).is_ok_and(|mark| mark.is_some());
    let _ = storage.remove_item(name);
    was_there
}

fn storage() -> Option<Storage> {
    web_sys::window()?.local_storage().ok()?
}
