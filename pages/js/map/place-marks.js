/// The marks of places on the map: a pin, a circle for a personal place, and the box of the pressed
/// one.

import * as L from "/leaflet/leaflet.esm.js";
import { serverNow } from "../clock.js";
import { h, toggle, write } from "../dom.js";
import { icon } from "../icons.js";
import { t } from "../language.js";
import { placeFacts } from "../places/facts.js";

const SIZE = 36;
const METRES_PER_DEGREE = 111_195;

/// A pin; `update(place)` with `isMarked`.
export function makePin(layer, select) {
    const name = h("span", { class: "pin-name" });
    const element = h("div", { class: "place-pin", "aria-hidden": "true" },
        h("span", { class: "pin-disc" }, icon("pin", 18)), name);
    const marker = L.marker([0, 0], {
        icon: L.divIcon({
            className: "place-icon", html: element, iconSize: [SIZE, SIZE],
            iconAnchor: [SIZE / 2, SIZE / 2],
        }),
        keyboard: false,
        riseOnHover: true,
    });
    marker.on("click", select);
    return {
        update(place) {
            marker.setLatLng([place.latitude, place.longitude]);
            // Behind all people; the marked one before other pins.
            marker.setZIndexOffset(place.isMarked ? -1000 : -5000);
            element.dataset.place = place.place;
            element.dataset.state = place.state;
            toggle(element, "data-marked", place.isMarked);
            write(name, place.name);
            if (!layer.hasLayer(marker)) marker.addTo(layer);
        },
        remove: () => marker.removeFrom(layer),
    };
}

/// The circle of a place of mine or of a group, with its name.
export function makeCircle(layer) {
    const name = h("span", { class: "circle-name", "aria-hidden": "true" });
    const circle = L.circle([0, 0], { radius: 1, className: "own-circle", interactive: false });
    const label = L.marker([0, 0], {
        icon: L.divIcon({ className: "place-icon", html: name, iconSize: [0, 0] }),
        keyboard: false,
        interactive: false,
        zIndexOffset: -6000,
    });
    return {
        update(place) {
            const at = [place.latitude, place.longitude];
            circle.setLatLng(at).setRadius(place.radius).addTo(layer);
            // At its upper edge, where the place's own pin does not hide it.
            label.setLatLng([place.latitude + place.radius / METRES_PER_DEGREE, place.longitude])
                .addTo(layer);
            write(name, place.name);
        },
        remove() {
            circle.removeFrom(layer);
            label.removeFrom(layer);
        },
    };
}

/// The box of the pressed place.
export function makeBox(close) {
    const name = h("h2", { class: "break" });
    const facts = h("p", { class: "small" });
    const open = h("a", { class: "button primary" }, t("Details"));
    const element = h("section", { class: "place-box card", "aria-label": t("Place"), hidden: true },
        h("div", { class: "row" }, h("div", { class: "grow" }, name, facts),
            h("button", {
                type: "button", class: "icon-button", "aria-label": t("Close"), onclick: close,
            }, icon("close", 20))),
        open);
    return {
        element,
        show(place) {
            element.hidden = !place;
            if (!place) return;
            write(name, place.name);
            placeFacts(facts, place, serverNow());
            toggle(open, "href", `#places/${encodeURIComponent(place.place)}`);
            toggle(open, "aria-label", t("Details of {name}", { name: place.name }));
        },
        focus: () => open.focus({ preventScroll: true }),
    };
}
