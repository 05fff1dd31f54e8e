/// For users who have forgotten the password: requests a link by mail.

import { call } from "../api.js";
import { h, replace } from "../dom.js";
import { makeField, makeForm } from "../form.js";
import { t } from "../language.js";

/// - Parameters:
///   - login: the login typed on the login form.
///   - leave: goes back there, with the login typed here.
export function makeForgotten({ login, leave }) {
    const field = makeField({
        name: "login", label: t("User name or email"), autocomplete: "username",
        autocapitalize: "none", spellcheck: "false", value: login,
    });
    const place = h("div", { class: "stack" });
    const element = h("section", { class: "card", "aria-labelledby": "forgotten" },
        h("h2", { id: "forgotten" }, t("Forgotten password")), place,
        h("p", null, h("button", {
            type: "button", class: "button quiet", onclick: () => leave(field.value),
        }, t("Back to login"))));
    replace(place,
        h("p", { class: "small muted" },
            t("We'll send a link for choosing a new one to your account's address.")),
        makeForm({
            fields: [field],
            button: t("Send me a link"),
            submit: async (values) => {
                if (!values.login.trim()) return field.setError(t("Required."));
                await call("account.forgot", { login: values.login.trim() });
                replace(place, h("p", { role: "status" },
                    t("If the account exists and its address was confirmed at least a week ago, the link "
                        + "is on its way. It works once, within a day.")),
                h("p", { class: "small muted" },
                    t("Nothing after a few minutes? Check your spam folder, or ask the operator of this "
                        + "server for a link.")));
            },
        }));
    return element;
}
