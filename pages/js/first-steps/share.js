/// The second step: showing where I am, and to whom.

import { h } from "../dom.js";
import { makeField, makeForm, sentence } from "../form.js";
import { geolocation } from "../geolocation.js";
import { t } from "../language.js";
import { isDenied, makePermissionNote } from "../permission-note.js";
import { chooseGroup, store } from "../store.js";

/// How long the browser's permission prompt is awaited before the next step is shown.
const ANSWER_MS = 20_000;

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
        button: t("Share my location"),
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
            // During the press, so the browser asks for permission.
            geolocation.start();
            await app.call("sharing.start", { groups: chosen });
            await permissionAnswered();
            if (!isDenied()) return next();
            form.hidden = true;
            refusal.hidden = false;
        },
        after: h("button", { type: "button", class: "button wide", onclick: () => next() },
            t("Not now")),
    });
    const permission = makePermissionNote();
    const refusal = h("div", { class: "stack tight", hidden: true },
        permission.element,
        h("p", null, t("This page sends no position until you allow it.")),
        h("button", { type: "button", class: "button primary wide", onclick: () => next() },
            t("Continue")));
    permission.update(true);
    return {
        title: t("Who may see where you are?"),
        content: [
            h("p", null, name
                ? t("Only members of a group see it, no one else. Create one for the people you "
                    + "trust.")
                : t("Only members of these groups see it, no one else.")),
            h("p", { class: "small muted" },
                t("This device sends its position while this page is open, until you stop. The browser "
                    + "asks you for permission.")),
            form, refusal,
        ],
    };
}

/// Resolves when the browser has allowed or denied positions, or after a timeout.
function permissionAnswered() {
    return new Promise((resolve) => {
        const ends = [];
        const end = () => {
            for (const each of ends) each();
            resolve();
        };
        const timer = setTimeout(end, ANSWER_MS);
        ends.push(() => clearTimeout(timer));
        ends.push(geolocation.listen((state) => {
            const isAsked = state === "waiting" && geolocation.permission !== "granted";
            if (!isAsked || isDenied()) queueMicrotask(end);
        }));
    });
}
