//! Made-up goods and the texts that ask for them. Each name and each text is used once, so that
//! whatever turns up twice, or without having been asked for, is seen.

use fastrand::Rng;

/// The sounds of a name, in their order: no word of any language the assistant knows, and no name is
/// the plural of another.
const SOUNDS: [&str; 7] = ["bdfgkpvz", "aiou", "zvx", "aiou", "bdgz", "aiou", "kp"];

/// What was named so far.
#[derive(Debug, Default)]
pub(super) struct Goods {
    names: usize,
    texts: usize,
}

impl Goods {
    /// Something that was never named before.
    ///
    /// # Panics
    ///
    /// There are no names left: there are some ten thousand.
    pub(super) fn name(&mut self) -> String {
        let mut rest = self.names;
        self.names += 1;
        let name = SOUNDS.iter().filter_map(|sounds| {
            let at = rest % sounds.len();
            rest /= sounds.len();
            sounds.get(at..=at)
        });
        let name = name.collect();
        assert_eq!(rest, 0, "every name was used");
        name
    }

    /// A text that proposes to add so many things.
    pub(super) fn add(&mut self, many: usize, draw: &mut Rng) -> String {
        let goods: Vec<_> =
            (0..many).map(|_| format!("{} {}", draw.u8(2..10), self.name())).collect();
        match goods.as_slice() {
            [all @ .., last] if !all.is_empty() => format!("Add {} and {last}", all.join(", ")),
            [..] => format!("Add {}", goods.concat()),
        }
    }

    /// A text that proposes to take something off the list.
    pub(super) fn take_off(&mut self, name: &str) -> String {
        self.marked(&format!("Take {name} off the list."))
    }

    /// A text that asks what is on the list.
    pub(super) fn read(&mut self) -> String {
        self.marked("What is on the list?")
    }

    /// The assistant leaves what it does not understand.
    fn marked(&mut self, text: &str) -> String {
        self.texts += 1;
        format!("{text} Note {}", self.texts)
    }
}
