/// My health profile, for services with access to my data and for those who help me.

import { h } from "../dom.js";
import { makeChoice, makeField, makeForm } from "../form.js";
import { t } from "../language.js";

export function makeHealthProfile(app) {
    const fields = [
        makeChoice("gender", t("Gender"),
            [["", t("not specified")], ["female", t("female")], ["male", t("male")],
            ["other", t("other")]]),
        makeField({ name: "dateOfBirth", label: t("Date of birth"), type: "date" }),
        makeField({ name: "residence", label: t("Residence"), hint: t("Your town or region.") }),
        makeField({
            name: "ssn", label: t("Social security or insurance number"), autocomplete: "off",
            hint: t("A service that knows this number can request your data by it. It learns "
                + "nothing until you agree."),
        }),
    ];
    const form = makeForm({
        fields,
        button: t("Save the health profile"),
        // Empty fields are deleted.
        submit: async (values) => {
            const changes = Object.fromEntries(
                Object.entries(values).map(([name, value]) => [name, value.trim() || null]));
            show(await app.call("health.profile", changes));
            app.say(t("Saved."), "good");
        },
    });
    const element = h("details", null, h("summary", null, t("Health profile")));

    // Not before the profile is loaded: it would replace what was entered in the meantime, and saving
    // would delete what is not shown.
    function show(profile) {
        for (const field of fields) field.input.value = profile[field.name] ?? "";
        if (!form.isConnected) element.append(form);
    }

    return {
        element,
        async load() { show(await app.call("health.profile")); },
    };
}
