/// The status of my call for help, above every view.

import { sosRequest, reach } from "./sos-request.js";
import { h, replace, write } from "./dom.js";
import { moment, together } from "./format.js";
import { isLive, nameOf } from "./store.js";

/// - Returns: `{element,show(current,known,state)}`, with `sosRequest.current` and `whoKnows`.
export function makeBar() {
    const title = h("strong", { role: "alert" });
    const detail = h("p", { class: "small" });
    const actions = h("div", { class: "row" });
    const element = h("section", { class: "own-sos", "aria-label": "Your SOS", hidden: true },
        h("div", { class: "grow" }, title, detail), actions);
    let shown = "none";

    function show(current, known, state) {
        element.hidden = current.phase === "none";
        if (element.hidden) {
            shown = "none";
            return write(title, "");
        }
        element.dataset.phase = current.phase;
        write(title, titles[current.phase](current, state));
        write(detail, details[current.phase](current, known, state));
        if (shown === current.phase) return;
        shown = current.phase;
        replace(actions, buttons[current.phase]());
    }
    return { element, show };
}

const titles = {
    calling: () => "SOS not sent yet. Trying…",
    stale: ({ since }) => `Your SOS of ${moment(since)} was never sent.`,
    on: ({ since }, state) => (isInNeed(state)
        ? `Help was called because of your vital signs, ${moment(since)}.`
        : `Your SOS is on since ${moment(since)}.`),
    ending: () => "Not told yet that you are safe. Trying…",
};

const details = {
    calling: ({ attempts, trouble }) =>
        `${attempt(attempts, trouble)} Call somebody by phone, too.`,
    stale: () => "It could not be sent in time. Do you still need help?",
    on({ fixRefused }, { groups, users }, state) {
        const where = fixRefused ? ` Your position was refused: ${fixRefused}` : "";
        const { names, isKnown } = reach(state);
        const isUp = isLive(state);
        if (isUp && isKnown && names.length === 0) {
            return `Nobody else is in a group of yours: nobody was alerted.${where}`;
        }
        if (users.length > 0) {
            return `Seen by ${together(users.map((user) => nameOf(user)))}.${where}`;
        }
        const who = groups.length ? together(groups) : "Your groups";
        const seen = isUp ? "Nobody has said yet that they saw it."
            : "No connection: whether anybody has seen it is not known at the moment.";
        return `Sent to ${who}. ${seen}${where || positionWords(state)}`;
    },
    ending: ({ attempts, trouble }) => attempt(attempts, trouble),
};

/// Whether the service called, and not I.
function isInNeed({ me, groups }) {
    return [...groups.values()].map((group) => group.states.get(me?.user))
        .some((mine) => mine?.state === "sos" && mine.cause === "vital-signs");
}

/// Whether those who were called know my position.
function positionWords({ me, groups }) {
    const own = [...groups.values()].map((group) => group.states.get(me?.user))
        .filter((mine) => mine?.state === "sos");
    const isMissing = own.length > 0 && own.every(({ fix }) => !fix);
    return isMissing ? " No position of you has come in: they do not see where you are." : "";
}

function attempt(attempts, trouble) {
    if (!attempts) return "";
    return `${trouble ?? ""} Tried ${attempts === 1 ? "once" : `${attempts} times`}.`;
}

const buttons = {
    calling: () => [
        h("button", { type: "button", class: "button", onclick: () => sosRequest.cancel() },
            "Cancel SOS"),
    ],
    stale: () => [
        h("button", { type: "button", class: "button", onclick: () => sosRequest.callAfterAll() },
            "Send it now"),
        h("button", { type: "button", class: "button quiet", onclick: () => sosRequest.cancel() },
            "Discard"),
    ],
    on: () => [],
    ending: () => [
        h("button", { type: "button", class: "button", onclick: () => sosRequest.cancel() },
            "I still need help"),
    ],
};
