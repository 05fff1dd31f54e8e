/// The summary of a place in a line: its kind, whether it is open, and its distance.

import { h, replace } from "../dom.js";
import { metresBetween } from "../geodesy.js";
import { distance } from "../format.js";
import { store } from "../store.js";
import { kindWords, openWords } from "./words.js";

/// Writes them into an element, if they have changed.
export function placeFacts(element, place, now) {
    const kind = kindWords(place.kind);
    const open = openWords(place, now);
    const far = distanceWords(place);
    const line = [kind, open.text, far].filter(Boolean).join(" · ");
    if (element.textContent === line) return;
    replace(element, kind && h("span", null, `${kind} · `), h("span", { class: open.tone }, open.text),
        far && h("span", { class: "nowrap" }, ` · ${far}`));
}

/// The straight-line distance from here, if the position is known.
function distanceWords(place) {
    const { position } = store.state;
    return position ? distance(metresBetween(position, place)) : "";
}
