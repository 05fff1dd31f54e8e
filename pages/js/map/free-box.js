/// The part of the map in which a face is fully visible, not covered by anything, including
/// controls.

/// In pixels, how far a face reaches around its place; also a call for help with its rings and
/// name.
export const FACE_REACH = { side: 48, top: 48, bottom: 48 };
export const CALL_REACH = { side: 96, top: 44, bottom: 84 };
/// The same for a face near a call, whose name may be at its side.
export const NEAR_REACH = { side: 48, top: 30, bottom: 44 };
const BUTTONS = ".leaflet-control-zoom, .map-switch";
/// Fraction of the visible height: people take precedence over notes.
const LARGEST_NOTES = 0.25;
/// If there is less room, the face itself counts,
const FACE = 30;
/// and this much is always left of it.
const LEAST = 24;

/// - Parameters:
///   - size: of the map, `{x,y}`.
///   - insets: how many pixels of its edges are covered, `{left,bottom}`.
///   - controls: how many more the controls take, `{right,bottom}`.
///   - reach: as above.
/// - Returns: `{left,top,right,bottom}`, never empty.
export function freeBox(size, insets, controls, reach) {
    const across = span(insets.left, size.x - controls.right, reach.side, reach.side);
    const seen = size.y - insets.bottom;
    const whole = seen - LEAST - Math.min(reach.top, FACE) - reach.bottom;
    const spare = whole >= 0 ? whole : Math.max(0, seen - LEAST - 2 * FACE);
    const low = Math.min(controls.bottom, seen * LARGEST_NOTES, spare);
    const down = span(0, seen - low, reach.top, reach.bottom);
    return { left: across[0], right: across[1], top: down[0], bottom: down[1] };
}

/// From `first` to `last` without the reserved ends; if that is too much, with less of them, the
/// end with the name last, and finally in proportion.
function span(first, last, before, after) {
    const room = Math.max(LEAST, last - first);
    if (room < LEAST + before + after && Math.max(before, after) > FACE) {
        const isNamed = before > FACE && after > before;
        return span(first, last, Math.min(before, FACE), isNamed ? after : Math.min(after, FACE));
    }
    const part = Math.min(1, (room - LEAST) / (before + after));
    return [first + before * part, first + room - after * part];
}

/// The boxes of the buttons, in map pixels: names must not be under them.
export function buttonBoxes(area) {
    const { left, top } = area.getBoundingClientRect();
    return [...area.querySelectorAll(BUTTONS)].map((each) => each.getBoundingClientRect())
        .filter(({ width }) => width > 0)
        .map((box) => ({
            left: box.left - left, top: box.top - top, right: box.right - left, bottom: box.bottom - top,
        }));
}

/// The width taken by the buttons at the right, and the height taken by scale and notes.
export function controlsOf(area) {
    const { right, bottom } = area.getBoundingClientRect();
    const taken = { right: 0, bottom: 0 };
    for (const each of area.querySelectorAll(BUTTONS)) {
        const box = each.getBoundingClientRect();
        if (box.width > 0) taken.right = Math.max(taken.right, right - box.left);
    }
    const covered = parseFloat(getComputedStyle(area).getPropertyValue("--covered")) || 0;
    for (const each of area.querySelectorAll(".leaflet-control-scale, .map-credit, .map-note")) {
        const box = each.getBoundingClientRect();
        if (box.width > 0) taken.bottom = Math.max(taken.bottom, bottom - covered - box.top);
    }
    return taken;
}
