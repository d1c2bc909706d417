//! The figures as charts: each with one sentence that says it all, shapes to draw, and its numbers
//! as a table.

use crate::activity::calendar::{Calendar, WEEK};
use crate::activity::figures::{Asked, Figures, Volume};

/// How many days the chart of decisions shows.
const DAYS_SHOWN: usize = 14;
/// How many tools the chart of the most denied shows.
const TOOLS_SHOWN: usize = 3;

/// The size of a drawing; what is drawn is stretched to the place it gets.
pub const WIDTH: u32 = 1960;
/// The height of a drawing.
pub const HEIGHT: u32 = 640;
/// The height of what stands for nothing: a line at the foot.
const FOOT: u32 = 15;

/// A chart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chart {
    /// What it is about.
    pub title: &'static str,
    /// The number that matters most.
    pub figure: String,
    /// What it says, in a sentence.
    pub sentence: String,
    /// What is drawn.
    pub drawing: Drawing,
    /// A few words under the drawing.
    pub caption: String,
    /// What the inks mean, where there are several.
    pub key: Vec<(Ink, &'static str)>,
    /// Its numbers.
    pub table: Table,
}

/// What is drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Drawing {
    /// Bars, standing.
    Bars(Vec<Bar>),
    /// Names with a number each, and how much of the whole width stands for it.
    Rows(Vec<NamedBar>),
}

/// A bar that stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bar {
    /// What it stands for.
    pub ink: Ink,
    /// Where it begins, from the left.
    pub x: u32,
    /// Where it begins, from the top.
    pub y: u32,
    /// How wide it is.
    pub width: u32,
    /// How high it is.
    pub height: u32,
}

/// A bar that lies under a name and a number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedBar {
    /// The name.
    pub name: String,
    /// The number.
    pub count: u32,
    /// Its width, of [`WIDTH`].
    pub width: u32,
}

/// What a bar stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ink {
    /// Allowed, or how it should be.
    Allowed,
    /// Denied.
    Denied,
    /// Not answered in time.
    TimedOut,
    /// Anything else.
    Other,
    /// Nothing: a hairline holds the place.
    Nothing,
}

/// Numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// What stands in each column.
    pub head: Vec<&'static str>,
    /// Its rows; the first field names the row.
    pub rows: Vec<Vec<String>>,
}

/// The charts of the activity page.
#[must_use]
pub fn charts(figures: &Figures, calendar: &Calendar) -> Vec<Chart> {
    vec![volume(figures, calendar), time_outs(figures, calendar), rounds(figures), denied(figures)]
}

fn volume(figures: &Figures, calendar: &Calendar) -> Chart {
    let days = calendar.last(DAYS_SHOWN);
    let from = figures.days.len().saturating_sub(days.len());
    let volumes = figures.days.get(from..).unwrap_or_default();
    let total: u32 = volumes.iter().map(|it| it.total()).sum();
    let most = volumes.iter().map(|it| it.total()).max().unwrap_or_default();
    let least = volumes.iter().map(|it| it.total()).min().unwrap_or_default();
    let busiest = volumes.iter().rposition(|it| it.total() == most);
    let busiest = busiest.and_then(|at| days.get(at)).map_or("", |day| day.name.as_str());
    let shares = |it: &Volume| {
        [
            (Ink::Allowed, it.allowed),
            (Ink::Denied, it.denied),
            (Ink::TimedOut, it.timed_out),
            (Ink::Other, it.other),
        ]
    };
    let places = Places::of(volumes.len(), most);
    let bars = volumes.iter().enumerate().flat_map(|(at, it)| places.stack(at, &shares(it)));
    let names = [
        (Ink::Allowed, "allowed"),
        (Ink::Denied, "denied"),
        (Ink::TimedOut, "timed out"),
        (Ink::Other, "other"),
    ];
    let occurs =
        |ink: Ink| volumes.iter().flat_map(shares).any(|(it, count)| it == ink && count > 0);
    let row = |(day, it): (&crate::activity::calendar::Day, &Volume)| {
        let counts = [it.allowed, it.denied, it.timed_out, it.other].map(|count| count.to_string());
        [vec![day.name.clone()], counts.to_vec()].concat()
    };
    Chart {
        title: "Decisions, 14 days",
        figure: total.to_string(),
        sentence: match total {
            0 => "No decisions in 14 days".to_owned(),
            _ => format!(
                "Decisions a day for 14 days: between {least} and {most}, most on {busiest}"
            ),
        },
        drawing: Drawing::Bars(bars.collect()),
        caption: String::new(),
        key: names.into_iter().filter(|(ink, _)| occurs(*ink)).collect(),
        table: Table {
            head: vec!["Day", "Allowed", "Denied", "Timed out", "Other"],
            rows: days.iter().zip(volumes).map(row).collect(),
        },
    }
}

