/// The two answers of somebody who helps, each one tap, and each taken back by another one.

import { h, replace, toggle } from "../dom.js";
import { icon } from "../icons.js";
import { t } from "../language.js";
import { answer } from "./answers.js";
import { haveAnswered } from "./who.js";

/// `{elements,update()}`; `emergency()` is the one that is answered.
export function answerButtons(app, emergency) {
    const buttons = ["coming", "called"].map((kind) => makeButton(app, emergency, kind));
    return {
        elements: buttons.map(({ element }) => element),
        update: () => buttons.forEach((button) => button.update()),
    };
}

function makeButton(app, emergency, kind) {
    let isAsked = false;
    let shown = "";
    const element = h("button", {
        type: "button", class: "button help-answer", "data-answer": kind, onclick: async () => {
            const asked = emergency();
            if (!asked || isAsked) return;
            isAsked = true;
            update();
            const isSaid = haveAnswered(asked, kind);
            await answer(app, asked, isSaid ? `not-${kind}` : kind);
            isAsked = false;
            update();
        },
    });

    function update() {
        const asked = emergency();
        if (!asked) return;
        const isSaid = haveAnswered(asked, kind);
        toggle(element, "aria-pressed", String(isSaid));
        element.disabled = isAsked || asked.alerts.length === 0;
        const words = wordsOf(kind, asked.number);
        if (shown === `${words} ${isSaid}`) return;
        shown = `${words} ${isSaid}`;
        // What it says stays, as a pressed button's name should; the sign says that it is done.
        replace(element, icon(isSaid ? "check" : kind === "coming" ? "follow" : "phone", 20),
            h("span", { class: "help-words" }, words,
                isSaid ? h("span", { class: "help-undo" }, t("Undo")) : null));
        element.setAttribute("aria-label", words);
    }
    return { element, update };
}

function wordsOf(kind, number) {
    if (kind === "coming") return t("I’m coming");
    return number ? t("I called {number}", { number }) : t("I called the emergency number");
}
