/// For users who have opened the link sent to a new account's address: confirm it.

import { call } from "../api.js";
import { h, replace } from "../dom.js";
import { makeForm } from "../form.js";
import { logo } from "../icons.js";
import { t } from "../language.js";

/// - `leave(word)` goes on to the login form, or the view they came from.
export function mountVerification(place, token, leave) {
    const form = makeForm({
        fields: [],
        button: t("Confirm my address"),
        submit: async () => {
            await call("account.verify", { token });
            goOn(t("Your address is confirmed."));
        },
    });
    const page = h("main", { class: "welcome" },
        h("div", { class: "welcome-words" },
            h("div", { class: "brand big" }, logo(44), h("h1", null, "Kith"))),
        h("div", { class: "welcome-box" },
            h("section", { class: "card", "aria-labelledby": "verify" },
                h("h2", { id: "verify" }, t("Is this your address?")),
                h("p", { class: "small muted" },
                    t("Someone created an account with the address this link was sent to.")),
                form,
                h("p", { class: "row" }, h("button", {
                    type: "button", class: "button quiet", onclick: () => goOn(),
                }, t("Not now"))))));
    replace(place, page);

    function goOn(word) {
        page.remove();
        leave(word);
    }
}

/// The end of such a link, taken out of the address; null if the address is another one.
export function takeVerificationToken() {
    const [, token] = /^#\/verify\/([\w-]+)$/.exec(location.hash) ?? [];
    if (!token) return null;
    history.replaceState(null, "", location.pathname);
    return token;
}
