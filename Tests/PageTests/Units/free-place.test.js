import { freePlace } from "/js/free-place.js";
import { whenCalm } from "/js/calm.js";
import { CALL_REACH, FACE_REACH, freeBox } from "/js/map/free-box.js";
import { equal, stopTime, test } from "/unit.js";

const window360 = { left: 12, top: 12, right: 348, bottom: 728 };
const box = (left, top, right, bottom, weight) => ({ left, top, right, bottom, weight });

test("A toast is placed at the top if nothing is in the way", () => {
    equal(freePlace(window360, { width: 300, height: 48 }, []), { left: 30, top: 12, isFree: true });
});

test("A toast is placed below a box at the top, and beside a narrow one", () => {
    const header = box(0, 0, 360, 60);
    equal(freePlace(window360, { width: 300, height: 48 }, [header]).top, 68);
    const zoom = box(300, 60, 360, 400);
    const { left, top } = freePlace(window360, { width: 240, height: 48 }, [header, zoom]);
    equal([left, top], [12, 68]);
});

test("A toast covers the boxes of least weight if no place is free", () => {
    const rows = box(0, 0, 360, 400, 10);
    const links = box(0, 400, 360, 740, 1);
    const { top, isFree } = freePlace(window360, { width: 300, height: 48 }, [rows, links]);
    equal([top >= 400, isFree], [true, false]);
});

test("A toast is placed at the top of a window that is lower than itself", () => {
    equal(freePlace({ left: 12, top: 12, right: 348, bottom: 40 }, { width: 300, height: 48 }, []).top, 12);
});

test("The free box of a map leaves room for a call, its name and the buttons", () => {
    const found = freeBox({ x: 800, y: 600 }, { left: 0, bottom: 200 }, { right: 54, bottom: 30 }, CALL_REACH);
    equal(found, { left: 96, right: 800 - 54 - 96, top: 44, bottom: 600 - 200 - 30 - 84 });
});

test("A small map's free box is never empty, and faces inside it are whole", () => {
    for (const reach of [CALL_REACH, FACE_REACH]) {
        for (let y = 90; y < 400; y += 7) {
            const { top, bottom, left, right } = freeBox(
                { x: 360, y }, { left: 0, bottom: 0 }, { right: 54, bottom: 60 }, reach);
            equal([bottom > top, right > left], [true, true], `${y}:`);
            if (top < 26 || y - bottom < 26) throw new Error(`${y}: a face at ${top} to ${bottom} is cut`);
        }
    }
    const none = freeBox({ x: 0, y: 0 }, { left: 0, bottom: 50 }, { right: 54, bottom: 60 }, CALL_REACH);
    equal(Object.values(none).every(Number.isFinite), true);
});

const press = (kind) => dispatchEvent(new Event(kind));

test("A layout change waits for the finger, and for the click that follows", async () => {
    const move = stopTime();
    let done = 0;
    const work = () => { done += 1; };
    whenCalm(work);
    equal(done, 1);
    press("pointerdown");
    whenCalm(work);
    whenCalm(work);
    await move(100);
    press("pointerup");
    await move(300);
    equal(done, 1);
    await move(60);
    equal(done, 2);
    whenCalm(work);
    equal(done, 3);
});

test("A layout change waits two seconds at most, even for a finger that stays", async () => {
    const move = stopTime();
    let done = 0;
    press("pointerdown");
    await move(5000);
    whenCalm(() => { done += 1; });
    await move(1900);
    equal(done, 0);
    await move(200);
    equal(done, 1);
});

test("A layout change waits for a moving pointer", async () => {
    const move = stopTime();
    let done = 0;
    press("pointermove");
    whenCalm(() => { done += 1; });
    await move(200);
    press("pointermove");
    await move(250);
    equal(done, 0);
    await move(100);
    equal(done, 1);
});
