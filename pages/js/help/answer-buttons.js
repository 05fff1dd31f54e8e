/// The two answers of a helper, one tap each.

import { h, replace, toggle } from "../dom.js";
import { icon } from "../icons.js";
import { t } from "../language.js";
import { answer } from "./answers.js";
import { called } from "./called.js";
import { haveAnswered } from "./who.js";

/// `{coming,called,update()}`: two buttons; `emergency()` is the one being answered.
export function answerButtons(app, emergency) {
    const coming = makeButton(emergency, "coming", {
        words: () => t("I’m coming"),
        press: (asked) => answer(app, asked,
            haveAnswered(asked, "coming") ? "not-coming" : "coming"),
        isSaid: (asked) => haveAnswered(asked, "coming"),
        mayUndo: () => true,
    });
    const number = makeButton(emergency, "called", {
        words: (asked) => (asked.number ? t("I called {number}", { number: asked.number })
            : t("I called the emergency number")),
        press(asked) {
            if (called.isWaiting(asked.user)) called.undo(asked.user);
            else called.say(app, asked);
        },
        isSaid: (asked) => called.isWaiting(asked.user) || haveAnswered(asked, "called"),
        mayUndo: (asked) => !haveAnswered(asked, "called"),
    });
    return {
        coming: coming.element,
        called: number.element,
        update() {
            coming.update();
            number.update();
        },
    };
}

function makeButton(emergency, kind, { words, press, isSaid, mayUndo }) {
    let isAsked = false;
    let shown = "";
    const element = h("button", {
        type: "button", class: "button help-answer", "data-answer": kind, onclick: async () => {
            const asked = emergency();
            if (!asked || isAsked || (isSaid(asked) && !mayUndo(asked))) return;
            isAsked = true;
            update();
            await press(asked);
            isAsked = false;
            update();
        },
    });

    function update() {
        const asked = emergency();
        if (!asked) return;
        const said = isSaid(asked);
        const undo = said && mayUndo(asked);
        toggle(element, "aria-pressed", String(said));
        toggle(element, "aria-disabled", said && !undo ? "true" : null);
        element.disabled = isAsked || asked.alerts.length === 0;
        const text = words(asked);
        if (shown === `${text} ${said} ${undo}`) return;
        shown = `${text} ${said} ${undo}`;
        // A pressed button keeps its name; the icon shows that it is done.
        replace(element, icon(said ? "check" : kind === "coming" ? "follow" : "phone", 20),
            h("span", { class: "help-words" }, text,
                undo ? h("span", { class: "help-undo" }, t("Undo")) : null));
        element.setAttribute("aria-label", text);
    }
    return { element, update };
}
