/// The alerts of all my groups, the newest first; an emergency is one entry.

import { gatherEmergencies, isPart } from "../alerts/emergencies.js";
import { makeEmergencyRow } from "../alerts/emergency-row.js";
import { makeAlertRow } from "../alerts/row.js";
import { alertSettings } from "../alerts/settings.js";
import { h, keyed, write } from "../dom.js";
import { problemText } from "../form.js";
import { day, sameDay } from "../format.js";
import { t } from "../language.js";
import { makeNextThing } from "../next-thing.js";
import { isSOS, isOver } from "../sos-state.js";
import { store } from "../store.js";
import { unread } from "../unread.js";

const PAGE = 50;
const TICK_MS = 10_000;

export function mount(root, app) {
    const list = h("ul", { class: "list alerts", "aria-label": t("Alerts") });
    const empty = h("p", { class: "empty", hidden: true });
    const next = makeNextThing();
    const older = h("button", {
        type: "button", class: "button wide", onclick: () => loadOlder(),
    }, t("Show older alerts"));
    root.append(h("div", { class: "panel" },
        h("h1", null, t("Alerts")), alertSettings(), list, empty, next.element, older));
    const showAlerts = keyed(list, (view) => makeRow(app, view), (view) => view.key);
    let unlisten = null;
    let ticker = null;

    function update() {
        const { groups } = store.state;
        const alerts = [...groups.values()].flatMap((group) => [...group.alerts.values()]);
        showAlerts(viewsOf(alerts, store.state));
        empty.hidden = alerts.length > 0;
        next.show(alerts.length === 0);
        write(empty, store.state.isLoaded
            ? t("No alerts yet. Alerts about people in your groups appear here.")
            : t("Alerts have not loaded yet."));
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

/// Open entries, then the days with their entries.
function viewsOf(alerts, { groups, me }) {
    const hasGroups = groups.size > 1;
    const entries = gatherEmergencies(alerts).map((emergency) => ({
        key: emergency.key, emergency, hasGroups,
        at: emergency.startedAt ?? emergency.alerts[0].at,
        isOpen: emergency.alerts.some((alert) => isSOS(alert)
            && !isOver(alert, groups.get(alert.group))),
    }));
    const told = new Set();
    for (const alert of [...alerts].sort((a, b) => (a.id < b.id ? 1 : -1))) {
        const about = `${alert.group} ${alert.user}`;
        const same = `${about} ${alert.kind}`;
        if (!isPart(alert)) {
            entries.push({
                key: alert.id, at: alert.at, alert, me: me?.user, hasGroups,
                isNewest: !told.has(about),
                isOver: told.has(same) || isOver(alert, groups.get(alert.group)),
            });
        }
        told.add(about).add(same);
    }
    entries.sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
    const open = entries.filter(({ isOpen }) => isOpen);
    return [...open, ...withDays(entries.filter(({ isOpen }) => !isOpen))];
}

function withDays(entries) {
    const views = [];
    let before = null;
    for (const entry of entries) {
        if (!before || !sameDay(before, entry.at)) {
            views.push({ key: `day ${new Date(entry.at).toDateString()}`, day: entry.at });
        }
        before = entry.at;
        views.push(entry);
    }
    return views;
}

function makeRow(app, view) {
    if (view.day) return makeDay();
    return view.emergency ? makeEmergencyRow(app, view) : makeAlertRow(app);
}

function makeDay() {
    const title = h("h2", { class: "day small muted" });
    return {
        element: h("li", { class: "day-row" }, title),
        update: (view) => write(title, day(view.day)),
    };
}
