/// Prints and parses topics by the patterns of the contract.

import { TOPICS } from "./contract.js";
import { store } from "./store.js";

const PATTERNS = Object.entries(TOPICS).map(([kind, text]) => [kind, text.split("/")]);

/// `topicOf("location", {user})`: below the root of the installation.
export function topicOf(kind, names) {
    const levels = TOPICS[kind].split("/").map((level) => names[nameOf(level)] ?? level);
    return `${root()}/${levels.join("/")}`;
}

/// `{kind,…}` with the names in a received topic; null for one that the page does not know.
export function readTopic(topic) {
    const above = `${root()}/`;
    if (!topic.startsWith(above)) return null;
    const levels = topic.slice(above.length).split("/");
    for (const [kind, pattern] of PATTERNS) {
        const names = match(pattern, levels);
        if (names) return { kind, ...names };
    }
    return null;
}

/// The topic root of the installation, also available without login.
function root() {
    return store.state.me?.root ?? store.state.config.root;
}

function match(pattern, levels) {
    if (pattern.length !== levels.length) return null;
    const names = {};
    for (const [place, level] of levels.entries()) {
        const name = nameOf(pattern[place]);
        if (name && level) names[name] = level;
        else if (level !== pattern[place]) return null;
    }
    return names;
}

/// `user` of `{user}`.
function nameOf(level) {
    return level.startsWith("{") ? level.slice(1, -1) : null;
}
