//! Finding what is on the page as a screen reader does: by role and accessible name, both as the
//! browser computes them.

use fantoccini::elements::Element;
use fantoccini::error::CmdError;
use fantoccini::{Client, Locator};

use crate::browser::Command;

/// A role. Only elements that its selector finds are asked for theirs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Something to press.
    Button,
    /// Somewhere to type.
    TextBox,
    /// Somewhere to go.
    Link,
    /// A box to tick.
    CheckBox,
    /// One of several to choose.
    Radio,
    /// A choice from a list.
    ComboBox,
    /// Controls that belong together, as a card does.
    Group,
    /// The conversation.
    Log,
    /// A part of the page with a name.
    Region,
    /// A list.
    List,
    /// A heading.
    Heading,
}

impl Role {
    fn selector(self) -> &'static str {
        match self {
            Self::Button => "button,summary,[role=button]",
            Self::TextBox => "textarea,input,[role=textbox]",
            Self::Link => "a[href],[role=link]",
            Self::CheckBox => "input[type=checkbox],[role=checkbox],[role=switch]",
            Self::Radio => "input[type=radio],[role=radio]",
            Self::ComboBox => "select,[role=combobox]",
            Self::Group => "[role=group],fieldset",
            Self::Log => "[role=log]",
            Self::Region => "section,[role=region],aside,main",
            Self::List => "ul,ol,[role=list]",
            Self::Heading => "h1,h2,h3,h4,[role=heading]",
        }
    }

    /// The names browsers have for it: Firefox calls a single choice otherwise.
    fn names(self) -> &'static [&'static str] {
        match self {
            Self::Button => &["button"],
            Self::TextBox => &["textbox", "searchbox"],
            Self::Link => &["link"],
            Self::CheckBox => &["checkbox", "switch"],
            Self::Radio => &["radio"],
            Self::ComboBox => &["combobox", "listbox"],
            Self::Group => &["group"],
            Self::Log => &["log"],
            Self::Region => &["region", "complementary", "main"],
            Self::List => &["list"],
            Self::Heading => &["heading"],
        }
    }
}

/// The first visible element in `root` (or on the page) with this role and exactly this name.
///
/// # Errors
///
/// The page changed underneath, or the browser is gone.
pub async fn find(
    client: &Client,
    root: Option<&Element>,
    role: Role,
    name: &str,
) -> Result<Option<Element>, CmdError> {
    let all = find_all(client, root, role).await?;
    for (element, label) in all {
        if label == name {
            return Ok(Some(element));
        }
    }
    Ok(None)
}

/// Every visible element in `root` (or on the page) with this role, and its name.
///
/// # Errors
///
/// The page changed underneath, or the browser is gone.
pub async fn find_all(
    client: &Client,
    root: Option<&Element>,
    role: Role,
) -> Result<Vec<(Element, String)>, CmdError> {
    let locator = Locator::Css(role.selector());
    let candidates = match root {
        Some(root) => root.find_all(locator).await?,
        None => client.find_all(locator).await?,
    };
    let mut found = Vec::new();
    for element in candidates {
        if !element.is_displayed().await? {
            continue;
        }
        let computed = computed(client, &element, "computedrole").await?;
        if role.names().contains(&computed.as_str()) {
            let label = computed_label(client, &element).await?;
            found.push((element, label));
        }
    }
    Ok(found)
}

async fn computed_label(client: &Client, element: &Element) -> Result<String, CmdError> {
    computed(client, element, "computedlabel").await
}

async fn computed(client: &Client, element: &Element, what: &str) -> Result<String, CmdError> {
    let id = element.element_id();
    let path = format!("element/{}/{what}", id.as_ref());
    let value = client.issue_cmd(Command::get(&path)).await?;
    Ok(value.as_str().unwrap_or_default().to_owned())
}
