//! Saves a text as a file, as a link with a download does.

use js_sys::Array;
use leptos::prelude::document;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, BlobPropertyBag, HtmlAnchorElement, Url};

/// The file that was saved last. The browser may still read it until there is another, or the page
/// that offered it is left.
#[derive(Default)]
pub(crate) struct Download(Option<String>);

impl Download {
    /// Saves a text of a kind under a name.
    pub(crate) fn save(&mut self, name: &str, kind: &str, text: &str) {
        self.let_go();
        let Ok(address) = address_of(kind, text) else { return };
        let link: Option<HtmlAnchorElement> =
            document().create_element("a").ok().and_then(|link| link.dyn_into().ok());
        if let Some(link) = link {
            link.set_href(&address);
            link.set_download(name);
            link.click();
        }
        self.0 = Some(address);
    }

    fn let_go(&mut self) {
        if let Some(address) = self.0.take() {
            // It can only fail for what was never an address.
            let _ = Url::revoke_object_url(&address);
        }
    }
}

impl Drop for Download {
    fn drop(&mut self) {
        self.let_go();
    }
}

fn address_of(kind: &str, text: &str) -> Result<String, JsValue> {
    let options = BlobPropertyBag::new();
    options.set_type(kind);
    let parts = Array::of1(&JsValue::from_str(text));
    Url::create_object_url_with_blob(&Blob::new_with_str_sequence_and_options(&parts, &options)?)
}
