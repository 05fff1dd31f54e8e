/// Caches the bundled world in the browser, so that the map works without a network: the overview
/// from the start, and every other part once requested. A cached part is served as it is, and
/// refreshed once per start of the worker.

const WORLD = "world";
const WORLD_PATH = "/world/";
const WORLD_FIRST = ["/world/cells.json", "/world/overview.json", "/world/cities/overview.txt"];

const askedAgain = new Set();

self.addEventListener("install", (event) => {
    // The page itself does not wait for it, and works without it if necessary.
    event.waitUntil(caches.open(WORLD).then((cache) => cache.addAll(WORLD_FIRST)).catch(() => {}));
});

self.addEventListener("fetch", (event) => {
    const { request } = event;
    const url = new URL(request.url);
    if (request.method !== "GET" || url.origin !== location.origin) return;
    if (!url.pathname.startsWith(WORLD_PATH)) return;
    event.respondWith(answerWorld(event, url.pathname));
});

async function answerWorld(event, path) {
    const kept = await (await caches.open(WORLD)).match(path);
    if (!kept) return keepWorld(path).catch(() => Response.error());
    if (!askedAgain.has(path)) {
        askedAgain.add(path);
        event.waitUntil(keepWorld(path).catch(() => {}));
    }
    return kept;
}

async function keepWorld(path) {
    const response = await fetch(path, { cache: "no-cache" });
    if (response.ok) await (await caches.open(WORLD)).put(path, response.clone());
    return response;
}
