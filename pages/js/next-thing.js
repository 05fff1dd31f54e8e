/// The one thing that somebody can do next where there is nothing to see yet.

import { h, toggle, write } from "./dom.js";
import { t } from "./language.js";
import { store } from "./store.js";

/// A button under the words of an empty view: make a group, invite somebody, or what the view offers by
/// itself.
///
/// - Parameter otherwise: `{words,href}` for whoever is in a group with others; null: nothing.
/// - Returns: `{element,show(isEmpty)}`.
export function makeNextThing(otherwise = null) {
    const link = h("a", { class: "button primary" });
    const element = h("p", { class: "empty-next", hidden: true }, link);
    return {
        element,
        show(isEmpty) {
            const next = isEmpty ? nextThing(store.state) ?? otherwise : null;
            element.hidden = next === null;
            if (next === null) return;
            write(link, next.words);
            toggle(link, "href", next.href);
        },
    };
}

/// `{words,href}`; null for whoever is in a group with others, and as long as that is not known.
function nextThing({ groups, isLoaded }) {
    if (!isLoaded) return null;
    if (groups.size === 0) return { words: t("Make a group"), href: "#group" };
    const isAlone = [...groups.values()].every(({ members }) => members.length === 1);
    return isAlone ? { words: t("Invite somebody"), href: "#group" } : null;
}
