/// A user name for forms that have a password but no name.

import { h } from "../dom.js";

/// A hidden field that tells the browser's password manager whose password it is.
export function userNameFor(app) {
    return h("input", {
        type: "text", autocomplete: "username", value: app.store.state.me?.user ?? "",
        hidden: true, readonly: true, tabindex: "-1", "aria-hidden": "true",
    });
}
