//! The amounts of a line: where they stand, and how they belong together.

mod measure;

use super::line::Line;
use super::words::Words;
use super::{Measure, Relation};
use crate::quantity::unit::Unit;
use measure::Reader;

/// What a line says of how much.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) amounts: Vec<Measure>,
    pub(super) package: Vec<Measure>,
    /// How each further amount belongs to those before it.
    joints: Vec<Joint>,
    /// Where the name may begin, and where it must be over.
    pub(super) from: usize,
    pub(super) to: usize,
    /// Where the amounts behind a name are over.
    pub(super) past: usize,
    is_before: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Joint {
    Plus,
    Or,
}

impl Found {
    pub(super) fn relation(&self) -> Option<Relation> {
        let (plus, or) = (self.joints.contains(&Joint::Plus), self.joints.contains(&Joint::Or));
        match (plus, or) {
            (false, false) => None,
            (true, false) => Some(Relation::Sum),
            (false, true) => Some(Relation::Alternatives),
            (true, true) => Some(Relation::Mixed),
        }
    }

    /// How many of the amounts are the first one and what is to be added to it.
    pub(super) fn main(&self) -> usize {
        let added = self.joints.iter().take_while(|joint| **joint == Joint::Plus).count();
        usize::from(!self.amounts.is_empty()) + added
    }

    /// Whether things are counted, with or without a word for one.
    pub(super) fn counts(&self) -> bool {
        self.is_before_the_name() && self.amounts.first().is_some_and(|it| !it.unit.is_size())
    }

    pub(super) fn is_before_the_name(&self) -> bool {
        self.is_before && !self.amounts.is_empty()
    }

    /// Whether it comes in a can or the like.
    pub(super) fn holds(&self) -> bool {
        self.amounts.first().is_some_and(|it| it.unit.is_container())
    }

    /// One more that is to be added.
    pub(super) fn add(&mut self, measure: Measure) {
        self.join(Joint::Plus, measure);
    }

    fn join(&mut self, joint: Joint, measure: Measure) {
        self.amounts.push(measure);
        self.joints.push(joint);
    }

    /// The unit that stands behind the name, as in "garlic cloves", where none stood before it.
    /// Whether it was taken.
    pub(super) fn take_unit(&mut self, unit: &'static Unit) -> bool {
        match self.amounts.as_mut_slice() {
            [only] if only.unit.name.is_empty() => {
                only.unit = unit;
                true
            }
            _ => false,
        }
    }
}

/// Finds the amounts of a line: before the name, else behind it.
pub(super) fn find(line: &Line, words: &Words) -> Found {
    let reader = Reader { line, words };
    let from = start(line);
    let labelled = || behind_a_label(&reader, from);
    let first = || whole_of_part(&reader, from).or_else(|| leading(&reader, from));
    let found = labelled().or_else(first).or_else(|| trailing(&reader, from));
    found.unwrap_or_else(|| Found {
        from: past_zero(&reader, from),
        to: line.len(),
        ..Found::default()
    })
}

/// The amount behind a name that is to be added to the one before it, and where it is over.
pub(super) fn again(line: &Line, words: &Words, at: usize) -> Option<(Measure, usize)> {
    let plus = line.after(at, words.plus)?;
    Reader { line, words }.measure(plus).filter(|(measure, _)| measure.unit.is_size())
}

/// Past the marks that lines of a list begin with.
fn start(line: &Line) -> usize {
    let is_mark = |at: &usize| matches!(line.kind(*at), Some(super::line::Kind::Sign(sign)) if !"(½".contains(sign));
    (0..line.len()).find(|at| !is_mark(at)).unwrap_or(0)
}

/// "0 to taste Salt": nothing is no amount.
fn past_zero(reader: &Reader, from: usize) -> usize {
    let is_zero = reader.line.number(from).is_some_and(|it| it == 0.into());
    if is_zero { from + 1 } else { from }
}

/// "Sea salt : 5 g", "Water - 1 spoon".
fn behind_a_label(reader: &Reader, from: usize) -> Option<Found> {
    let line = reader.line;
    let is_label = |at: &usize| {
        line.is_sign(*at, ":")
            || line.is_sign(*at, "-–") && line.is_apart(*at) && line.is_apart(at + 1)
    };
    (from + 1..line.len()).filter(is_label).find_map(|at| {
        let (mut found, next) = series(reader, at + 1, false)?;
        let is_over = next >= line.len() || line.is_sign(next, ",(;");
        (found.from, found.to, found.past) = (from, at, next);
        is_over.then_some(found)
    })
}

