/// Programs that see what a group sees: which there are, ending them, and making one.

import { newID } from "../api.js";
import { copyRow } from "../copy-row.js";
import { h, keyed, replace, toggle, write } from "../dom.js";
import { makeField, makeForm, problemText } from "../form.js";
import { moment } from "../format.js";
import { icon } from "../icons.js";
import { t } from "../language.js";
import { nameOf } from "../store.js";

/// `current`: returns the group as the store has it.
///
/// `present`: those that are there, for everybody to see; `making`: a form for another one.
export function makeObservers(app, key, current) {
    const list = h("ul", { class: "list", "aria-label": t("Programs that see this group") });
    const show = keyed(list, (each) => makeItem(app, key, current, each), (each) => each.observer);
    const present = h("div", { class: "stack tight", hidden: true },
        h("p", { class: "row small muted" }, icon("eye", 20), t("Programs that see this group")), list);
    const made = h("div", { class: "stack tight", role: "status" });
    /// The observer whose token is shown.
    let shown = null;
    const name = makeField({
        name: "name", label: t("What the program is called"), autocomplete: "off", maxlength: 64,
    });
    const form = makeForm({
        fields: [name],
        button: t("Let it see the group"),
        submit: async (values) => {
            const answer = await app.call("observer.create", { id: newID(), group: key, ...values });
            name.input.value = "";
            shown = answer.observer;
            replace(made, answer.token ? howToUse(app, key, values.name, answer)
                : h("p", null, t("The token was lost. End the program, and make another.")));
        },
    });
    const making = h("details", null,
        h("summary", null, t("Let a program see this group")),
        h("p", { class: "small muted" },
            t("A program, such as Home Assistant, sees what every member of the group sees, also in an SOS, "
                + "and can do nothing. Everybody in the group is told, and everybody can end it. It ends by "
                + "itself when you leave the group.")),
        form, made);
    let before = "";
    return {
        present,
        making,
        update(group) {
            const { observers } = group;
            const now = JSON.stringify([observers, group.members.map(({ name: each }) => each)]);
            if (now === before) return;
            const isKnown = shown !== null && before.includes(shown);
            before = now;
            present.hidden = observers.length === 0;
            show(observers);
            // Its token is of no use any more.
            if (isKnown && !now.includes(shown)) {
                shown = null;
                replace(made);
            }
        },
    };
}

function makeItem(app, key, current, { observer }) {
    const name = h("strong", { class: "break" });
    const more = h("span", { class: "muted small" });
    let view = null;
    const end = h("button", {
        type: "button", class: "button quiet danger",
        onclick: () => endObserver(app, {
            group: key, groupName: current()?.name ?? t("the group"), observer, name: view.name,
        }),
    }, t("End"));
    return {
        element: h("li", { class: "row" }, h("span", { class: "grow member-body" }, name, more), end),
        update(next) {
            view = next;
            write(name, next.name);
            write(more, t("by {name}, since {time}", { name: nameOf(next.by), time: moment(next.since) }));
            toggle(end, "aria-label", t("End {name}", { name: next.name }));
        },
    };
}

/// Asks, and ends it; returns whether that was done.
export async function endObserver(app, { group, groupName, observer, name }) {
    const isSure = await app.ask({
        title: t("End {name}?", { name }),
        text: t("It sees nothing of {group} any more, from this moment. Whoever made it is told that it has "
            + "ended, and not who ended it.", { group: groupName }),
        yes: t("End"), danger: true,
    });
    if (!isSure) return false;
    try {
        await app.call("observer.end", { group, observer });
        app.say(t("{name} sees nothing any more.", { name }));
        return true;
    } catch (problem) {
        app.say(problemText(problem), "error");
        return false;
    }
}

/// What whoever sets the program up needs, once.
function howToUse(app, group, name, { username, token }) {
    const { host, port, tls } = app.store.state.config?.broker
        ?? { host: location.hostname, port: 1883, tls: false };
    const command = [
        "kith", "home-assistant", "--group", group, "--token", "./observer.token", "--kith", `${host}:${port}`,
        ...(tls ? ["--kith-ca", "ca.crt"] : []),
    ].join(" ");
    return [
        h("h3", { class: "break" }, t("{name} may see the group", { name })),
        h("p", { class: "small muted" },
            t("The token is shown this once. Whoever has it sees the group: keep it in a file that nobody else "
                + "can read.")),
        copyRow(app, t("Token"), token),
        h("details", null, h("summary", null, t("Home Assistant")),
            h("p", { class: "small muted" }, t("With the token in the file observer.token, start this beside "
                + "Home Assistant; its own broker is named with --to.")),
            copyRow(app, t("Command"), command)),
        h("details", null, h("summary", null, t("Another MQTT program")),
            copyRow(app, t("Broker"), `${host}:${port}${tls ? " (TLS)" : ""}`),
            copyRow(app, t("User"), username),
            copyRow(app, t("Where people are"), `${app.store.state.me.root}/groups/${group}/members/+`)),
    ];
}
