//! "Always": what a card says that it would cover, and what is shown of it afterwards.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test stops where it is wrong; clippy only knows `#[test]` as one"
)]

use std::collections::VecDeque;
use std::sync::Arc;

use agent::approval::{Always, Answer, ApprovalResponse, Policy};
use agent::effect::Effect;
use agent::event::{Event, Recorded, ToolOutcome};
use agent::id::{Entropy, SessionId};
use agent::model::{ModelReply, ProposedCall, ReplyContent, StopReason, Usage};
use agent::session::{Activity, Context, Session};
use agent::settings::{Settings, Wait};
use agent::time::Timestamp;
use kitchen::Household;
use store::settings::Preferences;
use view::View;
use view::activity::history::History;
use view::conversation::TurnBody;
use view::engine::Engine;
use view::scene::{Proxy, Scene, Storage};
use view::standing::LessOften;

/// A conversation in the kitchen, without a browser around it.
struct Talk {
    session: Session,
    now: Timestamp,
    preferences: Preferences,
    policy: Policy,
    steps: u128,
}

impl Talk {
    fn new() -> Self {
        Self {
            session: Session::new(SessionId("s".to_owned())),
            now: Timestamp(1_000_000),
            preferences: Preferences::default(),
            policy: kitchen::policy().expect("a policy"),
            steps: 0,
        }
    }

    /// A conversation in which these were proposed to be added, in one reply.
    fn proposing(items: &[(&str, &str)]) -> Self {
        let mut talk = Self::new();
        talk.propose(items);
        talk
    }

    fn propose(&mut self, items: &[(&str, &str)]) {
        let call = |(n, (item, quantity)): (usize, &(&str, &str))| {
            ReplyContent::Call(ProposedCall {
                id: format!("toolu_{n}"),
                name: "add_to_shopping_list".to_owned(),
                arguments: serde_json::json!({"item": item, "quantity": quantity}).to_string(),
                provider_result: None,
            })
        };
        if self.session.activity() == Activity::AwaitingModel {
            self.reply(vec![ReplyContent::Text("Done.".to_owned())], StopReason::EndTurn);
        }
        self.happen(Event::Said("please".to_owned()));
        self.reply(items.iter().enumerate().map(call).collect(), StopReason::ToolUse);
    }

    fn reply(&mut self, content: Vec<ReplyContent>, stop: StopReason) {
        let usage = Usage::default();
        self.happen(Event::ModelReplied(ModelReply { content, stop, usage }));
    }

    /// Lets an event happen and all that follows from it, up to the person or the model.
    fn happen(&mut self, event: Event) {
        let tools = kitchen::tools().specs();
        let mut events = VecDeque::from([event]);
        while let Some(event) = events.pop_front() {
            self.steps += 1;
            let settings = Settings {
                policy: self.policy.clone(),
                one_at_a_time: self.preferences.one_at_a_time,
                ..Settings::product()
            };
            let context = Context {
                now: self.now,
                entropy: Entropy(self.steps.to_be_bytes()),
                tools: &tools,
                rules: &[],
                settings: &settings,
                agents: &[kitchen::agent()],
                digest_key: &[1; 32],
            };
            for effect in self.session.step(event, &context) {
                match effect {
                    Effect::RecordDecision(event) => events.push_back(Event::DecisionRecorded {
                        request: event.request,
                        recorded: Recorded::Durable,
                    }),
                    Effect::RunTool(approved) => events.push_back(Event::ToolFinished {
                        call: approved.call().id.clone(),
                        outcome: ToolOutcome::Returned { text: None, terminate: false },
                    }),
                    Effect::Save
                    | Effect::CallModel(_)
                    | Effect::Ask(_)
                    | Effect::WithdrawApproval { .. }
                    | Effect::Finished(_)
                    | Effect::DroppedResponse(_)
                    | Effect::Ignored(_) => {}
                }
            }
        }
    }

    fn answer(&mut self, answer: Answer) {
        let card = self.session.open_requests().next().expect("something waits");
        let (request, shown) = (card.id.clone(), card.shown.clone());
        let responses = vec![ApprovalResponse { request, shown, answer }];
        self.happen(Event::Answered { responses, text: None });
    }

    fn view(&self) -> View {
        let history = Arc::new(History::default());
        View::of(&Scene {
            session: &self.session,
            conversations: &[],
            decided_elsewhere: &[],
            follows: false,
            awaited: &[],
            streaming: None,
            household: &Household::default(),
            engine: Some(&Engine::of(kitchen::tools(), self.policy.clone())),
            loading: None,
            changes: &[],
            problems: &[],
            history: &history,
            handed: None,
            storage: &Storage::Open { persistent: true },
            damage: &[],
            proxy: &Proxy::Asking,
            preferences: &self.preferences,
            wait: Wait::default(),
            now: self.now,
        })
    }

    fn offers(&self) -> Vec<LessOften> {
        self.view().card.map(|card| card.less_often).unwrap_or_default()
    }
}

fn named(offer: &LessOften) -> Vec<String> {
    offer.settles.iter().map(view::marks::Marked::spoken).collect()
}

