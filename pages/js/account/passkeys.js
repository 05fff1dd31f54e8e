/// Passkeys: logging in with a finger, a face or the PIN of a device, instead of with a password.

import { call, session } from "../api.js";
import { h, replace, write } from "../dom.js";
import { makeField, makeForm, problemText } from "../form.js";
import { age, dateTime } from "../format.js";
import { t } from "../language.js";
import { canUsePasskeys, createPasskey, signWithPasskey } from "./authenticator.js";
import { makeCodeField } from "./second-factor.js";
import { userNameFor } from "./user-name.js";

const WHAT_IT_IS = t("With a passkey you log in with the finger, face or PIN that unlocks this "
    + "device. It can't be guessed or stolen by a fake page, and no code is needed.");

/// A button for the login page; null in browsers without passkeys.
export function makePasskeyLogin(entered) {
    if (!canUsePasskeys()) return null;
    const error = h("p", { class: "error", role: "alert" });
    const button = h("button", {
        type: "button", class: "button wide",
        onclick: async () => {
            button.disabled = true;
            write(error, "");
            try {
                const { options } = await call("account.passkey.challenge");
                const credential = await signWithPasskey(options);
                if (credential) entered(await session.logInByPasskey(credential));
            } catch (problem) {
                write(error, problemText(problem));
            } finally {
                button.disabled = false;
            }
        },
    }, t("Log in with a passkey"));
    return h("div", { class: "stack" }, button, error);
}

export function makePasskeys(app) {
    const fact = h("p", { class: "small muted" }, WHAT_IT_IS);
    const list = h("ul", { class: "list", "aria-label": t("Passkeys") });
    const place = h("div", { class: "stack" });
    const error = h("p", { class: "error", role: "alert" });
    const element = h("details", { class: "card" },
        h("summary", null, t("Passkeys")), fact, list, error, place);

    const passwordField = () => makeField({
        name: "password", label: t("Your password"), type: "password",
        autocomplete: "current-password",
    });

    /// Asks for proof of being the owner.
    function form(fields, button, submit, cancel) {
        const code = makeCodeField();
        code.element.hidden = true;
        const element = makeForm({
            fields: [...fields, code], button,
            submit: async ({ code: typed, ...values }) => {
                try {
                    await submit({ ...values, code: typed || undefined });
                } catch (problem) {
                    if (problem.kind === "second-factor-required") {
                        code.element.hidden = false;
                        throw { errors: [{ field: "code", reason: t("Also required") }] };
                    }
                    if (problem.kind !== "wrong-credentials") throw problem;
                    const reason = typed
                        ? t("Wrong password or code") : t("Wrong password");
                    throw { errors: [{ field: "password", reason }] };
                }
            },
            after: cancel ? h("button", {
                type: "button", class: "button wide", onclick: () => offer(),
            }, t("Cancel")) : null,
        });
        element.prepend(userNameFor(app));
        return element;
    }

    /// The passkey is created first: if the device already has one, that is reported without a
    /// password.
    function offer() {
        const button = h("button", {
            type: "button", class: "button primary wide",
            onclick: async () => {
                button.disabled = true;
                write(error, "");
                try {
                    const { options } = await app.call("account.passkey.begin");
                    const credential = await createPasskey(options);
                    if (credential) confirm(credential);
                } catch (problem) {
                    write(error, problemText(problem));
                } finally {
                    button.disabled = false;
                }
            },
        }, t("Add a passkey"));
        replace(place, button);
    }

    function confirm(credential) {
        const label = makeField({
            name: "label", label: t("Passkey name"), maxlength: 64, value: deviceWords(),
        });
        replace(place, form([label, passwordField()], t("Save passkey"), async (values) => {
            const { passkey } = await app.call("account.passkey.add", {
                credential, ...values, label: values.label.trim() || undefined,
            });
            app.say(t("You can now log in with {label}.", { label: passkey.label }), "good");
            load();
        }, true));
        label.input.focus();
    }

    function remove({ passkey, label }) {
        const words = h("p", null, t("{label} will no longer work for logging in. Also remove it "
            + "from your device's passwords.", { label }));
        replace(place, words, form([passwordField()], t("Remove {label}", { label }), async ({ password }) => {
            await app.call("account.passkey.remove", { passkey, password });
            app.say(t("{label} was removed.", { label }), "good");
            load();
        }, true));
        place.querySelector("input[name=password]").focus();
    }

    function row(passkey) {
        const facts = [
            t("since {time}", { time: dateTime(passkey.addedAt) }),
            passkey.usedAt ? t("last used {age}", { age: age(passkey.usedAt) }) : t("not used yet"),
            passkey.synced ? t("on all your devices") : null,
        ].filter(Boolean).join(" · ");
        return h("li", null, h("div", { class: "row" },
            h("div", { class: "grow" },
                h("strong", { class: "break" }, passkey.label),
                h("p", { class: "small muted" }, facts)),
            h("button", {
                type: "button", class: "button quiet danger",
                "aria-label": t("Remove the passkey {label}", { label: passkey.label }),
                onclick: () => remove(passkey),
            }, t("Remove"))));
    }

    async function load() {
        try {
            const { passkeys, offered } = await app.call("account.passkey.list");
            replace(list, passkeys.map(row));
            write(error, "");
            if (!offered) {
                write(fact, t("There are none here: they need this page's https address. The "
                    + "operator of this server can set it."));
            } else if (!canUsePasskeys()) {
                write(fact, `${WHAT_IT_IS} ${t("This browser doesn't support passkeys.")}`);
            }
            if (offered && canUsePasskeys()) offer();
            else replace(place);
        } catch (problem) {
            write(error, problemText(problem));
        }
    }

    return { element, load };
}

/// The kind of device, as far as the browser reports it.
function deviceWords() {
    const { userAgentData, userAgent } = navigator;
    const known = ["iPhone", "iPad", "Android", "Windows", "Mac", "Linux"];
    return userAgentData?.platform || known.find((each) => userAgent.includes(each)) || "";
}
