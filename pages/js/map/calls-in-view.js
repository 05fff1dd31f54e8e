/// Keeps people in an SOS on the visible map, with me, until the user moves the map.

import { metresBetween } from "../geodesy.js";
import { ownPosition } from "../help/where.js";
import { sosRequest } from "../sos-request.js";
import { emergencyOf } from "../sos-state.js";
import { chosenGroup } from "../store.js";

/// Farther away, showing me as well would show too little of where they are.
const TOGETHER_M = 50_000;
/// The map is not moved for this long after a finger or the mouse was on it,
const CALM_MS = 1_000;
/// but not longer than this.
const LONGEST_MS = 4_000;

const NOBODY = { key: "", fixes: [], near: [] };

/// The people the map must show because of calls for help, `{key,fixes,near}`: others in the chosen
/// group, with me near them; without any, my own call, sent or not, with the people near me who are
/// coming. `key` names the callers; "": no one.
export function callsOf(state) {
    const members = [...chosenGroup(state)?.states.values() ?? []];
    const me = state.me?.user;
    const calls = members.filter((member) => member.state === "sos" && member.fix);
    const others = calls.filter(({ user }) => user !== me);
    const mine = ownPosition(state);
    if (others.length > 0) {
        const isNear = mine && others.some(({ fix }) => metresBetween(mine, fix) < TOGETHER_M);
        return { key: keyOf(others), fixes: others.map(({ fix }) => fix), near: isNear ? [mine] : [] };
    }
    const own = emergencyOf(me, state);
    const isCalling = own || ["calling", "on"].includes(sosRequest.current.phase);
    const fix = isCalling && (mine ?? own?.fix);
    if (!fix) return NOBODY;
    const coming = (own?.responses ?? []).filter(({ kind }) => kind === "coming")
        .map(({ user }) => members.find((member) => member.user === user)?.fix)
        .filter((each) => each && metresBetween(each, fix) < TOGETHER_M);
    return { key: me, fixes: [fix], near: coming };
}

const keyOf = (members) => members.map(({ user }) => user).sort().join(" ");

/// `planOf(fixes, near)`, `isShown(plan)` and `show(plan)` as in `fitting.js`.
export function makeCallsInView(map, { planOf, isShown, show }) {
    const element = map.getContainer();
    let calls = NOBODY;
    let isHeld = false;
    /// Whether they must be shown in any case: a map of the world also contains them.
    let isNew = false;
    let isFitting = false;
    let touchedAt = -Infinity;
    let wantedAt = null;
    let timer = null;

    function look() {
        clearTimeout(timer);
        timer = null;
        if (!isHeld || (!isNew && isShown(plan()))) {
            wantedAt = null;
            return;
        }
        const now = performance.now();
        wantedAt ??= now;
        if (now - touchedAt < CALM_MS && now - wantedAt < LONGEST_MS) {
            timer = setTimeout(look, CALM_MS);
            return;
        }
        wantedAt = null;
        fitNow();
    }

    const plan = () => planOf(calls.fixes, calls.near);

    function fitNow() {
        isNew = false;
        isFitting = true;
        show(plan());
        isFitting = false;
    }

    const touched = () => { touchedAt = performance.now(); };
    const moved = () => { isHeld &&= isFitting; };
    // With the layout: the banner makes the map smaller.
    const laidOut = () => { timer ??= setTimeout(look); };
    for (const kind of ["pointerdown", "pointermove", "wheel"]) {
        element.addEventListener(kind, touched, { passive: true });
    }
    map.on("movestart", moved).on("resize", laidOut);

    return {
        get isHeld() { return isHeld; },

        update(next) {
            const before = new Set(calls.key.split(" "));
            // A call that has ended moves nothing.
            if (next.key.split(" ").some((user) => user && !before.has(user))) isHeld = isNew = true;
            if (!next.key) isHeld = false;
            calls = next;
            laidOut();
        },

        /// Shows them again; false if that user does not call.
        show(user) {
            if (!calls.key.split(" ").includes(user)) return false;
            isHeld = true;
            fitNow();
            return true;
        },

        laidOut,

        remove() {
            clearTimeout(timer);
            map.off("movestart", moved).off("resize", laidOut);
            for (const kind of ["pointerdown", "pointermove", "wheel"]) {
                element.removeEventListener(kind, touched);
            }
        },
    };
}