#[test]
fn a_card_offers_to_ask_less_often_and_says_for_what_how_often_and_how_long() {
    let talk = Talk::proposing(&[("eggs", "12")]);
    let offers = talk.offers();
    let [exactly, tool] = &offers[..] else { panic!("two offers, not {offers:?}") };
    assert_eq!((exactly.always, tool.always), (Always::ToolWithArguments, Always::Tool));
    assert_eq!(
        exactly.sentence(Some("30 December".to_owned())),
        "The kitchen agent may add exactly this to the shopping list without asking, in this \
         conversation, up to 50 times, until 30 December."
    );
    assert_eq!(
        tool.sentence(None),
        "The kitchen agent may add anything, in any quantity, to the shopping list without \
         asking, in this conversation, up to 50 times."
    );
    assert_eq!((exactly.until.is_some(), tool.until), (true, None));
    assert_eq!((named(exactly), named(tool)), (vec![], vec![]));
}

#[test]
fn it_names_what_it_settles_as_well_before_it_is_pressed() {
    let items = [("milk", "1 l"), ("bread", "1"), ("milk", "1 l")];
    let offers = Talk::proposing(&items).offers();
    assert_eq!(offers.len(), 1, "a batch offers its tools: {offers:?}");
    assert_eq!(named(&offers[0]), ["milk", "bread", "milk"]);
    let mut one = Talk::new();
    one.preferences.one_at_a_time = true;
    one.propose(&items);
    let offers = one.offers();
    assert_eq!(
        offers.iter().map(named).collect::<Vec<_>>(),
        [vec!["milk", "milk"], vec!["milk", "bread", "milk"]]
    );
}

#[test]
fn nothing_is_allowed_in_advance_beside_what_hides_or_fails() {
    for items in [&[("m\u{200B}ilk", "1")][..], &[("milk", "1"), ("br\u{200B}ead", "1")]] {
        let offers = Talk::proposing(items).offers();
        assert_eq!(offers, [], "{items:?}");
    }
}

#[test]
fn what_was_always_allowed_is_listed_until_it_is_taken_back() {
    let mut talk = Talk::proposing(&[("eggs", "12"), ("bread", "1")]);
    assert!(talk.view().standing_approvals.is_empty());
    talk.answer(Answer::Approve { always: Some(Always::Tool) });
    let view = talk.view();
    let [given] = &view.standing_approvals[..] else {
        panic!("one, not {:?}", view.standing_approvals)
    };
    assert_eq!(
        given.scope,
        "The kitchen agent may add anything, in any quantity, to the shopping list."
    );
    assert_eq!((given.uses, given.uses_max, given.over, &given.json), (1, 50, "", &None));
    let basis: Vec<_> = view
        .turns
        .iter()
        .filter_map(|turn| match &turn.body {
            TurnBody::Receipt(receipt) => Some(receipt.allowed.words.spoken()),
            TurnBody::Person(_)
            | TurnBody::Assistant(_)
            | TurnBody::HandedOver(_)
            | TurnBody::Notice(_) => None,
        })
        .collect();
    assert_eq!(basis, ["Allowed by you", "Allowed by your rule"]);
    let past: Vec<_> = given.among(&view.turns).map(|it| it.request.clone()).collect();
    assert_eq!(past.len(), 2);
    let id = given.id.clone();
    talk.happen(Event::Revoked(id));
    assert!(talk.view().standing_approvals.is_empty());
}

#[test]
fn exactly_this_covers_only_what_was_said_in_the_same_words() {
    let mut talk = Talk::proposing(&[("bread", "1")]);
    talk.answer(Answer::Approve { always: None });
    talk.propose(&[("eggs", "12")]);
    talk.answer(Answer::Approve { always: Some(Always::ToolWithArguments) });
    let view = talk.view();
    let given = &view.standing_approvals[0];
    let json = given.json.as_ref().map(view::marks::Marked::spoken);
    assert_eq!(json.as_deref(), Some(r#"{"item":"eggs","quantity":"12"}"#));
    assert_eq!(given.among(&view.turns).count(), 1);
}

#[test]
fn what_no_longer_counts_says_why() {
    let mut talk = Talk::proposing(&[("eggs", "12")]);
    talk.answer(Answer::Approve { always: Some(Always::ToolWithArguments) });
    assert_eq!(talk.view().standing_approvals[0].over, "");
    talk.now = talk.now.plus_ms(31 * 24 * 60 * 60 * 1_000);
    assert_eq!(talk.view().standing_approvals[0].over, "Its time is over, so it no longer counts.");
}

#[test]
fn what_it_would_have_covered_is_told_with_what_was_said_to_it_then() {
    let mut talk = Talk::proposing(&[("bread", "1")]);
    talk.answer(Answer::Reject { reason: None });
    talk.propose(&[("milk", "1 l")]);
    let view = talk.view();
    let offers = view.card.as_ref().map(|card| card.less_often.clone()).unwrap_or_default();
    assert_eq!(offers[0].past(&view.turns), "");
    assert_eq!(
        offers[1].past(&view.turns),
        "It would have covered 1 past call, which you did not allow."
    );
}
