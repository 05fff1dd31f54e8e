/// My phone number, and who sees it.

import { h, write } from "../dom.js";
import { makeChoice, makeField, makeForm } from "../form.js";
import { t } from "../language.js";

/// - `update(changes)` calls `account.update`, and returns the account.
export function makeCalling(app, update) {
    const number = makeField({
        name: "phone", label: t("Phone number"), type: "tel", autocomplete: "tel",
        hint: t("Include the country code, such as +44 20 7946 0000. Leave empty to remove it."),
        refusal: () => t("Begin with + and the country code."),
    });
    const shownTo = makeChoice("phoneShownTo", t("Who sees it"), [
        ["sos", t("My groups, only while I call for help")],
        ["groups", t("My groups, always")],
    ]);
    const summary = h("p", { class: "break" });
    let known = {};
    const form = makeForm({
        fields: [number, shownTo],
        button: t("Save"),
        submit: async ({ phone, phoneShownTo }) => {
            show(await update({ phone: phone.trim() || null, phoneShownTo }));
            details.open = false;
            app.say(t("Saved."), "good");
        },
    });
    const details = h("details", null, h("summary", null, t("Phone number for emergencies")), form);

    function show(account) {
        write(summary, !account.phone ? ""
            : account.phoneShownTo === "groups"
                ? t("{phone}: your groups always see it.", { phone: account.phone })
                : t("{phone}: your groups see it only while you call for help.",
                    { phone: account.phone }));
        summary.hidden = summary.textContent === "";
        // An edited field is left unchanged.
        if (number.input.value === (known.phone ?? "")) number.input.value = account.phone ?? "";
        shownTo.input.value = account.phoneShownTo ?? "sos";
        known = account;
    }

    return { summary, element: details, show };
}
