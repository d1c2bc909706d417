//! The token of one start: a random word that the page sends with every request, and that nothing
//! but the page and whoever started the proxy is told.

use std::fmt;

use axum::http::HeaderValue;

/// Bytes of randomness: nobody guesses this many.
const BYTES: usize = 16;

/// Made at the start and never written down. It prints as dots.
#[derive(Clone)]
pub(crate) struct Token {
    word: String,
    field: HeaderValue,
}

impl Token {
    /// A fresh one, if the system gives random bytes.
    pub(crate) fn fresh() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; BYTES];
        getrandom::fill(&mut bytes)?;
        let word: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let mut field = HeaderValue::try_from(&word).map_err(|_| getrandom::Error::UNEXPECTED)?;
        field.set_sensitive(true);
        Ok(Self { word, field })
    }

    pub(crate) fn is(&self, said: Option<&str>) -> bool {
        said == Some(self.word.as_str())
    }

    pub(crate) fn word(&self) -> &str {
        &self.word
    }

    pub(crate) fn field(&self) -> HeaderValue {
        self.field.clone()
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}
