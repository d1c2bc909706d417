//! The agents' names for people.

/// The name of an agent; the kitchen's, where a conversation is older than all others.
#[must_use]
pub fn title(name: Option<&str>) -> &'static str {
    match name {
        Some("kitchen") | None => "Kitchen",
        Some("dining") => "Dining",
        Some("activities") => "Activities",
        Some(_) => "Another agent",
    }
}
