//! A list by what its lines are found by: where many lines are looked up, none is compared with all
//! others.

use std::collections::HashMap;

use crate::household::Line;
use crate::item;

/// The places of the lines of a list, by their keys.
pub(crate) struct Index {
    keys: Vec<String>,
    by_key: HashMap<String, Vec<usize>>,
    by_bare: HashMap<String, Vec<usize>>,
    by_singular: HashMap<String, Vec<usize>>,
}

impl Index {
    pub(crate) fn of(lines: &[Line]) -> Self {
        let keys: Vec<_> = lines.iter().map(|line| item::key(&line.item)).collect();
        let (mut by_key, mut by_bare, mut by_singular) =
            (HashMap::new(), HashMap::new(), HashMap::new());
        for (place, key) in keys.iter().enumerate() {
            put(&mut by_key, key.clone(), place);
            put(&mut by_bare, item::typed(key), place);
            for singular in item::singulars(key) {
                put(&mut by_singular, singular, place);
            }
        }
        Self { keys, by_key, by_bare, by_singular }
    }

    /// The place of the one line of that name, as [`crate::household::Household::find`] finds it.
    pub(crate) fn find(&self, item: &str) -> Option<usize> {
        let key = item::key(item);
        let mut places = self.same(&self.by_key, &key, |_| true);
        if places.is_empty() {
            let bare = item::typed(&key);
            let but_for_accents = |it: &str| item::keys_same_but_for_accents(it, &key);
            places = self.same(&self.by_bare, &bare, but_for_accents);
        }
        if places.is_empty() {
            let but_for_number = |it: &str| item::keys_same_but_for_number(it, &key);
            places = self.same(&self.by_singular, &key, but_for_number);
            for singular in item::singulars(&key) {
                places.extend(self.same(&self.by_key, &singular, but_for_number));
            }
            places.sort_unstable();
            places.dedup();
        }
        // Two lines that may both be meant are no line.
        if let [place] = places.as_slice() { Some(*place) } else { None }
    }

    fn same(
        &self,
        by: &HashMap<String, Vec<usize>>,
        name: &str,
        same: impl Fn(&str) -> bool,
    ) -> Vec<usize> {
        let places = by.get(name).map(Vec::as_slice).unwrap_or_default().iter().copied();
        places.filter(|place| self.keys.get(*place).is_some_and(|key| same(key))).collect()
    }
}

fn put(by: &mut HashMap<String, Vec<usize>>, name: String, place: usize) {
    by.entry(name).or_default().push(place);
}
