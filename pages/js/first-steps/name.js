/// The first step: the name that others see.

import { h } from "../dom.js";
import { makeField, makeForm } from "../form.js";
import { t } from "../language.js";

export function makeNameStep(app, next) {
    const fields = [
        makeField({ name: "firstName", label: t("First name"), autocomplete: "given-name" }),
        makeField({ name: "lastName", label: t("Last name"), autocomplete: "family-name" }),
    ];
    let known = {};
    app.call("account.get").then((account) => {
        known = account;
        for (const { name, input } of fields) input.value ||= account[name] ?? "";
    }).catch(() => {});
    const form = makeForm({
        fields,
        button: t("Continue"),
        async submit(values) {
            const changes = Object.fromEntries(Object.entries(values)
                .map(([name, value]) => [name, value.trim()])
                .filter(([name, value]) => value !== (known[name] ?? "")));
            if (Object.keys(changes).length > 0) await app.call("account.update", changes);
            next();
        },
    });
    return {
        title: t("What's your name?"),
        content: [h("p", null, t("The people in your groups see this name.")), form],
    };
}
