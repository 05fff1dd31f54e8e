/// The devices and browsers that are logged in to my account.

import { ask } from "../dialog.js";
import { h, replace, write } from "../dom.js";
import { problemText } from "../form.js";
import { dateTime } from "../format.js";

export function makeDevices(app, { loaded }) {
    const list = h("ul", { class: "list" });
    const error = h("p", { class: "error", role: "alert" });
    const element = h("section", { class: "card", "aria-labelledby": "devices-title" },
        h("h2", { id: "devices-title" }, "Devices"), list, error);

    function row({ device, createdAt, kind, loggedIn, current }) {
        const facts = [
            kind === "owntracks" ? "OwnTracks" : null,
            `since ${dateTime(createdAt)}`,
            loggedIn ? null : "logged out",
        ].filter(Boolean).join(" · ");
        const canRevoke = loggedIn && !current && app.store.state.me?.demo !== true;
        return h("li", null, h("div", { class: "row" },
            h("div", { class: "grow" },
                h("strong", { class: "break" }, device),
                h("p", { class: "small muted" }, facts)),
            current ? h("span", { class: "badge accent" }, "This browser") : null,
            canRevoke ? h("button", {
                type: "button", class: "button quiet danger", "aria-label": `Log out ${device}`,
                onclick: () => revoke(device),
            }, "Log out") : null));
    }

    async function revoke(device) {
        const isSure = await ask({
            title: `Log out ${device}?`,
            text: "It is cut off at once and sends nothing any more until you add it anew.",
            yes: "Log it out", danger: true,
        });
        if (!isSure) return;
        try {
            await app.call("device.revoke", { device });
            app.say(`${device} is logged out.`, "good");
        } catch (problem) {
            write(error, problemText(problem));
        }
        load();
    }

    async function load() {
        try {
            const { devices } = await app.call("device.list");
            const order = (each) => (each.current ? 0 : each.loggedIn ? 1 : 2);
            devices.sort((a, b) => order(a) - order(b) || a.device.localeCompare(b.device));
            replace(list, devices.map(row));
            write(error, "");
            loaded(devices);
        } catch (problem) {
            write(error, problemText(problem));
        }
    }

    return { element, load };
}
