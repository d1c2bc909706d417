//! Screens to test: built by hand from the same parts that the view is made of.

use std::sync::Arc;

use agent::approval::{ApprovalRequest, CardDigest, Decision, Outcome};
use agent::id::{CallId, RequestId};
use agent::message::{Body, Content, Message, ToolCall};
use agent::settings::Wait;
use agent::time::Timestamp;
use kitchen::{Edit, Household};
use serde_json::{Value, json};
use view::View;
use view::card::{Asked, Card};
use view::conversation::turns;
use view::engine::Engine;
use view::list::List;

/// When everything in these screens happens.
pub(crate) const NOW: Timestamp = Timestamp(1_795_888_680_000);

/// A household with milk and bread on its list.
pub(crate) fn household() -> Household {
    let mut household = Household::default();
    for (item, quantity) in [("milk", "1 l"), ("bread", "1")] {
        let edit = Edit::Add { item: item.to_owned(), quantity: quantity.to_owned() };
        household.edit(edit).expect("an item");
    }
    household
}

/// A question about a call, with its answer if it has one.
pub(crate) struct Question {
    request: ApprovalRequest,
    decision: Option<Decision>,
}

/// A question whether these arguments may go to the tool that adds to the list.
pub(crate) fn question(id: &str, arguments: &Value) -> Question {
    let call = ToolCall {
        id: CallId(format!("call-{id}")),
        model_id: "toolu_1".to_owned(),
        name: "add_to_shopping_list".to_owned(),
        arguments: arguments.as_object().cloned().expect("an object"),
    };
    let request = ApprovalRequest {
        id: RequestId(id.to_owned()),
        shown: CardDigest(format!("card of {id}")),
        call,
        requested_at: NOW,
        attempt: 1,
        deadline: Some(NOW.plus_ms(540_000)),
        gated: true,
    };
    Question { request, decision: None }
}

/// May a dozen eggs go on the list?
pub(crate) fn dozen() -> Question {
    question("dozen", &json!({ "item": "eggs", "quantity": "12" }))
}

impl Question {
    /// The same, answered.
    pub(crate) fn answered(mut self, outcome: Outcome) -> Self {
        self.decision = Some(Decision {
            request: self.request.id.clone(),
            outcome,
            basis: agent::approval::Basis::Person,
            reason: None,
            at: NOW,
        });
        self
    }

    fn asked(&self) -> Asked<'_> {
        Asked {
            call: &self.request.call,
            open: Some(&self.request).filter(|_| self.decision.is_none()),
            decision: self.decision.as_ref(),
            result: None,
        }
    }
}

/// The kitchen with these questions open.
pub(crate) fn asking(questions: &[Question]) -> View {
    let household = household();
    let asked: Vec<_> = questions.iter().map(Question::asked).collect();
    let engine = Engine::of(kitchen::tools(), kitchen::policy().expect("a policy"));
    let card = Card::of(&asked, &engine, &household, Wait::default(), NOW);
    View {
        now: NOW,
        is_ready: true,
        has_engine: true,
        list: Arc::new(List::of(&household, &[], card.as_slice())),
        card,
        settings: Arc::new(view::settings::Settings::default()),
        ..View::default()
    }
}

/// The kitchen with these questions answered.
pub(crate) fn deciding(questions: &[Question]) -> View {
    let asked: Vec<_> = questions.iter().map(Question::asked).collect();
    View { turns: Arc::new(turns(&[], &[], &[], &asked)), ..asking(&[]) }
}

/// The kitchen after the assistant said this.
pub(crate) fn saying(markdown: &str) -> View {
    let messages = [
        Message { at: NOW, body: Body::Person("What can I cook?".to_owned()), usage: None },
        Message {
            at: NOW,
            body: Body::Assistant(vec![Content::Text(markdown.to_owned())]),
            usage: None,
        },
    ];
    View { turns: Arc::new(turns(&messages, &[], &[], &[])), ..asking(&[]) }
}