/// "Juice of 2 lemons": the amount is of the whole.
fn whole_of_part(reader: &Reader, from: usize) -> Option<Found> {
    /// The most words before the amount.
    const WORDS_MAX: usize = 8;
    let (line, words) = (reader.line, reader.words);
    let is_plain = |at: &usize| line.is_word(*at) || line.is_sign(*at, ",-");
    let end = (from..from + WORDS_MAX).take_while(is_plain);
    let has_part = |to: usize| (from..to).any(|at| line.after(at, words.parts).is_some());
    end.filter_map(|at| Some((at, line.after(at, words.of)?))).find_map(|(at, next)| {
        let (mut found, next) = series(reader, next, true).filter(|_| has_part(at))?;
        let counts = found.amounts.first().is_some_and(|it| it.span.is_some());
        (found.from, found.to, found.is_before) = (next, line.len(), true);
        counts.then_some(found)
    })
}

fn leading(reader: &Reader, from: usize) -> Option<Found> {
    let (mut found, next) = series(reader, from, true).or_else(|| {
        let (measure, next) = reader.vague(from)?;
        Some((Found { amounts: vec![measure], ..Found::default() }, next))
    })?;
    if next >= reader.line.len() {
        return unit_as_name(reader, from);
    }
    (found.from, found.to, found.is_before) = (next, reader.line.len(), true);
    Some(found)
}

/// "2–3 cloves", and nothing else: what counts things elsewhere is the thing here.
fn unit_as_name(reader: &Reader, from: usize) -> Option<Found> {
    let (count, next) = reader.count(from)?;
    let (unit, _) = reader.line.unit(next).filter(|(unit, _)| !unit.is_size())?;
    let (from, to, amounts) = (next, reader.line.len(), vec![count]);
    let found = Found { amounts, from, to, is_before: true, ..Found::default() };
    (!unit.name.is_empty()).then_some(found)
}

/// "Milk 0.5 l", 砂糖 50g.
fn trailing(reader: &Reader, from: usize) -> Option<Found> {
    let (line, words) = (reader.line, reader.words);
    let mut depth = 0_usize;
    for at in from..line.len() {
        depth += usize::from(line.is_sign(at, "("));
        depth = depth.saturating_sub(usize::from(line.is_sign(at, ")")));
        let is_over = line.is_sign(at, ",;") || line.after(at, words.ends).is_some();
        if at > from && depth == 0 && is_over {
            return as_needed(reader, from, at);
        }
        if at == from || depth > 0 || line.is_sign(at, "()") {
            continue;
        }
        let read = series(reader, at, false).or_else(|| {
            let (measure, next) = reader.vague(at)?;
            let found = Found { amounts: vec![measure], ..Found::default() };
            (next >= line.len()).then_some((found, next))
        });
        let Some((mut found, next)) = read else { continue };
        let next = line.after(next, words.sizes).unwrap_or(next);
        let has_unit = found.amounts.iter().any(|it| !it.unit.name.is_empty());
        let is_over = next >= line.len() && (has_unit || line.number(at).is_some());
        let is_noted = line.is_sign(next, ",(;+") || line.after(next, words.ends).is_some();
        let is_end = is_over || has_unit && (is_noted || line.after(next, words.or).is_some());
        if is_end {
            (found.from, found.to, found.past) = (from, at, next);
            return Some(found);
        }
    }
    None
}

/// "Salt, q.b.".
fn as_needed(reader: &Reader, from: usize, comma: usize) -> Option<Found> {
    let (measure, next) = reader.vague(comma + 1)?;
    let found = Found { amounts: vec![measure], from, to: comma, past: next, ..Found::default() };
    (reader.line.is_sign(comma, ",") && next >= reader.line.len()).then_some(found)
}

/// Amounts that follow each other, and where they are over. What stands in parentheses says the
/// same again where a name follows, and is a note where none does.
fn series(reader: &Reader, at: usize, is_named: bool) -> Option<(Found, usize)> {
    if let Some(packages) = packages(reader, at) {
        return Some(packages);
    }
    let (first, mut next) = reader.measure(at)?;
    let mut found = Found { amounts: vec![first], ..Found::default() };
    while let Some(after) = further(reader, &mut found, next, is_named) {
        next = after;
    }
    let next = past_dimension(reader, &found, next);
    Some((found, next))
}

/// One more amount, if there is one, and where it is over.
fn further(reader: &Reader, found: &mut Found, at: usize, is_named: bool) -> Option<usize> {
    let (line, words) = (reader.line, reader.words);
    let last = *found.amounts.last()?;
    if let Some(next) = of_a_size(reader, found, at) {
        return Some(next);
    }
    if line.is_sign(at, "(") {
        return is_named.then(|| in_parentheses(reader, found, at)).flatten();
    }
    if line.is_sign(at, "/") {
        let (measure, next) = reader.measure(at + 1)?;
        found.join(Joint::Or, measure);
        return Some(next);
    }
    // ⅓ cup, plus 3 tablespoons, oil.
    let at = at + usize::from(line.is_sign(at, ",") && line.after(at + 1, words.plus).is_some());
    let plus = line.after(at, words.plus).or_else(|| line.is_sign(at, "+").then_some(at + 1));
    if let Some(plus) = plus {
        let (measure, next) = reader.measure(plus)?;
        // 50 + 150 g: the unit is said once.
        if line.is_sign(at, "+") && measure.unit.is_size() && found.take_unit(measure.unit) {
            found.join(Joint::Plus, measure);
            return Some(next);
        }
        let adds = measure.unit.is_size() || measure.unit == last.unit && line.is_sign(at, "+");
        if !(adds && (next < line.len() || line.is_sign(at, "+"))) {
            return None;
        }
        found.join(Joint::Plus, measure);
        return Some(next);
    }
    if let Some(or) = line.after(at, words.or) {
        let (measure, next) = reader.measure(or).filter(|(it, _)| it.unit.is_size())?;
        found.join(Joint::Or, measure);
        return Some(next);
    }
    // 3 lb 5 oz, 1 pint 7 fl oz.
    let (measure, next) = reader
        .measure(at)
        .filter(|(measure, _)| line.number(at).is_some() && is_smaller(measure, &last))?;
    found.join(Joint::Plus, measure);
    Some(next)
}

