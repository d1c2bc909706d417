//! The activity page: what hand-made records come to, number by number.

use std::collections::BTreeMap;

use agent::approval::{Basis, Outcome};
use agent::audit::{AuditEvent, ExecutionEvent, ExecutionOutcome};
use agent::id::{CallId, PromptId, RequestId, SessionId};
use agent::message::ToolCall;
use agent::time::Timestamp;
use store::chain::{Broken, Head};
use store::records::Record;
use store::stretch::{Entry, Stretch};
use view::activity::alert::alerts;
use view::activity::calendar::{Calendar, DAYS, Day};
use view::activity::chart::{Bar, Drawing, HEIGHT, Ink, charts};
use view::activity::figures::{Asked, Figures, Volume};
use view::activity::filter::{End, Filter};
use view::activity::history::History;
use view::activity::line::{DetailValue, Lines};
use view::activity::{RecordKind, chain_in_words};

const DAY_MS: u64 = 86_400_000;
/// The morning of the first day.
const FIRST: u64 = 1_793_000_000_000;

fn calendar() -> Calendar {
    let day = |day: usize| Day {
        start: Timestamp(FIRST + day as u64 * DAY_MS),
        name: format!("day {}", day + 1),
    };
    Calendar((0..DAYS).map(day).collect())
}

/// Noon of a day, counted back from today.
fn noon(days_ago: u64) -> Timestamp {
    Timestamp(FIRST + (DAYS as u64 - 1) * DAY_MS + DAY_MS / 2 - days_ago * DAY_MS)
}

fn decision(number: u64, days_ago: u64, outcome: Outcome) -> AuditEvent {
    AuditEvent {
        request: RequestId(format!("r{number}")),
        session: SessionId("s".to_owned()),
        prompt: PromptId(format!("p{number}")),
        call: CallId(format!("c{number}")),
        tool: "add_to_shopping_list".to_owned(),
        arguments_digest: "9c1f03ab".to_owned(),
        outcome,
        basis: if matches!(outcome, Outcome::Approved | Outcome::Denied) {
            Basis::Person
        } else {
            Basis::Loop
        },
        reason: None,
        round: 1,
        attempts: 1,
        requested_at: noon(days_ago),
        decided_at: noon(days_ago),
        policy_version: 3,
        operator: "household".to_owned(),
        would_be: None,
    }
}

fn execution(number: u64, days_ago: u64) -> ExecutionEvent {
    ExecutionEvent {
        request: RequestId(format!("r{number}")),
        session: SessionId("s".to_owned()),
        call: CallId(format!("c{number}")),
        tool: "add_to_shopping_list".to_owned(),
        outcome: ExecutionOutcome::Ran,
        result: "Added.".to_owned(),
        at: noon(days_ago),
    }
}

fn at(number: u64) -> Head {
    Head { number, digest: format!("d{number}") }
}

fn stretch(first: u64, records: Vec<Record>) -> Stretch {
    let entries: Vec<_> = records
        .into_iter()
        .enumerate()
        .map(|(n, record)| Entry { at: at(first + n as u64), record: Ok(record) })
        .collect();
    let start = if first == 1 { Head::default() } else { at(first - 1) };
    let end = entries.last().map_or_else(|| start.clone(), |entry| entry.at.clone());
    Stretch { start, entries, end, broken: None, damaged: None }
}

fn history(records: Vec<Record>) -> History {
    let mut history = History::default();
    history.follow(stretch(1, records), |_| None);
    history
}

fn figures(events: Vec<AuditEvent>) -> Figures {
    Figures::of(&history(events.into_iter().map(Record::Decision).collect()), &calendar())
}

#[test]
fn decisions_are_counted_by_day_and_by_what_they_were() {
    let figures = figures(vec![
        decision(1, 40, Outcome::Approved),
        decision(2, 1, Outcome::Approved),
        decision(3, 1, Outcome::Denied),
        decision(4, 1, Outcome::TimedOut),
        decision(5, 1, Outcome::MovedOn),
        decision(6, 1, Outcome::Sticky),
        decision(7, 0, Outcome::Approved),
    ]);
    let yesterday = Volume { allowed: 1, denied: 1, timed_out: 1, other: 2 };
    let today = Volume { allowed: 1, ..Volume::default() };
    assert_eq!(figures.days[DAYS - 2..], [yesterday, today]);
    assert!(figures.days[..DAYS - 2].iter().all(|day| day.total() == 0));
}

#[test]
fn an_execution_is_no_decision() {
    let records = vec![
        Record::Decision(decision(1, 0, Outcome::Approved)),
        Record::Execution(execution(1, 0)),
    ];
    let figures = Figures::of(&history(records), &calendar());
    assert_eq!(figures.days[DAYS - 1].total(), 1);
}

