/// Groups people close together on the map, and places them in a fan.

/// Pixels between faces that form a crowd, and between faces of a crowd that splits: more, so that
/// people walking side by side do not alternate between the two.
const NEAR = 30;
const APART = 40;
/// The smallest ring of a fan, the distance to the next, and the room of each face.
const FIRST_RING = 60;
const NEXT_RING = 52;
const ROOM = 50;

/// Gathers faces that would hide each other.
///
/// - Parameters:
///   - faces: `{key,x,y}`, the most important first.
///   - before: what was returned last time.
/// - Returns: lists of at least two faces, each around its first, which keeps its place.
export function gather(faces, before = []) {
    const past = new Map(before.flatMap((crowd, index) => crowd.map(({ key }) => [key, index])));
    const crowds = [];
    for (const face of faces) {
        let found = null;
        let least = Infinity;
        for (const crowd of crowds) {
            const way = Math.hypot(face.x - crowd[0].x, face.y - crowd[0].y);
            const wereTogether = past.has(face.key)
                && past.get(face.key) === past.get(crowd[0].key);
            if (way < (wereTogether ? APART : NEAR) && way < least) {
                found = crowd;
                least = way;
            }
        }
        if (found) found.push(face);
        else crowds.push([face]);
    }
    return crowds.filter((crowd) => crowd.length > 1);
}

/// The places of a crowd's faces, `{x,y}` from its middle: in rings, none over another.
export function fan(count) {
    const places = [];
    for (let ring = 0; places.length < count; ring += 1) {
        const radius = FIRST_RING + ring * NEXT_RING;
        const room = Math.floor(2 * Math.PI * radius / ROOM);
        const here = Math.min(room, count - places.length);
        // Two are placed side by side, so that each has its name below.
        const start = here === 2 ? Math.PI : -Math.PI / 2;
        for (let n = 0; n < here; n += 1) {
            const angle = start + 2 * Math.PI * n / here;
            places.push({
                x: Math.round(radius * Math.cos(angle)), y: Math.round(radius * Math.sin(angle)),
            });
        }
    }
    return places;
}
