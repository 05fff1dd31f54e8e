/// What happened in an emergency, step by step.

import { together } from "../format.js";
import { acknowledgedBy, responsesTo } from "../help/answers.js";
import { t, tn } from "../language.js";
import { isSOS } from "../sos-state.js";
import { nameOf, store } from "../store.js";
import { alertNotes, alertWords } from "./words.js";

/// `[{at,text}]`, oldest first; `at` is null for steps without a time.
export function storyOf({ alerts }, state = store.state) {
    const steps = [];
    const said = new Set();
    for (const alert of alerts) {
        // Each group has the same alert.
        if (said.has(alert.kind) && alert.kind !== "sos-left") continue;
        said.add(alert.kind);
        steps.push({ at: alert.at, text: alertWords(alert) });
        if (isSOS(alert)) {
            for (const text of alertNotes(alert)) steps.push({ at: alert.at, text });
        }
    }
    const responses = alerts.flatMap((alert) => alert.responses ?? []);
    const number = alerts.find((alert) => alert.number)?.number;
    for (const { user, name, kind, at } of responsesTo({ alerts, responses }, state)) {
        steps.push({ at, text: responseWords(kind, user === state.me?.user, { name, number }) });
    }
    steps.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
    return [...steps, ...undated(alerts, state)];
}

function responseWords(kind, isMine, values) {
    if (kind === "coming") {
        return isMine ? t("You are on the way.") : t("{name} is on the way.", values);
    }
    if (isMine) {
        return values.number ? t("You called {number}.", values) : t("You called the emergency number.");
    }
    return values.number ? t("{name} called {number}.", values)
        : t("{name} called the emergency number.", values);
}

function undated(alerts, state) {
    const steps = [];
    const count = Math.max(0, ...alerts.map(({ repetition }) => repetition ?? 0));
    if (count > 0) {
        steps.push({ at: null, text: tn(count, "Repeated once.", "Repeated {count} times.") });
    }
    const users = [...new Set(alerts.flatMap((alert) => acknowledgedBy(alert, state)))];
    if (users.length > 0) {
        const names = together(users.map((user) =>
            (user === state.me?.user ? t("you") : nameOf(user, state))));
        steps.push({ at: null, text: t("Seen by {names}.", { names }) });
    }
    return steps;
}
