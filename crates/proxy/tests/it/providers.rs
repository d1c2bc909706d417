//! What holds for every provider alike: where its requests go, with what, and how its replies come.

use std::collections::BTreeSet;

use axum::body::Body;
use axum::http::{HeaderValue, Method};
use proxy::Vendor;
use serde_json::{Value, json};
use wire::error::{Failure, WireError};
use wire::protocol::Protocol;
use wire::provider::Provider;

use crate::world::{
    KEY, MODEL, Proxy, REACHED, Script, Upstream, answer, request_to, scripted_with,
};

/// A piece of a reply, as a provider frames it, and its kind.
fn frame(provider: Provider) -> (&'static str, &'static str) {
    match provider.protocol() {
        Protocol::Anthropic => ("event: ping\ndata: {\"type\":\"ping\"}\n\n", "text/event-stream"),
        Protocol::OpenAiChat => (
            "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hi\"}}]}\n\n",
            "text/event-stream; charset=utf-8",
        ),
        Protocol::OpenAiResponses => (
            "event: response.in_progress\ndata: {\"type\":\"response.in_progress\"}\n\n",
            "text/event-stream",
        ),
        Protocol::Ollama => (
            "{\"message\":{\"role\":\"assistant\",\"content\":\"Hi\"},\"done\":false}\n",
            "application/x-ndjson",
        ),
    }
}

async fn scripted(provider: Provider) -> (Upstream, Script) {
    scripted_with(move |body| answer(200, frame(provider).1, body)).await
}

#[tokio::test]
async fn each_request_goes_to_its_place_with_the_key_and_the_body_as_it_came() {
    let bearer = format!("Bearer {KEY}");
    for (provider, path, key_field, key) in [
        (Provider::Anthropic, "/v1/messages", "x-api-key", KEY),
        (Provider::OpenAiChat, "/chat/completions", "authorization", bearer.as_str()),
        (Provider::OpenAiResponses, "/responses", "authorization", &bearer),
        (Provider::Ollama, "/api/chat", "authorization", &bearer),
    ] {
        let mut upstream = Upstream::short().await;
        let proxy = Proxy::before(&upstream).await;
        let body = request_to(provider).to_string().replace("{\"", "{ \"");
        assert_eq!(proxy.put_to(provider).body(body.clone()).send().await.status, 200);
        let seen = upstream.saw().await;
        assert_eq!((seen.method, seen.uri.path()), (Method::POST, path));
        assert_eq!(seen.body, body);
        let expected: BTreeSet<&str> = [
            "accept",
            "accept-encoding",
            "content-length",
            "content-type",
            "host",
            "user-agent",
            key_field,
        ]
        .into_iter()
        .chain((provider == Provider::Anthropic).then_some("anthropic-version"))
        .collect();
        let names: BTreeSet<&str> = seen.headers.keys().map(|name| name.as_str()).collect();
        assert_eq!(names, expected);
        assert_eq!(seen.headers.get(key_field).unwrap(), key);
    }
}

#[tokio::test]
async fn ollama_is_asked_without_a_key_and_the_others_are_not() {
    let mut upstream = Upstream::short().await;
    let proxy = Proxy::start(|config| {
        upstream.stands_for_all(config);
        for vendor in Vendor::ALL {
            config.upstreams.of_mut(vendor).key = None;
        }
    })
    .await;
    for provider in REACHED {
        let reply = proxy.put_to(provider).send().await;
        if provider == Provider::Ollama {
            assert_eq!(reply.status, 200);
            assert_eq!(upstream.saw().await.headers.get("authorization"), None);
        } else {
            assert_eq!((reply.status, reply.error().0.as_str()), (401, "authentication_error"));
        }
        assert!(upstream.saw_nothing());
    }
}

