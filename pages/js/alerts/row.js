/// The entry of an alert that is not part of an emergency.

import { showOnMap } from "../banner.js";
import { h, replace, toggle, write } from "../dom.js";
import { age, dateTime, time, together } from "../format.js";
import { acknowledgedBy, answer } from "../help/answers.js";
import { icon } from "../icons.js";
import { t, tn } from "../language.js";
import { nameOf, store } from "../store.js";
import { alertNotes, alertWords } from "./words.js";

const LOOKS = {
    "sos-account-deleted": ["warning", "warning"],
    "vitals-silent": ["warning", "warning"], "vitals-back": ["good", "check"],
    "late": ["warning", "clock"], "stuck": ["warning", "warning"], "silent": ["warning", "warning"],
    "offline": ["warning", "warning"], "online": ["good", "check"], "moving": ["good", "check"],
    "journey-started": ["accent", "flag"], "journey-arrived": ["good", "flag"],
    "journey-stopped": ["", "flag"],
};
/// The kinds that ask for a reaction; the others only inform.
const ASKS = ["late", "stuck", "silent", "offline"];

/// `view`: `{key,alert,me,hasGroups,isNewest,isOver}`.
export function makeAlertRow(app) {
    let alert = null;
    const sign = h("span", { class: "alert-sign", "aria-hidden": "true" });
    const text = h("p", { class: "alert-text", dir: "auto" });
    const notes = h("p", { class: "small", dir: "auto" });
    const when = h("time", { class: "small muted" });
    const by = h("p", { class: "small" });
    const acknowledge = h("button", {
        type: "button", class: "button", onclick: async () => {
            acknowledge.disabled = true;
            await answer(app, { alerts: [alert] }, "seen");
            acknowledge.disabled = false;
        },
    }, t("I have seen it"));
    const show = h("button", {
        type: "button", class: "button quiet",
        onclick: () => showOnMap(app, alert.user, [alert.group]),
    }, t("Show on map"));
    const element = h("li", { class: "alert" }, sign,
        h("div", { class: "alert-body" }, text, notes, when, by,
            h("div", { class: "row" }, acknowledge, show)));

    function update(view) {
        const isFirst = alert === null;
        ({ alert } = view);
        const [tone, drawing] = LOOKS[alert.kind] ?? ["", "bell"];
        const asks = ASKS.includes(alert.kind);
        const isPast = asks && view.isOver;
        if (isFirst) replace(sign, icon(drawing, 22));
        sign.className = `alert-sign ${isPast ? "" : tone}`;
        toggle(element, "data-kind", alert.kind);
        toggle(element, "data-over", isPast);
        write(text, alertWords(alert));
        write(notes, alertNotes(alert).join(" "));
        notes.hidden = !notes.textContent || isPast;
        write(when, whenWords(view, isPast));
        when.dateTime = alert.at;
        when.title = dateTime(alert.at);
        const users = acknowledgedBy(alert);
        const names = together(users.map((user) => (user === view.me ? t("you") : nameOf(user))));
        write(by, users.length ? t("Seen by {names}.", { names }) : "");
        by.hidden = users.length === 0;
        acknowledge.hidden = users.includes(view.me) || alert.user === view.me || !asks || isPast;
        // A person's current position is not part of an earlier alert.
        const known = store.state.groups.get(alert.group)?.states.get(alert.user);
        show.hidden = !view.isNewest || !known?.fix;
    }
    return { element, update };
}

function whenWords({ alert, hasGroups }, isPast) {
    const { at, group, repetition } = alert;
    return [
        age(at), time(at), hasGroups ? store.state.groups.get(group)?.name : "",
        repetition > 0 ? tn(repetition, "repeated once", "repeated {count} times") : "",
        isPast ? t("over") : "",
    ].filter(Boolean).join(" · ");
}
