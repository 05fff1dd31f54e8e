/// The alerts of all my groups, the newest first.

import { notifications } from "../attention.js";
import { showOnMap } from "../banner.js";
import { h, keyed, replace, toggle, write } from "../dom.js";
import { problemText } from "../form.js";
import { age, dateTime, day, localTimes, sameDay, time, together } from "../format.js";
import { icon } from "../icons.js";
import { makeNextThing } from "../next-thing.js";
import { isOver } from "../sos-state.js";
import { sound, unlockSound } from "../sound.js";
import { nameOf, store } from "../store.js";
import { unread } from "../unread.js";

const PAGE = 50;
const TICK_MS = 10_000;
const LOOKS = {
    "sos": ["danger", "warning"], "sos-stopped": ["good", "check"],
    "in-need": ["danger", "warning"], "assisted": ["good", "check"],
    "unanswered": ["danger", "warning"],
    "vitals-silent": ["warning", "warning"], "vitals-back": ["good", "check"],
    "sos-left": ["danger", "warning"], "sos-account-deleted": ["danger", "warning"],
    "late": ["warning", "clock"], "stuck": ["warning", "warning"], "silent": ["warning", "warning"],
    "offline": ["warning", "warning"], "online": ["good", "check"], "moving": ["good", "check"],
    "journey-started": ["accent", "flag"], "journey-arrived": ["good", "flag"],
    "journey-stopped": ["", "flag"],
};
const NOTIFICATION_WORDS = {
    granted: "This device notifies you while the page is open, also in the background.",
    denied: "Notifications are refused in the browser's settings for this page.",
    missing: "This browser has no notifications.",
};
/// The kinds of alert that ask for a reaction; the others only inform.
const ASKS = ["sos", "in-need", "late", "stuck", "silent", "offline"];

export function mount(root, app) {
    const list = h("ul", { class: "list alerts", "aria-label": "Alerts" });
    const empty = h("p", { class: "empty", hidden: true });
    const next = makeNextThing();
    const older = h("button", {
        type: "button", class: "button wide", onclick: () => loadOlder(),
    }, "Show older alerts");
    root.append(h("div", { class: "panel" },
        h("h1", null, "Alerts"), settings(app), list, empty, next.element, older));
    const showAlerts = keyed(list, (view) => makeRow(app, view), (view) => view.key);
    let unlisten = null;
    let ticker = null;

    function update() {
        const { groups, me } = store.state;
        const alerts = [...groups.values()].flatMap((group) => [...group.alerts.values()])
            .sort((a, b) => (a.id < b.id ? 1 : -1));
        const views = [];
        const told = new Set();
        let before = null;
        for (const alert of alerts) {
            if (!before || !sameDay(before, alert.at)) {
                views.push({ key: `day ${new Date(alert.at).toDateString()}`, day: alert.at });
            }
            before = alert.at;
            const about = `${alert.group} ${alert.user}`;
            const same = `${about} ${alert.kind}`;
            views.push({
                key: alert.id, alert, me: me?.user, hasGroups: groups.size > 1,
                isNewest: !told.has(about),
                isOver: told.has(same) || isOver(alert, groups.get(alert.group)),
            });
            told.add(about).add(same);
        }
        showAlerts(views);
        empty.hidden = alerts.length > 0;
        next.show(alerts.length === 0);
        write(empty, store.state.isLoaded
            ? "Nothing has happened. Alerts about the people of your groups will be here."
            : "What has happened is not known yet.");
        list.hidden = alerts.length === 0;
        older.hidden = [...groups.values()].every((group) => !group.alertsNext);
        if (!document.hidden) unread.markAlerts();
    }

    async function loadOlder() {
        older.disabled = true;
        try {
            for (const group of store.state.groups.values()) {
                if (!group.alertsNext) continue;
                const before = [...group.alerts.keys()].reduce((a, b) => (a < b ? a : b));
                const { alerts, next } = await app.call(
                    "alert.list", { group: group.group, before, limit: PAGE });
                for (const alert of alerts) app.live.apply.alert(alert);
                store.change(() => { group.alertsNext = next; });
            }
        } catch (problem) {
            app.say(problemText(problem), "error");
        }
        older.disabled = false;
        update();
    }

    return {
        show() {
            unlisten ??= store.listen(update);
            ticker ??= setInterval(update, TICK_MS);
            update();
        },
        hide() {
            unlisten?.();
            unlisten = null;
            clearInterval(ticker);
            ticker = null;
        },
    };
}

