//! One household's kitchen: a proxy, a browser and its profile, open at the page.

use std::path::{Path, PathBuf};

use fantoccini::wd::WindowHandle;
use serde_json::json;
use tempfile::TempDir;

use crate::browser::{Browser, Engine};
use crate::page::Page;
use crate::provider::Provider;
use crate::proxy::Proxy;
use crate::role::Role;

/// A kitchen, open in a browser.
pub struct Kitchen {
    /// The model proxy.
    pub proxy: Proxy,
    /// Stands where the vendors would, if the journey needs it.
    pub provider: Option<Provider>,
    browser: Option<Browser>,
    profile: TempDir,
    engine: Engine,
}

impl Kitchen {
    /// Opens one with the built-in model.
    pub async fn open(engine: Engine) -> Self {
        Self::open_with(engine, None).await
    }

    /// Opens one where `provider` stands where the vendors would.
    ///
    /// # Panics
    ///
    /// Something does not start.
    pub async fn open_with(engine: Engine, provider: Option<Provider>) -> Self {
        let proxy = Proxy::start(provider.as_ref().map(|it| it.address().to_owned()));
        let profile = TempDir::with_prefix("kitchen-").expect("a folder for the profile");
        let mut kitchen = Self { proxy, provider, browser: None, profile, engine };
        kitchen.open_browser().await;
        kitchen
    }

    /// The browser.
    ///
    /// # Panics
    ///
    /// It is not open.
    #[must_use]
    pub fn browser(&self) -> &Browser {
        self.browser.as_ref().expect("the browser is open")
    }

    /// The page.
    #[must_use]
    pub fn page(&self) -> Page {
        Page::of(self.browser().client())
    }

    /// Kills the browser and opens it again with the same profile.
    pub async fn crash_and_come_back(&mut self) {
        drop(self.browser.take());
        self.open_browser().await;
    }

    /// Closes the tab and opens the page in another one. In Chromium.
    ///
    /// # Panics
    ///
    /// The browser has no other tab.
    pub async fn close_the_tab_and_come_back(&self) {
        let client = self.browser().client();
        let other = client.new_window(true).await.expect("another tab").handle;
        client.close_window().await.expect("the tab closes");
        self.visit_in(other).await;
    }

    /// Opens the page in another tab beside this one, and stays there. In Chromium.
    ///
    /// # Panics
    ///
    /// The browser has no other tab.
    pub async fn visit_in_another_tab(&self) {
        let other = self.browser().client().new_window(true).await.expect("another tab").handle;
        self.visit_in(other).await;
    }

    async fn visit_in(&self, tab: WindowHandle) {
        let client = self.browser().client();
        client.switch_to_window(tab).await.expect("the other tab is there");
        // A person looks at the tab they came to.
        self.browser().chromium("Page.bringToFront", json!({})).await;
        self.visit().await;
    }

    /// Opens the page and waits until it is alive.
    pub async fn visit(&self) {
        self.page().open(&self.proxy.address()).await;
    }

    /// Presses a button that saves a file, and gives the file. In Chromium.
    ///
    /// # Panics
    ///
    /// No file is saved.
    pub async fn saved_by(&self, button: &str) -> PathBuf {
        // Each has a folder of its own: Chromium writes over a file of the same name.
        let folder = TempDir::with_prefix_in("saved-", self.profile.path());
        let folder = folder.expect("a folder for what is saved").keep();
        let saved = || {
            let all = std::fs::read_dir(&folder).into_iter().flatten().flatten();
            let whole = |path: &PathBuf| path.extension().is_some_and(|it| it != "crdownload");
            all.map(|entry| entry.path()).find(whole)
        };
        let behavior = json!({ "behavior": "allow", "downloadPath": folder });
        self.browser().chromium("Page.setDownloadBehavior", behavior).await;
        self.page().press(Role::Button, button).await;
        self.page().until("a file that is saved", async |_| saved()).await
    }

    /// Clears what the browser keeps for the page, as a browser does that needs room. In Chromium.
    pub async fn clear_the_store(&self) {
        let what = json!({ "origin": self.proxy.address(), "storageTypes": "indexeddb" });
        self.browser().chromium("Storage.clearDataForOrigin", what).await;
    }

    /// Writes a picture of the page.
    pub async fn picture(&self, file: &Path) {
        let picture = self.browser().client().screenshot().await;
        // A picture explains a failure; that it cannot be had must not hide the failure.
        if let Ok(picture) = picture {
            let _ = std::fs::write(file, picture);
        }
    }

    async fn open_browser(&mut self) {
        self.browser = Some(Browser::open(self.engine, self.profile.path()).await);
        self.visit().await;
    }
}
