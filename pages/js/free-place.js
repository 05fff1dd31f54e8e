/// Finds a place on the page where a box covers nothing that people read first or are about to press.

/// In pixels: between the places tried, and around elements that must stay free.
const STEP = 8;
const MARGIN = 4;
/// Elements to be read, which outweigh those to be pressed if not all of them can stay free.
const READ = "h1, h2, strong[role=alert], .own-sos p, .sos-banner p, .person-marker .disc, "
    + ".person-marker .tag, .crowd-marker, .connection, dialog";
const PRESSED = [
    "button", "a[href]", "input", "select", "textarea", "summary", ".own-sos", ".sos-banner",
    ".sheet-head",
].join();
const WEIGHT = 10;

/// Boxes of the visible parts of elements that must stay free, with their `weight`.
///
/// - Parameter except: an element whose own parts do not count.
export function takenBoxes(except, root = document) {
    return [[READ, WEIGHT], [PRESSED, 1]].flatMap(([query, weight]) => [...root.querySelectorAll(query)]
        .filter((each) => !except.contains(each) && each.checkVisibility({ visibilityProperty: true }))
        .map((each) => ({ ...seenOf(each), weight }))
        .filter(({ left, top, right, bottom }) => right > left && bottom > top));
}

/// The part of an element that the window and scrolling boxes leave visible.
function seenOf(element) {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    let box = { left, top, right, bottom };
    for (let each = element.parentElement; each; each = each.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(each);
        if (overflowX === "visible" && overflowY === "visible") continue;
        box = common(box, each.getBoundingClientRect());
    }
    return common(box, { left: 0, top: 0, right: innerWidth, bottom: innerHeight });
}

function common(a, b) {
    return {
        left: Math.max(a.left, b.left), top: Math.max(a.top, b.top),
        right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom),
    };
}

/// The first free place in `area`, from its top, tried in the middle and at both sides; if there is
/// none, the one that covers the least, with `isFree` false.
///
/// - Parameters:
///   - area: `{left,top,right,bottom}`.
///   - size: `{width,height}`.
/// - Returns: `{left,top,isFree}`.
export function freePlace(area, { width, height }, taken) {
    const [first, last] = [area.left, Math.max(area.left, area.right - width)];
    const columns = [(first + last) / 2, first, last];
    let best = null;
    for (let top = area.top; top + height <= area.bottom || !best; top += STEP) {
        for (const left of columns) {
            const box = {
                left: left - MARGIN, top: top - MARGIN,
                right: left + width + MARGIN, bottom: top + height + MARGIN,
            };
            const covered = taken.reduce((sum, each) =>
                sum + areaOf(common(box, each)) * (each.weight ?? 1), 0);
            if (covered === 0) return { left, top, isFree: true };
            if (!best || covered < best.covered) best = { left, top, covered };
        }
    }
    return { left: best.left, top: best.top, isFree: false };
}

function areaOf({ left, top, right, bottom }) {
    return Math.max(0, right - left) * Math.max(0, bottom - top);
}
