/// The next action offered in an empty view.

import { h, toggle, write } from "./dom.js";
import { t } from "./language.js";
import { store } from "./store.js";

/// A button in an empty view: make a group, invite someone, or the view's own action.
///
/// - Parameter otherwise: `{words,href}` for users in a group with others; null: nothing.
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

/// `{words,href}`; null for users in a group with others, and while that is not known.
function nextThing({ groups, isLoaded }) {
    if (!isLoaded) return null;
    if (groups.size === 0) return { words: t("Make a group"), href: "#group" };
    const isAlone = [...groups.values()].every(({ members }) => members.length === 1);
    return isAlone ? { words: t("Invite someone"), href: "#group" } : null;
}
