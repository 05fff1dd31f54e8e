import { fan, gather } from "/js/map/crowd.js";
import { isInside, placeArrows } from "/js/map/edges.js";
import { boxOf, overlaps, placeNames } from "/js/map/names.js";
import { equal, test } from "/unit.js";

const face = (key, x, y) => ({ key, x, y });
const keys = (crowds) => crowds.map((crowd) => crowd.map(({ key }) => key).join(" "));

test("People who hide each other form a crowd around the most important one", () => {
    const faces = [face("sos", 10, 0), face("ben", 0, 0), face("carl", 35, 0), face("dora", 100, 0)];
    equal(keys(gather(faces)), ["sos ben carl"]);
});

test("A row of people does not become one crowd through near neighbours", () => {
    const faces = [0, 1, 2, 3, 4].map((n) => face(`p${n}`, n * 25, 0));
    equal(keys(gather(faces)), ["p0 p1", "p2 p3"]);
});

test("Two people walking side by side do not alternate between crowd and faces", () => {
    const at = (x) => [face("ben", 0, 0), face("carl", x, 0)];
    const close = gather(at(28));
    equal(keys(close), ["ben carl"]);
    equal(keys(gather(at(36), close)), ["ben carl"]);
    const apart = gather(at(41), close);
    equal(keys(apart), []);
    equal(keys(gather(at(36), apart)), []);
});

test("A fan's faces cover neither each other nor the crowd", () => {
    for (const count of [2, 3, 7, 8, 40, 200]) {
        const places = fan(count);
        equal(places.length, count);
        places.forEach((a, n) => {
            if (Math.hypot(a.x, a.y) < 44) throw new Error(`${n} of ${count} hides the crowd`);
            for (const b of places.slice(n + 1)) {
                const way = Math.hypot(a.x - b.x, a.y - b.y);
                if (way < 44) throw new Error(`${n} of ${count} is ${way} from another`);
            }
        });
    }
});

const named = (x, y, more) => ({ x, y, reach: 22, width: 80, height: 20, gap: 2, ...more });

test("A name is below its own face, and never below another's", () => {
    equal(placeNames([named(0, 0)]), ["below"]);
    // Above the lower face would be right below the upper one.
    const pair = [named(0, 0), named(0, 75)];
    equal(placeNames(pair)[0], "below");
    const lower = boxOf(placeNames(pair)[1], pair[1]);
    if (lower.top < 75) throw new Error("the name of the lower one is under the upper face");
});

test("Names cover neither each other nor faces", () => {
    const items = [];
    for (let n = 0; n < 30; n += 1) items.push(named((n * 61) % 300, (n * 47) % 260));
    const sides = placeNames(items);
    const boxes = sides.map((side, n) => side && boxOf(side, items[n]));
    const shown = boxes.filter(Boolean);
    if (shown.length < 3) throw new Error("hardly a name is shown");
    shown.forEach((a, n) => shown.slice(n + 1).forEach((b) => {
        if (overlaps(a, b)) throw new Error("two names are over each other");
    }));
    shown.forEach((box) => items.forEach(({ x, y }) => {
        const around = { left: x - 22, top: y - 22, right: x + 22, bottom: y + 22 };
        if (overlaps(box, around)) throw new Error("a name is over a face");
    }));
});

test("A call for help always shows its name, whatever that covers", () => {
    const around = [[0, 40], [0, -40], [70, 0], [-70, 0]].map(([x, y]) => named(x, y));
    equal(placeNames([named(0, 0), ...around])[0], null);
    equal(placeNames([named(0, 0, { isFirm: true }), ...around])[0], "below");
});

const picture = { left: 0, top: 0, right: 360, bottom: 300 };
const sizes = { usual: { width: 64, height: 64 }, sos: { width: 220, height: 60 } };
const boxAround = ({ x, y, isSOS }) => {
    const { width, height } = isSOS ? sizes.sos : sizes.usual;
    return { left: x - width / 2, top: y - height / 2, right: x + width / 2, bottom: y + height / 2 };
};

test("An arrow is at the edge, in its person's direction", () => {
    const where = (x, y) => placeArrows(picture, [{ key: "ben", x, y }], sizes)[0];
    equal([where(5000, 150).x, where(5000, 150).y], [360 - 6 - 32, 150]);
    equal([where(-5000, 150).x, where(-5000, 150).y], [38, 150]);
    equal([where(180, -900).x, where(180, -900).y], [180, 38]);
    equal([where(180, 900).x, where(180, 900).y], [180, 262]);
    equal(where(180, 900).angle.toFixed(3), (Math.PI / 2).toFixed(3));
});

test("Everyone off the map has an arrow, shared by those in one direction", () => {
    const people = [];
    for (let n = 0; n < 40; n += 1) {
        const angle = n * 2.4;
        people.push({ key: `p${n}`, x: 180 + 900 * Math.cos(angle), y: 150 + 900 * Math.sin(angle) });
    }
    const arrows = placeArrows(picture, people, sizes);
    equal(arrows.flatMap((arrow) => arrow.people).length, 40);
    arrows.forEach((a, n) => {
        if (!isInside(picture, a)) throw new Error("an arrow is outside the picture");
        arrows.slice(n + 1).forEach((b) => {
            if (overlaps(boxAround(a), boxAround(b))) throw new Error("two arrows overlap");
        });
    });
});

test("A call for help has an arrow of its own, and no arrow covers a button", () => {
    const people = [
        { key: "ben", x: 900, y: 10 }, { key: "cleo", x: 900, y: 0, isSOS: true },
        { key: "dan", x: 900, y: 20 },
    ];
    const button = { left: 306, top: 10, right: 350, bottom: 98 };
    const arrows = placeArrows(picture, people, sizes, [button]);
    equal(arrows.map((arrow) => arrow.people.map(({ key }) => key).join(" ")), ["cleo", "ben dan"]);
    for (const arrow of arrows) {
        if (overlaps(boxAround(arrow), button)) throw new Error("an arrow covers the button");
    }
});
