//! A real browser with a profile of its own, and the commands that only some browsers know.

use std::path::Path;
use std::process::Command as Program;

use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, ClientBuilder};
use http::Method;
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use url::{ParseError, Url};

use crate::process::{self, Process};

/// Which browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// Chromium.
    Chromium,
    /// Firefox.
    Firefox,
}

/// A running browser and its driver.
pub struct Browser {
    engine: Engine,
    client: Client,
    /// The browser's own process: its driver puts it outside its process group.
    process: Option<u64>,
    driver: Process,
}

impl Browser {
    /// Opens a browser whose profile is the folder `profile`.
    ///
    /// # Panics
    ///
    /// It does not start.
    pub async fn open(engine: Engine, profile: &Path) -> Self {
        let (driver, port) = start_driver(engine);
        let capabilities = serde_json::from_value(capabilities(engine, profile));
        let capabilities = capabilities.expect("capabilities are an object");
        let client = ClientBuilder::new(HttpConnector::new())
            .capabilities(capabilities)
            .connect(&format!("http://127.0.0.1:{port}"))
            .await
            .unwrap_or_else(|error| panic!("{engine:?} does not start: {error}"));
        let process = ["goog:processID", "moz:processID"]
            .iter()
            .find_map(|name| client.capabilities()?.get(*name)?.as_u64());
        client.set_window_size(1440, 1000).await.expect("a window of a laptop's size");
        let browser = Self { engine, client, process, driver };
        browser.watch_from_the_start().await;
        browser
    }

