/// For users who have opened a recovery link: choose a password, and be logged in.

import { call, session } from "../api.js";
import { h, replace } from "../dom.js";
import { makeField, makeForm, problemText } from "../form.js";
import { logo } from "../icons.js";
import { t } from "../language.js";

/// - `entered(me)` is called once the person is logged in.
/// - `leave(word, login)` goes to the login form.
export function mountRecovery(place, token, { entered, leave }) {
    const fields = [
        makeField({
            name: "password", label: t("New password"), type: "password",
            autocomplete: "new-password", hint: t("At least 8 characters."),
        }),
        makeField({
            name: "endOthers", label: t("Log out all other devices"), type: "checkbox", checked: true,
            hint: t("This includes phones that send positions: they must be set up again. On a journey "
                + "and in an SOS, the one that sends yours stays logged in. Passkeys are removed, and "
                + "links that show where you are and programs you let see a group end."),
        }),
    ];
    const form = makeForm({
        fields,
        button: t("Set the password"),
        submit: async ({ password, endOthers }) => {
            const { user } = await call("account.recover", { token, password, endOthers });
            let me;
            try {
                me = await session.logIn({ login: user, password });
            } catch (problem) {
                return goTo(t("Your password is set. {problem}", { problem: problemText(problem) }), user);
            }
            page.remove();
            entered(me);
        },
    });
    const page = h("main", { class: "welcome" },
        h("div", { class: "welcome-words" },
            h("div", { class: "brand big" }, logo(44), h("h1", null, "Kith"))),
        h("div", { class: "welcome-box" },
            h("section", { class: "card", "aria-labelledby": "recover" },
                h("h2", { id: "recover" }, t("Choose a password")),
                h("p", { class: "small muted" },
                    t("The link works once, for a few days.")),
                form,
                h("p", { class: "row" }, h("button", {
                    type: "button", class: "button quiet", onclick: () => goTo(),
                }, t("Log in instead"))))));
    replace(place, page);
    fields[0].input.focus();

    function goTo(word, login) {
        page.remove();
        leave(word, login);
    }
}

/// The end of such a link, taken out of the address so that it is not left on the screen or in the
/// history; null if the address is another one.
export function takeRecoveryToken() {
    const [, token] = /^#\/recover\/([\w-]+)$/.exec(location.hash) ?? [];
    if (!token) return null;
    history.replaceState(null, "", location.pathname);
    return token;
}
