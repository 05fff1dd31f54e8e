/// The question "Are you all right?", asked because of my vital signs: help is called unless I
/// answer in time.

import { serverNow } from "./clock.js";
import { openDialog } from "./dialog.js";
import { h, write } from "./dom.js";
import { problemText } from "./form.js";
import { together } from "./format.js";
import { t } from "./language.js";
import { sosRequest } from "./sos-request.js";
import { sound } from "./sound.js";
import { store } from "./store.js";
import { vitalsReason } from "./vitals-reason.js";

const QUESTION = "are-you-all-right";
/// Notices that end a question.
const ENDS = ["question-over", "help-called"];
const TICK_MS = 1_000;
/// How often the siren sounds.
const SIREN_TICKS = 5;

/// The asking notice, if it is neither answered nor over, and there is still time.
function openQuestion({ notices }, answered, now = serverNow()) {
    const last = notices.find(({ kind }) => kind === QUESTION || ENDS.includes(kind));
    const isOpen = last?.kind === QUESTION && last.id !== answered && Date.parse(last.until) > now;
    return isOpen ? last : null;
}

/// - `reasons`: in the form used by incidents, "heartRate far too high"; older services send none.
function reasonWords({ reasons }) {
    const known = Array.isArray(reasons) ? reasons.filter((each) => typeof each === "string") : [];
    return known.length === 0 ? t("Your vital signs are unusual.")
        : t("Your vital signs are unusual: {reasons}.", {
            reasons: together(known.map(vitalsReason)),
        });
}

export function makeAllRight(app) {
    let asked = null;
    let answered = null;
    let close = null;
    let ticker = null;
    let ticks = 0;
    const time = h("p", { class: "all-right-time", role: "timer" });
    const error = h("p", { class: "error", role: "alert" });
    const fine = h("button", { type: "button", class: "button primary wide", onclick: sayFine },
        t("I am all right"));
    const help = h("button", { type: "button", class: "button danger wide", onclick: callForHelp },
        t("I need help"));

    async function sayFine() {
        fine.disabled = true;
        const id = asked?.id;
        try {
            await app.call("emergency.fine");
            answered = id;
            app.say(t("Good. No one was called."), "good");
            update();
        } catch (problem) {
            write(error, problemText(problem));
        } finally {
            fine.disabled = false;
        }
    }

    function callForHelp() {
        answered = asked?.id;
        sosRequest.call();
        update();
    }

    function tick() {
        const seconds = Math.max(0, Math.ceil((Date.parse(asked.until) - serverNow()) / 1000));
        write(time, seconds > 0
            ? t("Help will be called in {seconds} s.", { seconds }) : t("Help is being called."));
        if (ticks % SIREN_TICKS === 0) sound.sos();
        ticks += 1;
        update();
    }

    function update() {
        const question = openQuestion(store.state, answered);
        if (question?.id === asked?.id) return;
        clearInterval(ticker);
        asked = question;
        if (!question) return close?.();
        if (close) return;
        ticks = 0;
        write(error, "");
        close = openDialog(t("Are you all right?"), [
            h("p", null, reasonWords(question)), time, error, fine, help,
        ], {
            kind: "all-right", isFirm: true,
            closed: () => {
                close = null;
                clearInterval(ticker);
                // Closing it is no answer: it reappears as long as the question is open.
                asked = null;
            },
        });
        asked = question;
        ticker = setInterval(tick, TICK_MS);
        tick();
    }

    const unlisten = store.listen(update);
    update();
    return {
        remove() {
            unlisten();
            clearInterval(ticker);
            close?.();
        },
    };
}
