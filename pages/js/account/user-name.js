/// For forms with a password and no name.

import { h } from "../dom.js";

/// For the browser's book of passwords, which wants to know whose it is.
export function userNameFor(app) {
    return h("input", {
        type: "text", autocomplete: "username", value: app.store.state.me?.user ?? "",
        hidden: true, readonly: true, tabindex: "-1", "aria-hidden": "true",
    });
}
