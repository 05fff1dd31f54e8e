/// My groups: creating and naming them, their members, and whether they see me.

import { h, keyed, toggle, write } from "../dom.js";
import { makeField, makeForm, problemText } from "../form.js";
import { icon } from "../icons.js";
import { makeInviting } from "../invitations/inviting.js";
import { t, tn } from "../language.js";
import { initials } from "../member.js";
import { makeObservers } from "../people/observers.js";
import { makeReach } from "../people/reach.js";
import { makePrecision } from "../sharing-precision.js";
import { sharingControl } from "../sharing.js";
import { chooseGroup, store } from "../store.js";

export function mount(root, app) {
    const cards = h("div", { class: "group-cards" });
    const empty = h("p", { class: "muted" },
        t("You are not in a group yet. Make one and invite the people you trust."));
    const name = makeField({
        name: "name", label: t("Name of the new group"), autocomplete: "off", maxlength: 64,
    });
    const create = makeForm({
        fields: [name],
        button: t("Make a group"),
        submit: async (values) => {
            const group = await app.call("group.create", values);
            name.input.value = "";
            app.say(t("{group} is ready. Invite the people you trust.", { group: group.name }), "good");
            chooseGroup(group.group);
        },
    });
    root.append(h("div", { class: "panel" },
        h("h1", null, t("Groups")), empty, cards,
        h("section", { class: "card", "aria-label": t("New group") }, create)));
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
    const shown = h("span", { class: "badge accent" }, t("Shown"));
    const show = h("button", {
        type: "button", class: "button", onclick: () => chooseGroup(key),
    }, t("Show"));
    const members = h("ul", { class: "list", "aria-label": t("Members") });
    const showMembers = keyed(members, (view) => makeMember(app, key, view), (view) => view.user);
    const count = h("span");
    const precision = makePrecision(app, current);
    const observers = makeObservers(app, key, current);

    const newName = makeField({
        name: "name", label: t("New name"), autocomplete: "off", maxlength: 64,
    });
    const rename = makeForm({
        fields: [newName],
        button: t("Rename"),
        submit: async (values) => {
            await app.call("group.rename", { group: key, ...values });
            newName.input.value = "";
            renaming.open = false;
            app.say(t("The group was renamed."), "good");
        },
    });
    const renaming = h("details", null, h("summary", null, t("Rename")), rename);
    const leave = h("button", {
        type: "button", class: "button quiet danger", onclick: () => leaveGroup(app, current()),
    }, t("Leave this group"));

    return {
        element: h("section", { class: "card group-card" },
            h("div", { class: "row between" }, title, shown, show),
            sharingControl(app, current), precision.element, observers.present,
            h("details", { open: store.state.group === key },
                h("summary", null, icon("people", 20), count), members),
            makeReach(app, key).element, makeInviting(app, key, current).element,
            observers.making, renaming, leave),
        update(group) {
            write(title, group.name);
            precision.update();
            observers.update(group);
            shown.hidden = store.state.group !== key;
            show.hidden = !shown.hidden;
            toggle(show, "aria-label", t("Show {group}", { group: group.name }));
            const { length } = group.members;
            write(count, tn(length, "1 member", "{count} members"));
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
                title: t("Remove {name}?", { name: view.name }),
                text: t("{name} immediately stops seeing {group}. All invitation links to the group end.",
                    { name: view.name, group: view.groupName }),
                yes: t("Remove"), danger: true,
            });
            if (!isSure) return;
            try {
                await app.call("group.remove", { group, user });
                app.say(t("{name} has been removed.", { name: view.name }));
            } catch (problem) {
                app.say(problemText(problem), "error");
            }
        },
    }, t("Remove"));
    return {
        element: h("li", { class: "row" }, avatar,
            h("span", { class: "grow member-body" }, name, login), remove),
        update(next) {
            view = next;
            avatar.style.setProperty("--person", app.people.colours().get(user) ?? "#44524d");
            write(avatar, initials(view.name));
            write(name, view.isMe ? t("{name} (you)", { name: view.name }) : view.name);
            write(login, user);
            remove.hidden = view.isMe;
            toggle(remove, "aria-label", t("Remove {name}", { name: view.name }));
        },
    };
}

async function leaveGroup(app, group) {
    const isLast = group.members.length <= 1;
    const isSure = await app.ask({
        title: t("Leave {group}?", { group: group.name }),
        text: isLast
            ? t("You are the last member: the group and its chat will be deleted.")
            : t("You will no longer see anything of the group, and it will see nothing of you."),
        yes: t("Leave"), danger: true,
    });
    if (!isSure) return;
    try {
        await app.call("group.leave", { group: group.group });
        app.say(t("You have left {group}.", { group: group.name }));
    } catch (problem) {
        app.say(problemText(problem), "error");
    }
}
