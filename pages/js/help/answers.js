/// Helpers' answers to a call: that they have seen it, are coming, or have called the emergency
/// number; including my own.
///
/// In the demo everyone has the same account: a visitor's answers stay in that visitor's tab.

import { problemText } from "../form.js";
import { readStored, writeStored } from "../storage.js";
import { store } from "../store.js";

const KEY = "kith.demo-answers";
const KINDS = ["coming", "called"];

/// The users who have acknowledged an alert.
export function acknowledgedBy(alert, { me } = store.state) {
    if (!me?.demo) return alert.acknowledgedBy;
    const others = alert.acknowledgedBy.filter((user) => user !== me.user);
    return here()[alert.id] ? [...others, me.user] : others;
}

/// Who is coming and who has called, `[{user,name,kind,at}]`, oldest first.
///
/// - Parameter responses: as the service reports them, for each group; several may have the same one.
export function responsesTo({ alerts, responses }, { me } = store.state) {
    const found = new Map();
    for (const response of [...responses ?? [], ...me?.demo ? ownHere(alerts, me) : []]) {
        const { user, kind, at } = response;
        if (!KINDS.includes(kind) || (me?.demo && user === me.user && !response.isHere)) continue;
        const known = found.get(`${kind} ${user}`);
        if (!known || at < known.at) found.set(`${kind} ${user}`, response);
    }
    return [...found.values()].sort((a, b) => (a.at < b.at ? -1 : 1));
}

/// Notifies my groups. `kind`: `seen`, `coming`, `not-coming`, `called`. False if it has
/// failed, which has been shown.
export async function answer(app, { alerts }, kind) {
    const { me } = store.state;
    if (me?.demo) return keepHere(alerts, kind);
    try {
        for (const alert of alerts) {
            if (kind === "seen" && alert.acknowledgedBy.includes(me?.user)) continue;
            const { alert: told } = await app.call("alert.acknowledge", {
                alert: alert.id, ...kind === "seen" ? {} : { kind },
            });
            app.live.apply.alert(told);
        }
        return true;
    } catch (problem) {
        app.say(problemText(problem), "error");
        return false;
    }
}

// MARK: In the demo

/// alert → kind → when.
function here() {
    return readStored(KEY, "sessionStorage") ?? {};
}

function keepHere(alerts, kind) {
    const kept = here();
    for (const { id } of alerts) {
        const said = { seen: new Date().toISOString(), ...kept[id] };
        if (kind.startsWith("not-")) delete said[kind.slice(4)];
        else said[kind] ??= new Date().toISOString();
        kept[id] = said;
    }
    writeStored(KEY, kept, "sessionStorage");
    store.change(() => {});
    return true;
}

function ownHere(alerts, { user }) {
    const kept = here();
    return alerts.flatMap(({ id }) => KINDS.filter((kind) => kept[id]?.[kind])
        .map((kind) => ({ user, name: user, kind, at: kept[id][kind], isHere: true })));
}
