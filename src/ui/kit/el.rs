//! Elements of Leptos, all of one type.
//!
//! Leptos gives every element a type of its own, made of all its attributes and children, and code
//! for each. This page has hundreds; here they share one, which makes the program a third smaller.

use std::borrow::Cow;

use leptos::attr::any_attribute::{AnyAttribute, IntoAnyAttribute};
use leptos::attr::custom::custom_attribute;
use leptos::ev::{Custom as Named, on};
use leptos::html::{Custom, custom};
use leptos::prelude::*;
use leptos::tachys::html::property::prop;
use leptos::tachys::view::iterators::StaticVec;
use web_sys::{Event, KeyboardEvent};

use wasm_bindgen::JsCast;

/// An element to be.
pub(crate) struct El {
    tag: &'static str,
    attributes: Vec<AnyAttribute>,
    children: Vec<AnyView>,
}

/// An element once it is there.
pub(crate) type Here = NodeRef<Custom<&'static str>>;

/// An element with this name.
pub(crate) fn el(tag: &'static str) -> El {
    El { tag, attributes: Vec::new(), children: Vec::new() }
}

macro_rules! elements {
    ($($tag:ident),*) => { $(
        pub(crate) fn $tag() -> El {
            el(stringify!($tag))
        }
    )* };
}

elements!(
    a, aside, b, bdi, blockquote, br, button, caption, code, dd, details, div, dl, dt, form, h1,
    h2, h3, header, hr, input, label, li, main, nav, ol, option, p, pre, s, section, select, small,
    span, strong, summary, table, tbody, td, textarea, th, thead, time, tr, ul, wbr
);

impl El {
    /// Its classes.
    pub(crate) fn class(self, names: impl Text) -> Self {
        self.attr("class", names)
    }

    /// An attribute; one without a value is not there.
    pub(crate) fn attr(mut self, name: &'static str, value: impl Text) -> Self {
        self.attributes.push(match value.text() {
            Words::Fixed(value) => custom_attribute(name, value).into_any_attr(),
            Words::Live(value) => custom_attribute(name, value).into_any_attr(),
        });
        self
    }

    /// What stands in a field.
    pub(crate) fn value(mut self, value: impl Fn() -> String + Send + 'static) -> Self {
        let value: Box<dyn Fn() -> String + Send> = Box::new(value);
        self.attributes.push(prop("value", value).into_any_attr());
        self
    }

    /// A property that is set or not.
    pub(crate) fn flag(mut self, name: &'static str, is_set: bool) -> Self {
        self.attributes.push(prop(name, is_set).into_any_attr());
        self
    }

    /// What happens on an event.
    pub(crate) fn on(mut self, event: &'static str, then: impl FnMut(Event) + 'static) -> Self {
        let then: Box<dyn FnMut(Event)> = Box::new(then);
        self.attributes.push(on(Named::<Event>::new(event), then).into_any_attr());
        self
    }

    /// What happens when a key goes down.
    pub(crate) fn on_key(self, mut then: impl FnMut(&KeyboardEvent) + 'static) -> Self {
        self.on("keydown", move |event| then(event.unchecked_ref()))
    }

    /// Where to find it once it is there.
    pub(crate) fn here(mut self, here: Here) -> Self {
        let attribute = leptos::tachys::html::node_ref::node_ref::<Custom<&'static str>, _>(here);
        self.attributes.push(attribute.into_any_attr());
        self
    }

    /// What stands in it, after what stands in it already.
    pub(crate) fn child(mut self, child: impl Child) -> Self {
        self.children.push(child.any());
        self
    }
}

/// What an attribute can be.
pub(crate) enum Words {
    /// The same for as long as the element lives.
    Fixed(Option<Cow<'static, str>>),
    /// As it is now.
    Live(Box<dyn Fn() -> Option<Cow<'static, str>> + Send>),
}

/// What can be an attribute.
pub(crate) trait Text {
    /// As an attribute.
    fn text(self) -> Words;
}

/// What can be an attribute at one moment.
pub(crate) trait Word {
    /// As it is written; `None` for one that is not there.
    fn word(self) -> Option<Cow<'static, str>>;
}

impl Word for &'static str {
    fn word(self) -> Option<Cow<'static, str>> {
        Some(Cow::Borrowed(self))
    }
}

impl Word for String {
    fn word(self) -> Option<Cow<'static, str>> {
        Some(Cow::Owned(self))
    }
}

impl<W: Word> Word for Option<W> {
    fn word(self) -> Option<Cow<'static, str>> {
        self.and_then(W::word)
    }
}

macro_rules! fixed {
    ($($word:ty),*) => { $(
        impl Text for $word {
            fn text(self) -> Words {
                Words::Fixed(self.word())
            }
        }
    )* };
}

fixed!(&'static str, String, Option<&'static str>, Option<String>);

impl<W: Word, F: Fn() -> W + Send + 'static> Text for F {
    fn text(self) -> Words {
        Words::Live(Box::new(move || self().word()))
    }
}

/// What can stand in an element.
pub(crate) trait Child {
    /// As a view.
    fn any(self) -> AnyView;
}

impl Child for AnyView {
    fn any(self) -> AnyView {
        self
    }
}

impl Child for El {
    fn any(self) -> AnyView {
        let children: StaticVec<AnyView> = self.children.into();
        custom(self.tag).child(children).add_any_attr(self.attributes).into_any()
    }
}

impl Child for &'static str {
    fn any(self) -> AnyView {
        self.into_any()
    }
}

impl Child for String {
    fn any(self) -> AnyView {
        self.into_any()
    }
}

impl Child for () {
    fn any(self) -> AnyView {
        ().into_any()
    }
}

impl<C: Child> Child for Option<C> {
    fn any(self) -> AnyView {
        self.map_or_else(|| ().any(), C::any)
    }
}

impl<C: Child> Child for Vec<C> {
    fn any(self) -> AnyView {
        let views: Vec<_> = self.into_iter().map(C::any).collect();
        StaticVec::from(views).into_any()
    }
}

macro_rules! together {
    ($($part:ident),*) => {
        impl<$($part: Child),*> Child for ($($part,)*) {
            #[expect(non_snake_case, reason = "each part has the name of its type")]
            fn any(self) -> AnyView {
                let ($($part,)*) = self;
                vec![$($part.any()),*].any()
            }
        }
    };
}

together!(A, B);
together!(A, B, C);
together!(A, B, C, D);
together!(A, B, C, D, E);
together!(A, B, C, D, E, F);
together!(A, B, C, D, E, F, G);
together!(A, B, C, D, E, F, G, H);

impl<C: Child, F: Fn() -> C + Send + 'static> Child for F {
    fn any(self) -> AnyView {
        let draw: Box<dyn Fn() -> AnyView + Send> = Box::new(move || self().any());
        draw.into_any()
    }
}

/// What is to be drawn, later.
pub(crate) type Draw = Box<dyn FnOnce() -> AnyView + Send>;

/// Things in a row, each drawn once for as long as its key is there.
pub(crate) fn each(things: impl Fn() -> Vec<(String, Draw)> + Send + Sync + 'static) -> AnyView {
    each_boxed(Box::new(things))
}

fn each_boxed(things: Box<dyn Fn() -> Vec<(String, Draw)> + Send + Sync>) -> AnyView {
    For(ForProps::builder()
        .each(things)
        .key(|(key, _): &(String, Draw)| key.clone())
        .children(|(_, draw)| draw())
        .build())
    .into_any()
}
