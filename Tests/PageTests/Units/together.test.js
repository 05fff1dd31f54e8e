import { closestLook } from "/js/map/together.js";
import { equal, test } from "/unit.js";

/// Places in metres; a pixel is a metre at zoom 10.
const project = ({ x, y }, zoom) => ({ x: x * 2 ** (zoom - 10), y: y * 2 ** (zoom - 10) });
const zooms = { closest: 10, farthest: 2, step: 0.5 };
const wide = { left: 0, top: 0, right: 300, bottom: 160 };
const narrow = { left: 100, top: 40, right: 200, bottom: 80 };

test("The closest view centres a single place in its part", () => {
    const { zoom, points } = closestLook([{ at: { x: 7000, y: -3000 }, box: narrow }], project, zooms);
    equal([zoom, points], [10, [{ x: 150, y: 60 }]]);
});

test("The closest view has each of several places in its part, and is no closer", () => {
    const items = [{ at: { x: 0, y: 0 }, box: narrow }, { at: { x: 190, y: 250 }, box: wide }];
    const { zoom, points, shift } = closestLook(items, project, zooms);
    points.forEach(({ x, y }, n) => {
        const { left, top, right, bottom } = items[n].box;
        equal(x >= left && x <= right && y >= top && y <= bottom, true, `${n}: ${x} ${y}`);
    });
    equal(zoom, 8.5);
    equal(project(items[0].at, zoom).x + shift.x, points[0].x);
});

test("The closest view ends at the farthest zoom if no zoom fits the places", () => {
    const items = [{ at: { x: 0, y: 0 }, box: narrow }, { at: { x: 1e6, y: 0 }, box: narrow }];
    equal(closestLook(items, project, zooms).zoom, 2);
});
