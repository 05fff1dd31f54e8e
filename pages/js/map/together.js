/// The closest zoom at which each of several places is visible in its own part of the map.

/// - Parameters:
///   - items: `{at,box}`, the place and the part of the map for it, in pixels: `{left,top,right,bottom}`.
///   - project: `project(at, zoom)`, the place in pixels of the world.
///   - zooms: `{closest,farthest,step}`.
/// - Returns: `{zoom,shift,points}`: `shift` from the world to the map, `points` in map pixels. At
///   the farthest zoom they are as near to their parts as possible.
export function closestLook(items, project, { closest, farthest, step }) {
    for (let zoom = Math.max(closest, farthest); ; zoom = Math.max(farthest, zoom - step)) {
        const places = items.map(({ at }) => project(at, zoom));
        const x = way(items.map(({ box }, n) => [box.left - places[n].x, box.right - places[n].x]));
        const y = way(items.map(({ box }, n) => [box.top - places[n].y, box.bottom - places[n].y]));
        if ((!x.isFree || !y.isFree) && zoom > farthest) continue;
        return {
            zoom, shift: { x: x.middle, y: y.middle },
            points: places.map((place) => ({ x: place.x + x.middle, y: place.y + y.middle })),
        };
    }
}

/// The middle of the intersection of the ranges.
function way(ranges) {
    const low = Math.max(...ranges.map(([first]) => first));
    const high = Math.min(...ranges.map(([, last]) => last));
    return { middle: (low + high) / 2, isFree: low <= high };
}
