//! Names of things. Every id is ours: what a model calls its calls is data, not identity.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::canonical::hexadecimal;
use crate::mistake::{Mistake, made};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub String);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

id! {
    /// One conversation.
    SessionId
}
id! {
    /// One question to a person. A call that is asked about again gets a new one.
    RequestId
}
id! {
    /// One standing approval: it has the name of the request whose answer made it.
    StandingApprovalId
}
id! {
    /// One call a model proposed. The model's own id for it may repeat; this one does not.
    CallId
}
id! {
    /// What follows one text of the person, up to the next text.
    PromptId
}

impl SessionId {
    /// The id of a new conversation: the random bytes themselves, in hexadecimal.
    #[must_use]
    pub fn fresh(entropy: Entropy) -> Self {
        Self(hexadecimal(&entropy.0))
    }
}

/// Sixteen random bytes, fresh for every step: the only source of new ids.
///
/// They come from outside, so that an old copy of a session, continued a second time, can never
/// give a new question the id of one that was decided already.
#[derive(Clone, Copy)]
pub struct Entropy(pub [u8; 16]);

impl Entropy {
    /// The `n`-th id of this step: 26 letters and digits, legal for every provider.
    #[must_use]
    pub fn mint(&self, n: u64) -> String {
        const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
        let entropy = if made(Mistake::IdsRepeat) { [0; 16] } else { self.0 };
        let digest = Sha256::new().chain_update(entropy).chain_update(n.to_be_bytes()).finalize();
        let letter = |byte: &u8| ALPHABET.get(usize::from(byte % 32)).copied().map(char::from);
        digest.iter().take(26).filter_map(letter).collect()
    }
}

impl fmt::Debug for Entropy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Entropy(..)")
    }
}