fn time_outs(figures: &Figures, calendar: &Calendar) -> Chart {
    let said = |asked: &Asked| {
        asked.percent().map_or_else(|| "none asked".to_owned(), |it| format!("{it} %"))
    };
    let rates: Vec<_> = figures.weeks.iter().map(|asked| asked.percent()).collect();
    let most = rates.iter().flatten().max().copied().unwrap_or_default();
    let places = Places::of(rates.len(), most.max(10));
    let bars = rates
        .iter()
        .enumerate()
        .flat_map(|(at, rate)| places.stack(at, &[(Ink::TimedOut, rate.unwrap_or_default())]));
    let (last, before) = match figures.weeks.split_last() {
        Some((last, before)) => (*last, before),
        None => (Asked::default(), Default::default()),
    };
    let ago = before.iter().position(|asked| asked.questions > 0);
    let caption = match ago.and_then(|at| Some((before.len() - at, before.get(at)?.percent()?))) {
        Some((1, rate)) => format!("from {rate} %, the week before"),
        Some((weeks, rate)) => format!("from {rate} %, {weeks} weeks ago"),
        None => "nothing was asked before".to_owned(),
    };
    let spoken: Vec<_> = figures.weeks.iter().map(said).collect();
    let starts = calendar.0.iter().step_by(WEEK);
    let row = |(day, asked): (&crate::activity::calendar::Day, &Asked)| {
        vec![
            day.name.clone(),
            asked.questions.to_string(),
            asked.timed_out.to_string(),
            said(asked),
        ]
    };
    Chart {
        title: "Timed out, 7 days",
        figure: last.percent().map_or_else(|| "\u{2013}".to_owned(), |it| format!("{it} %")),
        sentence: format!(
            "Share of questions that timed out, by week, oldest first: {}",
            spoken.join(", ")
        ),
        drawing: Drawing::Bars(bars.collect()),
        caption,
        key: Vec::new(),
        table: Table {
            head: vec!["Week from", "Asked", "Timed out", "Share"],
            rows: starts.zip(&figures.weeks).map(row).collect(),
        },
    }
}

fn rounds(figures: &Figures) -> Chart {
    let total: u32 = figures.rounds.iter().sum();
    let first = figures.rounds.first().copied().unwrap_or_default();
    let most = figures.rounds.iter().max().copied().unwrap_or_default();
    let places = Places::of(figures.rounds.len(), most);
    let bars = figures.rounds.iter().enumerate().flat_map(|(at, count)| {
        // More than one round of questions is worth looking at.
        let ink = if at == 0 { Ink::Allowed } else { Ink::Other };
        places.stack(at, &[(ink, *count)])
    });
    let counts: Vec<_> = figures
        .rounds
        .iter()
        .enumerate()
        .map(|(at, count)| format!("{count} took {}", at + 1))
        .collect();
    Chart {
        title: "Asked in one round",
        figure: match total {
            0 => "\u{2013}".to_owned(),
            _ => format!("{first} of {total}"),
        },
        sentence: match total {
            0 => "Nothing was asked in five weeks".to_owned(),
            _ => format!("Rounds of questions in one request, five weeks: {}", counts.join(", ")),
        },
        drawing: Drawing::Bars(bars.collect()),
        caption: "1, 2, 3, 4, 5 rounds".to_owned(),
        key: Vec::new(),
        table: Table {
            head: vec!["Rounds", "Requests"],
            rows: figures
                .rounds
                .iter()
                .enumerate()
                .map(|(at, count)| vec![(at + 1).to_string(), count.to_string()])
                .collect(),
        },
    }
}

fn denied(figures: &Figures) -> Chart {
    let most = figures.denied.first().map_or(1, |(_, count)| *count);
    let total: u32 = figures.denied.iter().map(|(_, count)| count).sum();
    let rows = figures.denied.iter().take(TOOLS_SHOWN).map(|(name, count)| NamedBar {
        name: name.clone(),
        count: *count,
        width: WIDTH * count / most,
    });
    let said: Vec<_> = figures
        .denied
        .iter()
        .take(TOOLS_SHOWN)
        .map(|(name, count)| format!("{name} {count}"))
        .collect();
    Chart {
        title: "Most denied, five weeks",
        figure: total.to_string(),
        sentence: match total {
            0 => "Nothing was denied in five weeks".to_owned(),
            _ => format!("Tools denied most often in five weeks: {}", said.join(", ")),
        },
        drawing: Drawing::Rows(rows.collect()),
        caption: if total == 0 { "nothing was denied".to_owned() } else { String::new() },
        key: Vec::new(),
        table: Table {
            head: vec!["Tool", "Denied"],
            rows: figures
                .denied
                .iter()
                .map(|(name, count)| vec![name.clone(), count.to_string()])
                .collect(),
        },
    }
}

/// Where bars stand beside each other.
struct Places {
    step: u32,
    most: u32,
}

impl Places {
    fn of(count: usize, most: u32) -> Self {
        let count = u32::try_from(count).unwrap_or(u32::MAX).max(1);
        Self { step: WIDTH / count, most: most.max(1) }
    }

    /// Bars on top of each other. Their heights add up exactly: each ends where the next begins.
    fn stack(&self, at: usize, shares: &[(Ink, u32)]) -> Vec<Bar> {
        let gap = self.step / 5;
        let x = u32::try_from(at).unwrap_or_default() * self.step + gap / 2;
        let width = self.step - gap;
        if shares.iter().all(|(_, count)| *count == 0) {
            return vec![Bar { ink: Ink::Nothing, x, y: HEIGHT - FOOT, width, height: FOOT }];
        }
        let mut below = 0;
        let bars = shares.iter().filter(|(_, count)| *count > 0).map(|(ink, count)| {
            let (from, to) = (HEIGHT * below / self.most, HEIGHT * (below + count) / self.most);
            below += count;
            Bar { ink: *ink, x, y: HEIGHT - to, width, height: to - from }
        });
        bars.collect()
    }
}
