//! `CallModel`: a request through the proxy, streamed; and what the proxy offers.

use std::cell::RefCell;

use agent::model::{ModelError, ModelErrorKind, ModelEvent, ModelReply, ModelRequest};
use agent::stored;
use futures::future::LocalBoxFuture;
use gloo_net::http::{Request, Response};
use gloo_timers::future::TimeoutFuture;
use js_sys::{Reflect, Uint8Array};
use store::settings::Preferences;
use view::scene::{ProviderOffer, Proxy};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, AbortSignal, ReadableStreamDefaultReader};
use wire::failure::error_from_response;
use wire::protocol::Ask;
use wire::provider::{APP_HEADER, Provider};
use wire::retry;
use wire::status::{ProviderStatus, Status};

use super::engine;
use crate::part::NotLoaded;

/// The most a model may write in one reply, in tokens.
const REPLY_TOKENS_MAX: u32 = 4096;

thread_local! {
    /// What the proxy lets this page in by. It is another one each time the proxy is started.
    static TOKEN: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Gets the pieces of a reply as they come.
pub type OnEvent = Box<dyn FnMut(ModelEvent)>;

/// Where model replies come from. The page has one; tests of the page have a scripted one.
pub trait ModelClient {
    /// Calls a model. `on_event` gets the pieces as they come. Dropping the future stops the call.
    fn call(
        &self,
        preferences: &Preferences,
        request: &ModelRequest,
        on_event: OnEvent,
    ) -> LocalBoxFuture<'static, Result<ModelReply, ModelError>>;

    /// Asks what can be called, and of the provider with this name whether it can be now.
    fn offers(&self, chosen: &str) -> LocalBoxFuture<'static, Proxy>;
}

/// The proxy, at the page's own address.
#[derive(Debug, Clone, Copy)]
pub struct HttpModelClient;

impl ModelClient for HttpModelClient {
    fn call(
        &self,
        preferences: &Preferences,
        request: &ModelRequest,
        on_event: OnEvent,
    ) -> LocalBoxFuture<'static, Result<ModelReply, ModelError>> {
        let (preferences, request) = (preferences.clone(), request.clone());
        Box::pin(async move {
            match engine::ask_model(preferences, request, on_event).await {
                Ok(reply) => reply.await,
                Err(NotLoaded) => Err(unreachable_proxy(&"the engine did not load".into())),
            }
        })
    }

    fn offers(&self, chosen: &str) -> LocalBoxFuture<'static, Proxy> {
        Box::pin(offers(format!("/api/status?chosen={chosen}")))
    }
}

/// Asks the model through the proxy, and a busy provider once more: nothing runs before a reply is
/// whole, and of a call that was turned away nothing had come.
pub(super) async fn ask(
    preferences: Preferences,
    request: ModelRequest,
    mut on_event: OnEvent,
) -> Result<ModelReply, ModelError> {
    let (provider, body) = encode(&preferences, &request)?;
    let (mut again, mut has_begun) = (0, false);
    let mut reply = loop {
        let on_event = |event| {
            has_begun = true;
            on_event(event);
        };
        match stream(provider, &body, on_event).await {
            Ok(reply) => break reply,
            Err(error) => match retry::wait_ms(&error, again) {
                Some(wait) if !has_begun => TimeoutFuture::new(wait).await,
                Some(_) | None => return Err(error),
            },
        }
        again += 1;
    };
    reply.usage.model = format!("{}/{}", provider.name(), preferences.model);
    Ok(reply)
}

fn encode(
    preferences: &Preferences,
    request: &ModelRequest,
) -> Result<(Provider, Vec<u8>), ModelError> {
    let provider = Provider::from_name(&preferences.provider).ok_or_else(|| ModelError {
        kind: ModelErrorKind::BadRequest,
        message: format!("there is no provider named {}", preferences.provider),
    })?;
    let (model, max_tokens) = (preferences.model.as_str(), REPLY_TOKENS_MAX);
    let body = provider.protocol().encode(&Ask { request, model, max_tokens, stream: true })?;
    Ok((provider, body))
}

