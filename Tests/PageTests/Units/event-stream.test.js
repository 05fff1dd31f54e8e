import { makeEventStream } from "/js/event-stream.js";
import { followRun } from "/js/runs/events.js";
import { follow } from "/js/share-links/stream.js";
import { store } from "/js/store.js";
import { equal, network, settle, stopTime, test } from "/unit.js";

const { CONNECTING, OPEN, CLOSED } = EventSource;

/// Replaces `EventSource`; returns the opened sources, newest last, none with a network.
function makeSources() {
    const opened = [];
    class Source extends EventTarget {
        static CONNECTING = CONNECTING;
        static OPEN = OPEN;
        static CLOSED = CLOSED;
        readyState = CONNECTING;

        constructor(address) {
            super();
            this.address = address;
            opened.push(this);
        }

        open() {
            this.readyState = OPEN;
            this.dispatchEvent(new Event("open"));
        }

        send(name, data = {}) {
            this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data) }));
        }

        fail(readyState = CLOSED) {
            this.readyState = readyState;
            this.dispatchEvent(new Event("error"));
        }

        close() { this.readyState = CLOSED; }
    }
    globalThis.EventSource = Source;
    return opened;
}

/// Starts a stream of one topic; `said` are its messages.
async function begin(options = {}) {
    const move = stopTime();
    const sources = makeSources();
    const said = [];
    const stream = makeEventStream({
        topics: () => ["a/b"],
        opened: ({ isNew }) => said.push(isNew ? "opened" : "opened again"),
        lost: () => said.push("lost"),
        events: { message: ({ payload }) => said.push(payload) },
        ...options,
    });
    await stream.start();
    return { move, sources, said, stream };
}

test("A silent stream is replaced, and one with heartbeats is not", async () => {
    const { move, sources, said } = await begin();
    sources[0].open();
    for (let count = 0; count < 10; count += 1) {
        await move(15_000);
        sources[0].send("heartbeat");
    }
    equal([sources.length, said], [1, ["opened"]]);
    await move(44_999);
    equal(said, ["opened"]);
    await move(1);
    equal([said, sources[0].readyState], [["opened", "lost"], CLOSED]);
    await move(1_000);
    equal(sources.length, 2);
    sources[1].open();
    equal(said, ["opened", "lost", "opened"]);
});

test("A stream that is not opened within half a minute is replaced", async () => {
    const { move, sources } = await begin();
    await move(29_999);
    equal([sources.length, sources[0].readyState], [1, CONNECTING]);
    await move(1_001);
    equal([sources.length, sources[0].readyState], [2, CLOSED]);
});

test("Pauses between attempts grow to half a minute until a message arrives", async () => {
    const { move, sources } = await begin();
    const pauses = [];
    for (let count = 0; count < 7; count += 1) {
        // Opening and closing immediately is also a failure.
        if (count === 3) sources.at(-1).open();
        sources.at(-1).fail();
        const before = sources.length;
        let waited = 0;
        while (sources.length === before) {
            await move(500);
            waited += 500;
        }
        pauses.push(waited / 1000);
    }
    equal(pauses, [1, 2, 4, 8, 16, 30, 30]);
    sources.at(-1).open();
    sources.at(-1).send("heartbeat");
    sources.at(-1).fail();
    const before = sources.length;
    await move(1_000);
    equal(sources.length, before + 1);
});

test("The browser's own reconnection is left alone, but not for ever", async () => {
    const { move, sources, said } = await begin();
    sources[0].open();
    sources[0].fail(CONNECTING);
    await move(40_000);
    sources[0].open();
    equal([sources.length, said], [1, ["opened", "lost", "opened again"]]);
    sources[0].fail(CONNECTING);
    await move(46_000);
    equal(sources.length, 2);
});

test("A stream is replaced for other topics, or the same ones if one was refused", async () => {
    let topics = ["a/b"];
    const { sources, said, stream } = await begin({ topics: () => topics });
    sources[0].open();
    stream.update();
    equal(sources.length, 1);
    topics = ["c/#", "a/b"];
    stream.update();
    equal(sources.map(({ address }) => address),
        ["/api/events?topic=a%2Fb", "/api/events?topic=a%2Fb&topic=c%2F%23"]);
    // Messages of the replaced stream no longer count.
    sources[0].send("message", { payload: "old" });
    sources[1].open();
    sources[1].send("message", { payload: "new" });
    equal(said, ["opened", "opened", "new"]);
    sources[1].send("refused", { topic: "c/#" });
    stream.update();
    equal(sources.length, 3);
});

