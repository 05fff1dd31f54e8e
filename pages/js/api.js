/// Requests to the server, and their results. The token is in a cookie that no script can read.
/// Another tab may have logged in as another user, so each request names the user of this page.

import { setClock } from "./clock.js";
import { t } from "./language.js";
import { readStored, writeStored } from "./storage.js";
import { store } from "./store.js";

const PATIENCE_MS = 30_000;
const DEVICE_KEY = "kith.device";
/// Paths whose answers set the clock.
const TIMED = ["/session", "/config.json", "/operator/state"];
export const ME_KEY = "kith.me";

/// What went wrong, in words for the person: RFC 9457, and `kind`, the last part of its type.
///
/// If the server sent no type, `kind` is `unreachable` (no network), `away` (502, 503, 504),
/// `too-much` (429; `retryAfter` in seconds), `logged-out` (401), `other-user` (409: another tab
/// logged in as another user) or `failed`.
export class Problem extends Error {
    constructor({ type = "about:blank", title, status = 0, detail, errors }, retryAfter) {
        super(detail || title || t("That did not work."));
        this.type = type;
        this.status = status;
        this.title = title;
        this.detail = detail;
        this.errors = errors ?? [];
        this.retryAfter = retryAfter;
        this.kind = type.startsWith("urn:kith:problem:") ? type.slice(17) : Problem.kind(status);
    }

    static kind(status) {
        const kinds = {
            0: "unreachable", 401: "logged-out", 409: "other-user", 429: "too-much",
        };
        if (status >= 502 && status <= 504) return "away";
        return kinds[status] ?? "failed";
    }

    /// Whether the same request, with the same id, is worth another try.
    get isPassing() {
        return ["unreachable", "away", "other-user", "too-much"].includes(this.kind)
            || this.status >= 500;
    }
}

/// Calls a method of docs/reference.md. In the demo, where everyone shares one account, no
/// position is sent.
export function call(method, body = {}) {
    const { fix, ...rest } = body;
    const isKept = fix !== undefined && store.state.me?.demo;
    return send("POST", `/api/${method}`, isKept ? rest : body);
}

/// Sends fixes: returns `{stored, rejected}` with receipts, `{}` without.
export function sendFixes(fixes) {
    return send("POST", "/api/fix", fixes);
}

export function config() {
    return send("GET", "/config.json");
}

export const session = {
    /// Returns the user who is logged in, or null. If that is not the user of this page, reloads
    /// the page and throws.
    async current() {
        try {
            const me = await send("GET", "/session");
            return remember(me.user ? me : null);
        } catch (problem) {
            if (problem.status !== 401) throw problem;
            remember(null);
            return null;
        }
    },

    /// Returns the user at the last contact with the server; for a start without a network.
    remembered() {
        return readStored(ME_KEY);
    },

    /// Stores the kind of account, which decides what is shown at the start.
    noteKind(kind) {
        writeStored(ME_KEY, { ...readStored(ME_KEY), kind });
    },

    /// Ends everything here after another tab has ended the session.
    hasEnded() {
        announceLoss();
    },

    /// - Parameter code: of the second factor; empty without one.
    async logIn({ login, password, code }) {
        const body = { login, password, device: deviceName(), code: code || undefined };
        return remember(await send("POST", "/session", body));
    },

    /// - Parameter credential: what a passkey has signed.
    async logInByPasskey(credential) {
        return remember(await send("POST", "/session/passkey", {
            credential, device: deviceName(),
        }));
    },

    async watchDemo() {
        return remember(await send("POST", "/session/demo", {}));
    },

    async logOut() {
        try {
            await send("DELETE", "/session");
        } catch (problem) {
            if (problem.status !== 401) throw problem;
        }
        remember(null);
        announceLoss();
    },
};

/// Calls the listener when the session has ended, for whatever reason.
export function onSessionEnd(listener) {
    lossListeners.add(listener);
    return () => lossListeners.delete(listener);
}

/// The name of this browser as a device; the same as long as the browser keeps its storage.
function deviceName() {
    let name = localStorage.getItem(DEVICE_KEY);
    if (!/^[a-z0-9][a-z0-9_-]{1,31}$/.test(name ?? "")) {
        const letters = "abcdefghijkmnpqrstuvwxyz23456789";
        const random = crypto.getRandomValues(new Uint8Array(8));
        name = "web-" + Array.from(random, (byte) => letters[byte % letters.length]).join("");
        localStorage.setItem(DEVICE_KEY, name);
    }
    return name;
}

/// An id for a request that may have to be sent again.
export function newID() {
    const hex = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
        byte.toString(16).padStart(2, "0"));
    return hex.join("");
}

const lossListeners = new Set();

function announceLoss() {
    for (const listener of lossListeners) listener();
}

function remember(me) {
    const shown = store.state.me;
    if (me && shown && (me.user !== shown.user || me.device !== shown.device)) {
        location.reload();
        throw new Problem({ status: 409, detail: words(409) });
    }
    // The stored kind of the account.
    const { user, kind } = readStored(ME_KEY) ?? {};
    const known = me && kind && user === me.user ? { ...me, kind } : me;
    writeStored(ME_KEY, known);
    return known;
}

async function send(verb, path, body) {
    // `GET /session` asks who is logged in, so it names no user.
    const isOwn = path.startsWith("/api/") || verb === "DELETE";
    const headers = isOwn && store.state.me ? { "Kith-User": store.state.me.user } : {};
    try {
        return await exchange(verb, path, { body, headers });
    } catch (problem) {
        if (problem.status === 401 && problem.kind === "logged-out" && path.startsWith("/api/")) {
            remember(null);
            announceLoss();
        }
        if (problem.kind === "other-user") session.current().catch(() => {});
        throw problem;
    }
}

/// One request, with or without a login, and the JSON of its answer; throws a ``Problem``.
export async function exchange(
    verb, path, { body, headers = {}, credentials = "same-origin", patience = PATIENCE_MS },
) {
    const options = {
        method: verb,
        credentials,
        cache: "no-store",
        headers: { Accept: "application/json", ...headers },
        signal: AbortSignal.timeout?.(patience),
    };
    if (body !== undefined) {
        options.headers["Content-Type"] = "application/json";
        options.body = JSON.stringify(body);
    }
    let response, text;
    try {
        response = await fetch(path, options);
        text = await response.text();
    } catch {
        throw new Problem({ title: t("No connection"), detail: t("The server cannot be reached.") });
    }
    if (TIMED.includes(path)) setClock(response.headers.get("Date"));
    const answer = parse(text);
    if (response.ok) return answer ?? {};
    const retryAfter = Number(response.headers.get("Retry-After")) || undefined;
    const told = answer && typeof answer === "object" ? answer : {};
    throw new Problem({ title: words(response.status), ...told, status: response.status }, retryAfter);
}

function parse(text) {
    if (!text) return null;
    try {
        return JSON.parse(text);
    } catch {
        return null;
    }
}

function words(status) {
    if (status === 401) return t("You are no longer logged in.");
    if (status === 409) return t("Another user is logged in with this browser.");
    if (status === 429) return t("Too many requests. Try again in a moment.");
    if (status >= 502 && status <= 504) return t("The service isn't responding. Try again soon.");
    return t("That did not work.");
}
