/// All my reminders.

import { serverNow } from "../clock.js";
import { h, write } from "../dom.js";
import { moment } from "../format.js";
import { t } from "../language.js";
import { isLive } from "../store.js";
import { whenBack } from "./coming-back.js";
import { makeReminderRows } from "./reminder-rows.js";

export function makeReminders(app) {
    const rows = makeReminderRows(app, {
        label: t("My reminders"), hasPlaces: true, changed: () => load(),
    });
    const word = h("p", { class: "small muted", role: "status" });
    const find = h("a", { class: "button primary", href: "#places", hidden: true }, t("Find a place"));
    let count = 0;
    let at = 0;
    const back = whenBack(() => load());

    async function load() {
        const { shown, problem } = await rows.load();
        count = shown.length;
        back.note(problem);
        if (!problem) at = serverNow();
        update();
    }

    function update() {
        back.check();
        const none = at && count === 0 ? t("None yet. Choose a place, and “Remind me here”.") : "";
        find.hidden = !none;
        write(word, isLive() || !at ? none
            : t("No connection: last updated {time}.", { time: moment(at) }));
    }

    return { element: h("section", { class: "card", "aria-label": t("My reminders") },
        word, find, rows.element),
        load, update };
}
