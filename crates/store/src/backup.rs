//! A copy of everything that is kept, as one file that a person can put away and bring back.
//!
//! The file is one object of JSON: what it is and its version, then the list, the settings, the
//! records, the conversations, and what had to be left out because it could not be read. It holds no
//! key: those of the providers are not here to begin with, and the key of the digests stays with its
//! installation. Its last entry is a digest: the SHA-256, in hexadecimal, of every byte before
//! `"digest"`. So a file that was cut or changed is told before anything of it is read. Anyone can
//! write such a digest, though: it says nothing of who wrote the file, and a file is read as if a
//! stranger had.
//!
//! What comes back ([`Store::restore`](crate::Store::restore)) is therefore less than what went out:
//! - A question that waited, and what was allowed and not done yet, expires. Nothing of it can be
//!   answered or runs, see [`agent::session::Session::expire`].
//! - What was allowed in advance stays out.
//! - Records of a file become no records of this place. They are kept apart, as a chain that holds on
//!   its own: the ledger never looks at them, so no decision of a file counts for anything, the chain
//!   that is written here is not broken by them, and they are in every further copy as they came. A
//!   chain that does not hold stays in its file.
//! - What a person could take back before can be so no longer: the lines have new ids. Bringing the
//!   list in is one change, which can be taken back.
//!
//! What was said in words beside the records is not in the file: it stands in the conversations.

mod chains;
mod read;
mod restore;
mod save;

pub use chains::Chain;
pub use read::{Contents, Copied, Fault, read};
pub use restore::{How, Restored};
pub use save::Backup;

use agent::canonical::hexadecimal;
use sha2::{Digest, Sha256};

/// The format's name.
pub const FORMAT: &str = "kitchen-assistant";

/// The format's version that is written and read.
pub const VERSION: u32 = 1;

/// The largest file that is read, in bytes: a household writes some four megabytes a year.
pub const BYTES_MAX: usize = 64 << 20;

/// The longest message, or state of a conversation, that is read, in bytes. A reply has at most
/// [`agent::limits::REPLY_BYTES_MAX`]; the state may hold a reply and what is known of earlier ones.
pub const PART_BYTES_MAX: usize = 4 << 20;

/// Levels of objects and lists. Arguments have at most [`agent::limits::ARGUMENT_DEPTH_MAX`], and
/// stand a dozen levels down.
pub const DEPTH_MAX: usize = 64;

/// The most lines of a list that are read: more than any page can show.
pub const LINES_MAX: usize = 10_000;

/// The most conversations that are read: one an hour for a year.
pub const CONVERSATIONS_MAX: usize = 10_000;

/// The most chains of records that are read: that of the file's place, and one for each place whose
/// copy was brought in there.
pub const CHAINS_MAX: usize = 100;

/// What stands before the digest.
const DIGEST: &str = "\"digest\":\"";

/// What stands behind it.
const END: &str = "\"}";

/// The digest of what stands before it in a file.
#[must_use]
pub fn digest(text: &str) -> String {
    hexadecimal(&Sha256::digest(text))
}