    /// The connection that drives it.
    #[must_use]
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// Runs a command of Chromium's own protocol.
    ///
    /// # Panics
    ///
    /// Chromium refuses it.
    pub async fn chromium(&self, name: &str, parameters: Value) -> Value {
        let body = json!({ "cmd": name, "params": parameters });
        self.client
            .issue_cmd(Command::post("goog/cdp/execute", body))
            .await
            .unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Shows the page as a window of this width would, in light or dark, without transitions: what
    /// is measured is a state and not the way to it.
    pub async fn look(&self, width: u32, dark: bool) {
        let height = if width < 600 { 844 } else { 900 };
        let size =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.chromium("Emulation.setDeviceMetricsOverride", size).await;
        let scheme = if dark { "dark" } else { "light" };
        let features = json!([
            { "name": "prefers-color-scheme", "value": scheme },
            { "name": "prefers-reduced-motion", "value": "reduce" },
        ]);
        self.chromium("Emulation.setEmulatedMedia", json!({ "features": features })).await;
    }

    /// From the next page on, the browser has no store to offer.
    pub async fn deny_storage(&self) {
        let source = "IDBFactory.prototype.open = () => { \
            throw new DOMException('Storage is denied.', 'SecurityError'); }";
        self.chromium("Page.addScriptToEvaluateOnNewDocument", json!({ "source": source })).await;
    }

    /// From the next page on, the clock is so many milliseconds later.
    pub async fn move_the_clock(&self, ms: u64) {
        let source = format!("const now = Date.now; Date.now = () => now() + {ms};");
        self.chromium("Page.addScriptToEvaluateOnNewDocument", json!({ "source": source })).await;
    }

    /// What the page did against its policy, and where it panicked, since it was opened.
    ///
    /// # Panics
    ///
    /// The browser does not say.
    pub async fn complaints(&self) -> Vec<String> {
        let logged = match self.engine {
            Engine::Chromium => {
                let list =
                    self.client.execute(WATCHED, Vec::new()).await.expect("the page answers");
                let body = json!({ "type": "browser" });
                let log =
                    self.client.issue_cmd(Command::post("se/log", body)).await.expect("a log");
                [texts(&list), texts(&log)].concat()
            }
            Engine::Firefox => self.firefox_console().await,
        };
        let is_one = |line: &String| SIGNS.iter().any(|sign| line.contains(sign));
        logged.into_iter().filter(is_one).collect()
    }

    /// Ends it at once, as a crash would. What it had written stays in its profile.
    pub fn kill(self) {}

    /// Its processes, as [`process::kill`] takes them: all of them in one group, but for a browser
    /// that its driver has put outside.
    #[must_use]
    pub fn processes(&self) -> Vec<String> {
        [self.driver.group()].into_iter().chain(self.process.map(|it| it.to_string())).collect()
    }

    /// Notes violations of the page's policy before the page's first byte.
    async fn watch_from_the_start(&self) {
        if self.engine == Engine::Chromium {
            self.chromium("Page.addScriptToEvaluateOnNewDocument", json!({ "source": WATCH }))
                .await;
        }
    }

    /// Firefox's console, where its policy's violations are written, read with its own rights.
    async fn firefox_console(&self) -> Vec<String> {
        let context = |name| Command::post("moz/context", json!({ "context": name }));
        self.client.issue_cmd(context("chrome")).await.expect("the browser's own rights");
        let messages = self.client.execute(FIREFOX_CONSOLE, Vec::new()).await.expect("the console");
        self.client.issue_cmd(context("content")).await.expect("the page's rights");
        texts(&messages)
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if let Some(number) = self.process {
            process::kill(&number.to_string());
        }
    }
}

const WATCH: &str = "window.__violations = []; \
    document.addEventListener('securitypolicyviolation', event => \
        window.__violations.push(`violation: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`));";
const WATCHED: &str = "return window.__violations";

/// What marks a line of a browser's log as one that must not be there. A panic is a trap.
const SIGNS: [&str; 5] =
    ["violation:", "Content Security", "Content-Security", "TrustedHTML", "RuntimeError"];

const FIREFOX_CONSOLE: &str =
    "return Services.console.getMessageArray().map(it => it.message ?? String(it))";

fn texts(list: &Value) -> Vec<String> {
    let list = list.as_array().into_iter().flatten();
    list.map(|it| it.as_str().map_or_else(|| it.to_string(), str::to_owned)).collect()
}

fn start_driver(engine: Engine) -> (Process, u16) {
    match engine {
        Engine::Chromium => {
            Process::start(Program::new("chromedriver").arg("--port=0"), "successfully on port ")
        }
        Engine::Firefox => {
            let mut program = Program::new("geckodriver");
            program.args(["--port", "0", "--allow-system-access", "--websocket-port", "0"]);
            Process::start(&mut program, "Listening on 127.0.0.1:")
        }
    }
}

fn capabilities(engine: Engine, profile: &Path) -> Value {
    match engine {
        Engine::Chromium => json!({
            "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" },
            "goog:chromeOptions": { "args": [
                "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
                "--disable-background-networking", "--disable-component-update", "--disable-sync",
                "--force-device-scale-factor=1",
                format!("--user-data-dir={}", profile.display()),
            ] },
        }),
        Engine::Firefox => json!({
            "moz:firefoxOptions": {
                "args": ["-headless", "-profile", profile],
            },
        }),
    }
}

/// A WebDriver command that the client has no function for.
#[derive(Debug)]
pub struct Command {
    method: Method,
    path: String,
    body: Option<Value>,
}

impl Command {
    /// A command that asks.
    #[must_use]
    pub fn get(path: &str) -> Self {
        Self { method: Method::GET, path: path.to_owned(), body: None }
    }

    /// A command that does.
    #[must_use]
    pub fn post(path: &str, body: Value) -> Self {
        Self { method: Method::POST, path: path.to_owned(), body: Some(body) }
    }
}

impl WebDriverCompatibleCommand for Command {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, ParseError> {
        base.join(&format!("session/{}/{}", session.unwrap_or_default(), self.path))
    }

    fn method_and_body(&self, _url: &Url) -> (Method, Option<String>) {
        (self.method.clone(), self.body.as_ref().map(Value::to_string))
    }
}
