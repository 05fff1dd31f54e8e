/// Listens to a part of the store: a large group changes many times a second.

import { isLive, store } from "../store.js";

/// Calls `listener` when the array returned by `pick(state)`, or the connection, has changed.
///
/// - Returns: a function that stops it.
export function onChange(pick, listener) {
    const read = () => [isLive(), ...pick(store.state)];
    let last = read();
    return store.listen(() => {
        const now = read();
        if (now.every((value, place) => value === last[place])) return;
        last = now;
        listener();
    });
}
