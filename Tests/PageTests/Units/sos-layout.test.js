import { hidden, hiddenCalls, problems } from "/boxes.js";
import { equal, test } from "/unit.js";
import { PLACE, openPage } from "/whole-page.js";

const SIZES = {
    phone: { width: 360, height: 740 },
    sideways: { width: 740, height: 360 },
    desk: { width: 1280, height: 800 },
    large: { width: 360, height: 740, font: 200 },
    largeSideways: { width: 740, height: 360, font: 200 },
};
/// Whether the number can be pressed, and is not scrolled away.
const numberIn = (element) => [...element.querySelectorAll("a[href='tel:112']")].some((each) => {
    const { left, top, right, bottom } = each.getBoundingClientRect();
    return each.contains(each.ownerDocument.elementFromPoint((left + right) / 2, (top + bottom) / 2));
});

/// Checks that nothing is covered and callers are visible; `isOn`: someone on the map calls.
function clear(page, what, { isOn = true } = {}) {
    equal(problems(page.document), [], what);
    if (isOn) equal(hiddenCalls(page.document), [], what);
}

/// Returns the texts of visible elements `below` that overlap one of `over`.
function overlapping(page, over, below) {
    const seen = (query) => [...page.document.querySelectorAll(query)]
        .filter((each) => each.checkVisibility({ visibilityProperty: true }));
    const boxes = seen(over).map((each) => each.getBoundingClientRect());
    return seen(below).filter((each) => {
        const { left, top, right, bottom } = each.getBoundingClientRect();
        return boxes.some((box) => box.left < right && left < box.right
            && box.top < bottom && top < box.bottom);
    }).map((each) => each.textContent);
}

async function helping(size) {
    const page = await openPage(SIZES[size]);
    clear(page, "before:", { isOn: false });
    page.calls("benedikt");
    await page.settle();
    clear(page, "another calls:");
    equal(numberIn(page.document.querySelector(".banner")), true, "the number:");
    const box = () => JSON.stringify(page.document.querySelector(".map").getBoundingClientRect());
    const before = box();
    const { say } = await page.modules("toasts");
    say("Dan has arrived at Home.");
    say("Cleo is no longer on the way, and this takes two lines.", "warning");
    await page.settle();
    equal(box(), before, "the map with two toasts:");
    // Without a free place toasts let controls below be pressed, and leave texts readable.
    clear(page, "with two toasts:");
    const isOver = page.document.querySelector(".toasts").dataset.placed === "over";
    equal(isOver && size === "desk", false, "a place at a desk:");
    equal(overlapping(page, ".toast", "h1, strong[role=alert], .disc"), [], "what is read:");
    page.change((state) => { state.connection = "waiting"; });
    await page.settle();
    clear(page, "without a connection:");
    [...page.document.querySelectorAll(".banner-actions button")].at(-1).click();
    await page.settle();
    clear(page, "with the card:");
    equal(numberIn(page.document.querySelector(".banner")), true, "the number with the card:");
}

async function calling(size) {
    const page = await openPage(SIZES[size]);
    const { sosRequest } = await page.modules("sos-request");
    [...page.document.querySelectorAll("button")]
        .find((each) => each.textContent === "Call for help").click();
    await page.settle();
    clear(page, "countdown:", { isOn: false });
    const dialog = page.document.querySelector("dialog");
    equal(numberIn(dialog), true, "the number in the countdown:");
    equal(dialog.querySelector("h2").getBoundingClientRect().top >= 0, true, "its headline:");
    page.change((state) => { state.connection = "waiting"; });
    sosRequest.call(null);
    const bar = page.document.querySelector(".own-sos");
    await page.settle();
    equal(bar.dataset.phase, "calling");
    clear(page, "not sent:", { isOn: false });
    equal(numberIn(bar), true, "the number, not sent:");
    page.change((state) => { state.connection = "live"; });
    sosRequest.cancel();
    page.calls("ann");
    await page.settle();
    equal(bar.dataset.phase, "on");
    clear(page, "sent:");
    equal(numberIn(bar), true, "the number, sent:");
    page.calls("ann", { responses: [{ user: "cleo", name: "Cleo", kind: "coming", at: new Date().toISOString() }] });
    await page.settle();
    clear(page, "somebody is coming:");
    sosRequest.end();
    await page.settle();
    equal(bar.dataset.phase, "ending");
    clear(page, "ending:");
    equal(numberIn(bar), true, "the number, ending:");
}

test("Another's call covers nothing and shows the caller: phone", () => helping("phone"));
test("Another's call covers nothing and shows the caller: phone on its side", () => helping("sideways"));
test("Another's call covers nothing and shows the caller: desktop", () => helping("desk"));
test("Another's call covers nothing and shows the caller: large letters", () => helping("large"));
test("My call covers nothing and shows the number: phone", () => calling("phone"));
test("My call covers nothing and shows the number: phone on its side", () => calling("sideways"));
test("My call covers nothing and shows the number: desktop", () => calling("desk"));
test("My call covers nothing and shows the number: large letters", () => calling("large"));

test("My call covers nothing and shows the number: large letters on its side", () => calling("largeSideways"));

test("No view's headline is covered on a phone without a connection", async () => {
    const page = await openPage(SIZES.phone);
    page.change((state) => { state.connection = "waiting"; });
    for (const view of ["chat", "alerts", "people", "places", "me", "map"]) {
        page.window.location.hash = `#${view}`;
        await page.settle();
        equal(problems(page.document)
            .filter((words) => !words.includes("leaflet") && !words.includes("disc")), [], `${view}:`);
    }
});

test("An SOS view also shows me if I am some way off", async () => {
    for (const size of ["phone", "sideways", "desk"]) {
        const page = await openPage(SIZES[size]);
        page.change((state) => { state.position = { ...state.position, latitude: PLACE.latitude - 0.01 }; });
        page.calls("benedikt");
        await page.settle();
        clear(page, `${size}:`);
        equal(hidden(page.document, ".me-dot"), [], `${size}:`);
    }
});

test("An SOS view stays where the map was moved by hand, until another call", async () => {
    const page = await openPage(SIZES.phone);
    page.calls("benedikt");
    await page.settle();
    const zoomOut = page.document.querySelector(".leaflet-control-zoom-out");
    for (let n = 0; n < 4; n += 1) {
        zoomOut.click();
        await page.settle();
    }
    const scale = page.document.querySelector(".leaflet-control-scale").textContent;
    page.calls("benedikt");
    await page.settle();
    equal(page.document.querySelector(".leaflet-control-scale").textContent, scale);
    page.calls("dan");
    await page.settle();
    // Another call moves the map.
    equal(page.document.querySelector(".leaflet-control-scale").textContent === scale, false);
    clear(page, "two call:");
});
