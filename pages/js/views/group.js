/// My groups: creating and naming them, their members, and whether they see me.

import { h, keyed, toggle, write } from "../dom.js";
import { makeField, makeForm, problemText } from "../form.js";
import { icon } from "../icons.js";
import { makeInviting } from "../invitations/inviting.js";
import { initials } from "../member.js";
import { makeReach } from "../people/reach.js";
import { makePrecision } from "../sharing-precision.js";
import { sharingControl } from "../sharing.js";
import { chooseGroup, store } from "../store.js";

export function mount(root, app) {
    const cards = h("div", { class: "group-cards" });
    const empty = h("p", { class: "muted" },
        "You are in no group yet. Make one, and invite the people you trust.");
    const name = makeField({
        name: "name", label: "Name of the new group", autocomplete: "off", maxlength: 64,
    });
    const create = makeForm({
        fields: [name],
        button: "Make a group",
        submit: async (values) => {
            const group = await app.call("group.create", values);
            name.input.value = "";
            app.say(`${group.name} is there. Invite the people you trust.`, "good");
            chooseGroup(group.group);
        },
    });
    root.append(h("div", { class: "panel" },
        h("h1", null, "Groups"), empty, cards,
        h("section", { class: "card", "aria-label": "New group" }, create)));
    const show = keyed(cards, (group) => makeCard(app, group), (group) => group.group);
    let unlisten = null;

    function update() {
        const groups = [...store.state.groups.values()];
        empty.hidden = groups.length > 0 || !store.state.isLoaded;
        show(groups);
    }

    return {
        show() {
            unlisten ??= store.listen(update);
            update();
        },
        hide() {
            unlisten?.();
            unlisten = null;
        },
    };
}

function makeCard(app, { group: key }) {
    const current = () => store.state.groups.get(key) ?? null;
    const title = h("h2", { class: "break" });
    const shown = h("span", { class: "badge accent" }, "Shown");
    const show = h("button", {
        type: "button", class: "button", onclick: () => chooseGroup(key),
    }, "Show");
    const members = h("ul", { class: "list", "aria-label": "Members" });
    const showMembers = keyed(members, (view) => makeMember(app, key, view), (view) => view.user);
    const count = h("span");
    const precision = makePrecision(app, current);

    const newName = makeField({
        name: "name", label: "New name", autocomplete: "off", maxlength: 64,
    });
    const rename = makeForm({
        fields: [newName],
        button: "Rename",
        submit: async (values) => {
            await app.call("group.rename", { group: key, ...values });
            newName.input.value = "";
            renaming.open = false;
            app.say("The group has its new name.", "good");
        },
    });
    const renaming = h("details", null, h("summary", null, "Rename"), rename);
    const leave = h("button", {
        type: "button", class: "button quiet danger", onclick: () => leaveGroup(app, current()),
    }, "Leave this group");

    return {
        element: h("section", { class: "card group-card" },
            h("div", { class: "row between" }, title, shown, show),
            sharingControl(app, current), precision.element,
            h("details", { open: store.state.group === key },
                h("summary", null, icon("people", 20), count), members),
            makeReach(app, key).element, makeInviting(app, key, current).element, renaming, leave),
        update(group) {
            write(title, group.name);
            precision.update();
            shown.hidden = store.state.group !== key;
            show.hidden = !shown.hidden;
            toggle(show, "aria-label", `Show ${group.name}`);
            const { length } = group.members;
            write(count, length === 1 ? "1 member" : `${length} members`);
            showMembers(group.members.map((member) => ({
                ...member, isMe: member.user === store.state.me?.user, groupName: group.name,
            })));
        },
    };
}

function makeMember(app, group, { user }) {
    const avatar = h("span", { class: "avatar", "aria-hidden": "true" });
    const name = h("span", { class: "member-name" });
    const login = h("span", { class: "muted small" });
    let view = null;
    const remove = h("button", {
        type: "button", class: "button quiet danger",
        onclick: async () => {
            const isSure = await app.ask({
                title: `Remove ${view.name}?`,
                text: `${view.name} sees nothing of ${view.groupName} any more, from this moment. `
                    + "All links that invite to the group end.",
                yes: "Remove", danger: true,
            });
            if (!isSure) return;
            try {
                await app.call("group.remove", { group, user });
                app.say(`${view.name} has been removed.`);
            } catch (problem) {
                app.say(problemText(problem), "error");
            }
        },
    }, "Remove");
    return {
        element: h("li", { class: "row" }, avatar,
            h("span", { class: "grow member-body" }, name, login), remove),
        update(next) {
            view = next;
            avatar.style.setProperty("--person", app.people.colours().get(user) ?? "#44524d");
            write(avatar, initials(view.name));
            write(name, view.isMe ? `${view.name} (you)` : view.name);
            write(login, user);
            remove.hidden = view.isMe;
            toggle(remove, "aria-label", `Remove ${view.name}`);
        },
    };
}

async function leaveGroup(app, group) {
    const isLast = group.members.length <= 1;
    const isSure = await app.ask({
        title: `Leave ${group.name}?`,
        text: isLast
            ? "You are the last one: the group and its chat are deleted."
            : "You see nothing of the group any more, and it sees nothing of you.",
        yes: "Leave", danger: true,
    });
    if (!isSure) return;
    try {
        await app.call("group.leave", { group: group.group });
        app.say(`You have left ${group.name}.`);
    } catch (problem) {
        app.say(problemText(problem), "error");
    }
}