/// "1 sachet of 50 g (2 oz)".
fn of_a_size(reader: &Reader, found: &mut Found, at: usize) -> Option<usize> {
    let of = reader.line.after(at, reader.words.of)?;
    let [only] = found.amounts.as_slice() else { return None };
    if !found.package.is_empty() || only.unit.is_size() || only.unit.name.is_empty() {
        return None;
    }
    let (mut sizes, mut next) =
        reader.sizes(of).filter(|(sizes, _)| sizes.iter().all(|it| it.unit.is_size()))?;
    if let Some((again, after)) = reader.again_in_parentheses(next) {
        sizes.extend(again);
        next = after;
    }
    found.package = sizes;
    Some(next)
}

/// Whether an amount completes the one that it stands behind.
fn is_smaller(measure: &Measure, before: &Measure) -> bool {
    let pairs = [("lb", "oz"), ("pint", "fl oz"), ("kg", "g"), ("l", "ml"), ("quart", "pint")];
    pairs.contains(&(before.unit.name, measure.unit.name))
}

/// Amounts between parentheses and nothing else: the same again, or how large a container is.
fn in_parentheses(reader: &Reader, found: &mut Found, at: usize) -> Option<usize> {
    let line = reader.line;
    let (inside, next) = reader.sizes(at + 1)?;
    let next = line.after(next, &["each", "total", "in total"]).unwrap_or(next);
    if !line.is_sign(next, ")") || reader.is_about(at + 1) {
        return None;
    }
    let first = found.amounts.first()?;
    if first.unit.is_container() && found.amounts.len() == 1 && found.package.is_empty() {
        found.package = inside;
    } else {
        inside.into_iter().for_each(|measure| found.join(Joint::Or, measure));
    }
    // ¼ cup (50 ml)golden raisins, and 2½ (625 ml) cups flour.
    Some(next + 1)
}

/// Containers of a size: `2 x 400g/14oz cans`, `1 10-ounce package`, `2 (14 oz) cans`.
fn packages(reader: &Reader, at: usize) -> Option<(Found, usize)> {
    let line = reader.line;
    let (count, next) = reader.count(at)?;
    let times = line.is_sign(next, "x") || line.lower(next) == "x";
    let is_open = line.is_sign(next, "(");
    let (mut sizes, mut next) = reader.sizes(next + usize::from(times || is_open))?;
    if is_open {
        next = line.is_sign(next, ")").then_some(next + 1)?;
    } else if let Some((again, after)) = reader.again_in_parentheses(next) {
        sizes.extend(again);
        next = after;
    }
    if !sizes.iter().all(|it| it.unit.is_size()) {
        return None;
    }
    let (shaped, after) = reader.past_shape(next);
    if shaped {
        sizes.clear();
        next = after;
    }
    let unit = reader.unit_behind(next);
    if !times && !shaped && unit.is_none() && (is_open && reader.has_plain_unit(&count)) {
        return None;
    }
    // 2½ (625 ml) cups: the unit of the count comes late.
    if let Some((unit, next)) = unit.filter(|(unit, _)| unit.is_size()) {
        let mut found = Found { amounts: vec![Measure { unit, ..count }], ..Found::default() };
        sizes.into_iter().for_each(|size| found.join(Joint::Or, size));
        return is_open.then_some((found, next));
    }
    let (unit, next) = unit.map_or((count.unit, next), |it| it);
    let count = Measure { unit, ..count };
    Some((Found { amounts: vec![count], package: sizes, ..Found::default() }, next))
}

/// Past the word "piece" behind a length: `2.5cm/1in piece of ginger`.
fn past_dimension(reader: &Reader, found: &Found, next: usize) -> usize {
    let is_length = found.amounts.iter().all(|it| ["cm", "inch", "mm"].contains(&it.unit.name));
    let next = if is_length && reader.line.is_sign(next, "-") { next + 1 } else { next };
    let piece =
        reader.line.after(next, &["piece", "pieces", "knob", "chunk", "length", "stück", "stuk"]);
    piece.filter(|_| is_length).unwrap_or(next)
}
