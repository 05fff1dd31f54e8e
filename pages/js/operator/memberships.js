/// A person's groups: adding and removing the person.

import { h, keyed, toggle, write } from "../dom.js";
import { makeChoice, makeForm } from "../form.js";
import { access } from "./access.js";
import { askAndDo } from "./asking.js";
import { fillChoice } from "./group-book.js";

export function makeMemberships({ app, user, current, refresh, tell }) {
    const none = h("p", { class: "small muted" }, "Not in any group.");
    const list = h("ul", { class: "list", "aria-label": `Groups of ${user}` });
    const choice = makeChoice("group", "Group", []);
    const add = makeForm({
        fields: [choice],
        button: "Add to the group",
        submit: async ({ group }) => {
            if (!group) throw { errors: [{ field: "group", reason: "Choose a group." }] };
            const name = choice.input.selectedOptions[0].textContent;
            await access.call("group.add", { group, user });
            tell(`${user} is now in ${name}.`);
            choice.input.value = "";
            await changed();
        },
    });
    const showGroups = keyed(list, (group) => makeRow(group), (each) => each.group);
    const release = app.book.listen(() => show());

    function makeRow({ group }) {
        const words = h("bdi", { class: "grow break" });
        const button = h("button", {
            type: "button", class: "button quiet danger", onclick: remove,
        }, "Remove from group");
        let name = "";

        async function remove() {
            const answer = await askAndDo(app, {
                title: `Remove ${user} from ${name}?`,
                text: [`From now on ${user} receives nothing from ${name}, and ${name} nothing from ${user}.`],
                button: "Remove from the group", danger: true,
                work: () => access.call("group.remove", { group, user }),
            });
            if (!answer) return;
            tell(`${user} is no longer in ${name}.`);
            await changed();
        }

        return {
            element: h("li", { class: "row" }, words, button),
            update(value) {
                name = value.name;
                write(words, name);
                toggle(button, "aria-label", `Remove from group: ${user}, ${name}`);
            },
        };
    }

    async function changed() {
        await refresh();
        await app.loadGroups();
    }

    function show() {
        const { groups } = current();
        showGroups(groups);
        toggle(none, "hidden", groups.length > 0);
        const others = app.book.groups.filter(({ group }) => !groups.some((each) => each.group === group));
        fillChoice(choice, others, { none: "Choose a group", isWhole: app.book.isWhole });
        toggle(add, "hidden", others.length === 0);
    }

    return { element: h("div", { class: "stack" }, none, list, add), show, release };
}
