import { BATCH_COUNT, outbox } from "/js/outbox.js";
import { equal, network, setOnline, settle, stopTime, test } from "/unit.js";

const fix = (number) => ({ latitude: number / 100, longitude: 2, timestamp: "2026-05-01T10:00:00Z" });
const ann = { user: "ann", device: "web" };

/// Serves requests by storing their fixes, unless `answer` returns another response.
function serve(answer = () => undefined) {
    return network(({ body }, number) => {
        const other = answer(body, number);
        if (other !== undefined) return other === null ? undefined : other;
        return [200, { stored: body.at(-1).seq, rejected: [] }];
    });
}

const sent = (asked) => asked.map(({ body }) => body.map(({ seq }) => seq));

async function put(...numbers) {
    for (const number of numbers) await outbox.put(fix(number));
    await settle();
}

test("Fixes are sent with numbers from 1, and then removed", async () => {
    const asked = serve();
    await outbox.open(ann);
    await put(1, 2, 3);
    equal(sent(asked).flat(), [1, 2, 3]);
    equal(outbox.status.waiting, 0);
    equal(outbox.status.state, "idle");
});

test("Fixes wait in order without a network, and are then sent in one request", async () => {
    const move = stopTime();
    let isAway = true;
    const asked = serve(() => (isAway ? null : undefined));
    await outbox.open(ann);
    await put(1, 2, 3);
    equal(outbox.status.waiting, 3);
    equal(outbox.status.state, "waiting");
    isAway = false;
    await move(60_000);
    equal(asked.at(-1).body.map(({ latitude }) => latitude), [0.01, 0.02, 0.03]);
    equal(sent(asked).at(-1), [1, 2, 3]);
    equal(outbox.status.waiting, 0);
});

test("Pauses between attempts double, up to a minute", async () => {
    const move = stopTime();
    const times = [];
    serve(() => {
        times.push(Date.now());
        return null;
    });
    await outbox.open(ann);
    await put(1);
    await move(300_000);
    const pauses = times.slice(1).map((time, index) => (time - times[index]) / 1000);
    equal(pauses.slice(0, 8), [1, 2, 4, 8, 16, 32, 60, 60]);
});

test("A server's Retry-After is honoured", async () => {
    const move = stopTime();
    const asked = [];
    globalThis.fetch = async () => {
        asked.push(Date.now());
        return new Response("{}", { status: 429, headers: { "Retry-After": "40" } });
    };
    await outbox.open(ann);
    await put(1);
    await move(39_000);
    equal(asked.length, 1);
    await move(2000);
    equal(asked.length, 2);
});

test("A fix that the server never accepts does not block the others", async () => {
    const wrong = [422, { type: "urn:kith:problem:invalid", title: "Wrong", errors: [] }];
    const kept = [];
    const asked = serve((body) => {
        if (body.some(({ latitude }) => latitude === 0.03)) return wrong;
        kept.push(...body.map(({ latitude }) => latitude));
    });
    setOnline(true);
    await outbox.open(ann);
    // Only the first is sent immediately; the others queue behind it.
    await Promise.all([1, 2, 3, 4, 5].map((number) => outbox.put(fix(number))));
    await settle();
    equal(kept, [0.01, 0.02, 0.04, 0.05]);
    equal(outbox.status.refused, 1);
    equal(outbox.status.waiting, 0);
    equal(asked.length < 12, true);
});

test("A fix refused beyond a missing number is counted once and not resent", async () => {
    const move = stopTime();
    const asked = serve((body) => [200, {
        stored: 0,
        rejected: body.some(({ seq }) => seq === 2) ? [{ problem: {}, seq: [2] }] : [],
    }]);
    await outbox.open(ann);
    await put(1, 2);
    await move(10_000);
    equal(outbox.status.refused, 1);
    equal(outbox.status.waiting, 1);
    equal(sent(asked).at(-1), [1]);
});

test("A logged-out outbox loses nothing and sends nothing", async () => {
    const move = stopTime();
    let isOut = true;
    const asked = serve(() => (isOut ? [401, {}] : undefined));
    await outbox.open(ann);
    await put(1);
    equal(outbox.status.state, "logged-out");
    await move(600_000);
    equal(asked.length, 1);
    isOut = false;
    await outbox.open(ann);
    await move(1);
    equal(sent(asked).at(-1), [1]);
    equal(outbox.status.waiting, 0);
});

test("Another user in the same browser neither sends nor sees waiting fixes", async () => {
    const move = stopTime();
    let isAway = true;
    const asked = serve(() => (isAway ? null : undefined));
    await outbox.open(ann);
    await put(1, 2);
    isAway = false;
    await outbox.open({ user: "ben", device: "web" });
    const before = asked.length;
    await move(60_000);
    equal(outbox.status.waiting, 0);
    equal(asked.length, before);
    await outbox.open(ann);
    await move(60_000);
    equal(sent(asked).at(-1), [1, 2]);
});

test("Many fixes are sent in batches", async () => {
    const move = stopTime();
    let isAway = true;
    const asked = serve(() => (isAway ? null : undefined));
    await outbox.open(ann);
    await Promise.all(Array.from({ length: BATCH_COUNT + 1 }, (_, index) => outbox.put(fix(index))));
    await settle();
    asked.length = 0;
    isAway = false;
    await move(60_000);
    equal(sent(asked).map(({ length }) => length), [BATCH_COUNT, 1]);
});
