/// The groups of the installation: create them, and add members.

import { LIMITS } from "../contract.js";
import { h, keyed, toggle, write } from "../dom.js";
import { makeField, makeForm, problemText } from "../form.js";
import { access } from "./access.js";
import { counted, usersIn } from "./words.js";

const FIRST = 20;

/// - Parameter changed: called with the user names of people whose groups have changed.
export function makeGroups(app, changed) {
    let hasFailed = false;
    let most = FIRST;
    const filter = makeField({
        name: "filter", label: "The name contains", type: "search", autocomplete: "off", spellcheck: "false",
    });
    filter.input.addEventListener("input", () => {
        most = FIRST;
        render();
    });
    const count = h("p", { class: "small muted", role: "status" });
    const error = h("p", { class: "error", role: "alert" });
    const list = h("ul", { class: "list", "aria-label": "Groups" });
    const more = h("button", {
        type: "button", class: "button", hidden: true,
        onclick: () => {
            const last = list.lastElementChild;
            most += 100;
            render();
            last?.nextElementSibling?.querySelector("summary").focus();
        },
    }, "Show more groups");
    const show = keyed(list, makeRow, (each) => each.group);
    const element = h("section", { class: "card", "aria-labelledby": "groups-title" },
        h("h2", { id: "groups-title" }, "Groups"), makeCreating().element, filter.element, count, error, list, more);
    app.book.listen(render);

    async function load() {
        try {
            await app.book.load();
            hasFailed = false;
            write(error, "");
        } catch (problem) {
            hasFailed = true;
            write(error, problemText(problem));
        }
    }

    function render() {
        const { groups, isWhole } = app.book;
        const text = filter.input.value.trim().toLowerCase();
        const found = groups.filter(({ name }) => name.toLowerCase().includes(text));
        show(found.slice(0, most));
        toggle(more, "hidden", found.length <= most);
        toggle(filter.element, "hidden", groups.length <= FIRST && !text);
        const words = counted(found.length, "group", "groups");
        write(count, groups.length === 0 ? "No groups yet."
            : isWhole ? `${words}.` : `${words} of the first ${groups.length}: this page lists only those.`);
    }

    function makeRow({ group }) {
        const name = h("bdi", { class: "break" });
        const size = h("span", { class: "small muted" });
        const said = h("p", { class: "good-text small", role: "status" });
        const who = makeField({
            name: "user", label: "User name", autocomplete: "off", autocapitalize: "none", spellcheck: "false",
        });
        const form = makeForm({
            fields: [who],
            button: "Add to the group",
            submit: async ({ user: text }) => {
                const user = text.trim();
                write(said, "");
                await access.call("group.add", { group, user });
                write(said, `${user} is now in ${name.textContent}.`);
                who.input.value = "";
                changed([user]);
                await load();
            },
        });
        return {
            element: h("li", null, h("details", { class: "group-row" },
                h("summary", null, h("span", { class: "grow row tight" }, h("strong", null, name), size)),
                h("div", { class: "stack person-body" }, said, form,
                    h("p", { class: "small muted" }, "To remove someone from a group, find them under People."),
                    h("p", { class: "small muted break" }, "On the command line and in topics: ",
                        h("code", null, group))))),
            update(value) {
                write(name, value.name);
                write(size, counted(value.members, "member", "members"));
            },
        };
    }

    function makeCreating() {
        const said = h("p", { class: "good-text small", role: "status" });
        const fields = [
            makeField({ name: "name", label: "Name of the group", autocomplete: "off", maxlength: LIMITS.name }),
            makeField({
                name: "members", label: "Members", autocomplete: "off", autocapitalize: "none",
                spellcheck: "false", hint: "User names, separated by spaces.",
            }),
        ];
        const form = makeForm({
            fields,
            button: "Create the group",
            submit: async (values) => {
                write(said, "");
                const members = usersIn(values.members);
                const name = values.name.trim();
                await access.call("group.create", { name, members });
                write(said, `The group ${name} is created.`);
                form.reset();
                changed(members);
                await load();
            },
        });
        return {
            element: h("details", null, h("summary", null, "Create a group"),
                h("div", { class: "stack" }, said, form)),
        };
    }

    return { element, load, loadAgain: () => { if (hasFailed) load(); } };
}
