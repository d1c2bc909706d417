//! The languages that amounts and lines of recipes are read in, and how each writes a number.

/// A language of the kitchen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    /// English.
    English,
    /// Dutch.
    Dutch,
    /// German.
    German,
    /// French.
    French,
    /// Italian.
    Italian,
    /// Spanish.
    Spanish,
    /// Portuguese.
    Portuguese,
    /// Swedish.
    Swedish,
    /// Danish.
    Danish,
    /// Norwegian.
    Norwegian,
    /// Hungarian.
    Hungarian,
    /// Turkish.
    Turkish,
    /// Polish.
    Polish,
    /// Czech.
    Czech,
    /// Slovak.
    Slovak,
    /// Japanese.
    Japanese,
    /// Chinese.
    Chinese,
}

/// Which sign stands before the decimals of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DecimalSign {
    /// `1.5`; commas stand between thousands.
    Point,
    /// `1,5`; points stand between thousands.
    Comma,
    /// It is not known: what can be read in two ways is not read.
    Unknown,
}

/// Every language beside the start of its tag.
const TAGS: &[(&str, Language)] = &[
    ("en", Language::English),
    ("nl", Language::Dutch),
    ("de", Language::German),
    ("fr", Language::French),
    ("it", Language::Italian),
    ("es", Language::Spanish),
    ("pt", Language::Portuguese),
    ("sv", Language::Swedish),
    ("da", Language::Danish),
    ("no", Language::Norwegian),
    ("nb", Language::Norwegian),
    ("nn", Language::Norwegian),
    ("hu", Language::Hungarian),
    ("tr", Language::Turkish),
    ("pl", Language::Polish),
    ("cs", Language::Czech),
    ("sk", Language::Slovak),
    ("ja", Language::Japanese),
    ("zh", Language::Chinese),
];

impl Language {
    /// The language of a tag as in `nl` or `de-AT` (BCP 47), if it is one of the kitchen's.
    #[must_use]
    pub fn of_tag(tag: &str) -> Option<Self> {
        let first = tag.split(['-', '_']).next()?.to_ascii_lowercase();
        TAGS.iter().find(|(known, _)| *known == first).map(|(_, language)| *language)
    }

    pub(crate) fn decimal_sign(self) -> DecimalSign {
        match self {
            Self::English | Self::Japanese | Self::Chinese => DecimalSign::Point,
            Self::Dutch
            | Self::German
            | Self::French
            | Self::Italian
            | Self::Spanish
            | Self::Portuguese
            | Self::Swedish
            | Self::Danish
            | Self::Norwegian
            | Self::Hungarian
            | Self::Turkish
            | Self::Polish
            | Self::Czech
            | Self::Slovak => DecimalSign::Comma,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_names_its_language_whatever_follows() {
        assert_eq!(Language::of_tag("nl-BE"), Some(Language::Dutch));
        assert_eq!(Language::of_tag("EN_us"), Some(Language::English));
        assert_eq!(Language::of_tag("tlh"), None);
        assert_eq!(Language::of_tag(""), None);
    }
}
