/// The page's state, in one place. Views read it and listen to it, and keep no copies.

import { readStored, writeStored } from "./storage.js";

const GROUP_KEY = "kith.group";

function empty() {
    return {
        /// `{user,device,root,demo}`, or null for a visitor.
        me: null,
        /// The server's configuration: `{version,root,demo,tiles,broker}`.
        config: null,
        /// group → `{group,name,members:[{user,name}],observers:[{observer,name,by,since}],states,paths,alerts,chat,…}`.
        groups: new Map(),
        /// The chosen group.
        group: null,
        /// The token of an invitation that the person has accepted by logging in.
        joining: null,
        /// The call to dispatch because of my vital signs, as in `incident.list`, while it is open.
        incident: null,
        /// The newest first.
        notices: [],
        /// The `before` of the next older page of notices; null at the end, undefined: not
        /// requested.
        noticesNext: undefined,
        unreadNotices: 0,
        /// The channels that reach the members of my groups, as the service reported: group →
        /// `{at,ways}`, `ways`: user → `[{by,workedAt?,failing?}]`.
        reached: new Map(),
        /// Friends who share their position with me: user → fix.
        locations: new Map(),
        /// Their pictures: user → digest, or undefined.
        pictures: new Map(),
        connection: "waiting",
        /// The time of the last contact with the server, by its own clock.
        heardAt: null,
        /// My own newest fix, from this device, sent or not.
        position: null,
        /// The member selected on the map, and the member the map follows.
        selected: null,
        followed: null,
        /// Places of mine and of my groups, and the rules about them that concern me; null: not read
        /// yet.
        geofences: null,
        rules: null,
        /// The person's destination, `{latitude,longitude,name}`, until the journey form has used
        /// it.
        destination: null,
        /// Whether the history of alerts and chats is loaded.
        isLoaded: false,
    };
}

/// A group of which only the name is known.
export function newGroup(group, name) {
    return {
        group,
        name,
        members: [],
        observers: [],
        states: new Map(),
        paths: new Map(),
        alerts: new Map(),
        /// The `before` of the next older page of alerts; null at the end.
        alertsNext: undefined,
        chat: new Map(),
        /// The ids of the oldest entries received live.
        news: { alerts: null, chat: null },
        /// The `before` of the next older page of the chat; null at the end, undefined: not
        /// requested.
        chatNext: undefined,
    };
}

/// A large group causes many changes a second; people perceive only a few.
const PAUSE_MS = 150;

const listeners = new Set();
/// Listeners for the lifetime of the page, across logins.
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
        // A view that fails must not keep the others from updating.
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

    /// Calls `listener(state)` soon after changes, once for changes that happen together.
    listen(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
    },

    /// The same, except that `clear` does not end it.
    listenAlways(listener) {
        lasting.add(listener);
    },

    change(mutator) {
        mutator(store.state);
        schedule();
    },

    /// Forgets everything about a person, and the views' listeners; the configuration stays.
    clear() {
        listeners.clear();
        const config = store.state.config;
        store.change((state) => Object.assign(state, empty(), { config }));
    },
};

/// Selects a group; kept across reloads.
export function chooseGroup(group) {
    writeStored(GROUP_KEY, group);
    store.change((state) => Object.assign(state, { group, selected: null }));
}

/// The group last chosen in this browser, or null.
export const lastGroup = () => readStored(GROUP_KEY);

/// Whether the connection is up, so that what is shown is current.
export function isLive({ connection } = store.state) {
    return connection === "live" && navigator.onLine;
}

/// The chosen group, or null.
export function chosenGroup(state = store.state) {
    return state.groups.get(state.group) ?? null;
}

/// A user's name, as far as the page knows.
export function nameOf(user, state = store.state) {
    for (const group of state.groups.values()) {
        const name = group.members.find((member) => member.user === user)?.name;
        if (name) return name;
    }
    return state.locations.get(user)?.name ?? user;
}
