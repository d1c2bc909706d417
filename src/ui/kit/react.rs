//! Leptos' memos and effects, with one code for all that give the same type.

use leptos::prelude::*;

/// Something worked out from signals, told only when it changes.
pub(crate) fn memo<T>(work_out: impl Fn() -> T + Send + Sync + 'static) -> Memo<T>
where
    T: PartialEq + Send + Sync + 'static,
{
    boxed(Box::new(work_out))
}

fn boxed<T>(work_out: Box<dyn Fn() -> T + Send + Sync>) -> Memo<T>
where
    T: PartialEq + Send + Sync + 'static,
{
    Memo::new(move |_| work_out())
}

/// Does something now, and again whenever a signal that it read has changed.
pub(crate) fn effect(then: impl FnMut() + 'static) {
    run(Box::new(then));
}

fn run(mut then: Box<dyn FnMut()>) {
    Effect::new(move |_| then());
}

/// Does something when what was worked out has changed, but not at first.
pub(crate) fn on_change<T>(of: Memo<T>, mut then: impl FnMut() + 'static)
where
    T: PartialEq + Send + Sync + 'static,
{
    let mut is_first = true;
    effect(move || {
        of.with(|_| ());
        if !std::mem::take(&mut is_first) {
            untrack(&mut then);
        }
    });
}
