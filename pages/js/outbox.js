/// Fixes that are not on the server's disk yet, kept in IndexedDB until its receipt covers them.
///
/// A fix gets its number (`seq`) when it is sent for the first time: so the numbers have no gaps,
/// however many fixes were thinned out while there was no network, and a receipt never has to
/// wait for one that is gone: those after it are numbered anew. Numbers and fixes belong to a
/// user's device; who logs in with another account in the same browser neither sees nor sends
/// them.

import { sendFixes } from "./api.js";
import { openDatabase } from "./outbox-database.js";

/// Fixes in one request.
export const BATCH_COUNT = 200;
/// Bytes of JSON in one request; the server takes 64 KiB.
const BATCH_BYTES = 48 * 1024;
/// Fixes kept at most; beyond it every second one of the older half goes.
const KEPT_FIXES = 20_000;
/// Milliseconds until the next attempt, doubled with each one that failed.
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/// After so long, what was refused for its time alone is sent again: the clock of this device or
/// of the server may have been put right.
const ASIDE_PAUSE_MS = 600_000;
/// A day of it.
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
    /// By the browser's steady clock.
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

    /// What there is to say about it.
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

    /// Calls back with `status` now and after each change; returns what ends it.
    listen(listener) {
        this.#listeners.add(listener);
        listener(this.status);
        return () => this.#listeners.delete(listener);
    }

    /// Whose fixes they are from now on; null: nobody is logged in. Sends what is left.
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

    /// Keeps a fix until the server has it. Resolves when the browser has it.
    async put(fix) {
        const owner = this.#owner;
        if (!owner) return;
        try {
            await (await this.#open()).put(owner, fix, KEPT_FIXES);
        } catch {
            this.#tell("broken");
            // Nothing can be kept here: what gets through at once is better than nothing.
            return sendFixes([fix]).catch(() => {});
        }
        await this.#count();
        this.#channel?.postMessage("changed");
        if (this.#timer === null) this.flush();
    }

    /// Sends what is kept, the oldest first, until nothing is left or something fails.
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
            } while (this.#isAskedAgain && this.#timer === null);
        } catch {
            this.#tell("broken");
        } finally {
            this.#isDraining = false;
        }
    }

    /// Whose fixes are kept now; null: nobody's.
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
                    // The request as a whole: find out on account of which fix.
                    if (batch.length === 1) await this.#giveUp(database, owner, batch[0], problem);
                    limit = Math.max(1, Math.floor(batch.length / 2));
                    continue;
                }
                return this.#hasFailed(problem);
            }
            this.#failures = 0;
            const stored = answer?.stored ?? 0;
            const rejected = answer?.rejected ?? [];
            const done = batch.filter(({ fix: { seq } }) => seq === undefined || seq <= stored);
            this.#noteRefused(rejected);
            await database.remove(owner, done);
            const again = new Set(rejected.flatMap((each) => each.again ?? []));
            const early = batch.filter(({ fix: { seq } }) => again.has(seq) && seq > stored);
            if (early.length > 0) await this.#setAside(database, owner, early);
            // They get through now.
            else if (batch.some(({ tries }) => tries > 0)) this.#asideUntil = 0;
            await this.#count();
            this.#channel?.postMessage("changed");
            if (done.length === 0 && early.length === 0) return this.#hasFailed(null);
            limit = BATCH_COUNT;
        }
        this.#tell("idle");
    }

    /// What was refused for its time alone makes room for what comes after it.
    async #setAside(database, owner, records) {
        this.#asideUntil = performance.now() + ASIDE_PAUSE_MS;
        setTimeout(() => this.flush(), ASIDE_PAUSE_MS + 1);
        this.#refused += await database.setAside(
            owner, records, { tries: ASIDE_TRIES, count: KEPT_FIXES });
    }

    /// Whether there is something of it to be sent again now.
    async #takeUp(database, owner) {
        if (performance.now() < this.#asideUntil) return false;
        return await database.takeUp(owner, BATCH_COUNT) > 0;
    }

    async #giveUp(database, owner, record, problem) {
        // It is the number that is wrong, and not the fix.
        if (isAboutNumber(problem) && record.fix.seq !== 1) return database.numberAnew(owner);
        this.#noteRefused([{ problem }]);
        await database.giveUp(owner, record);
        await this.#count();
    }

    /// What the server will not have: done with, and said.
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

    /// There is a reason to believe that it works now.
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

/// What the service itself will not take, now or later. Anything else may work another time.
const REFUSALS = ["malformed", "invalid", "too-large", "too-old"];

function isRefusal(problem) {
    return REFUSALS.includes(problem?.kind);
}

function isAboutNumber({ errors }) {
    return errors.length > 0 && errors.every(({ field }) => /(?:^|\.)seq$/.test(field));
}

/// Runs it while no other tab does, where the browser can tell (only on safe origins).
function lockAlone(name, body) {
    return navigator.locks ? navigator.locks.request(name, body) : body();
}

export const outbox = new Outbox();
