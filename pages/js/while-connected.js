/// Listening as long as an element is on the page.

import { store } from "./store.js";

/// Calls `update` now, after each change of the store, and each `ms` if given. It ends by itself
/// when the element has been taken off the page.
export function whileConnected(element, update, { ms = 0, subscriptions = [] } = {}) {
    let wasShown = false;
    const ends = [];
    const check = () => {
        if (wasShown && !element.isConnected) {
            for (const end of ends) end();
            return;
        }
        wasShown ||= element.isConnected;
        update(store.state);
    };
    ends.push(store.listen(check));
    for (const subscribe of subscriptions) ends.push(subscribe(check));
    if (ms) {
        const timer = setInterval(check, ms);
        ends.push(() => clearInterval(timer));
    }
    check();
}

/// The words of a failure, for a person.
export function wordsOf(error) {
    return error?.message || "That did not work.";
}
