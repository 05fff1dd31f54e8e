/// My account: position, devices, data.

import { makeChannels } from "../account/channels.js";
import { makeDay } from "../account/day.js";
import { makeDevices } from "../account/devices.js";
import { makeImports } from "../account/imports.js";
import { makeDeletion, makeExport, makeLogOut } from "../account/leaving.js";
import { makeLanguage } from "../account/language.js";
import { makeMonitoring } from "../account/monitoring.js";
import { makeMonth } from "../account/month.js";
import { makePasskeys } from "../account/passkeys.js";
import { makePhone } from "../account/phone.js";
import { makePassword, makeProfile } from "../account/profile.js";
import { makeRuns } from "../account/runs.js";
import { makeSecondFactor } from "../account/second-factor.js";
import { makeServices } from "../account/services.js";
import { termsLinks } from "../account/terms.js";
import { makeVitals } from "../account/vitals.js";
import { h } from "../dom.js";
import { distance } from "../format.js";
import { makeAddable } from "../invitations/addable.js";
import { t } from "../language.js";
import { withRetry } from "../retry.js";
import { positionControl } from "../position.js";

/// The browser's offer to install the page; it is sent once, perhaps before this view exists.
let offer = null;
const offerListeners = new Set();
addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    offer = event;
    for (const listener of offerListeners) listener();
});

export function mount(root, shell) {
    const app = { ...shell, call: withRetry(shell.call) };
    const secondFactor = makeSecondFactor(app);
    const passkeys = makePasskeys(app);
    const channels = makeChannels(app, { confirmed: () => profile.load() });
    const profile = makeProfile(app, {
        loaded: (account) => {
            secondFactor.update(account);
            password.update(account);
        },
        verify: (address) => channels.verify(address),
    });
    const phone = makePhone(app, { added: () => devices.load() });
    const devices = makeDevices(app, { loaded: (list) => phone.know(list) });
    const password = makePassword(app);
    const addable = makeAddable(app);
    const day = makeDay(app);
    const month = makeMonth(app);
    const imports = makeImports(app);
    const vitals = makeVitals(app);
    const monitoring = makeMonitoring(app);
    const services = makeServices(app);
    const runs = makeRuns(app);
    const deletion = makeDeletion(app);
    const demo = h("p", { class: "card muted", hidden: true },
        t("This is the demo, with someone else's account: there is no password to change, no phone to "
            + "add and no account to delete. Create your own account for that."));
    const isDemo = app.store.state.me?.demo === true;
    demo.hidden = !isDemo;
    for (const part of [channels, phone, password, passkeys, secondFactor, addable, day,
        month, imports, vitals, monitoring, services, runs, deletion]) {
        part.element.hidden = isDemo;
    }

    root.append(h("div", { class: "panel" },
        h("h1", null, t("Me")), demo, h("section", { class: "card" }, positionControl(app)),
        profile.element, channels.element, addable.element, devices.element,
        phone.element, password.element, passkeys.element, secondFactor.element,
        day.element, month.element, imports.element, vitals.element, monitoring.element,
        services.element, runs.element,
        makeExport().element, makeSettings(app), makeLogOut(app).element, deletion.element));

    return {
        show() {
            profile.load();
            if (!isDemo) {
                addable.load();
                channels.load();
                imports.load();
                passkeys.load();
                vitals.load();
                monitoring.load();
                services.load();
                runs.load();
            }
            devices.load();
        },
        hide() {},
    };
}

function makeSettings(app) {
    const install = h("button", {
        type: "button", class: "button",
        onclick: async () => {
            await offer?.prompt();
            offer = null;
            update();
        },
    }, t("Install Kith on this device"));
    const update = () => { install.hidden = offer === null; };
    offerListeners.add(update);
    update();
    return h("section", { class: "card", "aria-labelledby": "settings-title" },
        h("h2", { id: "settings-title" }, t("This page")),
        makeLanguage(app).element,
        h("p", { class: "small muted" },
            t("Times and units follow your browser's region, such as {distance}.", {
                distance: distance(4200),
            })),
        h("p", { class: "small muted" },
            t("You can install it from the browser's menu, and it opens without a network. While closed, "
                + "it sends nothing: use OwnTracks for that.")),
        h("div", { class: "row" }, install),
        h("p", { class: "row small" }, termsLinks()));
}
