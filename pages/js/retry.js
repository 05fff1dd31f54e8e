/// Requests that are asked again where the server had no line to the broker for a moment.

import { newID } from "./api.js";

const ATTEMPTS = 4;
const PAUSE_MS = 700;
/// What changes nothing may be asked twice; everything else has an id, by which the service knows
/// a repetition.
const READS = /\.(?:get|list|nearby|history|export)$/;

/// `call`, with patience.
export function withRetry(call) {
    return async (method, body = {}) => {
        const request = READS.test(method) ? body : { id: newID(), ...body };
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
