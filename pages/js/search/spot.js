/// A point found or pressed on the map, and the actions there.

import * as L from "/leaflet/leaflet.esm.js";
import { h, write } from "../dom.js";
import { coordinates } from "../format.js";
import { icon } from "../icons.js";
import { t } from "../language.js";
import { openSavePlace } from "./save-place.js";

/// In pixels, between the point and its card.
const MARGIN = 24;

/// Removes the shown card.
let end = null;

/// - Parameter place: `{latitude,longitude,name?,link?}`.
export function showSpot(app, place) {
    end?.();
    const { map } = app;
    const at = [place.latitude, place.longitude];
    const mark = L.circleMarker(at, {
        radius: 9, className: "spot-mark", interactive: false,
    }).addTo(map);
    const before = document.activeElement;
    const title = h("h2", { class: "break", dir: "auto" }, place.name ?? t("This point"));
    const facts = h("p", { class: "small muted" }, coordinates(place));
    const demo = app.store.state.me?.demo === true;
    const button = (words, onclick, kind = "") => h("button", {
        type: "button", class: `button ${kind}`, onclick,
    }, words);
    const first = button(t("Journey here"), () => {
        close({ isMoved: true });
        app.planJourney(place);
    }, "primary");
    const element = h("section", { class: "place-box card spot", "aria-label": t("A point on the map") },
        h("div", { class: "row" }, h("div", { class: "grow" }, title, facts),
            h("button", {
                type: "button", class: "icon-button", "aria-label": t("Close"), onclick: () => close(),
            }, icon("close", 20))),
        h("div", { class: "spot-actions" }, first,
            place.link
                ? h("a", { class: "button", href: place.link, onclick: () => close({ isMoved: true }) },
                    t("Details"))
                : demo ? null : button(t("Save place"), () => openSavePlace(app, place,
                    (found) => showSpot(app, { ...place, ...found }))),
            button(t("Copy coordinates"), () => copy(app, place))));
    map.getContainer().parentElement.append(element);
    app.sheet?.makeRoom();
    uncover();
    first.focus({ preventScroll: true });
    if (!place.name) nameIt();

    /// Moves the map where the card would hide the point.
    function uncover() {
        const top = element.getBoundingClientRect().top - map.getContainer().getBoundingClientRect().top;
        const { y } = map.latLngToContainerPoint(at);
        if (y > top - MARGIN) map.panBy([0, y - Math.max(top - 2 * MARGIN, MARGIN)]);
    }

    /// In words, if this page has a gazetteer.
    async function nameIt() {
        try {
            const { placeName } = await import("../gazetteer.js");
            const name = await placeName(place);
            if (name) write(title, name);
        } catch {
            // The coordinates are enough.
        }
    }

    const escaped = (event) => {
        if (event.key === "Escape" && !document.querySelector("dialog[open]")) close();
    };
    const gone = () => close({ isMoved: true });
    document.addEventListener("keydown", escaped);
    window.addEventListener("hashchange", gone);
    map.on("unload", gone);

    /// - Parameter isMoved: whether the focus moves elsewhere.
    function close({ isMoved = false } = {}) {
        end = null;
        document.removeEventListener("keydown", escaped);
        window.removeEventListener("hashchange", gone);
        map.off("unload", gone);
        const hadFocus = element.contains(document.activeElement);
        element.remove();
        mark.remove();
        if (!isMoved && hadFocus && before?.isConnected) before.focus({ preventScroll: true });
    }
    end = () => close({ isMoved: true });
}

/// In the format other programs accept.
async function copy(app, { latitude, longitude }) {
    const text = `${latitude.toFixed(6)}, ${longitude.toFixed(6)}`;
    try {
        await navigator.clipboard.writeText(text);
        app.say(t("Copied: {text}", { text }), "good");
    } catch {
        // The browser allows it only on a secure page, or not at all.
        app.say(t("Copying is not possible here. Coordinates: {text}.", { text }), "warning");
    }
}
