/// Placement of names on the map: each beside its own face, covering neither faces nor other names.

/// Pixels between a face and another person's name below it: with less, it would seem to be that
/// face's name.
const CLEAR = 10;

/// Places names where there is room: below the face, beside it, or above.
///
/// - Parameter items: the most important first: `{x,y,reach,width,height,gap,isFirm}` with the middle
///   of a face, its half size, the size of its name, and the way between both; `isFirm`: its name
///   is shown whatever it covers.
/// - Parameter others: boxes `{left,top,right,bottom}` that names must not cover.
/// - Returns: for each item `"below"`, `"right"`, `"left"`, `"above"`, or null: no room, the list has
///   it.
export function placeNames(items, others = []) {
    const faces = items.map(({ x, y, reach }) => around(x, y, reach, reach));
    const taken = [...others];
    const isFree = (box, index) => !taken.some((other) => overlaps(box, other))
        && !faces.some((face, n) => overlaps(box, n === index ? face : widened(face)));
    return items.map((item, index) => {
        const all = sides(item);
        const found = all.find(([, box]) => isFree(box, index)) ?? (item.isFirm ? all[0] : null);
        if (!found) return null;
        taken.push(found[1]);
        return found[0];
    });
}

/// For boxes that have one place only, which of them are free: below a flag, say.
export function freeOf(boxes, taken) {
    const all = [...taken];
    return boxes.map((box) => {
        const isFree = !all.some((other) => overlaps(box, other));
        if (isFree) all.push(box);
        return isFree;
    });
}

export function boxOf(side, item) {
    return sides(item).find(([name]) => name === side)[1];
}

function sides({ x, y, reach, width, height, gap }) {
    const [w, h] = [width / 2, height / 2];
    const way = reach + gap;
    return [
        ["below", around(x, y + way + h, w, h)],
        ["right", around(x + way + w, y, w, h)],
        ["left", around(x - way - w, y, w, h)],
        ["above", around(x, y - way - h, w, h)],
    ];
}

export function around(x, y, w, h) {
    return { left: x - w, top: y - h, right: x + w, bottom: y + h };
}

function widened({ left, top, right, bottom }) {
    return { left, top, right, bottom: bottom + CLEAR };
}

export function overlaps(a, b) {
    return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
