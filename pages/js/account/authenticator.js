/// Passkeys in the browser: the server's options and the browser's responses, in JSON.

import { t } from "../language.js";

export const canUsePasskeys = () => isSecureContext && "PublicKeyCredential" in window;

/// Creates a passkey. Returns the input of `account.passkey.add`, or null if cancelled.
export async function createPasskey(options) {
    return answer(() => navigator.credentials.create({
        publicKey: {
            ...options, challenge: bytes(options.challenge),
            user: { ...options.user, id: bytes(options.user.id) },
            excludeCredentials: options.excludeCredentials.map((each) => (
                { ...each, id: bytes(each.id) })),
        },
    }), ["attestationObject", "clientDataJSON"]);
}

/// Signs with a passkey. Returns the input of `account.passkey.login`, or null if cancelled.
export async function signWithPasskey(options) {
    return answer(() => navigator.credentials.get({
        publicKey: { ...options, challenge: bytes(options.challenge) },
    }), ["authenticatorData", "clientDataJSON", "signature", "userHandle"]);
}

async function answer(ask, parts) {
    let credential;
    try {
        credential = await ask();
    } catch (error) {
        if (error.name === "NotAllowedError" || error.name === "AbortError") return null;
        if (error.name === "InvalidStateError") {
            throw new Error(t("This device already has a passkey of yours."), { cause: error });
        }
        throw new Error(t("This browser cannot use a passkey here."), { cause: error });
    }
    const response = Object.fromEntries(parts.map((part) => (
        [part, text(credential.response[part])])));
    return { id: credential.id, response };
}

function bytes(base64url) {
    const base64 = base64url.replaceAll("-", "+").replaceAll("_", "/");
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

function text(buffer) {
    const characters = Array.from(new Uint8Array(buffer ?? []), (byte) => (
        String.fromCharCode(byte)));
    return btoa(characters.join("")).replaceAll("+", "-").replaceAll("/", "_")
        .replaceAll("=", "");
}
