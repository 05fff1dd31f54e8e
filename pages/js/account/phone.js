/// "Add my phone": its own token, and the settings its app needs.

import { copyRow } from "../copy-row.js";
import { h, replace } from "../dom.js";
import { makeField, makeForm } from "../form.js";
import { t } from "../language.js";
import { ownTracksConfiguration, ownTracksLink } from "./owntracks.js";
import { makeCodeField } from "./second-factor.js";
import { userNameFor } from "./user-name.js";

export function makePhone(app, { added }) {
    let devices = [];
    const name = makeField({
        name: "device", label: t("Name of the phone"), value: "phone",
        autocapitalize: "none", autocomplete: "off", spellcheck: "false",
        hint: t("Lowercase letters, digits, - and _."),
    });
    const password = makeField({
        name: "password", label: t("Your password"), type: "password",
        autocomplete: "current-password",
    });
    const code = makeCodeField();
    code.element.hidden = true;
    const outcome = h("div", { class: "stack", role: "status" });
    let replacing = "";
    let shown = null;
    const form = makeForm({
        fields: [name, password, code],
        button: t("Add it"),
        submit: async (values) => {
            const device = values.device.trim().toLowerCase();
            const isThere = devices.some((each) => each.device === device && each.loggedIn);
            if (isThere && replacing !== device) {
                replacing = device;
                throw { errors: [{
                    field: "device",
                    reason: t("You already have a device with that name. Press again to give it a "
                        + "new token: the app using the old one will be logged out."),
                }] };
            }
            const { me } = app.store.state;
            const login = await app.call("account.login", {
                login: me.user, password: values.password, device,
                code: values.code || undefined,
            }).catch((problem) => {
                if (problem.kind === "second-factor-required") {
                    code.element.hidden = false;
                    throw { errors: [{ field: "code", reason: t("Also required") }] };
                }
                if (problem.kind !== "wrong-credentials") throw problem;
                const reason = values.code
                    ? t("Wrong password or code") : t("Wrong password");
                throw { errors: [{ field: "password", reason }] };
            });
            password.input.value = "";
            code.input.value = "";
            replacing = "";
            showHow({ user: me.user, device, token: login.token });
            added();
        },
    });
    form.prepend(userNameFor(app));
    const element = h("details", { class: "card" },
        h("summary", null, t("Add my phone")),
        h("p", { class: "small muted" },
            t("The free OwnTracks app (Android, iPhone) sends where you are in the background, "
            + "even with this page closed.")),
        form, outcome);

    function showHow(login) {
        shown = login.device;
        const broker = app.store.state.config?.broker
            ?? { host: location.hostname, port: 1883, tls: false };
        const configuration = ownTracksConfiguration(broker, login);
        const file = new Blob([JSON.stringify(configuration)], { type: "application/json" });
        const address = `${broker.host}:${broker.port}${broker.tls ? " (TLS)" : ""}`;
        replace(outcome,
            h("h3", null, t("{device} was added", { device: login.device })),
            h("p", null, t("Open the file or the link on the phone with OwnTracks. In newer "
                + "versions of the app, first allow “external configuration” in the settings. If "
                + "this isn't the phone, send it the file, or open this page there.")),
            h("div", { class: "row" },
                h("a", {
                    class: "button primary", href: URL.createObjectURL(file),
                    download: `${login.user}-${login.device}.otrc`,
                }, t("Save the file")),
                h("a", { class: "button", href: ownTracksLink(configuration) },
                    t("Open OwnTracks here"))),
            isThisMachine(broker.host) ? h("p", { class: "small warning-text" },
                t("“{host}” is this machine itself: a phone cannot reach it. Set the server's real "
                    + "name in its configuration: web.phoneHost.", { host: broker.host })) : null,
            h("p", null, t("The app can't make requests: choose on this page which groups see you.")),
            h("details", null,
                h("summary", null, t("Another MQTT app")),
                h("p", { class: "small muted" },
                    t("The token is shown only once. Anyone who has it can act as this phone.")),
                copyRow(app, t("Broker"), address), copyRow(app, t("User"), login.user),
                copyRow(app, t("Token"), login.token)));
        outcome.scrollIntoView?.({ block: "nearest" });
    }

    return {
        element,
        know(list) {
            devices = list;
            if (!list.some((each) => each.device === shown && each.loggedIn)) replace(outcome);
        },
    };
}

function isThisMachine(host) {
    return /^(?:localhost|127\.[\d.]+|\[?::1\]?)$/.test(host);
}
