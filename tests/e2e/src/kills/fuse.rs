//! When the browser is killed: some moments after the page begins to open, or after an act begins.

use std::future::pending;
use std::time::Duration;

use fastrand::Rng;
use tokio::sync::oneshot::{self, Receiver, Sender};

use crate::process;

/// What lights the fuse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lit {
    /// The page begins to open.
    Opening,
    /// So many acts have begun before, and one more begins.
    After(u8),
    /// Something is allowed.
    Yes,
    /// Nothing.
    Never,
}

/// Kills the browser some time after it is lit.
#[derive(Debug)]
pub(super) struct Fuse {
    by: Lit,
    light: Option<Sender<()>>,
}

/// What burns once its fuse is lit.
pub(super) struct Charge {
    lit: Receiver<()>,
    burns: Duration,
}

impl Fuse {
    /// One that is drawn.
    pub(super) fn draw(draw: &mut Rng) -> (Self, Charge) {
        let (by, burns_ms) = match draw.u8(0..8) {
            0 | 1 => (Lit::Opening, draw.u64(0..1500)),
            // What an act sets off is over soon.
            2..5 => (Lit::After(draw.u8(0..5)), draw.u64(0..70)),
            5 | 6 => (Lit::Yes, draw.u64(0..140)),
            _ => (Lit::After(draw.u8(0..5)), draw.u64(0..300)),
        };
        Self::new(by, Duration::from_millis(burns_ms))
    }

    /// One that nothing lights.
    pub(super) fn never() -> (Self, Charge) {
        Self::new(Lit::Never, Duration::ZERO)
    }

    fn new(by: Lit, burns: Duration) -> (Self, Charge) {
        let (light, lit) = oneshot::channel();
        (Self { by, light: Some(light) }, Charge { lit, burns })
    }

    /// The page begins to open.
    pub(super) fn opens(&mut self) {
        if self.by == Lit::Opening {
            self.light();
        }
    }

    /// An act begins. It may allow something.
    pub(super) fn acts(&mut self, allows: bool) {
        match self.by {
            Lit::After(0) => self.light(),
            Lit::After(more) => self.by = Lit::After(more - 1),
            Lit::Yes if allows => self.light(),
            Lit::Yes | Lit::Opening | Lit::Never => {}
        }
    }

    fn light(&mut self) {
        if let Some(light) = self.light.take() {
            // Nobody waits for a charge that has gone off.
            let _ = light.send(());
        }
    }
}

impl Charge {
    /// Burns, and then kills these processes. It never ends if its fuse is not lit.
    pub(super) async fn kill(self, processes: &[String]) {
        if self.lit.await.is_err() {
            pending::<()>().await;
        }
        tokio::time::sleep(self.burns).await;
        for process in processes {
            process::kill(process);
        }
    }
}
