//! A fault in the program ends it: that is told, nothing more happens, and a reload goes on.

use e2e::axe;
use e2e::browser::Engine;
use e2e::build::Build;
use e2e::files;
use e2e::journey::journey;
use e2e::kitchen::Kitchen;
use e2e::role::{self, Role};

use crate::{ADD, DOZEN, PAGES};

#[tokio::test(flavor = "multi_thread")]
async fn a_fault_stops_the_page_and_a_reload_goes_on_in_chromium() {
    stop_and_go_on(Engine::Chromium).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fault_stops_the_page_and_a_reload_goes_on_in_firefox() {
    stop_and_go_on(Engine::Firefox).await;
}

/// A card waits when opening another page meets a fault. Also shows that a browser's word of it is
/// heard, which every journey's end relies on.
async fn stop_and_go_on(engine: Engine) {
    let mut kitchen = Kitchen::open(engine).await;
    let faulty = Build::another().faulty(PAGES);
    kitchen.proxy.serve(faulty.path());
    kitchen.visit().await;
    let page = kitchen.page();
    page.message(DOZEN).await;
    page.card(ADD).await;
    page.go("Settings").await;
    page.named(Role::Heading, "Kitchen Assistant has stopped").await;
    let client = kitchen.browser().client();
    for (role, expected) in
        [(Role::Button, ["Reload"].as_slice()), (Role::Link, &[]), (Role::TextBox, &[])]
    {
        let found = role::find_all(client, None, role).await.unwrap_or_default();
        let names: Vec<String> = found.into_iter().map(|(_, name)| name).collect();
        assert_eq!(names, expected, "{role:?}: what can still be used");
    }
    assert_eq!(axe::findings(client).await, Vec::<String>::new());
    assert_eq!(in_a_write(&kitchen, "").await.as_deref(), Some("InvalidStateError"));
    let complaints = kitchen.browser().complaints().await;
    assert!(complaints.iter().any(|it| it.contains("RuntimeError")), "{complaints:?}");

    kitchen.proxy.serve(&files::page());
    page.press(Role::Button, "Reload").await;
    page.named(Role::Heading, "Settings").await;
    kitchen.visit().await;
    page.card(ADD).await.approve().await;
    page.list_becomes(&["eggs 12"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_under_way_at_a_fault_is_taken_back() {
    journey("a_fault_in_a_write", async |kitchen| {
        assert_eq!(in_a_write(kitchen, "").await.as_deref(), Some("complete"));
        let fault = "const error = new WebAssembly.RuntimeError('unreachable'); \
            dispatchEvent(new ErrorEvent('error', { error }));";
        assert_eq!(in_a_write(kitchen, fault).await.as_deref(), Some("abort"));
        kitchen.page().named(Role::Heading, "Kitchen Assistant has stopped").await;
    })
    .await;
}

/// What becomes of a write to the page's store in which this happens.
async fn in_a_write(kitchen: &Kitchen, happens: &str) -> Option<String> {
    let script = format!(
        "const [done] = arguments; \
         const opening = indexedDB.open('kitchen-assistant'); \
         opening.onsuccess = () => {{ try {{ \
             const {{ result: database }} = opening; \
             const write = database.transaction([...database.objectStoreNames], 'readwrite'); \
             write.oncomplete = write.onabort = event => {{ database.close(); done(event.type); }}; \
             write.objectStore(database.objectStoreNames[0]).count().onsuccess = () => {{ {happens} }}; \
         }} catch (error) {{ done(error.name); }} }};"
    );
    let client = kitchen.browser().client();
    client.execute_async(&script, Vec::new()).await.ok()?.as_str().map(str::to_owned)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_came_broken_is_told() {
    journey("a_broken_program", async |kitchen| {
        for name in ["kitchen-assistant_bg.wasm", "kitchen-assistant.js"] {
            let broken = Build::another().cut(name);
            kitchen.proxy.serve(broken.path());
            let address = kitchen.proxy.address();
            kitchen.browser().client().goto(&address).await.expect("there is a page");
            let told = "Kitchen Assistant could not be loaded";
            kitchen.page().named(Role::Heading, told).await;
        }
    })
    .await;
}
