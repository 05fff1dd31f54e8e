/// Messages to the user for a few seconds. They move nothing, and are placed where they cover no
/// headline, no control and no one on the map; if there is no such place, covered elements can be
/// pressed through them.

import { h } from "./dom.js";
import { freePlace, takenBoxes } from "./free-place.js";
import { t } from "./language.js";
import { icon } from "./icons.js";

const TOAST_MS = 5_000;
/// More would leave too little of a small screen.
const MOST_TOASTS = 2;
/// How often to check that a shown message's place is still free.
const LOOK_MS = 500;
/// From the edges of the window.
const MARGIN = 12;

let looking = null;

/// Shows a message; `kind`: `info`, `good`, `warning` or `error`.
export function say(text, kind = "info") {
    const place = document.getElementById("toasts");
    const toast = h("div", { class: `toast ${kind}` },
        h("span", null, text),
        h("button", {
            type: "button", class: "icon-button", "aria-label": t("Dismiss"),
            onclick: () => remove(toast),
        }, icon("close", 20)));
    place.append(toast);
    setTimeout(() => remove(toast), kind === "error" ? TOAST_MS * 2 : TOAST_MS);
    while (place.children.length > MOST_TOASTS) {
        // Errors stay the longest.
        (place.querySelector(".toast:not(.error, :last-child)") ?? place.firstChild).remove();
    }
    look(place);
    looking ??= setInterval(() => look(place), LOOK_MS);
}

function remove(toast) {
    toast.remove();
    look(document.getElementById("toasts"));
}

function find(place, taken) {
    return freePlace({
        left: MARGIN, top: MARGIN, right: innerWidth - MARGIN, bottom: innerHeight - MARGIN,
    }, place.getBoundingClientRect(), taken);
}

/// Puts them all in one free place, unless the current one is still free.
function look(place) {
    if (!place?.firstChild) {
        clearInterval(looking);
        looking = null;
        return;
    }
    const taken = takenBoxes(place);
    const now = place.getBoundingClientRect();
    if (place.dataset.placed === "free" && freePlace(now, now, taken).isFree) return;
    place.dataset.placed = "free";
    let found = find(place, taken);
    if (!found.isFree) {
        // Then only the newest.
        place.dataset.placed = "over";
        found = find(place, taken);
    }
    const { left, top } = found;
    place.style.insetInlineStart = "auto";
    place.style.left = `${Math.round(left)}px`;
    place.style.top = `${Math.round(top)}px`;
}
