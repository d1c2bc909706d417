//! The only source of randomness.

use agent::id::Entropy;

/// Sixteen fresh random bytes.
pub(super) fn fresh() -> Entropy {
    Entropy(bytes())
}

/// Fresh random bytes.
pub(super) fn bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    // Without randomness two questions could share an id, and one answer would count for both.
    #[expect(
        clippy::expect_used,
        reason = "every browser that runs wasm has crypto.getRandomValues"
    )]
    getrandom::fill(&mut bytes).expect("the browser gives random bytes");
    bytes
}
