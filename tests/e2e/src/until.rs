//! Waiting for the page: asking again for a bounded time, and saying what was there instead.

use std::time::Duration;

use fantoccini::Client;

/// How often the page is asked, and how long it is left alone in between.
const TRIES: u32 = 400;
const PAUSE: Duration = Duration::from_millis(50);

/// Asks until there is an answer.
///
/// # Panics
///
/// There is none in time. The message holds what the page says by then.
pub async fn until<T>(client: &Client, what: &str, mut ask: impl AsyncFnMut() -> Option<T>) -> T {
    for _ in 0..TRIES {
        if let Some(answer) = ask().await {
            return answer;
        }
        tokio::time::sleep(PAUSE).await;
    }
    let text = client.execute("return document.body.innerText", Vec::new()).await;
    let text = text.ok().and_then(|it| it.as_str().map(str::to_owned)).unwrap_or_default();
    panic!("waited in vain for {what}. The page says:\n{text}");
}
