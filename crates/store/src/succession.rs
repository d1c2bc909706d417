//! Whether a record can be, after those before it: each request is decided once, and runs once at
//! most, after its decision allowed just that; and steps towards knowing what came of it follow only
//! where that was unknown.

use std::collections::HashMap;

use agent::approval::Outcome;
use agent::audit::{AuditEvent, ExecutionEvent, ExecutionOutcome};
use agent::id::RequestId;
use agent::resolution::{ResolutionEvent, ResolutionStep};

use crate::records::Record;

/// The records so far, as those that follow are held against them.
#[derive(Debug, Default)]
pub(crate) struct Succession {
    decisions: HashMap<RequestId, Decided>,
    pub(crate) executions: usize,
    pub(crate) resolutions: usize,
}

/// What an execution is held against.
#[derive(Debug)]
struct Decided {
    number: u64,
    event: AuditEvent,
    executed: Option<(u64, ExecutionOutcome)>,
    /// The latest step towards knowing what came of it.
    resolved: Option<ResolutionStep>,
}

impl Succession {
    /// How many of the records are decisions.
    pub(crate) fn decisions(&self) -> usize {
        self.decisions.len()
    }

    /// Goes on to a record, if it can be.
    ///
    /// # Errors
    /// Why it cannot be.
    pub(crate) fn admit(&mut self, number: u64, record: Record) -> Result<(), String> {
        match record {
            Record::Decision(event) => {
                if let Some(earlier) = self.decisions.get(&event.request) {
                    return Err(format!("record {} decided this request before", earlier.number));
                }
                let decided = Decided { number, event, executed: None, resolved: None };
                self.decisions.insert(decided.event.request.clone(), decided);
            }
            Record::Execution(event) => {
                let Some(decided) = self.decisions.get_mut(&event.request) else {
                    return Err("it ran without a decision before it".to_owned());
                };
                decided.admits(&event)?;
                decided.executed = Some((number, event.outcome));
                self.executions += 1;
            }
            Record::Resolution(event) => {
                let Some(decided) = self.decisions.get_mut(&event.request) else {
                    return Err("nothing ran that it could be about".to_owned());
                };
                decided.admits_step(&event)?;
                decided.resolved = Some(event.step);
                self.resolutions += 1;
            }
        }
        Ok(())
    }
}

impl Decided {
    fn admits(&self, execution: &ExecutionEvent) -> Result<(), String> {
        let (number, decision) = (self.number, &self.event);
        if decision.outcome != Outcome::Approved {
            return Err(format!("it ran, and record {number} had not allowed it"));
        }
        if (&decision.session, &decision.call, &decision.tool)
            != (&execution.session, &execution.call, &execution.tool)
        {
            return Err(format!("it ran, and record {number} had allowed another call"));
        }
        self.executed.map_or(Ok(()), |(earlier, _)| {
            Err(format!("record {earlier} says that this request ran before"))
        })
    }

    fn admits_step(&self, resolution: &ResolutionEvent) -> Result<(), String> {
        let decision = &self.event;
        match self.executed {
            None => return Err("nothing ran that it could be about".to_owned()),
            Some((_, ExecutionOutcome::Unknown)) => {}
            Some((earlier, ExecutionOutcome::Ran | ExecutionOutcome::Failed)) => {
                return Err(format!("record {earlier} says already what came of it"));
            }
        }
        if (&decision.session, &decision.call, &decision.tool)
            != (&resolution.session, &resolution.call, &resolution.tool)
        {
            return Err("it is about another call than the one that ran".to_owned());
        }
        if !resolution.step.may_follow(self.resolved) {
            return Err("it is about what was known by then".to_owned());
        }
        Ok(())
    }
}
