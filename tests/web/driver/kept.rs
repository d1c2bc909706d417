//! What a browser keeps for a page, looked at and changed past the page.

use js_sys::{Function, Promise};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

/// Runs a piece of JavaScript in which `name` is the store's.
pub(crate) fn js(name: &str, code: &str) -> JsValue {
    Function::new_with_args("name", code).call1(&JsValue::UNDEFINED, &name.into()).unwrap()
}

/// Runs a piece of JavaScript that has the open store as `db`, and calls `done` with what it comes
/// to.
pub(crate) async fn within(name: &str, code: &str) -> JsValue {
    let code = format!(
        "return new Promise((found, failed) => {{
           const opening = indexedDB.open(name);
           opening.onerror = () => failed(opening.error);
           opening.onsuccess = () => {{
             const db = opening.result;
             const done = (it) => {{ db.close(); found(it); }};
             {code}
           }};
         }});"
    );
    promised(js(name, &code)).await
}

/// What a promise comes to.
pub(crate) async fn promised(promise: JsValue) -> JsValue {
    JsFuture::from(promise.unchecked_into::<Promise>()).await.unwrap()
}

fn texts(found: JsValue) -> Vec<String> {
    found.unchecked_into::<js_sys::Array>().iter().map(|it| it.as_string().unwrap()).collect()
}

/// The rows of a table of a store of any version.
pub(crate) async fn rows(name: &str, table: &str) -> Vec<String> {
    let code = format!(
        "db.transaction('{table}').objectStore('{table}').getAll().onsuccess =
           (event) => done(event.target.result);"
    );
    texts(within(name, &code).await)
}

/// Every row of every table, in one order whatever order the browser reads them in.
pub(crate) async fn everything(name: &str) -> Vec<String> {
    let code = "
        const all = [];
        const tx = db.transaction([...db.objectStoreNames]);
        for (const table of db.objectStoreNames) {
          tx.objectStore(table).openCursor().onsuccess = (event) => {
            const row = event.target.result;
            if (!row) return;
            all.push(`${table} ${JSON.stringify(row.key)} ${row.value}`);
            row.continue();
          };
        }
        tx.oncomplete = () => done(all.sort());";
    texts(within(name, code).await)
}

/// What [`damage`] leaves of a row.
pub(crate) const RUBBISH: &str = "}{";

/// Puts rubbish in the place of a row: the one with this key, or the first.
pub(crate) async fn damage(name: &str, table: &str, key: Option<&str>) {
    let key = key.map_or("null".to_owned(), |key| format!("'{key}'"));
    let code = format!(
        "const tx = db.transaction('{table}', 'readwrite');
         tx.objectStore('{table}').openCursor({key}).onsuccess =
           (event) => event.target.result.update('{RUBBISH}');
         tx.oncomplete = () => done();"
    );
    within(name, &code).await;
}
