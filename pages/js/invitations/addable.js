/// Who may add me to a group without asking.

import { h, write } from "../dom.js";
import { problemText } from "../form.js";
import { t } from "../language.js";

const CHOICES = [
    ["nobody", t("No one: always ask me")],
    ["friends", t("People I have added as friends")],
    ["anyone-in-my-groups", t("Those friends, and members of my groups")],
];

export function makeAddable(app) {
    const error = h("p", { class: "error", role: "alert" });
    const select = h("select", {
        id: "addable", onchange: () => save(),
    }, CHOICES.map(([value, words]) => h("option", { value }, words)));
    const element = h("section", { class: "card", "aria-labelledby": "addable-title" },
        h("h2", { id: "addable-title" }, t("Groups")),
        h("div", { class: "field" },
            h("label", { for: "addable" }, t("Who may add me to a group without asking")),
            select),
        h("p", { class: "small muted" }, t("Everyone else can only invite you.")), error);
    let known = "";

    async function save() {
        select.disabled = true;
        try {
            const { addableBy } = await app.call("account.update", { addableBy: select.value });
            known = addableBy;
            write(error, "");
            app.say(t("Saved."), "good");
        } catch (problem) {
            select.value = known;
            write(error, problemText(problem));
        } finally {
            select.disabled = false;
        }
    }

    return {
        element,
        async load() {
            try {
                const { addableBy } = await app.call("account.get");
                known = addableBy;
                select.value = addableBy;
                write(error, "");
            } catch (problem) {
                write(error, problemText(problem));
            }
        },
    };
}
