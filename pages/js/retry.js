/// Repeats requests if the server has no connection to the broker for a moment.

import { newID } from "./api.js";
import { READS } from "./contract.js";

const ATTEMPTS = 4;
const PAUSE_MS = 700;

/// `call`, with retries. Read-only methods may be repeated; all others carry an id by which the
/// service recognises a repetition.
export function withRetry(call) {
    return async (method, body = {}) => {
        const request = READS.has(method) ? body : { id: newID(), ...body };
        for (let attempt = 1; ; attempt += 1) {
            try {
                return await call(method, request);
            } catch (problem) {
                const isOver = attempt >= ATTEMPTS || problem.kind !== "away";
                if (isOver || !navigator.onLine) throw problem;
                await new Promise((resolve) => { setTimeout(resolve, PAUSE_MS * attempt); });
            }
        }
    };
}
