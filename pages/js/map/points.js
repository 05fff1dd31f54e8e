/// A long press on the map, a right click, or Enter on it, says what can be done at that point.

import { showSpot } from "../search/spot.js";

/// A browser may report a key as a press of the menu's button as well.
const ECHO_MS = 200;

export function offerPoints(app) {
    const { map } = app;
    const element = map.getContainer();
    let keyAt = -ECHO_MS;
    const show = ({ lat, lng }) => showSpot(app, { latitude: lat, longitude: lng });
    const isChoosing = () => element.closest(".shell")?.classList.contains("choosing");
    map.on("contextmenu", ({ latlng, originalEvent }) => {
        originalEvent?.preventDefault();
        if (isChoosing() || performance.now() - keyAt < ECHO_MS) return;
        show(latlng.wrap());
    });
    element.addEventListener("keydown", (event) => {
        if (event.target !== element || isChoosing()) return;
        const isMenu = event.key === "Enter" || event.key === "ContextMenu"
            || (event.key === "F10" && event.shiftKey);
        if (!isMenu) return;
        event.preventDefault();
        keyAt = performance.now();
        show(map.getCenter().wrap());
    });
}
