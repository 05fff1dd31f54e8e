/// The operator's token, kept only for this tab, and the requests it allows. It is in no URL and in
/// no cookie.

import { exchange } from "../api.js";
import { readStored, writeStored } from "../storage.js";

const KEY = "kith.operator";
const STATE_PATIENCE_MS = 10_000;

/// Works even if the browser stores nothing.
let held = readStored(KEY, "sessionStorage");
let ended = () => {};

export const access = {
    /// Null without a token.
    get token() { return held; },

    /// `null` forgets it.
    keep(token) {
        held = token;
        writeStored(KEY, token, "sessionStorage");
    },

    /// Called when the server no longer accepts the token.
    onEnd(listener) { ended = listener; },

    /// The state of the service, by a token that need not be stored yet.
    async state(token = access.token) {
        const state = await exchange("GET", "/operator/state", {
            headers: bearing(token), credentials: "omit", patience: STATE_PATIENCE_MS,
        });
        access.origin = state?.origin ?? null;
        return state;
    },

    /// The page's address in other people's browsers (`web.origin`); null if the server does not know it.
    origin: null,

    /// Calls a method of docs/reference.md as the operator.
    async call(method, body = {}) {
        const { token } = access;
        try {
            return await exchange("POST", `/api/${method}`, {
                body, headers: bearing(token), credentials: "omit",
            });
        } catch (problem) {
            // There may be another one by now.
            if (problem.status === 401 && token === access.token) ended();
            throw problem;
        }
    },
};

/// Whether this can be a token: a word that is valid in a header.
export function isToken(text) {
    return /^[\x21-\x7e]+$/.test(text);
}

function bearing(token) {
    return { Authorization: `Bearer ${token}` };
}