#[tokio::test]
async fn what_a_client_says_of_itself_is_not_forwarded() {
    for provider in REACHED {
        let mut upstream = Upstream::short().await;
        let proxy = Proxy::before(&upstream).await;
        let ask = proxy
            .put_to(provider)
            .with("authorization", "Bearer stolen")
            .with("x-api-key", "stolen")
            .with("openai-organization", "stolen")
            .with("x-stainless-lang", "python")
            .with("cookie", "stolen");
        assert_eq!(ask.send().await.status, 200);
        let seen = upstream.saw().await;
        assert!(seen.headers.values().all(|it| !it.to_str().unwrap().contains("stolen")));
        assert_eq!(seen.headers.get("x-stainless-lang"), None);
    }
}

#[tokio::test]
async fn each_reply_comes_piece_by_piece_while_its_provider_still_writes() {
    for provider in REACHED {
        let (upstream, mut script) = scripted(provider).await;
        let proxy = Proxy::before(&upstream).await;
        let (frame, kind) = frame(provider);
        let (start, rest) = frame.split_at(9);
        script.send(frame);
        let mut reply = proxy.put_to(provider).open().await;
        assert_eq!(reply.header("content-type"), kind);
        assert_eq!(reply.piece().await.unwrap().unwrap(), frame);
        script.send(start);
        assert_eq!(reply.piece().await.unwrap().unwrap(), start);
        script.send(rest);
        assert_eq!(reply.piece().await.unwrap().unwrap(), rest);
        script.end();
        assert!(reply.piece().await.is_none());
    }
}

#[tokio::test]
async fn the_page_gone_ends_the_request_to_each_provider() {
    for provider in REACHED {
        let (upstream, script) = scripted(provider).await;
        let proxy = Proxy::before(&upstream).await;
        script.send(frame(provider).0);
        let mut reply = proxy.put_to(provider).open().await;
        reply.piece().await.unwrap().unwrap();
        drop(reply);
        script.gone().await;
        let line = proxy.logged("the page went away").await;
        assert!(line.starts_with(&format!("POST {} ended ", provider.endpoint())), "{line}");
    }
}

#[tokio::test(start_paused = true)]
async fn each_protocol_reads_what_the_proxy_says_of_a_reply_that_broke_off() {
    for provider in REACHED {
        for (silent, failure, words) in [
            (false, Failure::Internal, "The provider broke off in the middle. "),
            (true, Failure::Timeout, "The provider sent nothing for 60 seconds. "),
        ] {
            let (upstream, script) = scripted(provider).await;
            let proxy = Proxy::before(&upstream).await;
            script.send(frame(provider).0);
            let mut reply = proxy.put_to(provider).open().await;
            let first = reply.piece().await.unwrap().unwrap();
            if !silent {
                script.cut();
            }
            let mut decoder = provider.protocol().decoder();
            decoder.feed(first.as_bytes()).unwrap();
            let last = reply.piece().await.unwrap().unwrap();
            let error = decoder.feed(last.as_bytes()).unwrap_err();
            let WireError::Provider { failure: told, message, .. } = error else {
                panic!("{error:?}")
            };
            assert_eq!(told, failure, "{provider:?}");
            assert!(message.starts_with(words), "{message}");
            assert!(reply.piece().await.is_none());
        }
    }
}

#[tokio::test]
async fn inside_a_frame_each_reply_just_breaks_off() {
    for provider in REACHED {
        let (upstream, script) = scripted(provider).await;
        let proxy = Proxy::before(&upstream).await;
        script.send(&frame(provider).0[..12]);
        let mut reply = proxy.put_to(provider).open().await;
        reply.piece().await.unwrap().unwrap();
        script.cut();
        assert!(reply.piece().await.unwrap().is_err());
    }
}

#[tokio::test]
async fn each_client_reads_a_refusal_in_its_own_shape() {
    let proxy = Proxy::start(|_| ()).await;
    for provider in REACHED {
        let mut body = request_to(provider);
        body["model"] = "dear".into();
        let reply = proxy.put_to(provider).body(body.to_string()).send().await;
        assert_eq!(reply.status, 404);
        let said: Value = serde_json::from_slice(&reply.body).unwrap();
        let error = match provider.protocol() {
            Protocol::Ollama => &said["error"],
            Protocol::Anthropic | Protocol::OpenAiChat | Protocol::OpenAiResponses => {
                &said["error"]["message"]
            }
        };
        assert!(error.as_str().unwrap().starts_with("The model \"dear\" is not among "), "{said}");
        let read = wire::failure::error_from_response(reply.status, None, &reply.body);
        let WireError::Provider { failure, .. } = read else { panic!("{read:?}") };
        assert_eq!(failure, Failure::UnknownModel);
    }
}

