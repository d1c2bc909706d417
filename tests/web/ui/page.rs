//! The page in a test: mounted with its styles, pressed by role and name, its commands written down.

use std::cell::RefCell;
use std::rc::Rc;

use gloo_timers::future::TimeoutFuture;
use js_sys::{Array, Function, Object, Reflect};
use kitchen_assistant::ui::app::{Trust, app};
use kitchen_assistant::ui::{Dispatch, Screen};
use leptos::mount::mount_to;
use leptos::prelude::*;
use view::View;
use view::command::Command;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, Event, HtmlElement, HtmlTextAreaElement};

/// What the page is dressed in, as index.html names it.
const STYLES: [&str; 15] = [
    include_str!("../../../style/tokens.css"),
    include_str!("../../../style/base.css"),
    include_str!("../../../style/kit/button.css"),
    include_str!("../../../style/kit/icon.css"),
    include_str!("../../../style/kit/marked.css"),
    include_str!("../../../style/line.css"),
    include_str!("../../../style/brand.css"),
    include_str!("../../../style/app.css"),
    include_str!("../../../style/chat.css"),
    include_str!("../../../style/prose.css"),
    include_str!("../../../style/composer.css"),
    include_str!("../../../style/conversations.css"),
    include_str!("../../../style/receipt.css"),
    include_str!("../../../style/notice.css"),
    include_str!("../../../style/shopping_list.css"),
];

/// Over what the test runner writes on its page, and small enough that a whole card fits the low
/// window a test has.
const STAGE: &str = ".stage { position: fixed; inset: 0; z-index: 9; background: white; zoom: .5; } \
    .stage .frame { height: 840px; }";

/// How often a condition is looked at before it counts as never true, and how long in between.
const LOOKS_MAX: u32 = 200;
const LOOK_MS: u32 = 20;

/// The page, mounted.
pub(crate) struct Page {
    view: RwSignal<View>,
    commands: Rc<RefCell<Vec<Command>>>,
    place: HtmlElement,
    mounted: Option<Box<dyn std::any::Any>>,
    owner: Owner,
}

impl Page {
    /// Opens it; a press of the test counts as a person's.
    pub(crate) fn open(view: View) -> Self {
        Self::open_with(view, Some(Trust(|_| true)))
    }

    /// Opens it as it is: only a person's presses count, and a test can make none.
    pub(crate) fn open_as_it_is(view: View) -> Self {
        Self::open_with(view, None)
    }

    fn open_with(view: View, trust: Option<Trust>) -> Self {
        let place = element("div");
        let style = element("style");
        style.set_text_content(Some(&(STYLES.concat() + STAGE)));
        place.set_class_name("stage");
        let _ = place.append_child(&style);
        let _ = document().body().expect("a body").append_child(&place);
        let owner = Owner::new();
        owner.set();
        let view = RwSignal::new(view);
        let commands = Rc::new(RefCell::new(Vec::new()));
        let written = Rc::clone(&commands);
        let mounted = mount_to(place.clone(), move || {
            provide_context(Screen::from(view));
            provide_context(Dispatch::new(move |command| written.borrow_mut().push(command)));
            if let Some(trust) = trust {
                provide_context(trust);
            }
            app()
        });
        Self { view, commands, place, mounted: Some(Box::new(mounted)), owner }
    }

    /// Waits until the page has drawn itself and watches what it is to watch.
    pub(crate) async fn watches(&self) {
        TimeoutFuture::new(0).await;
    }

    /// Something happens to the view.
    pub(crate) fn change(&self, change: impl FnOnce(&mut View)) {
        self.view.update(change);
    }

    /// The commands so far.
    pub(crate) fn commands(&self) -> Vec<Command> {
        self.commands.borrow().clone()
    }

    /// The first element that a selector finds.
    #[track_caller]
    pub(crate) fn find(&self, selector: &str) -> Element {
        self.look_for(selector).unwrap_or_else(|| panic!("no {selector} on the page"))
    }

    /// The same, if there is one.
    pub(crate) fn look_for(&self, selector: &str) -> Option<Element> {
        self.place.query_selector(selector).expect("a selector")
    }

    /// How many elements a selector finds.
    pub(crate) fn count(&self, selector: &str) -> u32 {
        self.place.query_selector_all(selector).expect("a selector").length()
    }

    /// The button with this name.
    #[track_caller]
    pub(crate) fn button(&self, name: &str) -> Element {
        let found = self.buttons().into_iter().find(|button| name_of(button) == name);
        found.unwrap_or_else(|| {
            let names: Vec<_> = self.buttons().iter().map(name_of).collect();
            panic!("no button {name:?} among {names:?}")
        })
    }

    fn buttons(&self) -> Vec<Element> {
        let all = self.place.query_selector_all("button").expect("a selector");
        (0..all.length()).filter_map(|at| all.get(at)?.dyn_into().ok()).collect()
    }

    /// Presses a button as a mouse does: down, up, click.
    #[track_caller]
    pub(crate) fn press(&self, name: &str) {
        press(&self.button(name));
    }

    /// Types into the field with this name, in place of what is there.
    #[track_caller]
    pub(crate) fn write(&self, name: &str, text: &str) {
        let field = self.field(name);
        let _ = Reflect::set(&field, &"value".into(), &text.into());
        dispatch_event(&field, "Event", "input", &[]);
    }

