/// Adds a person: the account, a group, and the link for choosing a password.

import { LIMITS } from "../contract.js";
import { h, replace, toggle } from "../dom.js";
import { makeChoice, makeField, makeForm, problemText } from "../form.js";
import { access } from "./access.js";
import { fillChoice } from "./group-book.js";
import { canMakeLinks, invite, WHY_NO_LINKS } from "./link.js";
import { suggestedUser } from "./words.js";

/// - Parameter added: called with the user name.
export function makeAdding(app, added) {
    const name = makeField({
        name: "name", label: "Name that other people see", autocomplete: "off", maxlength: LIMITS.name,
    });
    const user = makeField({
        name: "user", label: "User name", autocomplete: "off", autocapitalize: "none", spellcheck: "false",
        hint: "2 to 32 lower-case letters, digits, - or _. It cannot be changed later.",
    });
    const email = makeField({
        name: "email", label: "Email (optional)", type: "email", autocomplete: "off",
    });
    const group = makeChoice("group", "Group", []);
    const result = h("div", { class: "stack", role: "status" });
    const form = makeForm({
        fields: [name, user, email, group],
        button: canMakeLinks() ? "Add and make a link" : "Add",
        submit: add,
        after: canMakeLinks() ? null : h("p", { class: "small muted" }, WHY_NO_LINKS),
    });
    const element = h("details", { class: "adding" }, h("summary", null, "Add a person"),
        h("div", { class: "stack" }, result, form));
    const fill = () => {
        fillChoice(group, app.book.groups, { none: "No group", isWhole: app.book.isWhole });
        toggle(group.element, "hidden", app.book.groups.length === 0);
    };
    app.book.listen(fill);
    fill();

    /// The user name follows the name until one is typed.
    let suggestion = "";
    name.input.addEventListener("input", () => {
        if (user.input.value !== suggestion) return;
        suggestion = suggestedUser(name.input.value);
        user.input.value = suggestion;
    });

    async function add(values) {
        replace(result);
        const wanted = values.user.trim();
        const address = values.email.trim();
        await access.call("user.add", {
            user: wanted, name: values.name.trim(), ...address && { email: address },
        });
        // The account exists; later failures are shown, and can be repaired below.
        const parts = [h("p", { class: "good-text" }, `${wanted} is added.`)];
        if (values.group) parts.push(await join(wanted, values.group));
        parts.push(await link(wanted));
        const chosen = group.input.value;
        form.reset();
        group.input.value = chosen;
        suggestion = "";
        replace(result, h("section", { class: "invited-link stack", "aria-label": `Added: ${wanted}` }, parts,
            h("button", {
                type: "button", class: "button",
                onclick: () => {
                    replace(result);
                    name.input.focus();
                },
            }, "Hide this, and add another person")));
        (result.querySelector("input") ?? result.querySelector("button")).focus();
        await added(wanted);
        if (values.group) app.loadGroups();
    }

    async function join(wanted, key) {
        const called = group.input.selectedOptions[0].textContent;
        try {
            await access.call("group.add", { group: key, user: wanted });
            return h("p", { class: "good-text" }, `${wanted} is in ${called}.`);
        } catch (problem) {
            return h("p", { class: "error" }, `${wanted} is not in ${called}. ${problemText(problem)}`);
        }
    }

    async function link(wanted) {
        if (!canMakeLinks()) {
            return h("p", null, `${wanted} has no password and no link yet: make one with `
                + `“kith user invite ${wanted}”.`);
        }
        try {
            return await invite(app, wanted);
        } catch (problem) {
            return h("p", { class: "error" }, `No link was made. ${problemText(problem)} “Make a link” below tries `
                + "again.");
        }
    }

    return { element };
}
