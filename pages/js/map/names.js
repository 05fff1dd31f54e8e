/// Places names on the map: each beside its own face, not covering faces or other names.

/// Pixels between a face and its name, as in the styles.
const GAP = 2;
/// The same for a call for help, which is drawn larger.
const SOS_GAP = 10;

/// Places the names of markers, `{element,tag,flagTag}`, where there is room: below the face,
/// above, or beside it. A name without room is hidden; the list has it.
export function placeNames(markers) {
    const measured = markers.map(({ element, tag, flagTag }) => ({
        tag,
        name: tag.getBoundingClientRect(),
        face: element.getBoundingClientRect(),
        gap: element.dataset.state === "sos" ? SOS_GAP : GAP,
        flag: flagTag.isConnected ? { tag: flagTag, box: flagTag.getBoundingClientRect() } : null,
    }));
    const faces = measured.map(({ face }) => face);
    const taken = [];
    const isFree = (box) => !taken.some((other) => overlaps(box, other))
        && !faces.some((other) => overlaps(box, other));
    for (const { tag, name, face, gap } of measured) {
        const found = sides(name, face, gap).find(([, box]) => isFree(box));
        tag.classList.toggle("covered", !found);
        if (!found) continue;
        const [side, box] = found;
        if (tag.dataset.side !== side) tag.dataset.side = side;
        taken.push(box);
    }
    for (const { tag, box } of measured.map(({ flag }) => flag).filter(Boolean)) {
        const isHidden = !isFree(box);
        tag.classList.toggle("covered", isHidden);
        if (!isHidden) taken.push(box);
    }
}

function sides({ width, height }, face, gap) {
    const left = (face.left + face.right - width) / 2;
    const top = (face.top + face.bottom - height) / 2;
    const at = (x, y) => ({ left: x, top: y, right: x + width, bottom: y + height });
    return [
        ["below", at(left, face.bottom + gap)],
        ["above", at(left, face.top - gap - height)],
        ["right", at(face.right + gap, top)],
        ["left", at(face.left - gap - width, top)],
    ];
}

function overlaps(a, b) {
    return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
