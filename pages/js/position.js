/// The switch "send my position from this device", and "where am I".

import { isolate } from "./bidi.js";
import { h, toggle, write } from "./dom.js";
import { sentence } from "./form.js";
import { age, number, together } from "./format.js";
import { geolocation } from "./geolocation.js";
import { problemOf } from "./geolocation-words.js";
import { warned, withinWords } from "./known/accuracy.js";
import { shown } from "./known/shown.js";
import { t, tn } from "./language.js";
import { outbox } from "./outbox.js";
import { wordsOf, whileConnected } from "./while-connected.js";

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
        t("This is the demo, shared by everyone: it does not check where you are."));
    const locate = h("button", {
        type: "button", class: "button", onclick: () => findMe(app, app.showPoint),
    }, t("Where am I?"));
    const sending = h("label", { class: "switch" },
        h("span", { class: "strong" }, t("Send my position from this device")), toggleSwitch);
    const element = h("div", {
        class: "position stack tight", role: "group", "aria-label": t("My position"),
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

/// Shows where I am with `show(fix)`, or explains why that is unknown.
///
/// - Returns: whether it is.
export async function findMe(app, show) {
    try {
        const fix = await geolocation.locate();
        setTimeout(geolocation.look(), LOOK_MS);
        show(fix);
        const within = withinWords(fix);
        app.say(within ? t("You are here, to within {distance}.", { distance: within })
            : warned(t("You are here."), fix));
        return true;
    } catch (error) {
        app.say(wordsOf(error), "warning");
        return false;
    }
}

const warns = new Set(["asks", "refused", "no-signal", "unavailable"]);

function wordsFor(state, position) {
    switch (state) {
    case "asks": return t("It was on before. Switch it on again to continue.");
    case "waiting": return t("On. Waiting for a position…");
    case "sending": return sendingWords(position);
    case "refused": return problemOf({ code: 1 });
    case "no-signal": return position
        ? t("No signal. Still looking. The last position is from {age}.", { age: ageOf(position) })
        : t("No signal. Still looking.");
    case "unavailable": return problemOf({ code: 0 });
    default: return t("Off: this device sends nothing.");
    }
}

function sendingWords(position) {
    if (!position) return t("On. No position yet.");
    const values = { age: ageOf(position), distance: withinWords(position) };
    return values.distance ? t("On. Newest position: {age}, to within {distance}.", values)
        : warned(t("On. Newest position: {age}.", values), position);
}

/// Positions the server does not have yet, and why.
export function outboxWords({ state, waiting: kept, aside, thinned, refused, refusal }) {
    const parts = [];
    const waiting = kept - aside;
    const counted = { positions: tn(waiting, "1 position", "{count} positions",
        { count: number(waiting) }) };
    if (state === "broken") {
        parts.push(t("This browser cannot store positions: any that do not get through are lost."));
    } else if (waiting > 0 && state === "offline") {
        parts.push(t("Offline: {positions} kept here, sent when the network is back.", counted));
    } else if (waiting > 0 && state === "logged-out") {
        parts.push(t("{positions} kept here until you log in again.", counted));
    } else if (waiting > 0 && state === "waiting") {
        parts.push(t("{positions} not sent yet: the server is not responding. Trying again.",
            counted));
    } else if (waiting > 1) {
        parts.push(t("{positions} not sent yet.", counted));
    }
    if (aside > 0) {
        parts.push(t("{count} not accepted yet: this device's clock and the server's differ. Trying "
            + "again later.", { count: number(aside) }));
    }
    if (thinned > 0) {
        parts.push(t("{count} more were thinned out to save space.", { count: number(thinned) }));
    }
    if (refused > 0) {
        parts.push(t("The server refused {count}: {reason}", {
            count: number(refused), reason: reason(refusal),
        }));
    }
    return parts.join(" ");
}

function reason(problem) {
    const isAhead = problem?.errors?.some(({ field, reason: why }) =>
        field.endsWith("timestamp") && why.includes("future"));
    if (isAhead) return t("this device's clock is ahead.");
    if (problem?.type?.endsWith(":too-old")) return t("they were too old.");
    return sentence(problem?.detail ?? problem?.title ?? t("no reason was given"));
}

function watcherWords(state) {
    const { isKnown, now } = shown(state);
    if (!isKnown) return t("It is not known at the moment who sees it.");
    if (now.length > 0) {
        return t("It is visible to {groups}.", {
            groups: together(now.map(({ name }) => isolate(name))),
        });
    }
    return t("No group sees it. See under People which friends see it and whether it is kept as your own history.");
}

/// By the clock of this device, which took the fix.
function ageOf({ timestamp }) {
    return age(timestamp, Date.now());
}
