/// The second factor: codes from an authenticator app in addition to the password.

import { h, replace, write } from "../dom.js";
import { makeField, makeForm } from "../form.js";
import { dateTime } from "../format.js";
import { t, tn } from "../language.js";
import { drawCode } from "../qr-image.js";
import { userNameFor } from "./user-name.js";

/// A field for a code from the app, or a recovery code.
export function makeCodeField(label = t("Code from your app, or a recovery code")) {
    return makeField({
        name: "code", label, autocomplete: "one-time-code", autocapitalize: "characters",
        spellcheck: "false",
    });
}

export function makeSecondFactor(app) {
    const fact = h("p", { class: "small muted" });
    const place = h("div", { class: "stack" });
    const element = h("details", { class: "card" },
        h("summary", null, t("Second factor")), fact, place);
    let isOn = null;

    function passwordField() {
        return makeField({
            name: "password", label: t("Your password"), type: "password",
            autocomplete: "current-password",
        });
    }

    /// Submits, and shows wrong credentials at the given field.
    function form(fields, button, submit, wrong) {
        const element = makeForm({
            fields, button,
            submit: (values) => submit(values).catch((problem) => {
                if (problem.kind !== "wrong-credentials") throw problem;
                throw { errors: [wrong] };
            }),
        });
        element.prepend(userNameFor(app));
        return element;
    }

    const wrongPassword = { field: "password", reason: t("Wrong password") };
    const wrongCode = { field: "code", reason: t("Wrong code. Try the next one") };

    function offer() {
        replace(place, form([passwordField()], t("Set it up"), async ({ password }) => {
            showSecret(await app.call("account.totp.start", { password }));
        }, wrongPassword));
    }

    function showSecret({ secret, uri }) {
        const code = makeCodeField(t("The code shown in the app"));
        replace(place,
            h("p", null, t("Scan this with an authenticator app, then enter the code it shows.")),
            drawCode(uri, t("The key as a QR code")),
            h("p", null, h("a", { class: "button", href: uri }, t("Open the app here"))),
            h("p", { class: "small muted" },
                t("On the phone with the app, the button opens it. Or enter this key in the app:")),
            h("code", { class: "break" }, secret.replace(/(.{4})(?=.)/g, "$1 ")),
            form([code], t("Turn it on"), async (values) => {
                showCodes(await app.call("account.totp.confirm", values));
            }, wrongCode));
        code.input.focus();
    }

    function showCodes({ recoveryCodes }) {
        know({ secondFactor: { since: Date.now(), recoveryCodes: recoveryCodes.length } });
        replace(place,
            h("p", null, t("Logging in now needs a code. Write these down and keep them apart from "
                + "the phone: each works once, if you lose the app. They are shown only once.")),
            h("ul", { class: "list", "aria-label": t("Recovery codes") },
                recoveryCodes.map((each) => h("li", null, h("code", null, each)))),
            h("button", {
                type: "button", class: "button", onclick: () => offerEnd(),
            }, t("I have written them down")));
    }

    function offerEnd() {
        replace(place, form([passwordField(), makeCodeField()], t("Turn it off"), async (values) => {
            await app.call("account.totp.stop", values);
            know({});
            offer();
            app.say(t("Logging in no longer needs a code."), "good");
        }, { field: "code", reason: t("Wrong password or code") }));
    }

    function know({ secondFactor }) {
        isOn = secondFactor !== undefined;
        write(fact, isOn
            ? tn(secondFactor.recoveryCodes, "On since {time}; 1 recovery code is left.",
                "On since {time}; {count} recovery codes are left.", { time: dateTime(secondFactor.since) })
            : t("Logging in then needs your password and a code from an app on your phone. Knowing "
                + "only your password is not enough."));
    }

    return {
        element,
        update(account) {
            const was = isOn;
            know(account);
            if (was !== isOn) (isOn ? offerEnd : offer)();
        },
    };
}
