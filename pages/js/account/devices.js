/// The devices and browsers that are, or were, logged in to my account.

import { serverNow } from "../clock.js";
import { ask } from "../dialog.js";
import { h, replace, write } from "../dom.js";
import { problemText } from "../form.js";
import { age, dateTime } from "../format.js";
import { t } from "../language.js";
import { makeCarried } from "./carried.js";
import { makeStillSeeing } from "./still-seeing.js";
import { HOUR_MS } from "../units.js";

export function makeDevices(app, { loaded }) {
    const list = h("ul", { class: "list" });
    const carried = makeCarried(app, { changed: load });
    const stillSeeing = makeStillSeeing(app);
    const error = h("p", { class: "error", role: "alert" });
    const element = h("section", { class: "card", "aria-labelledby": "devices-title" },
        h("h2", { id: "devices-title" }, t("Devices")), list, carried.element, error,
        stillSeeing.element);

    function row({ device, createdAt, kind, loggedIn, current, carried: isCarried, lastSeen }) {
        const facts = [
            kind === "owntracks" ? "OwnTracks" : null,
            t("since {time}", { time: dateTime(createdAt) }),
            current ? null : seenWords(lastSeen),
            loggedIn ? null : t("logged out"),
        ].filter(Boolean).join(" · ");
        const mayChange = !current && app.store.state.me?.demo !== true;
        return h("li", null, h("div", { class: "row" },
            h("div", { class: "grow" },
                h("strong", { class: "break" }, device),
                h("p", { class: "small muted" }, facts)),
            isCarried ? h("span", { class: "badge good" }, t("With me")) : null,
            current ? h("span", { class: "badge accent" }, t("This browser")) : null,
            mayChange && loggedIn ? h("button", {
                type: "button", class: "button quiet danger", "aria-label": t("Log out {device}", { device }),
                onclick: () => revoke(device),
            }, t("Log out")) : null,
            mayChange && !loggedIn ? h("button", {
                type: "button", class: "button quiet", "aria-label": t("Remove {device}", { device }),
                onclick: () => remove(device),
            }, t("Remove")) : null));
    }

    async function remove(device) {
        const isSure = await ask({
            title: t("Remove {device}?", { device }),
            text: t("Its name is removed from this list. You keep the positions it sent."),
            yes: t("Remove it"),
        });
        if (!isSure) return;
        try {
            await app.call("device.remove", { device });
        } catch (problem) {
            write(error, problemText(problem));
        }
        load();
    }

    async function revoke(device) {
        const isSure = await ask({
            title: t("Log out {device}?", { device }),
            text: t("It is disconnected immediately and can't send until you add it again."),
            yes: t("Log it out"), danger: true,
        });
        if (!isSure) return;
        try {
            await app.call("device.revoke", { device });
            app.say(t("{device} was logged out.", { device }), "good");
            stillSeeing.load();
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
            carried.show(devices);
            write(error, "");
            loaded(devices);
        } catch (problem) {
            write(error, problemText(problem));
        }
    }

    return { element, load };
}

/// The server records it to the hour.
function seenWords(lastSeen) {
    if (!lastSeen) return null;
    const isRecent = serverNow() - new Date(lastSeen) < 2 * HOUR_MS;
    return isRecent ? t("used in the last few hours") : t("last used {age}", { age: age(lastSeen) });
}
