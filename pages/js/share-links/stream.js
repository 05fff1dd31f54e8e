/// The events of one topic, for somebody who is not logged in: `EventSource` cannot send a token.

import { setClock } from "../clock.js";

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/// The server sends a heartbeat every 15 s.
const SILENCE_MS = 45_000;

/// Calls `heard` with the payload of each message (null where there is none any more), and
/// `connected` with whether the newest is known; returns when the token is refused.
export async function follow({ topic, token, heard, connected }) {
    for (let failures = 0; ; failures += 1) {
        try {
            const isRefused = await read({
                topic, token, connected,
                heard(payload) {
                    failures = 0;
                    heard(payload);
                },
            });
            if (isRefused) return;
        } catch {
            // The network or the server is away.
        }
        connected(false);
        const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures);
        await new Promise((resolve) => { setTimeout(resolve, pause * (0.5 + Math.random())); });
    }
}

/// Returns whether the token is refused, once the stream is over.
async function read({ topic, token, heard, connected }) {
    const abort = new AbortController();
    let watchdog = null;
    const alive = () => {
        clearTimeout(watchdog);
        watchdog = setTimeout(() => abort.abort(), SILENCE_MS);
    };
    alive();
    try {
        const response = await fetch(`/api/events?topic=${encodeURIComponent(topic)}`, {
            headers: { Authorization: `Bearer ${token}` },
            // Whoever is logged in with this browser has nothing to do with it.
            credentials: "omit", cache: "no-store", signal: abort.signal,
        });
        setClock(response.headers.get("Date"));
        if ([401, 403].includes(response.status)) return true;
        if (!response.ok) return false;
        connected(true);
        let isRefused = false;
        for await (const { event, data } of events(response.body, alive)) {
            if (event === "refused") isRefused = true;
            if (event === "message") heard(JSON.parse(data).payload ?? null);
        }
        return isRefused;
    } finally {
        clearTimeout(watchdog);
    }
}

/// Server-sent events (HTML, 9.2.6), as far as the service sends them.
async function* events(body, alive) {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
        const { value, done } = await reader.read();
        if (done) return;
        alive();
        const parts = (rest + value).split("\n\n");
        rest = parts.pop();
        for (const part of parts) {
            const fields = { event: "message", data: "" };
            for (const line of part.split("\n")) {
                const [, name, text] = /^(\w+): ?(.*)$/.exec(line) ?? [];
                if (name in fields) fields[name] = text;
            }
            if (fields.data) yield fields;
        }
    }
}
