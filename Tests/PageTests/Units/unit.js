/// Helpers for the tests of the page's modules. Each test runs on a page of its own.

const tests = new Map();

export function test(name, body) {
    tests.set(name, body);
}

export function run(name) {
    if (!tests.has(name)) throw new Error(`There is no test “${name}”.`);
    return tests.get(name)();
}

/// Compares values as JSON.
export function equal(found, expected, what = "") {
    const [left, right] = [found, expected].map((value) => JSON.stringify(value) ?? "undefined");
    if (left !== right) throw new Error(`${what} ${left} is not ${right}`);
}

/// A network that answers with the result of `answer(request, number)`: `[status, body]`, or
/// nothing for no network. Returns the requests: `{method,path,body}`.
export function network(answer) {
    const asked = [];
    globalThis.fetch = async (path, { method, body }) => {
        const request = { method, path, body: body && JSON.parse(body) };
        asked.push(request);
        const [status, told] = answer(request, asked.length) ?? [];
        if (status === undefined) throw new TypeError("Failed to fetch");
        return new Response(JSON.stringify(told), { status });
    };
    return asked;
}

export function setOnline(isOnline) {
    Object.defineProperty(navigator, "onLine", { get: () => isOnline, configurable: true });
}

const pause = setTimeout;
/// The number of browser operations that are still pending.
let pending = 0;

function begin() {
    let isOver = false;
    pending += 1;
    return () => {
        if (!isOver) pending -= 1;
        isOver = true;
    };
}

function watch(prototype, name, follow) {
    const original = prototype[name];
    prototype[name] = function (...parameters) {
        return follow(begin(), (...others) =>
            original.apply(this, others.length ? others : parameters), parameters);
    };
}

watch(IDBFactory.prototype, "open", (end, work) => {
    const request = work();
    for (const kind of ["success", "error"]) request.addEventListener(kind, end);
    return request;
});
watch(IDBDatabase.prototype, "transaction", (end, work) => {
    const transaction = work();
    for (const kind of ["complete", "abort"]) transaction.addEventListener(kind, end);
    return transaction;
});
watch(LockManager.prototype, "request", (end, work, parameters) => {
    const body = parameters.pop();
    return work(...parameters, (lock) => {
        end();
        return body(lock);
    });
});

/// Lets everything happen that needs no time to pass: promises, the database, locks.
export async function settle() {
    for (let round = 0; round < 5; round += 1) {
        do {
            await new Promise((resolve) => { pause(resolve); });
        } while (pending > 0);
    }
}

/// Stops the clock. The returned function advances it by milliseconds, running timers as they
/// become due.
export function stopTime() {
    let now = 1_800_000_000_000;
    let last = 0;
    const timers = new Map();
    const start = (every) => (work, ms = 0) => {
        timers.set(last += 1, { at: now + ms, ms: every ? ms : null, work });
        return last;
    };
    globalThis.setTimeout = start(false);
    globalThis.setInterval = start(true);
    globalThis.clearTimeout = globalThis.clearInterval = (id) => timers.delete(id);
    Date.now = () => now;
    performance.now = () => now - 1_700_000_000_000;
    Math.random = () => 0.5;
    return async (ms) => {
        const end = now + ms;
        for (;;) {
            await settle();
            const [id, due] = [...timers].sort(([, a], [, b]) => a.at - b.at)[0] ?? [];
            if (!due || due.at > end) break;
            now = Math.max(now, due.at);
            if (due.ms === null) timers.delete(id);
            else due.at += due.ms;
            due.work();
        }
        now = end;
        await settle();
    };
}