    /// The field with this name.
    #[track_caller]
    pub(crate) fn field(&self, name: &str) -> Element {
        let by_label = format!("input[aria-label=\"{name}\"],textarea[aria-label=\"{name}\"]");
        self.look_for(&by_label).unwrap_or_else(|| {
            let labels = self.place.query_selector_all("label").expect("a selector");
            let labels = (0..labels.length()).filter_map(|at| labels.get(at));
            let label = labels
                .filter_map(|label| label.dyn_into::<Element>().ok())
                .find(|label| label.text_content().as_deref() == Some(name));
            let label = label.unwrap_or_else(|| panic!("no field {name:?}"));
            self.find(&format!("#{}", label.get_attribute("for").expect("what it is for")))
        })
    }

    /// What stands in the composer.
    pub(crate) fn message(&self) -> String {
        self.find("#message").dyn_into::<HtmlTextAreaElement>().expect("a text box").value()
    }

    /// Scrolls to something, as a reader does where it does not fit.
    #[track_caller]
    pub(crate) fn bring_up(&self, selector: &str) {
        self.find(selector).scroll_into_view_with_bool(false);
    }

    /// Waits until something is so.
    pub(crate) async fn until(&self, what: &str, is_so: impl Fn(&Self) -> bool) {
        for _ in 0..LOOKS_MAX {
            if is_so(self) {
                return;
            }
            TimeoutFuture::new(LOOK_MS).await;
        }
        panic!("never: {what}\n{}", self.find(".frame").text_content().unwrap_or_default());
    }

    /// Waits until the card has been measured and says that it is to be read.
    pub(crate) async fn until_unread(&self) {
        self.until("it is to be read", |page| page.count(".asked.unread") == 1).await;
    }

    /// Waits until a button can be pressed.
    pub(crate) async fn until_awake(&self, name: &str) {
        self.until(&format!("{name} is awake"), |page| {
            let mut named = page.buttons().into_iter().filter(|button| name_of(button) == name);
            named.any(|button| !is_asleep(&button))
        })
        .await;
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        self.mounted.take();
        self.owner.cleanup();
        let _ = window().location().set_hash("");
        self.place.remove();
    }
}

/// The id of what has the focus.
pub(crate) fn focused() -> String {
    document().active_element().map(|element| element.id()).unwrap_or_default()
}

/// Whether a button says that it cannot be pressed.
pub(crate) fn is_asleep(button: &Element) -> bool {
    button.get_attribute("aria-disabled").as_deref() == Some("true")
}

/// Presses something as a mouse does.
pub(crate) fn press(element: &Element) {
    dispatch_event(element, "PointerEvent", "pointerdown", &[]);
    dispatch_event(element, "PointerEvent", "pointerup", &[]);
    dispatch_event(element, "PointerEvent", "click", &[]);
}

/// Presses a key on something; `extra` are more properties of the event.
pub(crate) fn press_key(element: &Element, key: &str, extra: &[(&str, JsValue)]) -> bool {
    let mut properties = vec![("key", JsValue::from(key))];
    properties.extend(extra.iter().cloned());
    dispatch_event(element, "KeyboardEvent", "keydown", &properties)
}

/// Gives something an event; false if something prevented what the browser would do.
pub(crate) fn dispatch_event(
    element: &Element,
    class: &str,
    kind: &str,
    properties: &[(&str, JsValue)],
) -> bool {
    give(element, &event(class, kind, properties))
}

/// Gives something an event of the pointer that happened at a time of the page's clock.
pub(crate) fn dispatch_event_at(element: &Element, kind: &str, at: f64) {
    let event = event("PointerEvent", kind, &[]);
    let stamp = Object::new();
    let _ = Reflect::set(&stamp, &"value".into(), &at.into());
    let _ = Reflect::define_property(&event, &"timeStamp".into(), &stamp);
    give(element, &event);
}

/// The page's clock.
pub(crate) fn now() -> f64 {
    window().performance().expect("a clock").now()
}

fn give(element: &Element, event: &Event) -> bool {
    element.dispatch_event(event).expect("an event that can be given")
}

fn event(class: &str, kind: &str, properties: &[(&str, JsValue)]) -> Event {
    let options = Object::new();
    for name in ["bubbles", "cancelable", "composed"] {
        let _ = Reflect::set(&options, &name.into(), &true.into());
    }
    for (name, value) in properties {
        let _ = Reflect::set(&options, &(*name).into(), value);
    }
    let class: Function =
        Reflect::get(&js_sys::global(), &class.into()).expect("the class").unchecked_into();
    let event = Reflect::construct(&class, &Array::of2(&kind.into(), &options)).expect("an event");
    event.unchecked_into()
}

fn name_of(button: &Element) -> String {
    let text = button.get_attribute("aria-label").or_else(|| {
        let copy: Element = button.clone_node_with_deep(true).ok()?.unchecked_into();
        if let Ok(Some(hidden)) = copy.query_selector("[hidden]") {
            hidden.remove();
        }
        copy.text_content()
    });
    text.unwrap_or_default()
}

fn element(name: &str) -> HtmlElement {
    document().create_element(name).expect("an element").unchecked_into()
}