test("A stream is reopened at once when the network returns or the page has slept", async () => {
    const { move, sources } = await begin();
    sources[0].fail();
    window.dispatchEvent(new Event("online"));
    await settle();
    equal(sources.length, 2);
    sources[1].open();
    const show = (isHidden) => {
        Object.defineProperty(document, "hidden", { get: () => isHidden, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
    };
    show(true);
    await move(30_000);
    show(false);
    await settle();
    equal(sources.length, 2);
    sources[1].send("heartbeat");
    show(true);
    for (let count = 0; count < 5; count += 1) {
        await move(15_000);
        sources[1].send("heartbeat");
    }
    show(false);
    await settle();
    equal(sources.length, 3);
});

test("A stream is prepared before each attempt, and stops when that is denied", async () => {
    const asked = [];
    const answers = [() => { throw new Error("away"); }, () => true, () => false];
    const { move, sources } = await begin({
        prepare: (isAgain) => {
            asked.push(isAgain);
            return answers[asked.length - 1]();
        },
    });
    equal([asked, sources.length], [[false], 0]);
    await move(1_000);
    equal([asked, sources.length], [[false, true], 1]);
    sources[0].fail();
    await move(600_000);
    equal([asked, sources.length], [[false, true, true], 1]);
});

test("A stopped stream opens nothing, whatever happens", async () => {
    const { move, sources, said, stream } = await begin();
    sources[0].open();
    stream.stop();
    equal(sources[0].readyState, CLOSED);
    sources[0].fail();
    window.dispatchEvent(new Event("online"));
    stream.update();
    await move(600_000);
    equal([sources.length, said], [1, ["opened"]]);
});

const topicsOf = ({ address }) => new URL(address, location.href).searchParams.getAll("topic");

test("A run is followed below the installation's root, whatever that is", async () => {
    stopTime();
    const sources = makeSources();
    const asked = network(({ path }) => (path === "/config.json" ? [200, { root: "kith/07" }] : undefined));
    let view = null;
    const stream = followRun("abcd2345", (state) => { view = structuredClone(state); });
    await settle();
    equal(asked.map(({ path }) => path), ["/config.json"]);
    const root = "kith/07/runs/abcd2345";
    equal(topicsOf(sources[0]), [root, `${root}/standings`]);
    sources[0].open();
    sources[0].send("message", { topic: root, payload: { enrolled: 150 } });
    equal(view.run, { enrolled: 150 });
    equal(topicsOf(sources[1]), [root, `${root}/standings`, `${root}/standings/2`, `${root}/standings/3`]);
    sources[1].send("message", { topic: `${root}/standings/2`, payload: [{ bib: 8 }] });
    sources[1].send("message", { topic: `${root}/standings`, payload: [{ bib: 7 }] });
    sources[1].send("message", { topic: "kith/07/runs/other/standings", payload: [{ bib: 9 }] });
    equal(view.standings, [{ bib: 7 }, { bib: 8 }]);
    stream.follow(7);
    equal(topicsOf(sources[2]).includes(`${root}/runners/7`), true);
    sources[2].send("message", { topic: `${root}/runners/7`, payload: { bib: 7, distance: 5 } });
    equal(view.followed, { bib: 7, distance: 5 });
    stream.stop();
});

test("A run's stream is live again after a silence", async () => {
    const move = stopTime();
    const sources = makeSources();
    store.change((state) => { state.config = { root: "kith" }; });
    const lives = [];
    followRun("abcd2345", ({ isLive }) => lives.push(isLive));
    await settle();
    sources[0].open();
    await move(46_000);
    sources[1].open();
    equal(lives, [true, false, true]);
});

/// A server's response over one connection, open until it is ended.
function makeBody() {
    let control = null;
    const stream = new ReadableStream({ start(controller) { control = controller; } });
    return {
        stream,
        send: (text) => control.enqueue(new TextEncoder().encode(text)),
        end: () => control.close(),
    };
}

test("A link is followed with its token, through silence and failures, until refused", async () => {
    const move = stopTime();
    const bodies = [makeBody(), makeBody()];
    const asked = [];
    globalThis.fetch = async (path, { headers, signal }) => {
        asked.push([path, headers.Authorization]);
        const body = bodies[asked.length - 1];
        if (!body) return new Response("{}", { status: 401 });
        signal.addEventListener("abort", () => { try { body.end(); } catch { /* It has ended. */ } });
        return new Response(body.stream);
    };
    const said = [];
    let isOver = false;
    follow({
        topic: "kith/shares/x", token: "secret",
        heard: (payload) => said.push(payload), connected: (value) => said.push(value),
    }).then(() => { isOver = true; });
    await settle();
    bodies[0].send('data: {"topic":"kith/shares/x","payl');
    await settle();
    bodies[0].send('oad":{"n":1}}\n\nevent: heartbeat\ndata: {}\n\n');
    await settle();
    equal(said, [true, { n: 1 }]);
    await move(44_000);
    equal(asked.length, 1);
    await move(2_000);
    equal(asked, [
        ["/api/events?topic=kith%2Fshares%2Fx", "Bearer secret"],
        ["/api/events?topic=kith%2Fshares%2Fx", "Bearer secret"],
    ]);
    await settle();
    bodies[1].send('data: {"topic":"kith/shares/x","payload":null}\n\n');
    await settle();
    equal(said, [true, { n: 1 }, false, true, null]);
    bodies[1].end();
    await move(2_000);
    equal([asked.length, isOver], [3, true]);
    await move(600_000);
    equal(asked.length, 3);
});
