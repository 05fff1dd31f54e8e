/// The call to dispatch because of my vital signs, as long as it is open: people without a group learn
/// by it alone what has become of it.

import { moment } from "../format.js";
import { t } from "../language.js";
import { isLive, store } from "../store.js";

/// The notices after which it is asked for again.
const NEWS = ["help-called", "help-acknowledged", "help-closed", "help-unanswered", "help-called-off"];

/// Keeps `state.incident`. To be called with every change of the state.
export function makeIncidentWatch(call) {
    let asked = null;
    return async (state) => {
        const newest = state.notices.find(({ kind }) => NEWS.includes(kind));
        // What was called off elsewhere while there was no connection is asked for again.
        if (!isLive(state)) asked = null;
        if (!newest || !isLive(state) || newest.id === asked) return;
        asked = newest.id;
        try {
            const { incidents } = await call("incident.list", { limit: 1 });
            const incident = incidents.find(({ status }) => status !== "closed") ?? null;
            store.change((changed) => { changed.incident = incident; });
        } catch {
            asked = null;
        }
    };
}

/// What dispatch has said to a call because of my vital signs: lines `{text,kind?}`.
///
/// - Parameter assistedAt: since when my groups know that help is on the way; undefined: they do not.
export function dispatchWords(incident, assistedAt) {
    const answer = incident?.events?.findLast(({ event }) => event === "acknowledged");
    const at = incident?.status === "acknowledged" ? answer?.at : assistedAt;
    if (at) return [{ text: t("Dispatch says that help is on the way, {time}.", { time: moment(at) }) }];
    if (!incident) return [];
    return [{
        text: incident.events?.at(-1)?.event === "refused"
            ? t("Dispatch has refused, and is being called again.")
            : t("Dispatch is being called, and has not answered yet."),
    }];
}
