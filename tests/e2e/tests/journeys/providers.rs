//! Whoever answers, by whichever protocol: the same page, the same cards, and nothing done twice.

use e2e::journey::journey_with;
use e2e::kitchen::Kitchen;
use e2e::network::Exchanged;
use e2e::page::Page;
use e2e::provider::{Answer, Asked, Heard, Protocol, Provider, Said};
use e2e::proxy::KEYS;
use e2e::role::Role;
use serde_json::{Value, json};

use crate::{ADD, DOZEN};

const ADDS: &str = "add_to_shopping_list";

#[tokio::test(flavor = "multi_thread")]
async fn claude_is_kept_to_what_a_person_approved() {
    walk(Protocol::Anthropic, "claude").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn openai_by_chat_completions_is_kept_to_what_a_person_approved() {
    walk(Protocol::OpenAiChat, "openai_chat").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn openai_by_responses_is_kept_to_what_a_person_approved() {
    walk(Protocol::OpenAiResponses, "openai_responses").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn ollama_is_kept_to_what_a_person_approved() {
    walk(Protocol::Ollama, "ollama").await;
}

/// All that can come of a card and of a reply, one after the other in one conversation.
async fn walk(protocol: Protocol, name: &str) {
    let script = [approving(), refusing(), replying(), several(), failing(), cutting()];
    let provider = Provider::start(script.into_iter().flatten()).await;
    journey_with(provider, name, async |kitchen| {
        kitchen.page().choose(protocol).await;
        approve(kitchen).await;
        refuse(kitchen).await;
        reply(kitchen).await;
        answer_several(kitchen).await;
        meet_errors(kitchen).await;
        meet_a_cut(kitchen).await;

        let page = kitchen.page();
        page.list_becomes(&["eggs 12", "rice 1 kg", "milk 1 l", "cheese 200 g"]).await;
        assert_eq!(provider_of(kitchen).unasked(), 0, "answers that nobody asked for");
        assert!(asked(kitchen).iter().all(|it| it.protocol == protocol), "the one that was chosen");
        keys_are_with_the_proxy_alone(kitchen).await;
        page.go("Activity").await;
        let allowed = ["decision Allowed", "execution Ran"].repeat(4);
        let others = ["decision Denied", "decision Moved on", "decision Denied"];
        page.records_become(&[allowed.as_slice(), &others].concat()).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_a_provider_does_not_have_is_told_before_it_is_asked() {
    let provider = Provider::having(&["claude-opus-5-5", "claude-haiku-5-5"], []).await;
    journey_with(provider, "a_model_that_is_not_there", async |kitchen| {
        let page = kitchen.page();
        page.choose(Protocol::Anthropic).await;
        page.shows("Claude (Anthropic) has no model named claude-sonnet-5-5").await;
        page.go("Settings").await;
        page.shows("It has no model named claude-sonnet-5-5.").await;
        page.picks("Model of Claude (Anthropic)", "claude-haiku-5-5").await;
        page.go("Kitchen").await;
        page.shows_no_more("Claude (Anthropic) has no model named").await;

        kitchen.visit().await;
        page.is_ready().await;
        page.go("Settings").await;
        page.press(Role::Radio, Protocol::OpenAiChat.title()).await;
        page.shows("OpenAI has no model to offer").await;
        assert!(asked(kitchen).is_empty(), "nobody was asked for words");
    })
    .await;
}

fn approving() -> Vec<Answer> {
    vec![adds([("eggs", "12")]), Answer::Says("A dozen eggs are on the list.")]
}

async fn approve(kitchen: &Kitchen) {
    let page = kitchen.page();
    page.message(DOZEN).await;
    let card = page.card(ADD).await;
    let text = card.text().await;
    assert!(text.contains("eggs") && text.contains("12"), "{text}");
    page.list_becomes(&[]).await;
    card.approve().await;
    page.list_becomes(&["eggs 12"]).await;
    page.hears("A dozen eggs are on the list.").await;
    page.settles().await;
    assert_eq!(errors(&latest(kitchen)), [false], "it was done");
    assert!(latest(kitchen).0.contains(&Said::Thought), "a provider gets its own thought back");
}

fn refusing() -> Vec<Answer> {
    vec![adds([("butter", "250 g")]), Answer::Says("Then no butter.")]
}

async fn refuse(kitchen: &Kitchen) {
    let page = kitchen.page();
    page.message("Butter").await;
    page.card(ADD).await.reject_with_reason("there is enough").await;
    page.hears("Then no butter.").await;
    page.settles().await;
    page.list_becomes(&["eggs 12"]).await;
    let heard = latest(kitchen);
    assert_eq!(errors(&heard), [true], "it was not done");
    assert!(heard.latest_results()[0].0.contains("there is enough"), "{heard:?}");
}

fn replying() -> Vec<Answer> {
    vec![adds([("flour", "1 kg")]), adds([("rice", "1 kg")]), Answer::Says("Rice it is.")]
}

async fn reply(kitchen: &Kitchen) {
    let page = kitchen.page();
    page.message("Flour").await;
    let first = page.card(ADD).await;
    first.reply("Make that rice").await;
    let second = page.another_card(ADD, first.request()).await;
    assert_eq!(page.waiting().await, [second.request()]);
    let heard = latest(kitchen);
    assert_eq!(errors(&heard), [true], "it was not done");
    assert_eq!(heard.0.last(), Some(&Said::Person("Make that rice".to_owned())));
    page.list_becomes(&["eggs 12"]).await;
    second.approve().await;
    page.hears("Rice it is.").await;
    page.settles().await;
    assert_eq!(errors(&latest(kitchen)), [false], "it was done");
}

fn several() -> Vec<Answer> {
    vec![adds([("milk", "1 l"), ("bread", "2")]), Answer::Says("Milk, and no bread.")]
}

async fn answer_several(kitchen: &Kitchen) {
    let page = kitchen.page();
    page.message("Milk and bread").await;
    page.waits_for_cards(2).await;
    let before = asked(kitchen).len();
    page.press_awake("Yes, milk, not on the list becomes 1 l").await;
    page.waits_for_cards(1).await;
    assert_eq!(asked(kitchen).len(), before, "while a card waits, nobody is asked");
    page.press_awake("No, bread, not on the list becomes 2").await;
    page.hears("Milk, and no bread.").await;
    page.settles().await;
    page.list_becomes(&["eggs 12", "rice 1 kg", "milk 1 l"]).await;
    assert_eq!(errors(&latest(kitchen)), [false, true], "one was done, one was not");
}

fn failing() -> Vec<Answer> {
    vec![
        Answer::TurnsAway(40),
        Answer::Fails("There is mi"),
        Answer::Says("There is milk on the list."),
    ]
}

async fn meet_errors(kitchen: &Kitchen) {
    let page = kitchen.page();
    page.message("What is there?").await;
    page.hears("Too many requests, 40 seconds to wait").await;
    page.press(Role::Button, "Try again").await;
    page.hears("The model is overloaded").await;
    page.hears("Nothing was changed.").await;
    page.press(Role::Button, "Try again").await;
    page.hears("There is milk on the list.").await;
    page.settles().await;
    let heard = latest(kitchen);
    let question = Said::Person("What is there?".to_owned());
    assert_eq!(heard.0.iter().filter(|it| **it == question).count(), 1, "asked twice: {heard:?}");
}

fn cutting() -> Vec<Answer> {
    vec![
        Answer::CutsOff(ADDS, vec![line("cheese", "200 g")]),
        adds([("cheese", "200 g")]),
        Answer::TurnsAway(50),
        Answer::Says("Cheese is on the list."),
    ]
}

async fn meet_a_cut(kitchen: &Kitchen) {
    let page = kitchen.page();
    page.message("Cheese").await;
    page.hears("The model stopped halfway").await;
    assert_eq!(page.waiting().await, Vec::<String>::new(), "a card of a call that was cut");
    page.press(Role::Button, "Try again").await;
    page.card(ADD).await.approve().await;
    page.hears("Too many requests, 50 seconds to wait").await;
    page.hears("Done before that: cheese.").await;
    page.press(Role::Button, "Try again").await;
    page.hears("Cheese is on the list.").await;
    page.settles().await;
    let heard = latest(kitchen);
    assert_eq!(errors(&heard), [false], "it was done");
    let cheese = heard.calls().filter(|it| it.arguments["item"] == "cheese").count();
    assert_eq!(cheese, 1, "a call that was cut is in the conversation: {heard:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_card_waits_while_another_provider_is_chosen_and_the_conversation_goes_on_with_it() {
    let script = [
        adds([("eggs", "12")]),
        adds([("milk", "1 l")]),
        adds([("bread", "2")]),
        adds([("salt", "1 kg")]),
        Answer::Says("All four are on the list."),
    ];
    let provider = Provider::start(script).await;
    journey_with(provider, "another_provider", async |kitchen| {
        let page = kitchen.page();
        page.choose(Protocol::Anthropic).await;
        page.message(DOZEN).await;
        let mut list = Vec::new();
        for (next, line) in [
            (Protocol::OpenAiResponses, "eggs 12"),
            (Protocol::OpenAiChat, "milk 1 l"),
            (Protocol::Ollama, "bread 2"),
            (Protocol::Anthropic, "salt 1 kg"),
        ] {
            approve_with_another(&page, next, line, &mut list).await;
        }
        page.hears("All four are on the list.").await;
        page.settles().await;

        let by: Vec<_> = asked(kitchen).iter().map(|it| it.protocol).collect();
        let [claude, responses, chat, ollama] = [
            Protocol::Anthropic,
            Protocol::OpenAiResponses,
            Protocol::OpenAiChat,
            Protocol::Ollama,
        ];
        assert_eq!(by, [claude, responses, chat, ollama, claude], "who was asked");
        let heard = latest(kitchen);
        assert_eq!(heard.calls().count(), 4, "{heard:?}");
        let thoughts = heard.0.iter().filter(|it| **it == Said::Thought).count();
        assert_eq!(thoughts, 1, "Claude's own thought: {heard:?}");
        keys_are_with_the_proxy_alone(kitchen).await;
    })
    .await;
}

/// The card that waits is still the same after `next` was chosen, and its yes counts.
async fn approve_with_another<'a>(
    page: &Page,
    next: Protocol,
    line: &'a str,
    list: &mut Vec<&'a str>,
) {
    let before = page.until("the next card", async |page| {
        let card = page.card(ADD).await;
        let is_next = card.text().await.contains(line.split(' ').next()?);
        is_next.then(|| card.request().to_owned())
    });
    let before = before.await;
    page.choose(next).await;
    let card = page.card(ADD).await;
    assert_eq!(card.request(), before, "the card before {} was chosen", next.title());
    page.list_becomes(list).await;
    card.approve().await;
    list.push(line);
    page.list_becomes(list).await;
}

fn adds<const N: usize>(lines: [(&str, &str); N]) -> Answer {
    Answer::Calls(ADDS, lines.map(|(item, quantity)| line(item, quantity)).into())
}

fn line(item: &str, quantity: &str) -> Value {
    json!({ "item": item, "quantity": quantity })
}

fn provider_of(kitchen: &Kitchen) -> &Provider {
    kitchen.provider.as_ref().expect("the kitchen has a stand-in")
}

fn asked(kitchen: &Kitchen) -> Vec<Asked> {
    provider_of(kitchen).asked()
}

/// What the latest request says.
fn latest(kitchen: &Kitchen) -> Heard {
    let asked = asked(kitchen);
    let latest = asked.last().expect("the provider was asked");
    latest.heard().unwrap_or_else(|why| panic!("{}: {why}", latest.body))
}

fn errors(heard: &Heard) -> Vec<bool> {
    heard.latest_results().into_iter().map(|(_, is_error)| is_error).collect()
}

/// Each vendor got its own key; the page, its browser's store, all that its browser sent and was sent,
/// and what the proxy printed have none.
async fn keys_are_with_the_proxy_alone(kitchen: &Kitchen) {
    for Asked { protocol, key, body } in asked(kitchen) {
        let own = KEYS.iter().find(|(vendor, _)| *vendor == protocol.vendor());
        assert_eq!(Some(key.as_str()), own.map(|(_, key)| *key), "{}", protocol.title());
        assert!(KEYS.iter().all(|(_, key)| !body.to_string().contains(key)), "{body}");
    }
    let kept = kitchen.page().all_that_is_kept().await;
    assert!(kept.contains(DOZEN) && kept.contains(ADDS), "what is kept was not read: {kept}");
    let log = kitchen.proxy.log().join("\n");
    let exchanged = Exchanged::of(kitchen.browser()).await;
    let said = |words: &str| exchanged.answers.iter().any(|(_, body)| body.contains(words));
    assert!(exchanged.notes.contains(&kitchen.proxy.token()), "heads were not read");
    assert!(exchanged.notes.contains(DOZEN), "what was posted was not read");
    assert!(
        said(" are on the list.") && said("\"providers\""),
        "answers were not read: {:?}",
        exchanged.answers
    );
    for (vendor, key) in KEYS {
        let exchanged = format!("{exchanged:?}");
        assert!(!exchanged.contains(key), "the browser was told the key of {vendor}");
        assert!(!kept.contains(key), "the page knows the key of {vendor}");
        assert!(!log.contains(key), "the key of {vendor} is in the proxy's log: {log}");
    }
}
