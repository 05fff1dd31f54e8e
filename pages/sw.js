/// Caches the page itself in the browser, so that it opens without a network and its outbox works.
///
/// Its files are found by following the links, imports and icons from the start page: there is no
/// list that could be incomplete. One version is cached completely and served until the next one is
/// complete; its name is a digest of its contents. The previous one stays for open pages that still
/// load its parts. Responses of the service (`/api`, `/session`, `/config.json`) are never cached,
/// and neither is the operator's page.
///
/// Push handling has its own file, and so does the map's world.

importScripts("/sw-push.js", "/sw-world.js");

const START = "/";
const MANIFEST = "/manifest.webmanifest";
/// All its parts are loaded from the server, like itself, and so are of one version.
const OPERATOR = "/operator.html";
const PREFIX = "kith-";
/// The last entry of a version: without it, the browser was stopped while writing it.
const COMPLETE = "/complete";
/// The delay after a page began to load, so that all its parts are of one version.
const REFRESH_AFTER_MS = 4_000;
const MOST_FILES = 400;
const POLICY = "Content-Security-Policy";
/// The maximum delay of the start page caused by it.
const POLICY_PATIENCE_MS = 1_500;
const KEPT_TYPES = /\.(?:js|css|svg|png|webmanifest)$/;
/// The texts in the language of the page that registered this worker; English needs none.
const LANGUAGE = new URL(location.href).searchParams.get("language");
const CATALOGUE = /^[a-z]{2}$/.test(LANGUAGE ?? "") && LANGUAGE !== "en"
    ? `/languages/${LANGUAGE}.json` : null;
/// The files that `tools/bundle-page` names by their contents.
const NAMED_BY_DIGEST = /-[0-9A-Z]{8}\.\w+$/;

/// The current refresh.
let refreshing = null;

self.addEventListener("install", (event) => {
    event.waitUntil(refresh().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
    const { request } = event;
    const url = new URL(request.url);
    if (request.method !== "GET" || url.origin !== location.origin) return;
    const isStart = request.mode === "navigate" && [START, "/index.html"].includes(url.pathname);
    if (!isStart && !KEPT_TYPES.test(url.pathname) && url.pathname !== CATALOGUE) return;
    event.respondWith(isStart ? answerStart(request) : answerPart(event, url.pathname));
    if (isStart) event.waitUntil(pause(REFRESH_AFTER_MS).then(refresh).catch(() => {}));
});

async function answerPart({ request, clientId }, path) {
    const client = clientId && await self.clients.get(clientId);
    if (client && new URL(client.url).pathname === OPERATOR) return fetch(request);
    return answer(request, path);
}

async function answer(request, path) {
    const version = await newest();
    const kept = version && await (await caches.open(version)).match(path);
    // A page of the previous version.
    const older = !kept && NAMED_BY_DIGEST.test(path) && await caches.match(path);
    return kept || older || fetch(request);
}

/// The cached page with the server's current security policy: other tiles may be allowed, or none.
async function answerStart(request) {
    const [kept, told] = await Promise.all([answer(request, START), askForHeaders()]);
    const policy = told?.get(POLICY);
    if (!policy || policy === kept.headers.get(POLICY)) return kept;
    const headers = new Headers(kept.headers);
    headers.set(POLICY, policy);
    return new Response(kept.body, { status: kept.status, headers });
}

/// Null if the server does not answer soon.
async function askForHeaders() {
    try {
        const response = await fetch(START, {
            method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(POLICY_PATIENCE_MS),
        });
        return response.ok && !response.redirected ? response.headers : null;
    } catch {
        return null;
    }
}

async function newest() {
    return (await complete())[0] ?? null;
}

/// The complete versions, the newest first.
async function complete() {
    const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX)).reverse();
    const whole = await Promise.all(names.map(async (name) =>
        (await caches.open(name)).match(COMPLETE)));
    return names.filter((_, index) => whole[index]);
}

/// Requests all files, and caches them if one has changed. One refresh at a time.
function refresh() {
    refreshing ??= replaceChanged().finally(() => { refreshing = null; });
    return refreshing;
}

async function replaceChanged() {
    const files = await load();
    const name = PREFIX + await digest(files);
    if (name !== await newest()) {
        await caches.delete(name);
        const cache = await caches.open(name);
        for (const [path, { response }] of files) await cache.put(path, response);
        await cache.put(COMPLETE, new Response(""));
    }
    const kept = (await complete()).slice(0, 2);
    for (const other of await caches.keys()) {
        if (other.startsWith(PREFIX) && !kept.includes(other)) await caches.delete(other);
    }
}

/// Path → `{response, text}`, from the start page on, in the order in which they were found.
async function load() {
    const files = new Map();
    let found = [START, MANIFEST, ...CATALOGUE ? [CATALOGUE] : []];
    while (found.length > 0) {
        const paths = [...new Set(found)].filter((path) => !files.has(path));
        if (files.size + paths.length > MOST_FILES) throw new Error("too many files");
        const loaded = await Promise.all(paths.map(read));
        paths.forEach((path, index) => files.set(path, loaded[index]));
        found = paths.flatMap((path) => references(path, files.get(path).text));
    }
    return files;
}

async function read(path) {
    const cache = NAMED_BY_DIGEST.test(path) ? "default" : "no-cache";
    const response = await fetch(path, { cache, credentials: "same-origin" });
    if (!response.ok || response.redirected) throw new Error(`${path}: ${response.status}`);
    const copy = response.clone();
    return { response, text: path.endsWith(".png") ? "" : await copy.text() };
}

/// The files that a file needs, as paths of this origin.
function references(path, text) {
    const patterns = [];
    if (path === START) patterns.push(/\s(?:href|src)="([^"#]+)"/g);
    if (path.endsWith(".js")) {
        // As written by hand and by a bundler; also dynamic imports: `import("./x.js")`.
        patterns.push(/(?:\bfrom|\bimport)\s*\(?\s*["']((?:\.{1,2})?\/[^"'\s]+\.js)["']/g);
        patterns.push(/["'](\/[\w./-]+\.(?:svg|png))["']/g);
    }
    if (path === MANIFEST) patterns.push(/"src":\s*"([^"]+)"/g);
    const base = new URL(path, location.origin);
    return patterns.flatMap((pattern) => [...text.matchAll(pattern)])
        .map(([, reference]) => new URL(reference, base))
        .filter((url) => url.origin === location.origin && KEPT_TYPES.test(url.pathname))
        .map((url) => url.pathname);
}

/// A digest of the texts and of the server's security policy, which is cached with them.
async function digest(files) {
    const parts = [...files].map(([path, { response, text }]) => [
        path, text, response.headers.get("Content-Security-Policy"), response.headers.get("ETag"),
    ]);
    parts.sort(([a], [b]) => (a < b ? -1 : 1));
    const bytes = new TextEncoder().encode(JSON.stringify(parts));
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    return [...hash.subarray(0, 12)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function pause(milliseconds) {
    return new Promise((resolve) => { setTimeout(resolve, milliseconds); });
}
