//! The other end of the protocol: requests in, replies out, as the provider's own clients expect.

mod blocks;
mod reply;
mod request;

pub use reply::{Envelope, encode_error, encode_stream, encode_whole};
pub use request::{ServedRequest, decode_request};
