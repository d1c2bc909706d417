//! Every screen, at every width, light and dark, as axe-core and the eye see it.

use e2e::axe;
use e2e::browser::Engine;
use e2e::kitchen::Kitchen;
use e2e::screens::{SCREENS, VIEWS};

#[tokio::test(flavor = "multi_thread")]
async fn axe_finds_nothing_on_any_screen() {
    let mut findings = Vec::new();
    for screen in SCREENS {
        let mut kitchen = Kitchen::open(Engine::Chromium).await;
        screen.open(&mut kitchen).await;
        for view in VIEWS {
            view.show(&kitchen).await;
            let place = format!("{screen:?} at {view}");
            let found = axe::findings(kitchen.browser().client()).await;
            findings.extend(found.into_iter().map(|it| format!("{place}: {it}")));
            if view.scrolls_sideways(&kitchen).await {
                findings.push(format!("{place}: scrolls sideways"));
            }
        }
    }
    assert!(findings.is_empty(), "{}", findings.join("\n"));
}
