/// A panel beside the map on a wide screen, and a sheet that can be pulled up on a narrow one.

import { h } from "./dom.js";
import { icon } from "./icons.js";
import { t } from "./language.js";
import { readStored, writeStored } from "./storage.js";

/// As in the styles.
const NARROW = window.matchMedia(
    "(max-width: 599px), (max-width: 899px) and (orientation: portrait)");
const HEIGHTS = { peek: 0, half: 0.46, full: 0.92 };
/// In the page's font size, so that large text has room: the title, and the title with some rows.
const PEEK_REM = 5.25;
const HALF_REM = 14;
const KEY = "kith.sheet";

/// `opened` is called when the list can be seen again.
export function makeSheet(root, app, head, body, { opened = () => {} } = {}) {
    let position = readStored(KEY) === "peek" ? "peek" : "half";
    let isShown = false;
    const pull = h("button", {
        type: "button", class: "sheet-pull", "aria-label": t("Larger or smaller list"),
        onclick: () => set(position === "peek" ? "half" : position === "half" ? "full" : "peek"),
    }, h("span", { class: "sheet-bar" }), icon("chevron", 18));
    const header = h("div", { class: "sheet-head" }, head);
    const content = h("div", { class: "sheet-body panel" }, body);
    const element = h("div", { class: "sheet" }, pull, header, content);
    root.append(element);

    function height(name) {
        const room = root.clientHeight || window.innerHeight;
        const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
        const full = Math.round(room * HEIGHTS.full);
        if (name === "peek") return Math.min(full, Math.round(PEEK_REM * rem));
        if (name === "full") return full;
        // If banners leave little room, the map keeps half of it.
        const least = Math.min(Math.round(HALF_REM * rem), Math.round(room / 2));
        return Math.max(least, Math.round(room * HEIGHTS.half));
    }

    function set(name) {
        position = name;
        writeStored(KEY, name);
        apply();
        if (name !== "peek") opened();
    }

    function apply() {
        const isNarrow = NARROW.matches;
        element.dataset.position = position;
        pull.setAttribute("aria-expanded", String(position !== "peek"));
        content.inert = isNarrow && position === "peek";
        element.style.height = isNarrow ? `${height(position)}px` : "";
        const covered = isNarrow && isShown ? height(position === "full" ? "half" : position) : 0;
        app.people?.setInsets({
            bottom: covered, isCovered: isNarrow && isShown && position === "full",
        });
        document.documentElement.style.setProperty("--covered", `${covered}px`);
    }

    let drag = null;
    for (const part of [pull, header]) {
        part.addEventListener("pointerdown", (event) => {
            const isControl = event.target.closest("button:not(.sheet-pull), a, select");
            if (!NARROW.matches || isControl) return;
            drag = { y: event.clientY, height: element.offsetHeight, isMoved: false };
            part.setPointerCapture(event.pointerId);
        });
        part.addEventListener("pointermove", (event) => {
            if (!drag) return;
            const way = drag.y - event.clientY;
            if (Math.abs(way) < 6 && !drag.isMoved) return;
            drag.isMoved = true;
            element.classList.add("dragged");
            const target = Math.min(height("full"), Math.max(height("peek"), drag.height + way));
            element.style.height = `${target}px`;
        });
        const end = () => {
            if (!drag) return;
            const { isMoved } = drag;
            drag = null;
            element.classList.remove("dragged");
            if (!isMoved) return;
            const now = element.offsetHeight;
            set(Object.keys(HEIGHTS).reduce((best, name) =>
                Math.abs(height(name) - now) < Math.abs(height(best) - now) ? name : best, "peek"));
            suppressClick();
        };
        part.addEventListener("pointerup", end);
        part.addEventListener("pointercancel", end);
    }

    function suppressClick() {
        const stop = (event) => {
            event.stopPropagation();
            event.preventDefault();
        };
        pull.addEventListener("click", stop, { capture: true, once: true });
        setTimeout(() => pull.removeEventListener("click", stop, { capture: true }), 50);
    }

    const observer = new ResizeObserver(apply);
    return {
        /// Whether the list is visible: covered rows need not be drawn.
        get isOpen() { return !NARROW.matches || position !== "peek"; },
        /// Lowers the sheet so that the map's content is visible.
        makeRoom() {
            if (NARROW.matches && position === "full") set("half");
        },
        /// Raises the sheet so that the list shows the person chosen on the map.
        open() {
            if (NARROW.matches && position === "peek") set("half");
        },
        /// Raises the sheet fully, for a form.
        grow() {
            if (NARROW.matches) set("full");
        },
        show() {
            isShown = true;
            observer.observe(root);
            apply();
        },
        hide() {
            isShown = false;
            observer.disconnect();
            apply();
        },
    };
}
