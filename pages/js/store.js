/// What the page knows, in one place. Views read it and listen; nobody else keeps a copy.

import { readStored, writeStored } from "./storage.js";

const GROUP_KEY = "kith.group";

function empty() {
    return {
        /// `{user,device,root,demo}`, or null: a visitor.
        me: null,
        /// What the server says of itself: `{version,demo,tiles,broker}`.
        config: null,
        /// group → `{group,name,members:[{user,name}],states,paths,alerts,chat,…}`.
        groups: new Map(),
        /// The chosen one.
        group: null,
        notices: [],
        /// Friends who show me where they are: user → fix.
        locations: new Map(),
        connection: "waiting",
        /// When the server was last heard, by its own clock.
        heardAt: null,
        /// My own newest fix, from this device, sent or not.
        position: null,
        /// The member that is looked at on the map, and the one whom the map follows.
        selected: null,
        followed: null,
        /// Whether alerts and chats of the past are there.
        isLoaded: false,
    };
}

/// A group, before anything is known of it but its name.
export function newGroup(group, name) {
    return {
        group,
        name,
        members: [],
        states: new Map(),
        paths: new Map(),
        alerts: new Map(),
        /// The `before` of the next older page of the alerts; null at the end.
        alertsNext: undefined,
        chat: new Map(),
        /// The ids of the oldest that were heard as they happened.
        news: { alerts: null, chat: null },
        /// The `before` of the next older page of the chat; null at the end, undefined: not asked.
        chatNext: undefined,
    };
}

/// A group of many brings many changes a second; nobody sees more than a few.
const PAUSE_MS = 150;

const listeners = new Set();
/// Those who listen as long as the page is open, whoever is logged in.
const lasting = new Set();
let isScheduled = false;
let toldAt = -PAUSE_MS;

function schedule() {
    if (isScheduled) return;
    isScheduled = true;
    const wait = toldAt + PAUSE_MS - performance.now();
    if (wait <= 0) queueMicrotask(tell);
    else setTimeout(tell, wait);
}

function tell() {
    isScheduled = false;
    for (const listener of [...lasting, ...listeners]) {
        // One view that fails does not keep the others from showing what they can.
        try {
            listener(store.state);
        } catch (error) {
            reportError(error);
        }
    }
    toldAt = performance.now();
}

export const store = {
    state: empty(),

    /// Calls `listener(state)` soon after changes, once for all that happen together.
    listen(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
    },

    /// The same, and `clear` does not end it.
    listenAlways(listener) {
        lasting.add(listener);
    },

    change(mutator) {
        mutator(store.state);
        schedule();
    },

    /// Forgets everything about a person, and the views that listened; the configuration stays.
    clear() {
        listeners.clear();
        const config = store.state.config;
        store.change((state) => Object.assign(state, empty(), { config }));
    },
};

/// Looks at this group from now on, also after a reload.
export function chooseGroup(group) {
    writeStored(GROUP_KEY, group);
    store.change((state) => Object.assign(state, { group, selected: null }));
}

/// The group that was chosen last in this browser, or null.
export const lastGroup = () => readStored(GROUP_KEY);

/// Whether the line is up: what is shown is what the server knows now.
export function isLive({ connection } = store.state) {
    return connection === "live" && navigator.onLine;
}

/// The chosen group, or null.
export function chosenGroup(state = store.state) {
    return state.groups.get(state.group) ?? null;
}

/// How somebody is called, as far as the page knows.
export function nameOf(user, state = store.state) {
    for (const group of state.groups.values()) {
        const name = group.members.find((member) => member.user === user)?.name;
        if (name) return name;
    }
    return state.locations.get(user)?.name ?? user;
}
