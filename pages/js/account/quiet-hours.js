/// The hours in which a channel is used for calls for help only.

import { h, toggle, write } from "../dom.js";
import { makeField, makeForm, problemText } from "../form.js";
import { t } from "../language.js";
import { ownZone, quietText } from "./channel-words.js";

const USUAL = { from: "22:00", to: "07:00" };

export function makeQuietHours(app, channel, { load }) {
    const from = makeField({ name: "quiet.from", label: t("From"), type: "time", required: true });
    const to = makeField({ name: "quiet.to", label: t("To"), type: "time", required: true });
    const summary = h("summary", null, t("Quiet hours"));
    const none = h("button", {
        type: "button", class: "button wide", onclick: end,
    }, t("No quiet hours"));
    const form = makeForm({
        fields: [from, to],
        button: t("Save quiet hours"),
        submit: async () => {
            await change({ from: from.value, to: to.value, timeZone: ownZone() });
            app.say(t("Quiet hours saved."), "good");
        },
        after: none,
    });
    const element = h("details", null, summary,
        h("p", { class: "small muted" }, t("You are notified of an SOS at any time. The rest waits "
            + "until they are over, even when someone is late, stuck, offline or silent.")),
        form);
    /// The saved value shown by the fields, as JSON: edits are kept.
    let shown = null;

    async function change(quiet) {
        await app.call("channel.update", { channel, quiet });
        await load();
    }

    async function end() {
        none.disabled = true;
        try {
            await change(null);
        } catch (problem) {
            app.say(problemText(problem), "error");
        }
        none.disabled = false;
    }

    return {
        element,
        update({ label, quiet }) {
            write(summary, quiet ? t("Quiet hours: {hours}", { hours: quietText(quiet) }) : t("Quiet hours"));
            none.hidden = !quiet;
            toggle(none, "aria-label", t("No quiet hours for {label}", { label }));
            const known = JSON.stringify(quiet ?? USUAL);
            if (known === shown) return;
            shown = known;
            [from.input.value, to.input.value] = [quiet?.from ?? USUAL.from, quiet?.to ?? USUAL.to];
        },
    };
}
