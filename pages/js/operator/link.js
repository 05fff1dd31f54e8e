/// Links with which people choose a password. Their secret is made here, and the server gets a hash of it:
/// what it stores lets nobody in.

import { h } from "../dom.js";
import { dateTime } from "../format.js";
import { showLink } from "../link-box.js";
import { access } from "./access.js";

const SECRET_BYTES = 32;
const LOCAL_NAMES = ["localhost", "127.0.0.1", "[::1]"];

/// Whether this browser computes hashes here.
export const canMakeLinks = () => globalThis.isSecureContext && crypto.subtle !== undefined;

export const WHY_NO_LINKS = "A link can be made only where this page is opened with https, or as localhost on "
    + "the machine itself. On the command line, “kith user invite” makes one.";

/// `{secret,hash}`: 256 random bits in base64url, and the SHA-256 of that text in hexadecimal digits.
export async function newSecret(random = crypto.getRandomValues(new Uint8Array(SECRET_BYTES))) {
    const secret = btoa(String.fromCharCode(...random))
        .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(secret));
    const hash = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
    return { secret, hash };
}

/// Makes a link for somebody, and shows it: this once.
export async function invite(app, user) {
    const { secret, hash } = await newSecret();
    const { expiresAt } = await access.call("user.invite", { user, hash });
    return h("div", { class: "stack" },
        showLink(app, {
            path: `${access.origin ?? ""}/#/recover/${secret}`,
            title: "Choose a password for Kith",
            words: `For ${user} alone: whoever opens it first chooses the password. It works once, until `
                + `${dateTime(expiresAt)}; links that were made for ${user} before have ended. It is shown only `
                + "now.",
        }),
        access.origin === null && LOCAL_NAMES.includes(location.hostname)
            ? h("p", { class: "small warning-text" },
                `It begins with ${location.origin}, which only this machine understands. For somebody `
                + "elsewhere, open this page under the address that they use.")
            : null);
}
