/// The switch "send my position from this device", and "where am I".

import { h, toggle, write } from "./dom.js";
import { sentence } from "./form.js";
import { age, distance, number, together } from "./format.js";
import { outbox } from "./outbox.js";
import { wordsOf, whileConnected } from "./while-connected.js";
import { isLive } from "./store.js";
import { geolocation } from "./geolocation.js";

const TICK_MS = 5_000;
/// How long the device's own position is followed after "where am I", without being sent.
const LOOK_MS = 60_000;
let count = 0;

export function positionControl(app) {
    const id = `position-words-${(count += 1)}`;
    const toggleSwitch = h("input", {
        type: "checkbox", role: "switch", "aria-describedby": id,
        onchange: () => (toggleSwitch.checked ? geolocation.start() : geolocation.stop()),
    });
    const words = h("p", { class: "small muted", id, role: "status" });
    const trouble = h("p", { class: "small warning-text", role: "status" });
    const watchers = h("p", { class: "small muted" });
    const demo = h("p", { class: "small warning-text" },
        "This is the demo, which everybody shares: it does not look where you are.");
    const locate = h("button", { type: "button", class: "button", onclick: () => findMe(app, app.showPoint) },
        "Where am I?");
    const sending = h("label", { class: "switch" },
        h("span", { class: "strong" }, "Send my position from this device"), toggleSwitch);
    const element = h("div", {
        class: "position stack tight", role: "group", "aria-label": "My position",
    },
        sending, words, trouble, watchers, demo, h("div", { class: "row" }, locate));

    whileConnected(element, (state) => {
        const isOn = geolocation.isSending && geolocation.state !== "asks";
        toggleSwitch.checked = isOn;
        write(words, wordsFor(geolocation.state, state.position));
        toggle(words, "class", warns.has(geolocation.state)
            ? "small warning-text" : "small muted");
        const kept = outboxWords(outbox.status);
        write(trouble, kept);
        trouble.hidden = kept === "";
        write(watchers, isOn ? watcherWords(state) : "");
        watchers.hidden = !isOn;
        const isDemo = state.me?.demo === true;
        demo.hidden = !isDemo;
        sending.hidden = words.hidden = locate.hidden = isDemo;
    }, { ms: TICK_MS, subscriptions: [(f) => geolocation.listen(f), (f) => outbox.listen(f)] });
    return element;
}

/// Shows where I am, by `show(fix)`, or says why that is not known.
///
/// - Returns: whether it is.
export async function findMe(app, show) {
    try {
        const fix = await geolocation.locate();
        setTimeout(geolocation.look(), LOOK_MS);
        show(fix);
        app.say(fix.accuracy === undefined
            ? "You are here." : `You are here, to within ${distance(fix.accuracy)}.`);
        return true;
    } catch (error) {
        app.say(wordsOf(error), "warning");
        return false;
    }
}

const warns = new Set(["asks", "refused", "no-signal", "unavailable"]);

function wordsFor(state, position) {
    const last = position ? ` The last one is from ${ageOf(position)}.` : "";
    switch (state) {
    case "asks": return "It was on before. Switch it on again to go on.";
    case "waiting": return "On. Waiting for a position…";
    case "sending": {
        const accuracy = position?.accuracy;
        const within = accuracy === undefined ? "" : `, to within ${distance(accuracy)}`;
        return `On. Newest position: ${position ? ageOf(position) : "none yet"}${within}.`;
    }
    case "refused":
        return "The browser may not tell your position. Allow it in the settings of this site.";
    case "no-signal": return `No signal. Still looking.${last}`;
    case "unavailable": return "This browser tells positions only to pages that come over HTTPS.";
    default: return "Off: this device sends nothing.";
    }
}

/// What the server does not have yet, and why.
function outboxWords({ state, waiting: kept, aside, thinned, refused, refusal }) {
    const parts = [];
    const waiting = kept - aside;
    const positions = waiting === 1 ? "1 position" : `${number(waiting)} positions`;
    if (state === "broken") {
        parts.push("This browser cannot keep positions: what does not get through is lost.");
    } else if (waiting > 0 && state === "offline") {
        parts.push(`Offline: ${positions} kept here, sent when the network is back.`);
    } else if (waiting > 0 && state === "logged-out") {
        parts.push(`${positions} kept here until you log in again.`);
    } else if (waiting > 0 && state === "waiting") {
        parts.push(`${positions} not sent yet: the server does not answer. Trying again.`);
    } else if (waiting > 1) {
        parts.push(`${positions} not sent yet.`);
    }
    if (aside > 0) {
        parts.push(`${number(aside)} not taken yet: the clocks of this device and of the server `
            + "differ. Trying again later.");
    }
    if (thinned > 0) parts.push(`${number(thinned)} more were thinned out to save space.`);
    if (refused > 0) parts.push(`The server refused ${number(refused)}: ${reason(refusal)}`);
    return parts.join(" ");
}

function reason(problem) {
    const isAhead = problem?.errors?.some(({ field, reason: why }) =>
        field.endsWith("timestamp") && why.includes("future"));
    if (isAhead) return "the clock of this device is ahead.";
    if (problem?.type?.endsWith(":too-old")) return "they were too old.";
    return sentence(problem?.detail ?? problem?.title ?? "no reason was given");
}

function watcherWords(state) {
    const { me, groups } = state;
    const own = [...groups.values()].map((group) => [group.name, group.states.get(me?.user)]);
    const isKnown = isLive(state) && state.isLoaded && own.every(([, mine]) => mine);
    if (!isKnown) return "Whom it is shown to is not known at the moment.";
    const names = own.filter(([, mine]) => mine.state !== "inactive").map(([name]) => name);
    if (names.length > 0) return `What arrives is shown to ${together(names)}.`;
    return "No group is shown it. Which friends see it, and whether it is kept as your own "
        + "history, stands under People.";
}

/// By the clock of this device, which took the fix.
function ageOf({ timestamp }) {
    return age(timestamp, Date.now());
}
