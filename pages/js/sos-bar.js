/// The status of my call for help, above every view: who knows of it, who is coming, and the
/// details to read out to the emergency number.

import { whenCalm } from "./calm.js";
import { ask } from "./dialog.js";
import { h, replace, write } from "./dom.js";
import { problemText } from "./form.js";
import { emergencyNumber } from "./emergency-number.js";
import { moment } from "./format.js";
import { geolocation } from "./geolocation.js";
import { call } from "./help/card.js";
import { makeFacts } from "./help/facts.js";
import { whoWords } from "./help/who.js";
import { dispatchWords, makeIncidentWatch } from "./known/own-incident.js";
import { reach } from "./known/reach.js";
import { seenWords, sentWords } from "./known/sos-words.js";
import { t, tn } from "./language.js";
import { makeLines } from "./lines.js";
import { makePhones } from "./phones.js";
import { sosRequest } from "./sos-request.js";
import { emergencyOf } from "./sos-state.js";
import { isLive } from "./store.js";

/// - Returns: `{element,show(current,state)}`, with `sosRequest.current`.
export function makeBar(app) {
    const title = h("strong", { role: "alert" });
    const detail = h("div", { class: "small detail", role: "status" });
    const lines = makeLines(detail);
    const number = h("a", { class: "button own-number" });
    const choices = h("div", { class: "row" });
    const phones = makePhones();
    const facts = makeFacts(app, { isOwn: true });
    const own = h("div", { class: "own-facts" },
        h("div", { class: "help-where" }, facts.place, facts.rest, facts.when));
    const element = h("section", { class: "own-sos", "aria-label": t("Your SOS"), hidden: true },
        h("div", { class: "grow" }, title, detail),
        number, h("div", { class: "row own-actions" }, phones.element, choices), own);
    let shown = "none";
    let wanted = null;

    const watchIncident = makeIncidentWatch(app.call);

    /// The person's own start or end is shown immediately; other changes wait, since a finger may
    /// be on its way.
    function show(request, state) {
        watchIncident(state);
        // Without a group no state shows that help was called.
        const current = request.phase === "none" && state.incident
            ? { phase: "dispatch", since: state.incident.openedAt } : request;
        wanted = { current, state };
        if (shown === "none" || current.phase === "none") draw();
        else whenCalm(draw);
    }

    function draw() {
        const { current, state } = wanted;
        element.hidden = current.phase === "none";
        if (element.hidden) {
            shown = "none";
            return write(title, "");
        }
        const emergency = emergencyOf(state.me?.user, state);
        element.dataset.phase = current.phase;
        write(title, titles[current.phase](current, emergency));
        const isVital = emergency?.cause === "vital-signs" || current.phase === "dispatch";
        lines(details[current.phase](current, emergency, state));
        const fix = newest(state.position, emergency?.fix);
        facts.update(fix);
        phones.update(state);
        const called = emergency?.number ?? emergencyNumber(fix);
        call(number, called, t("Call {number}", { number: called }));
        const isNarrow = current.phase === "on" && reachesSome(emergency, state);
        const next = `${isNarrow ? "narrow" : current.phase} ${isVital}`;
        if (shown === next) return;
        shown = next;
        replace(choices, [
            ...buttons[isNarrow ? "narrow" : current.phase](),
            ...isVital ? [button(t("I no longer need help"), () => needNoHelp(app), "quiet")] : [],
        ]);
    }
    return { element, show };
}

function newest(...fixes) {
    return fixes.filter(Boolean)
        .sort((a, b) => Date.parse(b.timestamp) - Date.parse(a.timestamp))[0] ?? null;
}

const titles = {
    calling: () => t("SOS not sent yet. Trying…"),
    stale: ({ since }) => t("Your SOS from {time} was never sent.", { time: moment(since) }),
    on: ({ since }, emergency) => (emergency?.cause === "vital-signs"
        ? t("Help was called because of your vital signs, {time}.", { time: moment(since) })
        : t("Your SOS has been on since {time}.", { time: moment(since) })),
    dispatch: ({ since }) => t("Help was called because of your vital signs, {time}.", { time: moment(since) }),
    ending: () => t("Your groups do not know yet that you are safe. Trying…"),
};

/// Lines: `{text,kind?}`.
const details = {
    calling: ({ attempts, trouble }) => [
        ...attempt(attempts, trouble), { text: t("Also call for help by phone.") },
    ],
    stale: () => [{ text: t("It could not be sent in time. Do you still need help?") }],
    on({ fixRefused }, emergency, state) {
        const seen = { fix: emergency?.fix, device: geolocation.state, refusal: fixRefused };
        return [
            ...emergency?.cause === "vital-signs"
                ? dispatchWords(state.incident, emergency.assistedAt) : [],
            ...knownBy(emergency, state),
            { text: emergency && isLive(state) ? seenWords(seen) : "" },
        ];
    },
    dispatch: (_, emergency, state) => [
        ...dispatchWords(state.incident),
        ...isLive(state) ? [] : [{ text: t("No connection: this may be out of date.") }],
        { text: t("If you can, also call for help by phone.") },
    ],
    ending: ({ attempts, trouble }) => attempt(attempts, trouble),
};

function knownBy(emergency, state) {
    const who = emergency ? whoWords(emergency, state) : {};
    const answers = ["coming", "called", "seen"].filter((kind) => who[kind])
        .map((kind) => ({ text: who[kind], kind }));
    const known = answers.length > 0 ? answers
        : sentWords(reach(state, { among: emergency?.groups }));
    return isLive(state) ? known
        : [...known, { text: t("No connection: this may be out of date.") }];
}

function attempt(attempts, trouble) {
    if (!attempts) return [];
    return [{ text: trouble }, { text: tn(attempts, "Tried once.", "Tried {count} times.") }];
}

/// Whether vital signs alerted only some of my groups.
function reachesSome(emergency, { groups }) {
    return emergency?.cause === "vital-signs" && emergency.groups.length < groups.size;
}

async function needNoHelp(app) {
    const isSure = await ask({
        title: t("Do you no longer need help?"),
        text: t("Your groups and dispatch are notified that you no longer need help. Your vital signs "
            + "are watched again."),
        yes: t("I no longer need help"),
    });
    if (!isSure) return;
    try {
        await app.call("emergency.reactivate");
        app.say(t("Your vital signs are watched again."), "good");
    } catch (problem) {
        app.say(problemText(problem), "warning");
    }
}

async function callAll() {
    const isSure = await ask({
        title: t("Send an SOS to all your groups?"),
        text: t("This also alerts the groups that your vital signs did not alert."),
        yes: t("Send it now"),
    });
    if (isSure && ["on", "none"].includes(sosRequest.current.phase)) sosRequest.call(null);
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
    dispatch: () => [],
    narrow: () => [button(t("SOS to all groups"), callAll)],
    ending: () => [button(t("I still need help"), () => sosRequest.cancel())],
};