async fn stream(
    provider: Provider,
    body: &[u8],
    mut on_event: impl FnMut(ModelEvent),
) -> Result<ModelReply, ModelError> {
    let abort = AbortOnDrop::new().map_err(|error| unreachable_proxy(&error))?;
    let mut response = post(provider, body, &abort).await?;
    // What the proxy does not let in is not passed on. If it was started anew since this page last
    // heard of it, it has just told the token of this start.
    if response.status() == 403 && take_token(&response) {
        response = post(provider, body, &abort).await?;
    }
    if !response.ok() {
        return Err(refused(&response).await);
    }
    let mut decoder = provider.protocol().decoder();
    let reader = Reader::of(&response).map_err(|error| cut(&error))?;
    let mut events = Vec::new();
    while let Some(bytes) = reader.next().await.map_err(|error| cut(&error))? {
        let read = decoder.feed_into(&bytes, &mut events);
        // What came before a failure has come: whether it may be asked again depends on it.
        events.drain(..).for_each(&mut on_event);
        read?;
    }
    Ok(decoder.finish()?)
}

async fn post(
    provider: Provider,
    body: &[u8],
    abort: &AbortOnDrop,
) -> Result<Response, ModelError> {
    TOKEN
        .with_borrow(|token| Request::post(&provider.endpoint()).header(APP_HEADER, token))
        .header("content-type", "application/json")
        .abort_signal(Some(&abort.signal()))
        .body(Uint8Array::from(body))
        .map_err(|error| unreachable_proxy(&error.to_string().into()))?
        .send()
        .await
        .map_err(|error| unreachable_proxy(&error.to_string().into()))
}

/// Takes the token that an answer of the proxy tells; whether this page had another.
fn take_token(response: &Response) -> bool {
    let told = response.headers().get(APP_HEADER);
    told.is_some_and(|told| TOKEN.replace(told.clone()) != told)
}

async fn refused(response: &Response) -> ModelError {
    let retry_after = response.headers().get("retry-after");
    let body = response.binary().await.unwrap_or_default();
    error_from_response(response.status(), retry_after.as_deref(), &body).into()
}

async fn offers(address: String) -> Proxy {
    ask_status(&address).await.map_or(Proxy::Unreachable, |status| {
        let offer = |provider: ProviderStatus| ProviderOffer {
            name: provider.name,
            title: provider.title,
            models: provider.models,
            lacking: provider.lacking,
            missing: provider.missing,
        };
        Proxy::Ready { providers: status.providers.into_iter().map(offer).collect() }
    })
}

async fn ask_status(address: &str) -> Option<Status> {
    let response = Request::get(address).send().await.ok().filter(Response::ok)?;
    take_token(&response);
    stored::parse(&response.text().await.ok()?).ok()
}

/// Stops the request when the call is dropped, so that nobody writes on for a reader who left.
struct AbortOnDrop(AbortController);

impl AbortOnDrop {
    fn new() -> Result<Self, JsValue> {
        AbortController::new().map(Self)
    }

    fn signal(&self) -> AbortSignal {
        self.0.signal()
    }
}

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// A body, piece by piece.
struct Reader(ReadableStreamDefaultReader);

impl Reader {
    fn of(response: &Response) -> Result<Self, JsValue> {
        let body = response.body().ok_or_else(|| JsValue::from("the reply has no body"))?;
        Ok(Self(body.get_reader().unchecked_into()))
    }

    async fn next(&self) -> Result<Option<Vec<u8>>, JsValue> {
        let piece = JsFuture::from(self.0.read()).await?;
        if Reflect::get(&piece, &"done".into())?.is_truthy() {
            return Ok(None);
        }
        Ok(Some(Uint8Array::new(&Reflect::get(&piece, &"value".into())?).to_vec()))
    }
}

fn unreachable_proxy(error: &JsValue) -> ModelError {
    ModelError { kind: ModelErrorKind::ProxyUnreachable, message: words(error) }
}

fn cut(error: &JsValue) -> ModelError {
    ModelError { kind: ModelErrorKind::CutOff, message: words(error) }
}

fn words(error: &JsValue) -> String {
    error.as_string().unwrap_or_else(|| format!("{error:?}"))
}
