/// What a helper needs to know about a person in an SOS: the way there, whom to call, what to say, and
/// who else is helping.

import { h, toggle, write } from "../dom.js";
import { emergencyNumber } from "../emergency-number.js";
import { geolocation } from "../geolocation.js";
import { icon } from "../icons.js";
import { isAnywhere } from "../known/accuracy.js";
import { t } from "../language.js";
import { emergencyOf } from "../sos-state.js";
import { store } from "../store.js";
import { whileConnected } from "../while-connected.js";
import { answerButtons } from "./answer-buttons.js";
import { directionsTo } from "./directions.js";
import { makeFacts } from "./facts.js";
import { whoWords } from "./who.js";
import { fromMeWords, ownPosition } from "./where.js";

const TICK_MS = 5_000;

/// `{element,update(member)}`: the card of a group member. It updates itself while it is on the page,
/// and is hidden while that person is not in an SOS.
///
/// - Parameter more: further buttons for the end of its actions.
export function helpCard(app, user, { more = [] } = {}) {
    const far = h("p", { class: "help-far" });
    const measure = h("button", {
        type: "button", class: "button quiet", onclick: async () => {
            measure.disabled = true;
            try {
                await geolocation.locate();
            } catch (error) {
                app.say(error.message, "error");
            }
            measure.disabled = false;
            update();
        },
    }, icon("pin", 20), t("How far is it from here?"));
    const way = h("a", { class: "button primary" }, icon("send", 20), t("Directions"));
    const web = h("a", {
        class: "button help-web", target: "_blank", rel: "noopener noreferrer",
        title: t("Opens openstreetmap.org, which then receives this position."),
    }, icon("map", 20), t("Directions (web)"));
    const person = h("a", { class: "button" });
    const number = h("a", { class: "button help-number" });
    const answers = answerButtons(app, () => emergencyOf(user));
    const facts = makeFacts(app);
    const who = ["coming", "called", "seen"].map((kind) => h("p", { class: `help-${kind}` }));
    const element = h("div", { class: "help-card", role: "group" },
        h("div", { class: "help-where" }, far, facts.place, facts.when, measure),
        h("div", { class: "help-actions" }, way, person, number, answers.coming, answers.called, web, ...more),
        h("div", { class: "help-who", role: "status" }, who),
        facts.rest);

    function update(member) {
        const emergency = emergencyOf(user);
        element.hidden = !emergency;
        if (!emergency) return;
        const fix = member?.fix ?? emergency.fix;
        const { name } = emergency;
        toggle(element, "aria-label", t("Help for {name}", { name }));
        const mine = ownPosition(store.state);
        write(far, fromMeWords(mine, fix));
        far.hidden = !far.textContent;
        measure.hidden = Boolean(mine) || !fix || store.state.me?.demo === true;
        const links = fix && !isAnywhere(fix) ? directionsTo(fix, name) : {};
        link(way, links.device);
        link(web, links.web);
        web.classList.toggle("primary", !links.device);
        toggle(way, "aria-label", t("Directions to {name}", { name }));
        call(person, emergency.phone, t("Call {name}", { name }));
        const called = emergency.number ?? emergencyNumber(fix);
        call(number, called, t("Call {number}", { number: called }));
        answers.update();
        const words = whoWords(emergency);
        for (const [index, kind] of ["coming", "called", "seen"].entries()) {
            write(who[index], words[kind]);
            who[index].hidden = !words[kind];
        }
        facts.update(fix);
    }
    whileConnected(element, () => update(), { ms: TICK_MS });
    return { element, update };
}

function link(element, address) {
    element.hidden = !address;
    toggle(element, "href", address ?? null);
}

/// Makes a link that dials.
export function call(element, number, words) {
    element.hidden = !number;
    toggle(element, "href", number ? `tel:${number.replace(/[^\d+]/g, "")}` : null);
    if (element.dataset.words === words) return;
    element.dataset.words = words;
    element.replaceChildren(icon("phone", 20), h("span", null, words));
}
