/// The call to dispatch because of my vital signs, while it is open: people without a group learn its
/// outcome only from it.

import { moment } from "../format.js";
import { t } from "../language.js";
import { isLive, store } from "../store.js";

/// The notices after which it is queried again.
const NEWS = ["help-called", "help-acknowledged", "help-closed", "help-unanswered", "help-called-off"];

/// Keeps `state.incident` up to date. Call it with every state change.
export function makeIncidentWatch(call) {
    let asked = null;
    return async (state) => {
        const newest = state.notices.find(({ kind }) => NEWS.includes(kind));
        // It may have been cancelled elsewhere while there was no connection: query it again.
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

/// Dispatch's answer to a call because of my vital signs: lines `{text,kind?}`.
///
/// - Parameter assistedAt: since when my groups know that dispatch has answered; undefined: they do not.
export function dispatchWords(incident, assistedAt) {
    const answer = incident?.events?.findLast(({ event }) => event === "acknowledged");
    const at = incident?.status === "acknowledged" ? answer?.at : assistedAt;
    if (at) return [{ text: t("Dispatch has answered, {time}.", { time: moment(at) }) }];
    if (!incident) return [];
    return [{
        text: incident.events?.at(-1)?.event === "refused"
            ? t("Dispatch has refused, and is being called again.")
            : t("Dispatch is being called, and has not answered yet."),
    }];
}
