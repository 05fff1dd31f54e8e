/// My health profile: what services that I let have it, and those who help me, should know.

import { h } from "../dom.js";
import { makeChoice, makeField, makeForm } from "../form.js";
import { t } from "../language.js";

export function makeHealthProfile(app) {
    const fields = [
        makeChoice("gender", t("Gender"),
            [["", t("not said")], ["female", "female"], ["male", "male"], ["other", "other"]]),
        makeField({ name: "dateOfBirth", label: t("Date of birth"), type: "date" }),
        makeField({ name: "residence", label: t("Residence"), hint: t("Your town or region.") }),
        makeField({
            name: "ssn", label: t("Social security or insurance number"), autocomplete: "off",
            hint: t("A service that has it may ask for your data by it. It is told nothing until you agree."),
        }),
    ];
    const form = makeForm({
        fields,
        button: t("Save the health profile"),
        // What is empty is deleted.
        submit: async (values) => {
            const changes = Object.fromEntries(
                Object.entries(values).map(([name, value]) => [name, value.trim() || null]));
            show(await app.call("health.profile", changes));
            app.say(t("Saved."), "good");
        },
    });
    const element = h("details", null, h("summary", null, t("Health profile")));

    // Not before the profile is there: it would replace what was entered meanwhile, and saving would
    // delete what is not shown.
    function show(profile) {
        for (const field of fields) field.input.value = profile[field.name] ?? "";
        if (!form.isConnected) element.append(form);
    }

    return {
        element,
        async load() { show(await app.call("health.profile")); },
    };
}