#[test]
fn a_day_begins_with_its_first_moment() {
    let calendar = calendar();
    for (at, day) in [(0, Some(0)), (DAY_MS - 1, Some(0)), (DAY_MS, Some(1))] {
        assert_eq!(calendar.index(Timestamp(FIRST + at)), day);
    }
    assert_eq!(calendar.index(Timestamp(FIRST - 1)), None);
    assert_eq!(calendar.index(Timestamp(FIRST + 99 * DAY_MS)), Some(DAYS - 1));
}

#[test]
fn the_time_out_rate_is_of_questions_a_person_was_asked() {
    let standing = AuditEvent { basis: Basis::Standing, ..decision(9, 0, Outcome::Approved) };
    let figures = figures(vec![
        decision(1, 34, Outcome::TimedOut),
        decision(2, 6, Outcome::Approved),
        decision(3, 0, Outcome::TimedOut),
        decision(4, 0, Outcome::MovedOn),
        decision(5, 0, Outcome::Sticky),
        decision(6, 0, Outcome::RoundsExhausted),
        decision(7, 7, Outcome::Denied),
        standing,
    ]);
    let asked = |questions, timed_out| Asked { questions, timed_out };
    assert_eq!(figures.weeks, [asked(1, 1), asked(0, 0), asked(0, 0), asked(1, 0), asked(3, 1)]);
    let percents: Vec<_> = figures.weeks.iter().map(|week| week.percent()).collect();
    assert_eq!(percents, [Some(100), None, None, Some(0), Some(33)]);
}

#[test]
fn rounds_are_counted_once_for_each_prompt() {
    let round = |number, prompt: &str, round, outcome| AuditEvent {
        prompt: PromptId(prompt.to_owned()),
        round,
        ..decision(number, 0, outcome)
    };
    let figures = figures(vec![
        round(1, "a", 1, Outcome::Approved),
        round(2, "a", 1, Outcome::Denied),
        round(3, "b", 1, Outcome::Approved),
        round(4, "b", 2, Outcome::Approved),
        round(5, "b", 3, Outcome::Approved),
        round(6, "c", 5, Outcome::Approved),
        round(7, "c", 5, Outcome::RoundsExhausted),
        round(8, "d", 0, Outcome::Sticky),
    ]);
    assert_eq!(figures.rounds, [1, 0, 1, 0, 1]);
    assert_eq!(figures.exhausted, 1);
}

#[test]
fn the_most_denied_tools_come_first() {
    let denied = |number, tool: &str| AuditEvent {
        tool: tool.to_owned(),
        ..decision(number, 3, Outcome::Denied)
    };
    let figures = figures(vec![
        denied(1, "plan_meal"),
        denied(2, "place_order"),
        denied(3, "place_order"),
        AuditEvent { tool: "save_recipe".to_owned(), ..decision(4, 3, Outcome::TimedOut) },
    ]);
    let expected = [("place_order".to_owned(), 2), ("plan_meal".to_owned(), 1)];
    assert_eq!(figures.denied, expected);
}

#[test]
fn nothing_wrong_is_no_alert() {
    let days = (0..35).map(|day| decision(day, day, Outcome::Approved)).collect();
    assert_eq!(alerts(&figures(days)), Vec::<String>::new());
}

#[test]
fn store_failures_and_exhausted_rounds_of_the_last_week_are_alerts() {
    let figures = figures(vec![
        decision(1, 0, Outcome::AuditFailed),
        decision(2, 6, Outcome::AuditFailed),
        decision(3, 7, Outcome::AuditFailed),
        decision(4, 2, Outcome::RoundsExhausted),
        decision(5, 8, Outcome::RoundsExhausted),
    ]);
    let expected = [
        "2 answers could not be written down in the last 7 days, so they count as a no. Make some \
         room for this browser's data.",
        "1 request was stopped in the last 7 days, after too many rounds of questions.",
    ];
    assert_eq!(alerts(&figures), expected);
}

/// A week of `now` percent after four of `then` percent, each of so many questions.
fn changed(questions: u64, then: u64, now: u64) -> Vec<String> {
    let week = |days_ago, percent, first: u64| {
        (0..questions).map(move |n| {
            let outcome =
                if n * 100 < percent * questions { Outcome::TimedOut } else { Outcome::Approved };
            decision(first + n, days_ago, outcome)
        })
    };
    alerts(&figures(week(10, then, 1).chain(week(3, now, 1000)).collect()))
}

