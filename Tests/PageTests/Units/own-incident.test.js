import { equal, test } from "/unit.js";
import { openPage } from "/whole-page.js";

const NEED = "I no longer need help";
const visible = (page, words) => [...page.document.querySelectorAll("button")]
    .find((each) => each.textContent === words && each.checkVisibility());
const bar = (page) => page.document.querySelector(".own-sos");

const incident = (status, events = []) => ({
    id: "i", status, openedAt: "2026-11-20T10:00:00Z", events,
});

async function withIncident(of) {
    const page = await openPage({ width: 360, height: 740 });
    page.change((state) => {
        state.groups.clear();
        state.group = null;
        state.incident = of;
    });
    await page.settle();
    return page;
}

test("My dispatch call without a group shows dispatch's answer and can be ended", async () => {
    const page = await withIncident(incident("calling"));
    equal(bar(page).hidden, false);
    equal(bar(page).textContent.includes("has not answered yet"), true, "calling:");
    page.change((state) => {
        state.incident = incident("calling", [{ at: "2026-11-20T10:00:30Z", event: "refused" }]);
    });
    await page.settle();
    equal(bar(page).textContent.includes("has not answered yet"), false, "refused:");
    equal(bar(page).textContent.includes("has refused"), true, "refused:");
    page.change((state) => {
        state.incident = incident("acknowledged", [{ at: "2026-11-20T10:01:00Z", event: "acknowledged" }]);
    });
    await page.settle();
    equal(bar(page).textContent.includes("Dispatch has answered"), true, "acknowledged:");
    equal(bar(page).textContent.includes("has not answered yet"), false, "acknowledged:");
    equal(visible(page, NEED) !== undefined, true);
    page.change((state) => { state.incident = null; });
    await page.settle();
    equal(bar(page).hidden, true);
});

test("My dispatch call with a group shows help on the way above who was notified", async () => {
    const page = await openPage({ width: 360, height: 740 });
    page.calls("ann", { cause: "vital-signs", assistedAt: new Date().toISOString() });
    await page.settle();
    equal(bar(page).textContent.includes("Dispatch has answered"), true);
    equal(visible(page, NEED) !== undefined, true);
    const other = await openPage({ width: 360, height: 740 });
    other.calls("ann", { cause: "person" });
    await other.settle();
    equal(visible(other, NEED), undefined, "an SOS of my own:");
});

test("My dispatch call is requested when a notice reports news about it", async () => {
    const page = await openPage({ width: 360, height: 740 });
    const { makeIncidentWatch } = await page.modules("known/own-incident");
    const { store } = await page.modules("store");
    let answers = [incident("calling")];
    let count = 0;
    const watch = makeIncidentWatch(async () => {
        count += 1;
        return { incidents: answers };
    });
    await watch(store.state);
    equal(count, 0, "without a notice:");
    page.change((state) => { state.notices = [{ id: "1", kind: "help-called" }]; });
    await watch(store.state);
    await watch(store.state);
    equal(count, 1, "once:");
    equal(store.state.incident.status, "calling");
    answers = [incident("closed")];
    page.change((state) => { state.notices = [{ id: "2", kind: "help-closed" }, ...state.notices]; });
    await watch(store.state);
    equal(store.state.incident, null, "closed:");
});
