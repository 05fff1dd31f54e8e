/// Detection of covered elements on a page.

const WANTED = "h1, dialog h2, .own-sos strong, .sos-banner strong, button, a[href], input, select, textarea, "
    + ".person-marker .disc, .crowd-marker";
/// Where a box is probed, as fractions of its size.
const POINTS = [[0.5, 0.5], [0.2, 0.5], [0.8, 0.5], [0.5, 0.2], [0.5, 0.8]];
/// An element with less than this visible is scrolled away.
const LEAST = 4;

/// A sentence for each headline, control or person visible in the window that is covered or reaches
/// beyond its sides.
export function problems(document) {
    const { innerWidth } = document.defaultView;
    const root = document.querySelector("dialog[open]") ?? document;
    const found = [];
    for (const element of root.querySelectorAll(WANTED)) {
        if (!isMeant(element)) continue;
        const box = seenOf(element);
        const [width, height] = [box.right - box.left, box.bottom - box.top];
        if (width < LEAST || height < LEAST) continue;
        for (const [x, y] of POINTS) {
            const above = document.elementFromPoint(box.left + width * x, box.top + height * y);
            if (mayBeAbove(element, above)) continue;
            found.push(`${nameOf(element)} is under ${nameOf(above)}`);
            break;
        }
        const { left, right } = element.getBoundingClientRect();
        if (!element.closest(".map-area") && (left < -1 || right > innerWidth + 1)) {
            found.push(`${nameOf(element)} reaches from ${left} to ${right}`);
        }
    }
    return found;
}

/// A sentence for each caller who is not fully visible, also as the face of a crowd.
export function hiddenCalls(document) {
    return hidden(document, ".person-marker[data-state=sos] .disc, .crowd-marker[data-state=sos]");
}

/// The same for everything on the map that matches; there must be at least one.
export function hidden(document, query) {
    const map = document.querySelector(".map").getBoundingClientRect();
    const sheet = [...document.querySelectorAll(".sheet")]
        .find((each) => each.checkVisibility()
            && document.defaultView.getComputedStyle(each).position === "absolute");
    const floor = sheet ? sheet.getBoundingClientRect().top : map.bottom;
    const marks = [...document.querySelectorAll(query)].filter((each) => each.checkVisibility());
    const out = marks.map((each) => each.getBoundingClientRect())
        // Elements far outside are drawn without a size.
        .filter(({ left, top, right, bottom, width }) => width === 0
            || left < map.left || right > map.right || top < map.top || bottom > floor)
        .map((box) => `${query} is at ${JSON.stringify(box)}, the map from ${map.top} to ${floor}`);
    return marks.length ? out : [`There is no ${query}`];
}

function isMeant(element) {
    if (element.closest(".skip, [inert]")) return false;
    return element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
}

function mayBeAbove(element, above) {
    if (!above || element.contains(above) || above.contains(element)) return true;
    // Two people in one place, and the sheet, which is where the map ends.
    const isPerson = element.closest(".person-icon");
    return Boolean(isPerson && above.closest(".person-icon, .sheet"));
}

/// The part of an element that the window and scrolling boxes leave visible.
function seenOf(element) {
    const { getComputedStyle, innerWidth, innerHeight } = element.ownerDocument.defaultView;
    const box = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    for (let each = element; each; each = each.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(each);
        if (each !== element && overflowX === "visible" && overflowY === "visible") continue;
        const { left, top, right, bottom } = each.getBoundingClientRect();
        box.left = Math.max(box.left, left);
        box.top = Math.max(box.top, top);
        box.right = Math.min(box.right, right);
        box.bottom = Math.min(box.bottom, bottom);
    }
    return box;
}

function nameOf(element) {
    const words = element.getAttribute("aria-label") || element.textContent.trim();
    return `${element.tagName.toLowerCase()}.${[...element.classList].join(".")} “${words.slice(0, 30)}”`;
}
