//! Writes a picture of every screen, at every width, light and dark, to `target/screenshots/`.

use e2e::browser::Engine;
use e2e::files;
use e2e::kitchen::Kitchen;
use e2e::screens::SCREENS;

#[tokio::main]
async fn main() {
    let folder = files::pictures("screenshots");
    for screen in SCREENS {
        let mut kitchen = Kitchen::open(Engine::Chromium).await;
        screen.open(&mut kitchen).await;
        for view in screen.views() {
            screen.show(view, &kitchen).await;
            let file = folder.join(format!("{screen:?}-{view}.png").to_lowercase());
            kitchen.picture(&file).await;
            println!("{}", file.display());
        }
    }
}
