/// Links for choosing a password. The secret is made here, and the server receives a hash of it:
/// its stored data does not allow logging in.

import { h } from "../dom.js";
import { dateTime } from "../format.js";
import { showLink } from "../link-box.js";
import { access } from "./access.js";

const SECRET_BYTES = 32;
const LOCAL_NAMES = ["localhost", "127.0.0.1", "[::1]"];

/// Whether this browser can compute hashes on this page.
export const canMakeLinks = () => globalThis.isSecureContext && crypto.subtle !== undefined;

export const WHY_NO_LINKS = "Links can be made only if this page is opened with https, or as localhost on "
    + "the machine itself. On the command line, “kith user invite” makes one.";

/// `{secret,hash}`: 256 random bits in base64url, and the SHA-256 of that text in hexadecimal digits.
export async function newSecret(random = crypto.getRandomValues(new Uint8Array(SECRET_BYTES))) {
    const secret = btoa(String.fromCharCode(...random))
        .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(secret));
    const hash = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
    return { secret, hash };
}

/// Makes a link for a user, and shows it once.
export async function invite(app, user) {
    const { secret, hash } = await newSecret();
    const { expiresAt } = await access.call("user.invite", { user, hash });
    return h("div", { class: "stack" },
        showLink(app, {
            path: `${access.origin ?? ""}/#/recover/${secret}`,
            title: "Choose a password for Kith",
            words: `For ${user} only: the first person to open it chooses the password. It works once, until `
                + `${dateTime(expiresAt)}; earlier links for ${user} have ended. It is shown only once.`,
        }),
        access.origin === null && LOCAL_NAMES.includes(location.hostname)
            ? h("p", { class: "small warning-text" },
                `It begins with ${location.origin}, which works only on this machine. For someone `
                + "elsewhere, open this page at the address they use.")
            : null);
}
