/// The status of my call for help, above every view: who knows of it, who is coming, and what to
/// read out to the emergency number.

import { h, keyed, replace, write } from "./dom.js";
import { moment, together } from "./format.js";
import { call } from "./help/card.js";
import { makeFacts } from "./help/facts.js";
import { whoWords } from "./help/who.js";
import { t, tn } from "./language.js";
import { sosRequest, reach } from "./sos-request.js";
import { emergencyOf } from "./sos-state.js";
import { isLive } from "./store.js";

/// - Returns: `{element,show(current,state)}`, with `sosRequest.current`.
export function makeBar(app) {
    const title = h("strong", { role: "alert" });
    const detail = h("div", { class: "small detail", role: "status" });
    const lines = keyed(detail, () => {
        const line = h("p");
        return {
            element: line,
            update({ text, kind }) {
                write(line, text);
                line.className = kind ? `help-${kind}` : "";
            },
        };
    }, ({ key }) => key);
    const number = h("a", { class: "button" });
    const actions = h("div", { class: "row" });
    const facts = makeFacts(app, { isOwn: true });
    const own = h("div", { class: "own-facts", hidden: true },
        number, h("div", { class: "help-where" }, facts.place, facts.rest, facts.when));
    const element = h("section", { class: "own-sos", "aria-label": t("Your SOS"), hidden: true },
        h("div", { class: "grow" }, title, detail), actions, own);
    let shown = "none";

    function show(current, state) {
        element.hidden = current.phase === "none";
        if (element.hidden) {
            shown = "none";
            return write(title, "");
        }
        const emergency = emergencyOf(state.me?.user, state);
        element.dataset.phase = current.phase;
        write(title, titles[current.phase](current, emergency));
        lines(details[current.phase](current, emergency, state).filter(({ text }) => text)
            .map((line, index) => ({ key: `${index}`, ...line })));
        own.hidden = !["calling", "on"].includes(current.phase);
        facts.update(newest(state.position, emergency?.fix));
        const called = emergency?.number;
        call(number, called, t("Call {number}", { number: called }));
        if (shown === current.phase) return;
        shown = current.phase;
        replace(actions, buttons[current.phase]());
    }
    return { element, show };
}

function newest(...fixes) {
    return fixes.filter(Boolean)
        .sort((a, b) => Date.parse(b.timestamp) - Date.parse(a.timestamp))[0] ?? null;
}

const titles = {
    calling: () => t("SOS not sent yet. Trying…"),
    stale: ({ since }) => t("Your SOS of {time} was never sent.", { time: moment(since) }),
    on: ({ since }, emergency) => (emergency?.cause === "vital-signs"
        ? t("Help was called because of your vital signs, {time}.", { time: moment(since) })
        : t("Your SOS is on since {time}.", { time: moment(since) })),
    ending: () => t("Not told yet that you are safe. Trying…"),
};

/// Lines: `{text,kind?}`.
const details = {
    calling: ({ attempts, trouble }) => [
        ...attempt(attempts, trouble), { text: t("Call somebody by phone, too.") },
    ],
    stale: () => [{ text: t("It could not be sent in time. Do you still need help?") }],
    on({ fixRefused }, emergency, state) {
        return [
            ...knownBy(emergency, state),
            { text: fixRefused ? t("Your position was refused: {reason}", { reason: fixRefused })
                : emergency && !emergency.fix
                    ? t("No position of you has come in: they do not see where you are.") : "" },
        ];
    },
    ending: ({ attempts, trouble }) => attempt(attempts, trouble),
};

function knownBy(emergency, state) {
    const { names, isKnown } = reach(state);
    const isUp = isLive(state);
    if (isUp && isKnown && names.length === 0) {
        return [{ text: t("Nobody else is in a group of yours: nobody was alerted.") }];
    }
    const who = emergency ? whoWords(emergency, state) : {};
    const answers = ["coming", "called", "seen"].filter((kind) => who[kind])
        .map((kind) => ({ text: who[kind], kind }));
    const offline = isUp ? [] : [{
        text: t("No connection: what has become of it is not known at the moment."),
    }];
    if (answers.length > 0) return [...answers, ...offline];
    const groups = (emergency?.groups ?? []).map((group) => state.groups.get(group)?.name)
        .filter(Boolean);
    return [
        { text: groups.length ? t("Sent to {groups}.", { groups: together(groups) })
            : t("Sent to your groups.") },
        ...isUp ? [{ text: t("Nobody has said yet that they saw it.") }] : offline,
    ];
}

function attempt(attempts, trouble) {
    if (!attempts) return [];
    return [{ text: trouble }, { text: tn(attempts, "Tried once.", "Tried {count} times.") }];
}

const button = (words, onclick, kind = "") => h("button", {
    type: "button", class: `button ${kind}`, onclick,
}, words);

const buttons = {
    calling: () => [button(t("Cancel SOS"), () => sosRequest.cancel())],
    stale: () => [
        button(t("Send it now"), () => sosRequest.callAfterAll()),
        button(t("Discard"), () => sosRequest.cancel(), "quiet"),
    ],
    on: () => [],
    ending: () => [button(t("I still need help"), () => sosRequest.cancel())],
};
