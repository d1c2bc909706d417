//! The only reader of the browser's clocks.

use agent::time::{Reading, SteadyTime, Timestamp};

/// What time it is, by the rule of [`SteadyTime`]: the time never goes back while the page is open,
/// whatever happens to the machine's own clock.
pub struct Clock {
    read: Box<dyn Fn() -> Reading>,
    time: SteadyTime,
}

impl Clock {
    /// The browser's clocks.
    #[must_use]
    pub fn of_browser() -> Self {
        Self::new(read)
    }

    /// Clocks that are read like this.
    pub fn new(read: impl Fn() -> Reading + 'static) -> Self {
        let time = SteadyTime::starting_at(read());
        Self { read: Box::new(read), time }
    }

    /// The time now.
    pub(super) fn now(&mut self) -> Timestamp {
        self.time.at((self.read)())
    }
}

fn read() -> Reading {
    #[expect(clippy::disallowed_methods, reason = "this is the one place that reads the clock")]
    let wall_ms = js_sys::Date::now();
    // A page without this clock has the other one: that one alone decides then.
    let performance = web_sys::window().and_then(|window| window.performance());
    let monotonic_ms = performance.map_or(0.0, |clock| clock.now());
    Reading { wall: Timestamp(whole(wall_ms)), monotonic_ms: whole(monotonic_ms) }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "whole milliseconds since 1970 fit; a clock before that reads as 1970"
)]
fn whole(ms: f64) -> u64 {
    ms as u64
}
