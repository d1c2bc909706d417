//! A page of another site, in the same browser, gets nothing out of the proxy. Chromium's own
//! question before a page may reach this machine plays no part: the other site is on it too.

use e2e::browser::Engine;
use e2e::foreign::ForeignSite;
use e2e::kitchen::Kitchen;
use e2e::provider::{Answer, Provider};
use e2e::until::until;
use serde_json::json;

/// Twenty-five ways to ask without being let: `to` is the proxy's address for Claude, `body` a
/// request that it would pay for, `elsewhere` what sends a request on, and `token` what lets the page
/// in, which no other page gets to know. Each is a promise that is kept once it failed.
const WAYS: &str = r#"
const [to, body, elsewhere, token, done] = arguments;
const app = { 'x-kitchen-assistant': token };
const asked = (options) => fetch(to, { method: 'POST', body, ...options });
const form = (enctype, method, action) => new Promise((resolve) => {
  const frame = document.createElement('iframe');
  frame.name = 'frame' + document.querySelectorAll('iframe').length;
  document.body.append(frame);
  const form = Object.assign(document.createElement('form'), { method, enctype, action, target: frame.name });
  const at = body.lastIndexOf('"}');
  form.append(Object.assign(document.createElement('input'), { name: body.slice(0, at) + '=', value: body.slice(at) }));
  document.body.append(form);
  frame.onload = resolve;
  form.submit();
});
const element = (name, attributes) => new Promise((resolve) => {
  const made = Object.assign(document.createElement(name), attributes);
  made.onload = made.onerror = resolve;
  document.body.append(made);
});
const xhr = (headers) => new Promise((resolve) => {
  const request = new XMLHttpRequest();
  request.open('POST', to);
  for (const name in headers) request.setRequestHeader(name, headers[name]);
  request.onloadend = resolve;
  request.send(body);
});
const json = { 'content-type': 'application/json' };
const ways = [
  () => asked({}),
  () => asked({ mode: 'no-cors' }),
  () => asked({ mode: 'no-cors', headers: { 'content-type': 'text/plain' } }),
  () => asked({ mode: 'no-cors', headers: app }),
  () => asked({ mode: 'no-cors', headers: json }),
  () => asked({ mode: 'no-cors', body: new URLSearchParams({ body }) }),
  () => asked({ mode: 'no-cors', body: new FormData() }),
  () => asked({ mode: 'no-cors', body: new Blob([body]) }),
  () => asked({ mode: 'no-cors', credentials: 'include' }),
  () => asked({ mode: 'no-cors', referrerPolicy: 'no-referrer' }),
  () => asked({ headers: json }),
  () => asked({ headers: { ...json, ...app } }),
  () => asked({ headers: { ...json, ...app }, credentials: 'include' }),
  () => asked({ headers: { ...json, ...app, 'access-control-allow-origin': '*' } }),
  () => fetch(to, { method: 'PUT', headers: app, body }),
  () => fetch(to, { mode: 'no-cors' }),
  () => fetch(elsewhere + to, { method: 'POST', mode: 'no-cors', body }),
  () => xhr({}),
  () => xhr({ ...json, ...app }),
  () => form('text/plain', 'post', to),
  () => form('application/x-www-form-urlencoded', 'post', to),
  () => form('multipart/form-data', 'post', elsewhere + to),
  () => form('application/x-www-form-urlencoded', 'get', to),
  () => element('img', { src: to }),
  () => element('script', { src: to }),
];
Promise.allSettled(ways.map((way) => Promise.resolve().then(way))).then(() => done(ways.length));
"#;

/// Asks as the page itself asks.
const OWN: &str = r#"
const [to, body, token, done] = arguments;
const headers = { 'x-kitchen-assistant': token, 'content-type': 'application/json' };
fetch(to, { method: 'POST', headers, body }).then((it) => it.text()).then(done, () => done('failed'));
"#;

/// No journey, whose end would take the browser's word on frames of the other site for the page's.
#[tokio::test(flavor = "multi_thread")]
async fn requests_of_pages_of_other_sites_reach_no_provider() {
    let provider = Provider::start([Answer::Says("Hello.")]).await;
    let kitchen = Kitchen::open_with(Engine::Chromium, Some(provider)).await;
    let site = ForeignSite::start().await;
    // By one name the other site is of another origin, by the other it is of another site too.
    ask_from(&kitchen, &site.address("127.0.0.1")).await;
    ask_from(&kitchen, &site.address("localhost")).await;
    assert_eq!(kitchen.provider.as_ref().map(Provider::asked), Some(Vec::new()));
    // What was refused to others is what the page asks.
    kitchen.visit().await;
    let client = kitchen.browser().client();
    let asked = client
        .execute_async(
            OWN,
            vec![endpoint(&kitchen).into(), body().into(), kitchen.proxy.token().into()],
        )
        .await;
    assert!(asked.unwrap().as_str().unwrap().contains("Hello."));
    assert_eq!(kitchen.provider.as_ref().map(|it| it.asked().len()), Some(1));
}

async fn ask_from(kitchen: &Kitchen, address: &str) {
    let before = arrived(kitchen).len();
    let client = kitchen.browser().client();
    assert!(client.goto(address).await.is_ok());
    let arguments = vec![
        endpoint(kitchen).into(),
        body().into(),
        format!("{address}to/").into(),
        kitchen.proxy.token().into(),
    ];
    let ways = client.execute_async(WAYS, arguments).await;
    assert_eq!(ways.ok(), Some(25.into()));
    let arrived = until(client, "every request to arrive", async || {
        let arrived = arrived(kitchen).split_off(before);
        (arrived.len() >= 25).then_some(arrived)
    })
    .await;
    for line in arrived {
        assert!([" 403 ", " 405 ", " 415 "].iter().any(|it| line.contains(it)), "{line}");
    }
}

fn endpoint(kitchen: &Kitchen) -> String {
    format!("{}api/anthropic/v1/messages", kitchen.proxy.address())
}

fn body() -> String {
    let hello = json!([{ "type": "text", "text": "hello" }]);
    let said = json!([{ "role": "user", "content": hello }]);
    json!({ "max_tokens": 16, "messages": said, "stream": true, "model": "claude-sonnet-5-5" })
        .to_string()
}

/// What the proxy said about requests for Claude.
fn arrived(kitchen: &Kitchen) -> Vec<String> {
    let log = kitchen.proxy.log().into_iter();
    log.filter(|line| line.contains("/api/anthropic/v1/messages ")).collect()
}
