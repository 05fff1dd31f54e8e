/// My reminders in a list: each can be changed and deleted.

import { h, keyed, replace, toggle, write } from "../dom.js";
import { problemText } from "../form.js";
import { moment } from "../format.js";
import { t } from "../language.js";
import { fetchAll } from "../pagination.js";
import { makeReminderForm } from "./reminder-form.js";
import { whenWords } from "./reminder-words.js";
import { isOwnPlace } from "./words.js";

/// - Parameters:
///   - label: for screen readers.
///   - hasPlaces: whether each shows its place.
///   - changed: called when one was changed or deleted here.
export function makeReminderRows(app, { label, hasPlaces = false, changed }) {
    const error = h("p", { class: "error", role: "alert" });
    const list = h("ul", { class: "list", "aria-label": label });
    const show = keyed(list, ({ reminder }) => makeRow(app, reminder, { hasPlaces, changed }),
        ({ reminder }) => reminder);
    let shown = [];
    let turn = 0;
    return {
        element: h("div", { class: "stack tight" }, error, list),
        /// Reloads them, and shows those that `isMeant`.
        ///
        /// - Returns: `{shown,problem}`: the shown ones; after a failure those shown before.
        async load(isMeant = () => true) {
            const mine = (turn += 1);
            try {
                const all = await fetchAll(app.call, "reminder.list", {}, "reminders", "after");
                if (mine !== turn) return { shown };
                shown = all.filter(isMeant).sort(soonestFirst);
                write(error, "");
                show(shown);
                return { shown };
            } catch (problem) {
                if (mine === turn) write(error, problemText(problem));
                return { shown, problem };
            }
        },
    };
}

/// Past reminders last.
function soonestFirst(a, b) {
    return (a.next ?? "9") < (b.next ?? "9") ? -1 : 1;
}

function makeRow(app, id, { hasPlaces, changed }) {
    let known = null;
    const text = h("strong", { class: "break" });
    const place = h("a", { class: "break" });
    const facts = h("p", { class: "small muted" });
    const edit = h("button", { type: "button", class: "button", onclick: openForm }, t("Edit"));
    const remove = h("button", {
        type: "button", class: "button quiet danger", onclick: removeIt,
    }, t("Delete"));
    const view = h("div", { class: "rule" }, text, hasPlaces ? h("p", { class: "small" }, place) : null,
        facts, h("div", { class: "row" }, edit, remove));
    const formPlace = h("div", { class: "row-form", hidden: true });

    async function openForm() {
        // Whether it can be due at opening depends on the place.
        const found = isOwnPlace(known.place) ? null
            : await app.call("place.get", { place: known.place }).catch(() => null);
        const form = makeReminderForm(app, { reminder: known, place: found?.place }, {
            saved: () => {
                close();
                changed();
            },
            cancelled: close,
        });
        replace(formPlace, form.element);
        formPlace.hidden = false;
        view.hidden = true;
        form.focus();
    }

    function close() {
        replace(formPlace);
        formPlace.hidden = true;
        view.hidden = false;
        edit.focus();
    }

    async function removeIt() {
        const isSure = await app.ask({
            title: t("Delete this reminder?"), text: `${known.placeName}: ${known.text}`,
            yes: t("Delete"), danger: true,
        });
        if (!isSure) return;
        try {
            await app.call("reminder.delete", { reminder: id });
            app.say(t("Reminder deleted."));
        } catch (problem) {
            app.say(problemText(problem), "error");
        }
        changed();
    }

    return {
        element: h("li", { dataset: { reminder: id } }, view, formPlace),
        update(reminder) {
            known = reminder;
            write(text, reminder.text);
            write(place, reminder.placeName);
            toggle(place, "href", `#places/${encodeURIComponent(reminder.place)}`);
            write(facts, factWords(reminder));
            toggle(edit, "aria-label", t("Edit {text}", { text: reminder.text }));
            toggle(remove, "aria-label", t("Delete {text}", { text: reminder.text }));
        },
    };
}

function factWords(reminder) {
    const told = reminder.toldAt ? t("reminded {time}", { time: moment(reminder.toldAt) }) : "";
    const when = whenWords(reminder);
    if (!reminder.next) return [when, told || t("over")].filter(Boolean).join(" · ");
    return [when, told && t("last {told}", { told })].filter(Boolean).join(" · ");
}
