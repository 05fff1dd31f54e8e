/// Icons of 24 × 24, in the colour of the surrounding text. They are hidden from screen readers,
/// which read the words beside them.

import { svg } from "./dom.js";

const drawings = {
    map: "M9 4 3.5 6.2v13.6L9 17.6m0-13.6 6 2.4m-6-2.4v13.6m6-11.2 5.5-2.2v13.6L15 20m0-13.6V20m0 0-6-2.4",
    bell: "M6 16.5V11a6 6 0 1 1 12 0v5.5l1.5 2h-15zM10 21h4",
    chat: "M4 5h16v11H11l-4.5 4v-4H4z",
    people: "M9 11a3.2 3.2 0 1 0 0-6.4A3.2 3.2 0 0 0 9 11zm-6 8.5c0-3.3 2.7-5.5 6-5.5s6 2.2 6 5.5M16 5a3 3 0 0 1 0 5.8M17.5 14.3c2.1.7 3.5 2.6 3.5 5.2",
    person: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zm-7.5 8c0-3.7 3.3-6 7.5-6s7.5 2.3 7.5 6",
    gear: "M5 7h8m6 0h0M5 17h0m6 0h8M16 9.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zm-8 10a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z",
    pin: "M12 21c-4-4.5-6.5-7.9-6.5-11a6.5 6.5 0 1 1 13 0c0 3.1-2.5 6.5-6.5 11zm0-8.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z",
    search: "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zm4.7-1.8L20 20",
    fit: "M4 9V4h5m6 0h5v5m0 6v5h-5M9 20H4v-5",
    follow: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zm0-6v4m0 12v4M2 12h4m12 0h4",
    download: "M12 4v11m-4.5-4L12 15.5 16.5 11M5 20h14",
    send: "M4 12 20 4l-5 16-3.5-6.5z",
    close: "M6 6l12 12M18 6 6 18",
    chevron: "M6 15l6-6 6 6",
    flag: "M6 21V4m0 0c4-2 7 2 12 0v9c-5 2-8-2-12 0",
    check: "M5 12.5l4.5 4.5L19 7",
    sound: "M4 9.5v5h3.5L12 19V5L7.5 9.5zM16 9a4 4 0 0 1 0 6m2.5-8.5a8 8 0 0 1 0 11",
    mute: "M4 9.5v5h3.5L12 19V5L7.5 9.5zM16 9.5l5 5m0-5-5 5",
    plus: "M12 5v14M5 12h14",
    warning: "M12 4 2.5 20h19zM12 10v4.5m0 2.2v.3",
    phone: "M6.5 3.5h3l1.5 4.5-2 1.5a12 12 0 0 0 5.5 5.5l1.5-2 4.5 1.5v3a2 2 0 0 1-2.2 2A16.5 16.5 0 0 1 4.5 5.7a2 2 0 0 1 2-2.2z",
    clock: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 4.5V12l3 2",
    eye: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6z",
};

export function icon(name, size = 24) {
    return svg("svg", {
        viewBox: "0 0 24 24", width: size, height: size, fill: "none", stroke: "currentColor",
        "stroke-width": 1.8, "stroke-linecap": "round", "stroke-linejoin": "round",
        "aria-hidden": "true", focusable: "false", class: "icon",
    }, svg("path", { d: drawings[name] }));
}

/// The two rings of Kith.
export function logo(size = 32) {
    return svg("svg", { viewBox: "0 0 32 32", width: size, height: size, "aria-hidden": "true" },
        svg("rect", { width: 32, height: 32, rx: 9, class: "logo-ground" }),
        svg("circle", { cx: 12, cy: 14, r: 6, class: "logo-ring" }),
        svg("circle", { cx: 20, cy: 18, r: 6, class: "logo-ring second" }));
}
