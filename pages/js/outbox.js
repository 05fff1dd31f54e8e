/// Fixes that are not on the server's disk yet, kept in IndexedDB until its receipt covers them.
///
/// A fix gets its number (`seq`) when it is first sent. So the numbers have no gaps, even if fixes
/// were thinned out while there was no network. If a numbered fix is dropped, those after it are
/// numbered again, so that a receipt never waits for it. Numbers and fixes belong to a user's
/// device: another account in the same browser neither sees nor sends them.

import { sendFixes } from "./api.js";
import { openDatabase } from "./outbox-database.js";

/// The maximum number of fixes in one request.
export const BATCH_COUNT = 200;
/// The maximum number of bytes of JSON in one request; the server accepts 64 KiB.
const BATCH_BYTES = 48 * 1024;
/// The maximum number of fixes kept; beyond it every second one of the older half is deleted.
const KEPT_FIXES = 20_000;
/// Milliseconds until the next attempt, doubled with each failed one.
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/// How long until fixes refused only for their time are sent again: the clock of this device or of
/// the server may have been corrected.
const ASIDE_PAUSE_MS = 600_000;
/// One day of such attempts.
const ASIDE_TRIES = 144;

class Outbox {
    #owner = null;
    #database = null;
    #listeners = new Set();
    #channel = null;
    #timer = null;
    #failures = 0;
    #isDraining = false;
    #isAskedAgain = false;
    /// `idle`, `sending`, `waiting` (tries again by itself), `offline`, `logged-out`, `broken`.
    #state = "idle";
    #waiting = 0;
    #aside = 0;
    /// By the browser's monotonic clock.
    #asideUntil = 0;
    #thinned = 0;
    #refused = 0;
    #refusal = null;

