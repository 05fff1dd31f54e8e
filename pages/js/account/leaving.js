/// Exporting my data, logging out, and deleting the account.

import { session } from "../api.js";
import { ask, openDialog } from "../dialog.js";
import { forgetSubscription } from "../push.js";
import { sosRequest } from "../sos-request.js";
import { h } from "../dom.js";
import { makeField, makeForm, problemText } from "../form.js";
import { number, together } from "../format.js";
import { icon } from "../icons.js";
import { outbox } from "../outbox.js";
import { unread } from "../unread.js";
import { unsent } from "../unsent.js";
import { geolocation } from "../geolocation.js";
import { t, tn } from "../language.js";
import { userNameFor } from "./user-name.js";

const LEAVING_ATTEMPTS = 10;
const LEAVING_PAUSE_MS = 1_000;

export function makeExport() {
    return {
        element: h("section", { class: "card", "aria-labelledby": "export-title" },
            h("h2", { id: "export-title" }, t("My data")),
            h("p", null, t("Everything stored about you in one ZIP file: JSON, GeoJSON and GPX.")),
            h("div", { class: "row" }, h("a", {
                class: "button", href: "/api/export.zip", download: "kith-export.zip",
            }, icon("download", 20), t("Download")))),
    };
}

export function makeLogOut(app) {
    const button = h("button", {
        type: "button", class: "button wide",
        onclick: async () => {
            if (!await mayGo()) return;
            button.disabled = true;
            geolocation.stop();
            const { user } = app.store.state.me;
            try {
                await session.logOut();
                await forgetPerson(user);
            } catch (problem) {
                app.say(t("Not logged out: {problem}", { problem: problemText(problem) }), "error");
            }
            button.disabled = false;
        },
    }, t("Log out"));

    /// Asks first if data kept here is unsent: it would stay in the browser or be lost.
    async function mayGo() {
        const { waiting } = outbox.status;
        const counted = [
            waiting > 0
                && tn(waiting, "1 position", "{count} positions", { count: number(waiting) }),
            unsent.count > 0
                && tn(unsent.count, "1 message", "{count} messages", { count: number(unsent.count) }),
        ].filter(Boolean);
        if (counted.length === 0) return true;
        const discards = await ask({
            title: t("Something hasn't been sent yet"),
            text: t("Kept in this browser: {list}. Delete it and log out, or stay until it is sent?",
                { list: together(counted) }),
            yes: t("Delete and log out"), no: t("Stay"), danger: true,
        });
        if (discards) await outbox.forget();
        return discards;
    }

    return { element: button };
}

/// The names of the receipt's counts.
const COUNTED = {
    account: t("account"), devices: t("devices"), memberships: t("group memberships"),
    fixes: t("positions"), paths: t("paths"), pathPoints: t("path points"), alerts: t("alerts"),
    acknowledgements: t("acknowledgements"), messages: t("messages"), replies: t("answers"),
    notices: t("notices"), friends: t("friends"), channels: t("notification channels"),
};

export function makeDeletion(app) {
    const user = makeField({
        name: "user", label: t("Your user name, to confirm"), autocapitalize: "none",
        autocomplete: "off", spellcheck: "false",
    });
    const password = makeField({
        name: "password", label: t("Your password"), type: "password",
        autocomplete: "current-password",
    });
    const form = makeForm({
        fields: [user, password],
        button: t("Delete everything"),
        submit: async (values) => {
            // The session ends with the account.
            const { user: gone } = app.store.state.me;
            const { owner } = outbox;
            if (values.user.trim() !== gone) {
                throw { errors: [{ field: "user", reason: t("Wrong user name") }] };
            }
            let deleted;
            try {
                ({ deleted } = await app.call("account.delete", { password: values.password }));
            } catch (problem) {
                if (problem.kind !== "wrong-credentials") throw problem;
                throw { errors: [{ field: "password", reason: t("Wrong password") }] };
            }
            geolocation.stop();
            await outbox.forget(owner).catch(() => {});
            await leave();
            await forgetPerson(gone);
            unread.forget(gone);
            showReceipt(deleted);
        },
    });
    form.prepend(userNameFor(app));
    form.querySelector("button[type=submit]").classList.replace("primary", "danger");
    return {
        element: h("details", { class: "card" },
            h("summary", { class: "danger-text" }, t("Delete my account")),
            h("p", null, t("Your account, positions, paths, alerts and friends are deleted "
                + "immediately and permanently. Your messages keep their place in the chats, "
                + "without your name and text. Download your data first if you want to keep it.")),
            form),
    };
}

/// Removes a leaving user's data from a shared browser.
async function forgetPerson(user) {
    sosRequest.forget(user);
    unsent.forget(user);
    await forgetSubscription().catch(() => {});
    try {
        const worker = await navigator.serviceWorker?.getRegistration();
        for (const told of await worker?.getNotifications() ?? []) told.close();
    } catch {
        // The browser keeps no notifications.
    }
}

/// Logs out, trying again if that fails: the session has ended with the account.
async function leave() {
    for (let attempt = 0; attempt < LEAVING_ATTEMPTS; attempt += 1) {
        try {
            return await session.logOut();
        } catch {
            await new Promise((resolve) => { setTimeout(resolve, LEAVING_PAUSE_MS); });
        }
    }
}

function showReceipt(deleted) {
    const rows = Object.entries(deleted).filter(([, count]) => count > 0);
    const close = openDialog(t("Your account was deleted"), [
        h("p", null, t("This was deleted:")),
        h("dl", { class: "receipt numbers" }, rows.map(([name, count]) => [
            h("dt", null, COUNTED[name] ?? name), h("dd", null, number(count)),
        ])),
        h("div", { class: "row end" },
            h("button", { type: "button", class: "button primary", onclick: () => close() },
                t("Close"))),
    ]);
}
