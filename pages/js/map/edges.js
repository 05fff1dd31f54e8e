/// Places the arrows to people outside the visible map: at its edge, in their direction.

import { around, overlaps } from "./names.js";

/// How far an arrow moves along the edge when its place is taken.
const STEP = 8;
const MARGIN = 6;

/// Whether a person is visible; `picture` is the part of the map that nothing covers.
export function isInside({ left, top, right, bottom }, { x, y }) {
    return x >= left && x <= right && y >= top && y <= bottom;
}

/// Places the arrows. Each call for help has its own; others in the same direction share one.
///
/// - Parameters:
///   - picture: `{left,top,right,bottom}`.
///   - people: those outside, the most important first, `{key,x,y,isSOS}`.
///   - sizes: of arrows, `{usual:{width,height},sos:{width,height}}`.
///   - blocked: boxes that an arrow must not cover.
/// - Returns: `{people,x,y,angle,isSOS}` with the arrow's middle, and its direction in radians,
///   clockwise from the right.
export function placeArrows(picture, people, sizes, blocked = []) {
    const middle = {
        x: (picture.left + picture.right) / 2, y: (picture.top + picture.bottom) / 2,
    };
    const arrows = [];
    const calls = people.filter(({ isSOS }) => isSOS);
    for (const person of [...calls, ...people.filter(({ isSOS }) => !isSOS)]) {
        const { width, height } = person.isSOS ? sizes.sos : sizes.usual;
        const edge = {
            left: Math.min(middle.x, picture.left + MARGIN + width / 2),
            top: Math.min(middle.y, picture.top + MARGIN + height / 2),
            right: Math.max(middle.x, picture.right - MARGIN - width / 2),
            bottom: Math.max(middle.y, picture.bottom - MARGIN - height / 2),
        };
        const angle = Math.atan2(person.y - middle.y, person.x - middle.x);
        const start = wayAlong(edge, middle, angle);
        const covers = ({ x, y }) => blocked.some((each) =>
            overlaps(around(x, y, width / 2, height / 2), each));
        let joined = null;
        const place = placesFrom(edge, start).find((at) => {
            const box = around(at.x, at.y, width / 2, height / 2);
            const other = arrows.find((arrow) => overlaps(box, arrow.box));
            if (other && !person.isSOS && !other.isSOS) {
                joined = other;
                return true;
            }
            return !other && !covers(at);
        }) ?? (covers(pointAt(edge, start)) ? null : pointAt(edge, start));
        if (joined) joined.people.push(person);
        // People without an arrow are in the list.
        if (joined || !place) continue;
        arrows.push({
            people: [person], ...place, angle, isSOS: Boolean(person.isSOS),
            box: around(place.x, place.y, width / 2, height / 2),
        });
    }
    return arrows.map(({ box, ...arrow }) => arrow);
}

/// The places of an edge, outwards from one in both directions.
function placesFrom(edge, start) {
    const length = 2 * (edge.right - edge.left + edge.bottom - edge.top);
    const places = [pointAt(edge, start)];
    for (let way = STEP; way <= length / 2; way += STEP) {
        places.push(pointAt(edge, start + way), pointAt(edge, start - way));
    }
    return places;
}

/// The point where the ray from the middle meets the edge, as a distance along it, clockwise from
/// the top left corner.
function wayAlong({ left, top, right, bottom }, middle, angle) {
    const [x, y] = [Math.cos(angle), Math.sin(angle)];
    const [wide, high] = [(right - left) / 2, (bottom - top) / 2];
    const part = Math.min(
        x === 0 ? Infinity : wide / Math.abs(x), y === 0 ? Infinity : high / Math.abs(y));
    const [dx, dy] = [x * part, y * part];
    const isSide = Math.abs(x) * high >= Math.abs(y) * wide;
    if (isSide) {
        return x > 0 ? 2 * wide + high + dy : 4 * wide + 2 * high + (high - dy);
    }
    return y < 0 ? wide + dx : 2 * wide + 2 * high + (wide - dx);
}

function pointAt({ left, top, right, bottom }, way) {
    const [wide, high] = [right - left, bottom - top];
    const length = 2 * (wide + high);
    if (length === 0) return { x: left, y: top };
    let rest = ((way % length) + length) % length;
    if (rest <= wide) return { x: left + rest, y: top };
    rest -= wide;
    if (rest <= high) return { x: right, y: top + rest };
    rest -= high;
    if (rest <= wide) return { x: right - rest, y: bottom };
    return { x: left, y: bottom - (rest - wide) };
}