#[tokio::test]
async fn no_redirect_is_followed_with_any_key() {
    let mut other = Upstream::short().await;
    for provider in REACHED {
        for status in [301, 302, 303, 307, 308] {
            let target = HeaderValue::try_from(format!("{}v1/messages", other.base())).unwrap();
            let upstream = Upstream::start(move || {
                let mut response = answer(status, "application/json", Body::from("{}"));
                response.headers_mut().insert("location", target.clone());
                async { response }
            })
            .await;
            let proxy = Proxy::before(&upstream).await;
            for ask in [proxy.put_to(provider), proxy.get(&provider.models_endpoint().unwrap())] {
                let reply = ask.send().await;
                assert_eq!((reply.status, reply.header("location")), (502, ""));
                assert!(reply.text().contains("pointed to another address"));
            }
        }
    }
    assert!(other.saw_nothing());
}

/// Sends a request with these fields in place of its own; what the provider got, if anything.
async fn sent(provider: Provider, change: Value) -> Result<Value, (u16, String)> {
    let mut upstream = Upstream::short().await;
    let proxy = Proxy::before(&upstream).await;
    let mut body = request_to(provider);
    for (name, value) in change.as_object().unwrap() {
        // Null takes a field away.
        if value.is_null() {
            body.as_object_mut().unwrap().remove(name);
        } else {
            body[name] = value.clone();
        }
    }
    let reply = proxy.put_to(provider).body(body.to_string()).send().await;
    if reply.status != 200 {
        assert!(upstream.saw_nothing());
        return Err((reply.status, reply.text().to_owned()));
    }
    Ok(serde_json::from_slice(&upstream.saw().await.body).unwrap())
}

#[tokio::test]
async fn no_request_asks_for_more_than_the_ceiling_or_a_model_nobody_chose() {
    use Provider::{Anthropic, Ollama, OpenAiChat, OpenAiResponses};
    for (provider, change) in [
        (Anthropic, json!({ "max_tokens": 16_385 })),
        (OpenAiChat, json!({ "max_completion_tokens": 16_385 })),
        (OpenAiChat, json!({ "max_tokens": 16_385 })),
        (OpenAiChat, json!({ "max_completion_tokens": null, "max_tokens": 1e9 })),
        (OpenAiChat, json!({ "n": 2 })),
        (OpenAiChat, json!({ "n": 1e3 })),
        (OpenAiResponses, json!({ "max_output_tokens": 16_385 })),
        (OpenAiResponses, json!({ "max_output_tokens": "1" })),
        (OpenAiResponses, json!({ "background": true })),
        (Ollama, json!({ "options": { "num_predict": 16_385 } })),
        (Ollama, json!({ "options": { "num_predict": -1 } })),
        (Ollama, json!({ "options": [] })),
    ]
    .into_iter()
    .chain(REACHED.map(|it| (it, json!({ "model": "dear" }))))
    .chain(REACHED.map(|it| (it, json!({ "model": null }))))
    {
        let refused = sent(provider, change.clone()).await;
        assert!(matches!(refused, Err((400 | 404, _))), "{provider:?} {change}: {refused:?}");
    }
}

