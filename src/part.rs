//! Parts of the program that load when they are first needed, so that the page opens quickly.
//!
//! Only the optimised page is split (feature `split`, see scripts/page.sh). In any other build a
//! part is there from the start, and loading it never fails.

use std::pin::pin;

use futures::future::{Either, select};
use gloo_timers::future::TimeoutFuture;

/// How long a part may take to load before it counts as not to be had.
const LOADING_MS_MAX: u32 = 20_000;

/// A part of the program could not be loaded: whatever serves the page does not answer, or has a
/// newer page by now. Nothing of it ran, and the next use tries again.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NotLoaded;

#[cfg(feature = "split")]
impl From<wasm_split_helpers::SplitLoaderError> for NotLoaded {
    fn from(_: wasm_split_helpers::SplitLoaderError) -> Self {
        Self
    }
}

/// What was loaded, unless it took too long.
pub(crate) async fn in_time<T>(
    loading: impl Future<Output = Result<T, NotLoaded>>,
) -> Result<T, NotLoaded> {
    match select(pin!(loading), TimeoutFuture::new(LOADING_MS_MAX)).await {
        Either::Left((loaded, _)) => loaded,
        Either::Right(_) => Err(NotLoaded),
    }
}

/// Declares functions as the doors of a part: whatever is reached only through them loads with it.
/// They become `async`, and their result is a `Result` that fails with [`NotLoaded`].
macro_rules! part {
    ($part:ident: $(
        $(#[$about:meta])*
        fn $name:ident($($argument:ident: $type:ty),*) -> $result:ty { $body:expr }
    )*) => { $(
        $(#[$about])*
        #[cfg(feature = "split")]
        #[wasm_split_helpers::wasm_split($part, fallible)]
        pub(crate) fn $name($($argument: $type),*) -> Result<$result, $crate::part::NotLoaded> {
            Ok($body)
        }

        $(#[$about])*
        #[cfg(not(feature = "split"))]
        pub(crate) async fn $name($($argument: $type),*) -> Result<$result, $crate::part::NotLoaded> {
            Ok($body)
        }
    )* };
}

pub(crate) use part;
