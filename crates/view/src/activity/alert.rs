//! What a person should look into, in sentences.

use crate::activity::figures::{Asked, Figures, WEEKS};

/// How many questions a week must have had before its time-outs say anything.
const QUESTIONS_MIN: u32 = 5;

/// By how much, in points of percent, the share of time-outs must change to be sudden.
const CHANGE_MIN: u32 = 20;

/// What a person should look into.
#[must_use]
pub fn alerts(figures: &Figures) -> Vec<String> {
    const ROOM: &str = "Make some room for this browser's data.";
    let not_kept = match figures.not_kept {
        0 => None,
        1 => Some(format!(
            "1 answer could not be written down in the last 7 days, so it counts as a no. {ROOM}"
        )),
        count => Some(format!(
            "{count} answers could not be written down in the last 7 days, so they count as a no. \
             {ROOM}"
        )),
    };
    let exhausted = match figures.exhausted {
        0 => None,
        1 => Some("1 request was".to_owned()),
        count => Some(format!("{count} requests were")),
    };
    let exhausted = exhausted.map(|what| {
        format!("{what} stopped in the last 7 days, after too many rounds of questions.")
    });
    not_kept.into_iter().chain(exhausted).chain(change(&figures.weeks)).collect()
}

fn change(weeks: &[Asked; WEEKS]) -> Option<String> {
    let (last, before) = weeks.split_last()?;
    let before = before.iter().copied().fold(Asked::default(), Asked::and);
    if last.questions < QUESTIONS_MIN || before.questions < QUESTIONS_MIN {
        return None;
    }
    let (now, then) = (last.percent()?, before.percent()?);
    let how = if now > then { "more" } else { "less" };
    (now.abs_diff(then) >= CHANGE_MIN).then(|| {
        format!(
            "Questions run out of time {how} often than before: {now} % in the last 7 days, \
             {then} % in the four weeks before."
        )
    })
}
