/// A long press on the map, a right click, or Enter on it opens the actions for that point.

import { showSpot } from "../search/spot.js";

/// A browser may report the same press or key twice, as that of the menu's button.
const ECHO_MS = 1_000;
const LONG_PRESS_MS = 600;
/// In pixels: a finger that moves farther moves the map.
const STILL = 10;

export function offerPoints(app) {
    const { map } = app;
    const element = map.getContainer();
    let shownAt = -ECHO_MS;
    const isChoosing = () => element.closest(".shell")?.classList.contains("choosing");
    const show = (latlng) => {
        if (isChoosing() || performance.now() - shownAt < ECHO_MS) return;
        shownAt = performance.now();
        const { lat, lng } = latlng.wrap();
        showSpot(app, { latitude: lat, longitude: lng });
    };
    map.on("contextmenu", ({ latlng, originalEvent }) => {
        originalEvent?.preventDefault();
        show(latlng);
    });
    element.addEventListener("keydown", (event) => {
        if (event.target !== element) return;
        const isMenu = event.key === "Enter" || event.key === "ContextMenu"
            || (event.key === "F10" && event.shiftKey);
        if (!isMenu) return;
        event.preventDefault();
        show(map.getCenter());
    });
    onLongPress(element, (event) => show(map.mouseEventToLatLng(event)));
}

/// Not all browsers report a long press of a finger themselves.
function onLongPress(element, pressed) {
    let press = null;
    const end = () => {
        clearTimeout(press?.timer);
        press = null;
    };
    element.addEventListener("pointerdown", (event) => {
        end();
        const isControl = event.target.closest("button, a, .leaflet-control, .leaflet-marker-icon");
        if (event.pointerType !== "touch" || !event.isPrimary || isControl) return;
        press = {
            x: event.clientX, y: event.clientY,
            timer: setTimeout(() => {
                press = null;
                pressed(event);
            }, LONG_PRESS_MS),
        };
    });
    element.addEventListener("pointermove", ({ clientX, clientY }) => {
        if (press && Math.hypot(clientX - press.x, clientY - press.y) > STILL) end();
    });
    for (const kind of ["pointerup", "pointercancel"]) element.addEventListener(kind, end);
}
