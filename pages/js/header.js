/// The line above every view: the group, the connection, and the call for help.

import { h, replace, write } from "./dom.js";
import { icon, logo } from "./icons.js";
import { t } from "./language.js";
import { sosButton } from "./sos.js";
import { chooseGroup, store } from "./store.js";
import { unread } from "./unread.js";

export function makeHeader(app) {
    const select = h("select", {
        class: "group-choice", "aria-label": t("Group"),
        onchange: () => chooseGroup(select.value),
    });
    const connection = h("span", { class: "connection", role: "status" });
    const demo = h("span", { class: "demo-mark", hidden: true }, t("Demo"));
    const element = h("header", { class: "header" },
        h("a", { class: "brand", href: "#map", "aria-label": t("Kith: go to the map") },
            logo(32), h("span", { class: "brand-name", "aria-hidden": "true" }, "Kith")),
        demo,
        h("div", { class: "group-box" }, select,
            h("a", { class: "icon-button", href: "#group", "aria-label": t("Manage groups") },
                icon("gear"))),
        connection,
        h("div", { class: "header-end" }, sosButton(app)));
    let shown = "";
    return {
        element,
        update() {
            const { groups, group, isLoaded, connection: state, me } = store.state;
            const options = [...groups.values()].map((each) => {
                const count = each.group === group ? 0 : unread.chatOf(each, store.state);
                return [each.group, count
                    ? t("{name} ({count} new)", { name: each.name, count }) : each.name];
            });
            const now = JSON.stringify([options, isLoaded]);
            if (now !== shown) {
                shown = now;
                replace(select, options.length
                    ? options.map(([key, name]) => h("option", { value: key }, name))
                    : h("option", { value: "" },
                        isLoaded ? t("No group yet") : t("Groups not loaded yet")));
            }
            if (group) select.value = group;
            select.disabled = options.length === 0;
            demo.hidden = !me?.demo;
            connection.dataset.state = navigator.onLine ? state : "waiting";
            const isOffline = !navigator.onLine;
            write(connection, isOffline ? t("Offline")
                : state === "live" ? t("Live") : t("Connecting…"));
            connection.title = state === "live" && !isOffline
                ? t("Changes are shown as they happen.")
                : t("No connection at the moment. What you see may be out of date.");
        },
    };
}
