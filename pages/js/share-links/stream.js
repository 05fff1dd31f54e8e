/// The events of one topic, without login: `EventSource` cannot send a token.

import { setClock } from "../clock.js";
import { makeEventStream } from "../event-stream.js";

/// Calls `heard` with the payload of each message (null if it was cleared), and `connected` with
/// whether the newest is known; returns when the token is refused.
export function follow({ topic, token, heard, connected }) {
    return new Promise((resolve) => {
        const stream = makeEventStream({
            topics: () => [topic],
            source: (address) => new TokenSource(address, token),
            opened: () => connected(true),
            lost: () => connected(false),
            events: {
                message: ({ payload }) => heard(payload ?? null),
                refused() {
                    stream.stop();
                    resolve();
                },
            },
        });
        stream.start();
    });
}

/// Like an `EventSource` that sends a token, and that is closed when it ends for any reason; a
/// refused token dispatches the event `refused`.
class TokenSource extends EventTarget {
    readyState = EventSource.CONNECTING;
    #abort = new AbortController();

    constructor(address, token) {
        super();
        this.#read(address, token).catch(() => {
            // The network or the server is unavailable.
        }).then(() => {
            this.readyState = EventSource.CLOSED;
            this.dispatchEvent(new Event("error"));
        });
    }

    close() {
        this.readyState = EventSource.CLOSED;
        this.#abort.abort();
    }

    async #read(address, token) {
        const response = await fetch(address, {
            headers: { Authorization: `Bearer ${token}` },
            // Independent of the user logged in with this browser.
            credentials: "omit", cache: "no-store", signal: this.#abort.signal,
        });
        setClock(response.headers.get("Date"));
        if ([401, 403].includes(response.status)) return this.#dispatch("refused", "{}");
        if (!response.ok) return;
        this.readyState = EventSource.OPEN;
        this.dispatchEvent(new Event("open"));
        for await (const { event, data } of events(response.body)) this.#dispatch(event, data);
    }

    #dispatch(event, data) {
        this.dispatchEvent(new MessageEvent(event, { data }));
    }
}

/// Server-sent events (HTML, 9.2.6), as far as the service sends them.
async function* events(body) {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
        const { value, done } = await reader.read();
        if (done) return;
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
