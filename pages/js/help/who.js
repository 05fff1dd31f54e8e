/// Who is on the way, who has called the emergency number, and who has seen a call, in words.

import { moment, together } from "../format.js";
import { t } from "../language.js";
import { nameOf, store } from "../store.js";
import { acknowledgedBy, responsesTo } from "./answers.js";

/// `{coming,called,seen}`: each a sentence, or "" if there is no one.
///
/// - Parameter emergency: as in `sos-state.js`; its number, if any, is the one called.
export function whoWords(emergency, state = store.state) {
    const responses = responsesTo(emergency, state);
    const of = (kind) => responses.filter((response) => response.kind === kind);
    const [coming, called] = [of("coming"), of("called")];
    const answered = new Set(responses.map(({ user }) => user));
    const seen = [...new Set(emergency.alerts.flatMap((alert) => acknowledgedBy(alert, state)))]
        .filter((user) => user !== emergency.user && !answered.has(user));
    const values = { number: emergency.number, names: timed(called, state) };
    return {
        coming: coming.length ? t("On the way: {names}.", { names: timed(coming, state) }) : "",
        called: !called.length ? "" : emergency.number
            ? t("{number} was called by {names}.", values)
            : t("The emergency number was called by {names}.", values),
        seen: seen.length
            ? t("Seen by {names}.", { names: together(seen.map((user) => personOf(user, state))) })
            : "",
    };
}

/// Whether I have answered in this way.
export function haveAnswered(emergency, kind, state = store.state) {
    return responsesTo(emergency, state)
        .some((response) => response.kind === kind && response.user === state.me?.user);
}

function timed(responses, state) {
    return together(responses.map(({ user, name, at }) => t("{name} ({time})", {
        name: personOf(user, state, name), time: moment(at),
    })));
}

function personOf(user, state, name = nameOf(user, state)) {
    return user === state.me?.user ? t("you") : name;
}