    constructor() {
        addEventListener("online", () => this.#hurry());
        addEventListener("offline", () => this.#tell());
        document.addEventListener("visibilitychange", () => {
            if (document.visibilityState === "visible") this.#hurry();
        });
        if ("BroadcastChannel" in globalThis) {
            this.#channel = new BroadcastChannel("kith-outbox");
            this.#channel.onmessage = () => this.#count();
        }
    }

    /// The outbox's state and counts.
    get status() {
        const isOffline = !navigator.onLine && this.#state !== "logged-out";
        return {
            state: isOffline ? "offline" : this.#state,
            waiting: this.#waiting,
            aside: this.#aside,
            thinned: this.#thinned,
            refused: this.#refused,
            refusal: this.#refusal,
        };
    }

    /// Calls back with `status` now and after each change; returns a function that ends this.
    listen(listener) {
        this.#listeners.add(listener);
        listener(this.status);
        return () => this.#listeners.delete(listener);
    }

    /// Sets the owner of fixes kept from now on (null: no one is logged in), and sends the rest.
    async open(me) {
        const owner = me ? `${me.user}/${me.device}` : null;
        if (owner === this.#owner && this.#state !== "logged-out") return;
        this.#owner = owner;
        this.#refused = 0;
        this.#refusal = null;
        this.#asideUntil = 0;
        this.#state = "idle";
        await this.#count();
        if (owner) this.#hurry();
    }

    /// Keeps a fix until the server has it. Resolves when the browser has stored it.
    async put(fix) {
        const owner = this.#owner;
        if (!owner) return;
        try {
            await (await this.#open()).put(owner, fix, KEPT_FIXES);
        } catch {
            this.#tell("broken");
            // The browser cannot store it: try to send it immediately.
            return sendFixes([fix]).catch(() => {});
        }
        await this.#count();
        this.#channel?.postMessage("changed");
        if (this.#timer === null) this.flush();
    }

    /// Sends the kept fixes, the oldest first, until none are left or something fails.
    async flush() {
        if (!this.#owner || this.#state === "logged-out") return;
        if (this.#isDraining) {
            this.#isAskedAgain = true;
            return;
        }
        this.#isDraining = true;
        clearTimeout(this.#timer);
        this.#timer = null;
        try {
            do {
                this.#isAskedAgain = false;
                await lockAlone("kith-outbox", () => this.#drain());
            } while (this.#isAskedAgain && this.#timer === null && this.#state !== "logged-out");
        } catch {
            this.#tell("broken");
        } finally {
            this.#isDraining = false;
        }
    }

    /// The owner of the fixes kept now; null: no one.
    get owner() { return this.#owner; }

    /// Deletes what is kept for an owner.
    async forget(owner = this.#owner) {
        if (!owner) return;
        await (await this.#open()).forget(owner);
        await this.#count();
        this.#channel?.postMessage("changed");
    }

    async #drain() {
        const owner = this.#owner;
        let limit = BATCH_COUNT;
        while (owner && owner === this.#owner) {
            const database = await this.#open();
            const batch = await database.batch(owner, { count: limit, bytes: BATCH_BYTES });
            if (batch.length === 0) {
                if (await this.#takeUp(database, owner)) continue;
                break;
            }
            this.#tell("sending");
            let answer;
            try {
                answer = await sendFixes(batch.map((record) => record.fix));
            } catch (problem) {
                if (owner !== this.#owner) return;
                if (isRefusal(problem)) {
                    // The request was refused as a whole: find out which fix is the reason.
                    if (batch.length === 1) await this.#giveUp(database, owner, batch[0], problem);
                    limit = Math.max(1, Math.floor(batch.length / 2));
                    continue;
                }
                return this.#hasFailed(problem);
            }
            this.#failures = 0;
            const stored = answer?.stored ?? 0;
            const rejected = answer?.rejected ?? [];
            const again = new Set(rejected.flatMap((each) => each.again ?? []));
            const refused = new Set(rejected.flatMap((each) => each.seq ?? []));
            const done = batch.filter(({ fix: { seq } }) => seq === undefined || seq <= stored
                || (refused.has(seq) && !again.has(seq)));
            this.#noteRefused(rejected);
            await database.remove(owner, done);
            const early = batch.filter(({ fix: { seq } }) => again.has(seq) && seq > stored);
            if (early.length > 0) await this.#setAside(database, owner, early);
            // Fixes that had been set aside are accepted now.
            else if (batch.some(({ tries }) => tries > 0)) this.#asideUntil = 0;
            await this.#count();
            this.#channel?.postMessage("changed");
            if (done.length === 0 && early.length === 0) return this.#hasFailed(null);
            limit = BATCH_COUNT;
        }
        this.#tell("idle");
    }

    /// Sets aside fixes refused only for their time, to make room for later ones.
    async #setAside(database, owner, records) {
        this.#asideUntil = performance.now() + ASIDE_PAUSE_MS;
        setTimeout(() => this.flush(), ASIDE_PAUSE_MS + 1);
        this.#refused += await database.setAside(
            owner, records, { tries: ASIDE_TRIES, count: KEPT_FIXES });
    }

    /// Whether fixes that had been set aside are now queued to be sent again.
    async #takeUp(database, owner) {
        if (performance.now() < this.#asideUntil) return false;
        return await database.takeUp(owner, BATCH_COUNT) > 0;
    }

    async #giveUp(database, owner, record, problem) {
        // The number is wrong, not the fix.
        if (isAboutNumber(problem) && record.fix.seq !== 1) return database.numberAnew(owner);
        this.#noteRefused([{ problem }]);
        await database.giveUp(owner, record);
        await this.#count();
    }

    /// Counts fixes that the server has refused for good, and keeps the reason.
    #noteRefused(rejected) {
        for (const { problem, seq, again = [] } of rejected) {
            this.#refused += (Array.isArray(seq) ? seq.length : 1) - again.length;
            this.#refusal = problem ?? null;
        }
    }

    #hasFailed(problem) {
        if (problem?.status === 401) return this.#tell("logged-out");
        this.#failures += 1;
        const doubled = FIRST_PAUSE_MS * 2 ** Math.min(this.#failures - 1, 10);
        const asked = (problem?.retryAfter ?? 0) * 1000;
        const pause = Math.max(asked, Math.min(doubled, LONGEST_PAUSE_MS) * (0.5 + Math.random()));
        this.#timer = setTimeout(() => {
            this.#timer = null;
            this.flush();
        }, pause);
        this.#tell("waiting");
    }

    /// Sends now, because there is reason to believe that it works.
    #hurry() {
        this.#failures = 0;
        this.flush();
        this.#tell();
    }

    async #open() {
        this.#database ??= await openDatabase(() => { this.#database = null; });
        return this.#database;
    }

    async #count() {
        const owner = this.#owner;
        try {
            const counts = owner ? await (await this.#open()).counts(owner) : {};
            if (owner !== this.#owner) return;
            this.#waiting = counts.waiting ?? 0;
            this.#aside = counts.aside ?? 0;
            this.#thinned = counts.thinned ?? 0;
            this.#tell();
        } catch {
            this.#tell("broken");
        }
    }

    #tell(state = this.#state) {
        this.#state = state;
        for (const listener of this.#listeners) listener(this.status);
    }
}

/// Refusals that are final. Anything else may work another time.
const REFUSALS = ["malformed", "invalid", "too-large", "too-old"];

function isRefusal(problem) {
    return REFUSALS.includes(problem?.kind);
}

function isAboutNumber({ errors }) {
    return errors.length > 0 && errors.every(({ field }) => /(?:^|\.)seq$/.test(field));
}

/// Runs `body` while no other tab does, if the browser supports locks (only in secure contexts).
function lockAlone(name, body) {
    return navigator.locks ? navigator.locks.request(name, body) : body();
}

export const outbox = new Outbox();
