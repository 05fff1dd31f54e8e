/// Programs that see what a group sees: listing, ending and creating them.

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
/// `present`: the existing ones, visible to everyone; `making`: a form for a new one.
export function makeObservers(app, key, current) {
    const list = h("ul", { class: "list", "aria-label": t("Programs that see this group") });
    const show = keyed(list, (each) => makeItem(app, key, current, each), (each) => each.observer);
    const present = h("div", { class: "stack tight", hidden: true },
        h("p", { class: "row small muted" }, icon("eye", 20), t("Programs that see this group")), list);
    const made = h("div", { class: "stack tight", role: "status" });
    /// The observer whose token is shown.
    let shown = null;
    const name = makeField({
        name: "name", label: t("Program name"), autocomplete: "off", maxlength: 64,
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
            t("A program, such as Home Assistant, sees what every group member sees, including during an "
                + "SOS, and can do nothing. Everyone in the group is notified, and everyone can end it. "
                + "It ends automatically when you leave the group.")),
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
            // Its token is no longer of use.
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

/// Asks, and ends it; returns whether it was ended.
export async function endObserver(app, { group, groupName, observer, name }) {
    const isSure = await app.ask({
        title: t("End {name}?", { name }),
        text: t("It immediately stops seeing {group}. The person who added it is notified that it ended, "
            + "but not who ended it.", { group: groupName }),
        yes: t("End"), danger: true,
    });
    if (!isSure) return false;
    try {
        await app.call("observer.end", { group, observer });
        app.say(t("{name} no longer sees anything.", { name }));
        return true;
    } catch (problem) {
        app.say(problemText(problem), "error");
        return false;
    }
}

/// The setup instructions for the program, shown once.
function howToUse(app, group, name, { username, token }) {
    const { host, port, tls } = app.store.state.config?.broker
        ?? { host: location.hostname, port: 1883, tls: false };
    const command = [
        "kith", "home-assistant", "--group", group, "--token", "./observer.token", "--kith", `${host}:${port}`,
        ...(tls ? ["--kith-ca", "ca.crt"] : []),
    ].join(" ");
    return [
        h("h3", { class: "break" }, t("{name} can see the group", { name })),
        h("p", { class: "small muted" },
            t("The token is shown only once. Anyone who has it sees the group: keep it in a file that no "
                + "one else can read.")),
        copyRow(app, t("Token"), token),
        h("details", null, h("summary", null, t("Home Assistant")),
            h("p", { class: "small muted" }, t("With the token in the file observer.token, run this next "
                + "to Home Assistant; --to names its own broker.")),
            copyRow(app, t("Command"), command)),
        h("details", null, h("summary", null, t("Another MQTT program")),
            copyRow(app, t("Broker"), `${host}:${port}${tls ? " (TLS)" : ""}`),
            copyRow(app, t("User"), username),
            copyRow(app, t("Where people are"), `${app.store.state.me.root}/groups/${group}/members/+`)),
    ];
}
