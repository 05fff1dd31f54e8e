import { equal, network, test } from "/unit.js";

/// Loads the worker's script in a worker's environment. `shown` are the notifications shown now,
/// `log` all of them, `opened` the pages opened, `asked` the requests.
async function worker(answer = () => [200, {}], { pages = [], opens = true } = {}) {
    let shown = [];
    const log = [];
    const opened = [];
    const asked = network(answer);
    globalThis.registration = {
        async showNotification(title, options) {
            shown = shown.filter(({ tag }) => tag !== options.tag);
            const close = () => { shown = shown.filter((each) => each !== entry); };
            const entry = { title, ...options, close };
            shown.push(entry);
            log.push(entry);
        },
        async getNotifications({ tag }) { return shown.filter((each) => each.tag === tag); },
        pushManager: {
            async subscribe({ applicationServerKey }) {
                return { toJSON: () => ({ endpoint: applicationServerKey, keys: {} }) };
            },
        },
    };
    globalThis.clients = {
        async matchAll() { return pages; },
        async openWindow(url) {
            if (!opens) throw new TypeError("Not allowed");
            opened.push(url);
        },
    };
    await import("/sw-push.js");
    const happen = async (kind, properties) => {
        const work = [];
        dispatchEvent(Object.assign(new Event(kind), properties, {
            waitUntil: (promise) => work.push(promise),
        }));
        await Promise.all(work);
    };
    return {
        log, opened, asked,
        shown: () => shown,
        push: (text) => happen("push", {
            data: text === null ? null : { json: () => JSON.parse(text) },
        }),
        press: (action) => happen("notificationclick", { notification: shown[0], action }),
        happen,
    };
}

const SOS = {
    id: "a-2", kind: "sos", at: "2026-05-01T12:00:00.000Z", title: "Ben: SOS", text: "Ben calls.",
    view: "#/alerts", alert: "a",
};

test("Notifications use the language that the page keeps", async () => {
    const texts = {
        "I have seen it": "Ich habe es gesehen",
        "Something has happened. Open Kith to see it.": "Es ist etwas passiert.",
    };
    await (await caches.open("language")).put(
        "/languages/kept.json", new Response(JSON.stringify({ language: "de", texts })));
    const { push, shown } = await worker();
    await push(JSON.stringify(SOS));
    equal([shown()[0].lang, shown()[0].actions[0].title], ["de", "Ich habe es gesehen"]);
    await push(null);
    equal(shown().map(({ body }) => body), ["Ben calls.", "Es ist etwas passiert."]);
});

test("An SOS notification stays until pressed, and can be acknowledged directly", async () => {
    const { push, press, shown, asked, opened } = await worker();
    await push(JSON.stringify(SOS));
    const [{ title, body, tag, requireInteraction, renotify, data }] = shown();
    equal([title, body, tag], ["Ben: SOS", "Ben calls.", "a"]);
    equal([requireInteraction, renotify, data.url], [true, true, "/#alerts"]);
    await press("seen");
    equal(asked, [{ method: "POST", path: "/api/alert.acknowledge", body: { alert: "a" } }]);
    equal([shown().length, opened], [0, []]);
});

test("A user's notification is acknowledged only as that user", async () => {
    const { push, press, asked, opened } = await worker(() => [409, {}]);
    let headers = null;
    const { fetch } = globalThis;
    globalThis.fetch = (path, options) => {
        ({ headers } = options);
        return fetch(path, options);
    };
    await push(JSON.stringify({ ...SOS, user: "ann" }));
    await press("seen");
    equal(headers["Kith-User"], "ann");
    // Another user is logged in here now: the page shows it.
    equal([asked.length, opened], [1, ["/#alerts"]]);
});

test("A notification shown already makes no sound again, but a repetition does", async () => {
    const { push, shown } = await worker();
    await push(JSON.stringify(SOS));
    await push(JSON.stringify(SOS));
    equal(shown().map(({ renotify }) => renotify), [false]);
    await push(JSON.stringify({ ...SOS, id: "a-3" }));
    equal(shown().map(({ renotify }) => renotify), [true]);
});

test("A failed acknowledgement opens the page", async () => {
    const answers = [undefined, [401, {}], [503, {}]];
    const { push, press, opened } = await worker((_, number) => answers[number - 1]);
    for (const _ of answers) {
        await push(JSON.stringify(SOS));
        await press("seen");
    }
    equal(opened, ["/#alerts", "/#alerts", "/#alerts"]);
});

test("A failed acknowledgement without a page shows that no one knows yet", async () => {
    const { push, press, shown } = await worker(() => undefined, { opens: false });
    await push(JSON.stringify(SOS));
    await press("seen");
    equal(shown().map(({ body }) => body.includes("No one knows yet")), [true]);
});

test("Other notifications do not stay, cannot be acknowledged and open their view", async () => {
    const page = { focused: true, postMessage(data) { this.told = data; }, focus() {} };
    const { push, press, shown } = await worker(undefined, { pages: [page] });
    await push(JSON.stringify({ ...SOS, kind: "late", view: "#/people" }));
    equal([shown()[0].requireInteraction, shown()[0].actions], [false, []]);
    await press("");
    equal(page.told, { go: "#people", user: undefined });
});

test("A check notification is silent and removed immediately", async () => {
    const { push, shown, log } = await worker();
    await push(JSON.stringify({ ...SOS, kind: "check", alert: undefined }));
    equal([shown().length, log.map(({ silent }) => silent)], [0, [true]]);
});

test("Every push shows a notification, even an invalid one", async () => {
    const { push, shown } = await worker();
    for (const text of [null, "", "{", "null", "7", "[]", "{}", '{"title":{}}', '{"title":""}']) {
        await push(text);
        equal(shown().map(({ title }) => title), ["Kith"], text);
        shown()[0].close();
    }
});

test("A notification opens only the page's own views", async () => {
    const { push, press, opened } = await worker();
    for (const view of ["https://example.org", "//example.org", "#/alerts/../x", 7, undefined]) {
        await push(JSON.stringify({ ...SOS, view }));
        await press("");
    }
    equal(new Set(opened).size, 1);
    equal(opened[0], "/#alerts");
});

test("A subscription that the browser ends is renewed", async () => {
    const { happen, asked } = await worker(() => [200, { pushKey: "key" }]);
    await happen("pushsubscriptionchange", {});
    equal(asked.map(({ path }) => path), ["/api/channel.list", "/api/channel.add"]);
    equal(asked[1].body.subscription.endpoint, "key");
});