#[test]
fn a_sudden_change_in_time_outs_is_an_alert_either_way() {
    let more = "Questions run out of time more often than before: 40 % in the last 7 days, 10 % in \
        the four weeks before.";
    assert_eq!(changed(10, 10, 40), [more]);
    assert_eq!(changed(10, 60, 20).len(), 1);
    assert_eq!(changed(10, 10, 20), Vec::<String>::new());
    assert_eq!(changed(4, 0, 100), Vec::<String>::new());
}

#[test]
fn each_chart_says_its_numbers_in_a_sentence_and_in_a_table() {
    let calendar = calendar();
    let figures = figures(vec![
        decision(1, 0, Outcome::Approved),
        decision(2, 1, Outcome::Denied),
        decision(3, 1, Outcome::Approved),
        decision(4, 1, Outcome::TimedOut),
    ]);
    let charts = charts(&figures, &calendar);
    let sentences: Vec<_> = charts.iter().map(|chart| chart.sentence.as_str()).collect();
    let expected = [
        "Decisions a day for 14 days: between 0 and 3, most on day 34",
        "Share of questions that timed out, by week, oldest first: none asked, none asked, none \
         asked, none asked, 25 %",
        "Rounds of questions in one request, five weeks: 4 took 1, 0 took 2, 0 took 3, 0 took 4, 0 \
         took 5",
        "Tools denied most often in five weeks: add_to_shopping_list 1",
    ];
    assert_eq!(sentences, expected);
    let numbers: Vec<_> = charts.iter().map(|chart| chart.figure.as_str()).collect();
    assert_eq!(numbers, ["4", "25 %", "4 of 4", "1"]);
    assert_eq!(charts[0].table.rows.len(), 14);
    assert_eq!(charts[0].table.rows[12], ["day 34", "1", "1", "1", "0"]);
    assert_eq!(charts[1].table.rows[4], ["day 29", "4", "1", "25 %"]);
    assert_eq!(charts[2].table.rows[0], ["1", "4"]);
    assert_eq!(charts[3].table.rows[0], ["add_to_shopping_list", "1"]);
    for chart in &charts {
        for row in &chart.table.rows {
            assert_eq!(row.len(), chart.table.head.len(), "{}", chart.title);
        }
    }
}

#[test]
fn charts_of_nothing_say_so() {
    let charts = charts(&Figures::of(&History::default(), &calendar()), &calendar());
    let sentences: Vec<_> = charts.iter().map(|chart| chart.sentence.as_str()).collect();
    assert_eq!(sentences[0], "No decisions in 14 days");
    assert_eq!(sentences[2], "Nothing was asked in five weeks");
    assert_eq!(sentences[3], "Nothing was denied in five weeks");
    assert_eq!(charts[1].figure, "\u{2013}");
}

#[test]
fn bars_stand_on_each_other_without_gaps_up_to_the_top() {
    let calendar = calendar();
    let mut events = vec![decision(1, 0, Outcome::Approved), decision(2, 0, Outcome::Denied)];
    events.extend((3..10).map(|number| decision(number, 0, Outcome::TimedOut)));
    let charts = charts(&figures(events), &calendar);
    let Drawing::Bars(bars) = &charts[0].drawing else { panic!("bars") };
    let today: Vec<&Bar> = bars.iter().filter(|bar| bar.ink != Ink::Nothing).collect();
    assert_eq!(today.len(), 3);
    assert_eq!(bars.len(), 16);
    assert_eq!(today[0].y + today[0].height, HEIGHT);
    assert_eq!(today[1].y + today[1].height, today[0].y);
    assert_eq!(today[2].y + today[2].height, today[1].y);
    assert_eq!(today[2].y, 0);
}

#[test]
fn a_filter_shows_a_kind_and_an_end() {
    let history = history(vec![
        Record::Decision(decision(1, 1, Outcome::Approved)),
        Record::Execution(execution(1, 1)),
        Record::Decision(decision(2, 0, Outcome::Denied)),
    ]);
    let shown = |filter| -> Vec<&'static str> {
        Lines::of(&history, filter, 10).shown.iter().map(|line| line.word).collect()
    };
    let all = Filter::default();
    assert_eq!(shown(all), ["Denied", "Ran", "Allowed"]);
    let decisions = all.of_kind(Some(RecordKind::Decision));
    assert_eq!(shown(decisions), ["Denied", "Allowed"]);
    assert_eq!(shown(all.of_kind(Some(RecordKind::Execution))), ["Ran"]);
    let denied = Filter { end: Some(End::Decided(Outcome::Denied)), ..decisions };
    assert_eq!(shown(denied), ["Denied"]);
    assert_eq!(denied.of_kind(Some(RecordKind::Execution)).end, None);
    assert_eq!(denied.of_kind(None), Filter { kind: None, ..denied });
    assert_eq!(all.ends().count(), End::ALL.len());
    assert_eq!(decisions.ends().count(), 9);
}

