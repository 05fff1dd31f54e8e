/// After the first login: my name, showing where I am and to whom, inviting or joining. Each can be
/// skipped.

import { h, replace, write } from "../dom.js";
import { t } from "../language.js";
import { store } from "../store.js";
import { whileConnected } from "../while-connected.js";
import { makeInviteStep } from "./invite.js";
import { makeNameStep } from "./name.js";
import { makeShareStep } from "./share.js";
import { hasBeenShown, isNewcomer, noteShown } from "./state.js";

const STEPS = [makeNameStep, makeShareStep, makeInviteStep];

/// A card, hidden for users who do not need it.
export function firstSteps(app) {
    const element = h("section", {
        class: "card first-steps", "aria-labelledby": "first-steps-title", hidden: true,
    });
    const { me } = store.state;
    let isDecided = !me || me.demo || hasBeenShown(me);
    whileConnected(element, (state) => {
        if (isDecided) return;
        const isNew = isNewcomer(state);
        if (isNew === null) return;
        isDecided = true;
        if (!isNew) return;
        element.hidden = false;
        show(0, { isFirst: true });
    });

    function show(index, { isFirst = false } = {}) {
        if (index === STEPS.length) return finish();
        const title = h("h2", { id: "first-steps-title", tabindex: "-1" });
        const step = STEPS[index](app, () => show(index + 1));
        const count = t("Step {step} of {steps}", { step: index + 1, steps: STEPS.length });
        write(title, step.title);
        replace(element,
            h("div", { class: "row between" }, h("p", { class: "small muted" }, count),
                h("button", { type: "button", class: "button quiet", onclick: finish },
                    t("Skip all"))),
            title, step.content);
        if (!isFirst) title.focus({ preventScroll: true });
        // With a group there are already people to see on the map.
        if (store.state.groups.size === 0 || !isFirst) app.sheet?.grow();
        element.scrollIntoView({ block: "start" });
    }

    function finish() {
        if (me) noteShown(me);
        const scroller = element.closest(".sheet-body");
        element.remove();
        scroller?.scrollTo({ top: 0 });
        app.sheet?.makeRoom();
    }

    return element;
}
