/// My health profile: what services that I let have it, and those who help me, should know.

import { h } from "../dom.js";
import { makeChoice, makeField, makeForm } from "../form.js";

export function makeHealthProfile(app) {
    const fields = [
        makeChoice("gender", "Gender",
            [["", "not said"], ["female", "female"], ["male", "male"], ["other", "other"]]),
        makeField({ name: "dateOfBirth", label: "Date of birth", type: "date" }),
        makeField({ name: "residence", label: "Residence", hint: "Your town or region." }),
        makeField({
            name: "ssn", label: "Social security or insurance number", autocomplete: "off",
            hint: "A service that has it may ask for your data by it. It is told nothing until you agree.",
        }),
    ];
    const form = makeForm({
        fields,
        button: "Save the health profile",
        // What is empty is deleted.
        submit: async (values) => {
            const changes = Object.fromEntries(
                Object.entries(values).map(([name, value]) => [name, value.trim() || null]));
            show(await app.call("health.profile", changes));
            app.say("Saved.", "good");
        },
    });
    const element = h("details", null, h("summary", null, "Health profile"), form);

    function show(profile) {
        for (const field of fields) field.input.value = profile[field.name] ?? "";
    }

    return {
        element,
        async load() { show(await app.call("health.profile")); },
    };
}