function makeRow(app, { day: date }) {
    if (date) {
        const title = h("h2", { class: "day small muted" });
        return {
            element: h("li", { class: "day-row" }, title),
            update: (view) => write(title, day(view.day)),
        };
    }
    let alert = null;
    const sign = h("span", { class: "alert-sign", "aria-hidden": "true" });
    const text = h("p", { class: "alert-text", dir: "auto" });
    const when = h("time", { class: "small muted" });
    const by = h("p", { class: "small" });
    const acknowledge = h("button", {
        type: "button", class: "button", onclick: async () => {
            acknowledge.disabled = true;
            try {
                const answer = await app.call("alert.acknowledge", { alert: alert.id });
                app.live.apply.alert(answer.alert);
            } catch (problem) {
                app.say(problemText(problem), "error");
            }
            acknowledge.disabled = false;
        },
    }, "Acknowledge");
    const show = h("button", {
        type: "button", class: "button quiet",
        onclick: () => showOnMap(app, alert.user, [alert.group]),
    }, "Show on map");
    const element = h("li", { class: "alert" }, sign,
        h("div", { class: "alert-body" }, text, when, by,
            h("div", { class: "row" }, acknowledge, show)));
    return {
        element,
        update(view) {
            const isFirst = alert === null;
            ({ alert } = view);
            const [tone, drawing] = LOOKS[alert.kind] ?? ["", "bell"];
            const asks = ASKS.includes(alert.kind);
            const isPast = asks && view.isOver;
            if (isFirst) replace(sign, icon(drawing, 22));
            sign.className = `alert-sign ${isPast ? "" : tone}`;
            toggle(element, "data-kind", alert.kind);
            toggle(element, "data-over", isPast);
            write(text, localTimes(alert.text, alert.at));
            const group = store.state.groups.get(alert.group)?.name;
            const words = [age(alert.at), time(alert.at)];
            if (view.hasGroups) words.push(group);
            if (alert.repetition === 1) words.push("repeated once");
            if (alert.repetition > 1) words.push(`repeated ${alert.repetition} times`);
            if (isPast) words.push("over");
            write(when, words.filter(Boolean).join(" · "));
            when.dateTime = alert.at;
            when.title = dateTime(alert.at);
            const names = alert.acknowledgedBy
                .map((user) => (user === view.me ? "you" : nameOf(user)));
            write(by, names.length ? `Acknowledged by ${together(names)}.` : "");
            by.hidden = names.length === 0;
            acknowledge.hidden = alert.acknowledgedBy.includes(view.me) || alert.user === view.me
                || !asks || isPast;
            // Somebody's current position is not part of what happened before.
            const known = store.state.groups.get(alert.group)?.states.get(alert.user);
            show.hidden = !view.isNewest || !known?.fix;
        },
    };
}

function settings(app) {
    const input = h("input", { type: "checkbox", role: "switch", checked: sound.isOn });
    input.addEventListener("change", () => {
        sound.isOn = input.checked;
        unlockSound();
        if (input.checked) setTimeout(() => sound.alert(), 100);
    });
    const words = h("p", { class: "small muted" });
    const ask = h("button", {
        type: "button", class: "button", onclick: async () => {
            await notifications.ask();
            update();
        },
    }, icon("bell", 20), "Notify me on this device");
    function update() {
        const { state } = notifications;
        ask.hidden = state !== "default";
        write(words, NOTIFICATION_WORDS[state] ?? "");
        words.hidden = !words.textContent;
    }
    update();
    return h("div", { class: "card tight" },
        h("label", { class: "switch" }, h("span", null, "Sound with alerts"), input), ask, words);
}