#[test]
fn only_so_many_lines_are_made_and_the_rest_is_counted() {
    let records =
        (1..=10_000).map(|number| Record::Decision(decision(number, 0, Outcome::Approved)));
    let history = history(records.collect());
    let lines = Lines::of(&history, Filter::default(), 100);
    assert_eq!((lines.shown.len(), lines.more), (100, 9_900));
    assert_eq!(lines.shown[0].key, "10000.alone");
}

#[test]
fn a_line_says_all_that_its_record_says() {
    let history = history(vec![Record::Decision(decision(1, 0, Outcome::Approved))]);
    let lines = Lines::of(&history, Filter::default(), 1);
    let details: Vec<_> = lines.shown[0]
        .details
        .iter()
        .map(|detail| match &detail.value {
            DetailValue::Text(text) => format!("{}: {}", detail.name, text.spoken()),
            DetailValue::Time(at) => format!("{}: {}", detail.name, at.0 == noon(0).0),
        })
        .collect();
    let expected = [
        "request: r1",
        "call: c1",
        "conversation: s",
        "arguments digest: 9c1f03ab",
        "attempts: 1",
        "requested: true",
        "decided: true",
        "policy version: 3",
        "on behalf of: household",
        "record: 1",
        "record digest: d1",
    ];
    assert_eq!(details, expected);
}

#[test]
fn a_record_that_cannot_be_read_is_shown_as_damaged_among_the_others() {
    let mut stretch = stretch(
        1,
        vec![
            Record::Decision(decision(1, 0, Outcome::Approved)),
            Record::Execution(execution(1, 0)),
            Record::Decision(decision(2, 0, Outcome::Denied)),
        ],
    );
    stretch.entries[1].record = Err("a record cannot be read: EOF".to_owned());
    stretch.broken = Some(Broken::Changed { number: 2 });
    let mut history = History::default();
    history.follow(stretch, |_| None);
    let lines = Lines::of(&history, Filter::default(), 10);
    let words: Vec<_> = lines.shown.iter().map(|line| line.word).collect();
    assert_eq!(words, ["Denied", "Damaged", "Allowed"]);
    let only = Filter::default().of_kind(Some(RecordKind::Execution));
    assert_eq!(Lines::of(&history, only, 10), Lines::default());
    assert_eq!(
        chain_in_words(&history).unwrap(),
        "Chain broken: record 2 was changed, or one before it was"
    );
}

#[test]
fn records_join_what_is_held_at_either_end_and_never_twice() {
    let record = |number| Record::Decision(decision(number, 40 - number, Outcome::Approved));
    let records = |numbers: std::ops::RangeInclusive<u64>| numbers.map(record).collect();
    let mut history = History::default();
    history.follow(stretch(11, records(11..=20)), |_| None);
    assert!(!history.is_whole() && !history.reaches(noon(29)));
    assert!(history.reaches(noon(28)));
    assert_eq!(
        chain_in_words(&history).unwrap(),
        "Chain whole, the newest 10 of 20 records checked"
    );
    history.follow(stretch(19, records(19..=22)), |_| None);
    history.precede(stretch(1, records(1..=10)));
    let numbers: Vec<_> = history.held().map(|held| held.entry.at.number).collect();
    assert_eq!(numbers, (1..=22).collect::<Vec<_>>());
    assert!(history.is_whole() && history.reaches(noon(99)));
    assert_eq!(chain_in_words(&history).unwrap(), "Chain whole, 22 records checked");
}

#[test]
fn a_line_has_its_words_as_long_as_its_conversation_has_them() {
    let mut history = history(vec![Record::Decision(decision(1, 0, Outcome::Approved))]);
    let about = |history: &History| {
        let mut lines = Lines::of(history, Filter::default(), 1).shown;
        lines.remove(0).about.map(|about| about.spoken())
    };
    assert_eq!(about(&history), None);
    let session = SessionId("s".to_owned());
    assert!(history.unknown_calls().contains(&session));
    let arguments = serde_json::json!({ "item": "eggs", "quantity": "12" });
    let call = ToolCall {
        id: CallId("c1".to_owned()),
        model_id: "toolu_1".to_owned(),
        name: "add_to_shopping_list".to_owned(),
        arguments: arguments.as_object().cloned().unwrap(),
    };
    history.learn(&session, &BTreeMap::from([(call.id.clone(), call)]));
    assert_eq!(about(&history), Some("eggs, 12".to_owned()));
    assert!(history.unknown_calls().is_empty());
}

#[test]
fn nothing_is_known_of_records_before_they_are_read() {
    assert!(!History::default().is_read());
    assert!(history(Vec::new()).is_read());
}
