/// Listens for as long as an element is on the page.

import { t } from "./language.js";
import { store } from "./store.js";

/// Calls `update` now, after each change of the store, and every `ms` milliseconds if given. Ends
/// when the element has been removed from the page.
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

/// A failure in words for the user.
export function wordsOf(error) {
    return error?.message || t("That did not work.");
}
