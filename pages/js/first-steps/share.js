/// The second step: this device shows where I am, and to whom.

import { h } from "../dom.js";
import { makeField, makeForm, sentence } from "../form.js";
import { geolocation } from "../geolocation.js";
import { t } from "../language.js";
import { chooseGroup, store } from "../store.js";

export function makeShareStep(app, next) {
    const groups = [...store.state.groups.values()];
    const name = groups.length > 0 ? null : makeField({
        name: "name", label: t("Name of your group"), autocomplete: "off", maxlength: 64,
        placeholder: t("Family"),
    });
    const boxes = groups.map((group) => makeField({
        name: group.group, type: "checkbox", checked: true, label: group.name,
    }));
    const form = makeForm({
        fields: name ? [name] : boxes,
        button: t("Show where I am"),
        async submit(values) {
            let chosen;
            if (name) {
                const called = values.name.trim();
                if (!called) throw { errors: [{ field: "name", reason: t("Give it a name") }] };
                const { group } = await app.call("group.create", { name: called });
                chooseGroup(group);
                chosen = [group];
            } else {
                chosen = groups.map(({ group }) => group).filter((group) => values[group]);
                if (chosen.length === 0) throw { detail: sentence(t("Choose at least one")) };
            }
            // Within the press: the browser asks for permission.
            geolocation.start();
            await app.call("sharing.start", { groups: chosen });
            next();
        },
        after: h("button", { type: "button", class: "button wide", onclick: () => next() },
            t("Not now")),
    });
    return {
        title: t("Who may see where you are?"),
        content: [
            h("p", null, name
                ? t("Only people of a group see it, and nobody else. Make one for the people you trust.")
                : t("Only people of these groups see it, and nobody else.")),
            h("p", { class: "small muted" },
                t("This device sends its position while this page is open, until you stop. The browser "
                    + "asks you for permission.")),
            form,
        ],
    };
}
