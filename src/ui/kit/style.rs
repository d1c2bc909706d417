//! Styles that come with the part of the page they are for, so that opening the page loads none of
//! them.

use std::cell::RefCell;

use leptos::prelude::document;
use web_sys::CssStyleSheet;

thread_local! {
    static ADOPTED: RefCell<Vec<&'static str>> = const { RefCell::new(Vec::new()) };
}

/// Lets the document have these rules from now on, behind those it has. Once is enough, and more
/// often does no harm. The rules are the program's own: the page's policy concerns what stands in
/// the document, and this does not.
pub(crate) fn adopt(rules: &'static str) {
    let known = ADOPTED.with_borrow(|adopted| adopted.iter().any(|it| std::ptr::eq(*it, rules)));
    if known {
        return;
    }
    // A browser without such sheets shows the part plain, and every word of it.
    if let Ok(sheet) = CssStyleSheet::new()
        && sheet.replace_sync(rules).is_ok()
    {
        document().adopted_style_sheets().push(&sheet);
        ADOPTED.with_borrow_mut(|adopted| adopted.push(rules));
    }
}