#[tokio::test]
async fn a_request_that_names_no_length_gets_the_ceiling() {
    for (provider, field, expected) in [
        (Provider::Anthropic, "max_tokens", json!(16_384)),
        (Provider::OpenAiChat, "max_completion_tokens", json!(16_384)),
        (Provider::OpenAiResponses, "max_output_tokens", json!(16_384)),
        (Provider::Ollama, "options", json!({ "num_predict": 16_384 })),
    ] {
        let mut whole = request_to(provider);
        let got = sent(provider, json!({ field: null })).await.unwrap();
        whole[field] = expected;
        assert_eq!(got, whole);
    }
    let options = json!({ "temperature": 0.5, "num_ctx": 8192 });
    let got = sent(Provider::Ollama, json!({ "options": options })).await.unwrap();
    let whole = json!({ "temperature": 0.5, "num_ctx": 8192, "num_predict": 16_384 });
    assert_eq!(got["options"], whole);
    let old = json!({ "max_completion_tokens": null, "max_tokens": 5 });
    let got = sent(Provider::OpenAiChat, old).await.unwrap();
    assert_eq!((&got["max_tokens"], got.get("max_completion_tokens")), (&json!(5), None));
}

#[tokio::test]
async fn no_provider_is_let_keep_a_conversation() {
    for provider in [Provider::OpenAiChat, Provider::OpenAiResponses] {
        let refused = sent(provider, json!({ "store": true })).await;
        let (status, words) = refused.unwrap_err();
        assert_eq!(status, 400);
        assert!(words.contains("have the provider keep the conversation"), "{words}");
    }
    // Where leaving it open means yes, the proxy says no.
    let got = sent(Provider::OpenAiResponses, json!({ "store": null })).await.unwrap();
    assert_eq!(got["store"], json!(false));
    let got = sent(Provider::OpenAiChat, json!({ "store": null })).await.unwrap();
    assert_eq!(got.get("store"), None);
}

#[tokio::test]
async fn what_is_put_in_changes_nothing_else() {
    let mut upstream = Upstream::short().await;
    let proxy = Proxy::before(&upstream).await;
    let body = format!(
        "{{ \"input\": [1e400, 12345678901234567890123,  \"cr\\u00e8me\"], \"model\":\"{MODEL}\", \
         \"a\\\"b\": {{\"x\": 1, \"x\": 2}} }}"
    );
    let ask = proxy.put_to(Provider::OpenAiResponses).body(body);
    assert_eq!(ask.send().await.status, 200);
    let expected = format!(
        "{{\"input\":[1e400, 12345678901234567890123,  \"cr\\u00e8me\"],\"model\":\"{MODEL}\",\
         \"a\\\"b\":{{\"x\": 1, \"x\": 2}},\"store\":false,\"max_output_tokens\":16384}}"
    );
    assert_eq!(upstream.saw().await.body, expected);
}

#[tokio::test]
async fn a_field_that_is_given_twice_is_refused() {
    let mut upstream = Upstream::short().await;
    let proxy = Proxy::before(&upstream).await;
    for (provider, twice) in [
        (Provider::OpenAiChat, "\"n\":1,\"n\":1"),
        (Provider::OpenAiChat, "\"max_tokens\":1,\"max_\\u0074okens\":1"),
        (Provider::OpenAiResponses, "\"store\":false,\"store\":true"),
        (Provider::Ollama, "\"options\":{},\"options\":{}"),
        (Provider::Ollama, "\"options\":{\"num_predict\":1,\"num_predict\":99999}"),
    ] {
        let body = format!("{{\"model\":\"{MODEL}\",{twice}}}");
        let reply = proxy.put_to(provider).body(body).send().await;
        assert_eq!(reply.status, 400, "{twice}");
        assert!(reply.text().contains("duplicate field"), "{}", reply.text());
    }
    assert!(upstream.saw_nothing());
}

#[tokio::test]
async fn ollama_may_use_whatever_it_has_unless_models_were_chosen() {
    let mut upstream = Upstream::short().await;
    let proxy = Proxy::start(|config| {
        upstream.stands_for_all(config);
        config.upstreams.ollama.models = None;
    })
    .await;
    let mut body = request_to(Provider::Ollama);
    body["model"] = "whatever:8b".into();
    let ask = proxy.put_to(Provider::Ollama).body(body.to_string());
    assert_eq!(ask.send().await.status, 200);
    upstream.saw().await;
}
