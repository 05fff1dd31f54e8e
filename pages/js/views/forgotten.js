/// For whoever has forgotten the password: asks for a link by mail.

import { call } from "../api.js";
import { h, replace } from "../dom.js";
import { makeField, makeForm } from "../form.js";
import { t } from "../language.js";

/// - Parameters:
///   - login: what was typed into the form for logging in.
///   - leave: goes back there, with what was typed here.
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
        }, t("Back to logging in"))));
    replace(place,
        h("p", { class: "small muted" },
            t("We send a link for choosing a new one to the address of your account.")),
        makeForm({
            fields: [field],
            button: t("Send me a link"),
            submit: async (values) => {
                if (!values.login.trim()) return field.setError(t("Required."));
                await call("account.forgot", { login: values.login.trim() });
                replace(place, h("p", { role: "status" },
                    t("If there is such an account, and its address was confirmed at least a week "
                    + "ago, the link is on its way. It works once, within a day.")),
                h("p", { class: "small muted" },
                    t("Nothing after a few minutes? Look in your spam folder, or ask whoever runs "
                    + "this server for a link.")));
            },
        }));
    return element;
}
